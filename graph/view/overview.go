package view

import (
	"fmt"
	"time"

	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// Overview shows how an account's sites stand.
type Overview struct {
	*account.Overview
	ChecksLeft int
}

// SitesCount is how many sites there are.
func (o *Overview) SitesCount() int { return len(o.Overview.Sites) }

// NeedsCount is how many of them need somebody.
func (o *Overview) NeedsCount() int { return o.Needy }

// FailedCount is how many entries failed.
func (o *Overview) FailedCount() int { return o.Failed }

// RunningCount is how many batches are not finished.
func (o *Overview) RunningCount() int { return o.Running }

// Runs are the first unfinished batches.
func (o *Overview) Runs(first int) ([]*Batch, error) {
	if err := within("first", first, 1, account.MaxRuns); err != nil {
		return nil, err
	}
	runs := o.Overview.Runs[:min(first, len(o.Overview.Runs))]
	batches := make([]*Batch, len(runs))
	for i, b := range runs {
		batches[i] = NewBatch(b)
	}
	return batches, nil
}

// maxSkippedSites is how many sites may be skipped: more than an overview has.
const maxSkippedSites = 10_000

// Sites are a part of the sites.
func (o *Overview) Sites(first, offset int, needy *bool) ([]*SiteOverview, error) {
	if err := within("first", first, 1, account.MaxSites); err != nil {
		return nil, err
	}
	if err := within("offset", offset, 0, maxSkippedSites); err != nil {
		return nil, err
	}
	sites := []*SiteOverview{}
	for _, s := range o.Overview.Sites {
		if needy != nil && *needy != (len(s.Needs) > 0) {
			continue
		}
		if offset--; offset < 0 && len(sites) < first {
			sites = append(sites, &SiteOverview{SiteStanding: s})
		}
	}
	return sites, nil
}

// SiteOverview shows how a site stands.
type SiteOverview struct {
	*account.SiteStanding
}

// WebsiteID is the website's id.
func (s *SiteOverview) WebsiteID() *vcd.ID { return s.SiteStanding.Website }

// FailedCount is how many entries failed.
func (s *SiteOverview) FailedCount() int { return s.Failed }

// Needs are why somebody has to look.
func (s *SiteOverview) Needs() []scalar.Word {
	words := make([]scalar.Word, len(s.SiteStanding.Needs))
	for i, need := range s.SiteStanding.Needs {
		words[i] = scalar.Word(need)
	}
	return words
}

// NextRuns are the next scheduled runs.
func (s *SiteOverview) NextRuns(first int) ([]time.Time, error) {
	if err := within("first", first, 1, account.MaxSiteRuns); err != nil {
		return nil, err
	}
	return s.SiteStanding.NextRuns[:min(first, len(s.SiteStanding.NextRuns))], nil
}

func within(field string, n, low, high int) error {
	if n < low || n > high {
		return vcd.Invalid(field, "between", fmt.Sprintf("The {field} field must be between %d and %d.", low, high))
	}
	return nil
}

// Key tells sites apart.
func (s *SiteOverview) Key() vcd.ID {
	if id := s.WebsiteID(); id != nil {
		return *id
	}
	return s.Groups[0].ID
}
