package review_test

import (
	"context"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// Pictures by different versions of the capture engine may differ although the page did not change; the comparison says so.
func TestABaselineOfTheSameVersionIsFoundBehindAnUpgrade(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("upgrade", 1, inventory.GroupChange{})
	for i, version := range []string{"old", "old", "new"} {
		w.Take(vcd.QueuePre, g)
		for _, entry := range w.Jobs("capture") {
			w.CaptureBy(entry, string(rune('a'+i)), version)
		}
		w.Clock.Advance(time.Hour)
	}
	w.Take(vcd.QueuePost, g)
	post := w.Jobs("capture")[0]
	w.CaptureBy(post, "after", "old")
	must(t, w.DB.Read(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
		e, err := tx.QueueEntry(ctx, post)
		must(t, err)
		newest, err := tx.BaselineOf(ctx, e)
		must(t, err)
		old, err := tx.BaselineOfVersion(ctx, e, "old")
		must(t, err)
		none, err := tx.BaselineOfVersion(ctx, e, "unheard of")
		must(t, err)
		if newest.SCVersion != "new" || old == nil || old.SCVersion != "old" || !old.CreatedAt.Before(newest.CreatedAt) || none != nil {
			t.Errorf("newest %+v, old %+v, none %+v", newest, old, none)
		}
		return nil
	}))
	w.Compare(w.Jobs("compare")[0], 1)
	list, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{}, vcd.Page{Size: 5}, false)
	must(t, err)
	if c := list.Items[0]; !c.AcrossVersions() || c.Before.SCVersion != "new" || c.After.SCVersion != "old" {
		t.Errorf("comparison of %q with %q", c.Before.SCVersion, c.After.SCVersion)
	}
	w.CheckInvariants()
}

func TestABatchTellsTheVersionThatItsScreenshotsShare(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("batch", 1, inventory.GroupChange{})
	for want, versions := range map[string][]string{"a": {"a", "a"}, vcd.MixedVersions: {"a", "b"}} {
		taken := w.Take(vcd.QueuePre, g)
		for i, entry := range w.Jobs("capture") {
			w.CaptureBy(entry, "pixels", versions[i])
		}
		if b := w.Batch(taken.Batches[0].ID); b.SCVersion != want {
			t.Errorf("screenshots by %v: the batch says %q, want %q", versions, b.SCVersion, want)
		}
	}
}
