package account

import (
	"cmp"
	"context"
	"slices"
	"time"

	"afterimage/vcd"
)

// Limits of an overview.
const (
	maxStandings  = 10_000 // groups; further ones are left out
	MaxSites      = 500    // listed at once
	MaxRuns       = 100    // listed at once
	MaxSiteRuns   = 20     // planned, of each site
	maxMissedRuns = 100    // listed
)

// Overview tells how an account's sites stand.
type Overview struct {
	Sites      []*SiteStanding // those that need somebody first, then by name
	Needy      int             // how many of these need somebody
	OpenAlarms int
	Failed     int // entries that failed in the last batches of groups
	Missed     []*vcd.GroupStanding
	Running    int // batches that are not finished
	NextRunAt  *time.Time
	// Runs are the unfinished batches, oldest first, at most MaxRuns. Last holds the last batch of each site. Both are filled in
	// on request.
	Runs []*vcd.Batch
	Last map[vcd.ID]*vcd.Batch
}

// SiteStanding is how a website stands, or a group that belongs to none.
type SiteStanding struct {
	Name       string // the domain, or the name of the group
	Website    *vcd.ID
	Groups     []*vcd.GroupStanding
	OpenAlarms int
	Failed     int
	Needs      []vcd.Need
	LastBatch  *vcd.ID
	NextRuns   []time.Time
}

// GroupIDs are the ids of the site's groups.
func (s *SiteStanding) GroupIDs() []vcd.ID {
	ids := make([]vcd.ID, len(s.Groups))
	for i, g := range s.Groups {
		ids[i] = g.ID
	}
	return ids
}

// Overview tells how the sites of the actor's account stand, whose time zone is given; with batches it also reads the
// unfinished and the last ones.
func (s *Service) Overview(ctx context.Context, actor vcd.Actor, zone *time.Location, batches bool) (*Overview, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*Overview, error) {
		groups, err := tx.GroupStandings(ctx, maxStandings)
		if err != nil {
			return nil, err
		}
		o := overviewOf(groups, zone, s.clock.Now())
		if !batches {
			o.Running, err = tx.CountBatches(ctx, vcd.BatchFilter{Unfinished: true})
			return o, err
		}
		return o, o.readBatches(ctx, tx)
	})
}

// readBatches fills in the unfinished and the last batches.
func (o *Overview) readBatches(ctx context.Context, tx Tx) error {
	var last []vcd.ID
	for _, site := range o.Sites {
		if site.LastBatch != nil && len(last) < MaxSites {
			last = append(last, *site.LastBatch)
		}
	}
	found, err := tx.UnfinishedAnd(ctx, last, MaxRuns)
	if err != nil {
		return err
	}
	o.Last = make(map[vcd.ID]*vcd.Batch, len(found))
	for _, b := range found {
		o.Last[b.ID] = b
		if b.FinishedAt == nil {
			o.Runs = append(o.Runs, b)
		}
	}
	if o.Running = len(o.Runs); o.Running >= MaxRuns {
		o.Running, err = tx.CountBatches(ctx, vcd.BatchFilter{Unfinished: true})
	}
	return err
}

func overviewOf(groups []*vcd.GroupStanding, zone *time.Location, now time.Time) *Overview {
	o := &Overview{Missed: []*vcd.GroupStanding{}}
	known := map[vcd.ID]*SiteStanding{}
	for _, g := range groups {
		key, name := g.ID, g.Name
		if g.WebsiteID != nil {
			key, name = *g.WebsiteID, g.Domain
		}
		site := known[key]
		if site == nil {
			site = &SiteStanding{Name: name, Website: g.WebsiteID, Needs: []vcd.Need{}, NextRuns: []time.Time{}}
			known[key] = site
			o.Sites = append(o.Sites, site)
		}
		site.add(g, zone, now)
		o.OpenAlarms += g.OpenAlarms
		o.Failed += g.Failed
		if g.Enabled && g.MissedRun != nil && len(o.Missed) < maxMissedRuns {
			o.Missed = append(o.Missed, g)
		}
		if g.NextRunAt != nil && (o.NextRunAt == nil || g.NextRunAt.Before(*o.NextRunAt)) {
			o.NextRunAt = g.NextRunAt
		}
	}
	for _, site := range o.Sites {
		if len(site.Needs) > 0 {
			o.Needy++
		}
	}
	slices.SortStableFunc(o.Sites, func(a, b *SiteStanding) int {
		return cmp.Or(-cmp.Compare(min(1, len(a.Needs)), min(1, len(b.Needs))), cmp.Compare(a.Name, b.Name))
	})
	return o
}

func (s *SiteStanding) add(g *vcd.GroupStanding, zone *time.Location, now time.Time) {
	s.Groups = append(s.Groups, g)
	s.OpenAlarms += g.OpenAlarms
	s.Failed += g.Failed
	for _, need := range g.Needs() {
		if !slices.Contains(s.Needs, need) {
			s.Needs = append(s.Needs, need)
		}
	}
	if g.LastBatch != nil && (s.LastBatch == nil || *g.LastBatch > *s.LastBatch) { // ids sort by time
		s.LastBatch = g.LastBatch
	}
	s.NextRuns = append(s.NextRuns, g.NextRuns(zone, now, MaxSiteRuns)...)
	slices.SortFunc(s.NextRuns, time.Time.Compare)
	s.NextRuns = s.NextRuns[:min(len(s.NextRuns), MaxSiteRuns)]
}
