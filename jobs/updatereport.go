package jobs

import (
	"context"
	"slices"
	"strings"
	"time"

	"afterimage/internal/mail"
	"afterimage/vcd"
	"afterimage/vcd/outbound"
)

// Limits of the suspected causes that are reported.
const (
	leastCause = 0.35
	maxCauses  = 3
)

// updateReport is the report to the recipient of a task about an automatic update and the changes it caused.
func (w *mailWorker) updateReport(ctx context.Context, task *outbound.MailTask, zone *time.Location) mail.UpdateReport {
	b := task.Digest.Batch
	r := mail.UpdateReport{Batch: b.Name, At: b.UpdatedAt.In(zone)}
	var sites []string
	cms := ""
	illustrated := 0
	for _, g := range task.Digest.For(task.Mail.Recipient) {
		if g.Website != nil && !slices.Contains(sites, g.Website.Domain) {
			sites = append(sites, g.Website.Domain)
		}
		if g.Group.CMS != nil {
			cms = *g.Group.CMS
		}
		told := w.group(ctx, g, &illustrated)
		r.Checked, r.Unseen = r.Checked+told.Checked, r.Unseen+told.Unseen
		r.Failed, r.More = r.Failed+told.Failed, r.More+told.More
		r.Changes, r.Failures = append(r.Changes, told.Changes...), append(r.Failures, told.Failures...)
	}
	r.Website = strings.Join(sites, ", ")
	for _, c := range task.Culprits {
		if c.Score >= leastCause && len(r.Causes) < maxCauses {
			r.Causes = append(r.Causes, c.Sentence)
		}
	}
	if u := b.UpdateResults; u != nil {
		r.At = time.Unix(int64(u.Timestamp), 0).In(zone)
		r.Status, r.Attempts, r.Broken = string(u.Summary.Status), u.Summary.TotalAttempted, u.Summary.Failed
		r.Updates = updatesOf(u.Updates, cms)
	}
	return r
}

// updatesOf lists failed updates first, and the rest in the order in which software builds on other software.
func updatesOf(u vcd.Updates, cms string) []mail.Update {
	var list []mail.Update
	if core := u.Core; core != nil && core.Attempted {
		list = append(list, update("Core", cms, core.Success, core.UpdateOutcome))
	}
	for _, kind := range []struct {
		name     string
		packages []vcd.PackageUpdate
	}{{"Plugin", u.Plugins}, {"Theme", u.Themes}} {
		for _, p := range kind.packages {
			name := p.Slug
			if p.Name != nil && *p.Name != "" {
				name = *p.Name
			}
			list = append(list, update(kind.name, name, p.Success, p.UpdateOutcome))
		}
	}
	slices.SortStableFunc(list, func(a, b mail.Update) int {
		switch {
		case a.Done == b.Done:
			return 0
		case a.Done:
			return 1
		}
		return -1
	})
	return list
}

func update(kind, name string, done bool, o vcd.UpdateOutcome) mail.Update {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	return mail.Update{Kind: kind, Name: name, From: text(o.FromVersion), To: text(o.ToVersion), Done: done, Error: text(o.Error)}
}
