package outbound

import (
	"context"
	"slices"
	"strings"

	"afterimage/vcd"
)

const (
	maxAlarmsRead   = 2000 // of one batch; further ones are only counted
	maxFailuresRead = 200  // likewise
	maxTold         = 5    // alarms of one group, and failures, listed individually
)

// BatchDigest is the mail content about a finished batch.
type BatchDigest struct {
	Batch    *vcd.Batch
	Groups   []GroupDigest
	websites map[vcd.ID]*vcd.Website // by group; only for batches around automatic updates
}

// GroupDigest is the part of a digest about one group. The gravest alarms come first, of equally grave ones those with the
// largest differences.
type GroupDigest struct {
	Group   *vcd.Group
	Website *vcd.Website // of the group; only for batches around automatic updates
	Checked int          // comparisons
	Unseen  int          // of them, those that do not show all of the page
	Alarms  []*vcd.Comparison
	More    int            // alarms beyond those
	Flows   []*vcd.FlowRun // that failed; their checkpoints are not among the failures
	Failed  int            // screenshots that could not be taken, or show a wall instead of their page
	// Failures are some of the failed entries.
	Failures []*vcd.QueueEntry
}

// worthTelling reports whether recipients should be notified: something changed, a flow failed, or a monitored page could not be captured.
// Users who run manual checks see failures themselves, and users of automatic updates want to hear of successes too.
func (d *BatchDigest) worthTelling(g GroupDigest) bool {
	return len(g.Alarms)+len(g.Flows) > 0 || g.Failed > 0 && d.Batch.Source == vcd.SourceMonitoring ||
		d.Batch.Source == vcd.SourceAutoUpdate
}

// addresses returns the recipients for a group. A batch around automatic updates goes to the recipients in the website's
// settings.
func (d *BatchDigest) addresses(g GroupDigest) []string {
	switch {
	case d.Batch.Source != vcd.SourceAutoUpdate:
		return g.Group.AlertEmails
	case g.Website != nil && g.Website.AutoUpdate != nil:
		return g.Website.AutoUpdate.Emails
	}
	return nil
}

// recipients returns the distinct recipients of the groups worth reporting. A batch around automatic updates is reported by
// an update report once its results are stored, any other by a digest.
func (d *BatchDigest) recipients(kind vcd.MailKind) []string {
	if (kind == vcd.MailUpdateReport) != (d.Batch.Source == vcd.SourceAutoUpdate) {
		return nil
	}
	var all []string
	for _, g := range d.Groups {
		if d.worthTelling(g) {
			all = append(all, d.addresses(g)...)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return slices.CompactFunc(all, strings.EqualFold)
}

// For returns what one recipient is told: the batch's groups that list the address.
func (d *BatchDigest) For(recipient string) []GroupDigest {
	var own []GroupDigest
	for _, g := range d.Groups {
		if slices.ContainsFunc(d.addresses(g), func(email string) bool { return strings.EqualFold(email, recipient) }) {
			own = append(own, g)
		}
	}
	return own
}

func digestOf(ctx context.Context, tx digestStore, batch vcd.ID) (*BatchDigest, error) {
	b, err := tx.Batch(ctx, batch)
	if err != nil {
		return nil, err
	}
	groups, err := tx.GroupsByIDs(ctx, b.GroupIDs)
	if err != nil {
		return nil, err
	}
	d := &BatchDigest{Batch: b}
	if b.Source == vcd.SourceAutoUpdate {
		if d.websites, err = tx.WebsitesOfGroups(ctx, b.GroupIDs); err != nil {
			return nil, err
		}
	}
	return d, d.read(ctx, tx, groups)
}

// read fills in the results of the groups.
func (d *BatchDigest) read(ctx context.Context, tx digestStore, groups []*vcd.Group) error {
	f := vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{d.Batch.ID}, Statuses: &[]vcd.ComparisonStatus{vcd.ComparisonNew},
		Order: vcd.OrderJudgedPercent}
	alarms, err := tx.Comparisons(ctx, f, vcd.Page{Number: 1, Size: maxAlarmsRead}, false)
	if err != nil {
		return err
	}
	ends, err := tx.CountEnds(ctx, d.Batch.ID)
	if err != nil {
		return err
	}
	failed := vcd.QueueFilter{BatchIDs: f.BatchIDs, Statuses: &[]vcd.QueueStatus{vcd.QueueFailed}, Types: &[]vcd.QueueType{vcd.QueuePre,
		vcd.QueuePost, vcd.QueueAuto, vcd.QueueCompare}}
	failures, err := tx.QueueEntries(ctx, failed, vcd.Page{Number: 1, Size: maxFailuresRead}, false)
	if err != nil {
		return err
	}
	flows, err := tx.FailedFlowRuns(ctx, *f.BatchIDs)
	if err != nil {
		return err
	}
	slices.SortStableFunc(alarms.Items, vcd.GravestFirst)
	for _, g := range groups {
		told := GroupDigest{Group: g, Website: d.websites[g.ID], Checked: ends[g.ID].Compared, Unseen: ends[g.ID].Unseen,
			Failed: ends[g.ID].Failed}
		for _, c := range alarms.Items {
			switch {
			case c.GroupID != g.ID:
			case len(told.Alarms) < maxTold:
				told.Alarms = append(told.Alarms, c)
			default:
				told.More++
			}
		}
		told.addFailures(flows, failures.Items)
		d.Groups = append(d.Groups, told)
	}
	return nil
}

// addFailures adds what failed in the group. Of a flow that failed, its checkpoints are not told once more.
func (g *GroupDigest) addFailures(flows []*vcd.FlowRun, entries []*vcd.QueueEntry) {
	for _, f := range flows {
		if f.GroupID == g.Group.ID {
			g.Flows = append(g.Flows, f)
		}
	}
	for _, e := range entries {
		unseen := e.Type != vcd.QueueCompare || e.Reason == vcd.ReasonWall // other comparisons fail with their screenshot
		if e.GroupID == g.Group.ID && unseen && !g.ofFailedFlow(e) && len(g.Failures) < maxTold {
			g.Failures = append(g.Failures, e)
		}
	}
}

// ofFailedFlow reports whether an entry is a checkpoint of a flow that failed: the run was the turn of the entry that leads it.
func (g *GroupDigest) ofFailedFlow(e *vcd.QueueEntry) bool {
	return e.LeaderID != nil && slices.ContainsFunc(g.Flows, func(f *vcd.FlowRun) bool { return f.EntryID == *e.LeaderID })
}
