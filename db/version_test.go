package db_test

import (
	"context"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// Pictures of different versions of the capture engine may differ although the page is the same: who compares can tell.
func TestABaselineOfTheSameVersionIsFoundBehindAnUpgrade(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("upgrade", 1, inventory.GroupChange{})
	for i, version := range []string{"old", "old", "new"} {
		w.take(vcd.QueuePre, g)
		for _, entry := range w.jobs("capture") {
			w.captureBy(entry, string(rune('a'+i)), version)
		}
		w.clock.advance(time.Hour)
	}
	w.take(vcd.QueuePost, g)
	post := w.jobs("capture")[0]
	w.captureBy(post, "after", "old")
	must(t, w.db.Read(t.Context(), w.actor, func(ctx context.Context, tx vcd.Tx) error {
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
	w.compare(w.jobs("compare")[0], 1)
	list, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{}, vcd.Page{Size: 5}, false)
	must(t, err)
	if c := list.Items[0]; !c.AcrossVersions() || c.Before.SCVersion != "new" || c.After.SCVersion != "old" {
		t.Errorf("comparison of %q with %q", c.Before.SCVersion, c.After.SCVersion)
	}
	w.checkInvariants()
}

func TestABatchTellsTheVersionThatItsScreenshotsShare(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("batch", 1, inventory.GroupChange{})
	for want, versions := range map[string][]string{"a": {"a", "a"}, vcd.MixedVersions: {"a", "b"}} {
		taken := w.take(vcd.QueuePre, g)
		for i, entry := range w.jobs("capture") {
			w.captureBy(entry, "pixels", versions[i])
		}
		if b := w.batch(taken.Batches[0].ID); b.SCVersion != want {
			t.Errorf("screenshots by %v: the batch says %q, want %q", versions, b.SCVersion, want)
		}
	}
}
