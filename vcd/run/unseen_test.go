package run_test

import (
	"context"
	"strings"
	"testing"

	"afterimage/db"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
)

// TestPagesNotSeenWhole: a comparison says what of its page nobody saw. It is an alarm for accounts that want that.
func TestPagesNotSeenWhole(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
	compare := func(whole bool) *vcd.Comparison {
		t.Helper()
		w.Take(vcd.QueuePre, g)
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "page")
		}
		batch := w.Take(vcd.QueuePost, g).Batches[0].ID
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "page")
		}
		if !whole {
			w.AsSystem("UPDATE screenshots SET complete = false, manifest = $2::jsonb WHERE batch_id = $1", string(batch),
				`{"missing":[{"kind":"scrolled","element":"#strip","side":"right","pixels":700}]}`)
		}
		for _, entry := range w.Jobs("compare") {
			w.Compare(entry, 0)
		}
		list, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
			vcd.Page{Size: 1}, false)
		must(t, err)
		return list.Items[0]
	}
	if c := compare(true); c.Status != vcd.ComparisonOK || c.NotSeen != "" || c.Verification.Summary != "Nothing changed." {
		t.Errorf("a page that was seen whole is %s, %q, %q", c.Status, c.NotSeen, c.Verification.Summary)
	}
	const strip = "700 px of #strip are not shown (after)"
	if c := compare(false); c.Status != vcd.ComparisonOK || c.NotSeen != strip || c.AlarmWords() != "" ||
		!strings.Contains(c.Verification.Summary, "the comparison is incomplete: "+strip) {
		t.Errorf("a page that was not seen whole is %s, %q, %q", c.Status, c.NotSeen, c.Verification.Summary)
	}
	of := func(c *vcd.Comparison) (told string, n, ends int) {
		t.Helper()
		must(t, w.DB.Read(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
			counts, err := tx.UnseenCounts(ctx, []vcd.ID{c.BatchID})
			must(t, err)
			of, err := tx.CountEnds(ctx, c.BatchID)
			must(t, err)
			n, ends = counts[c.BatchID], of[g.ID].Unseen
			return nil
		}))
		return w.Batch(c.BatchID).Summary.Summary, n, ends
	}
	if said, n, ends := of(compare(true)); n != 0 || ends != 0 || strings.Contains(said, "not captured") {
		t.Errorf("the run that saw everything: %d, %d, %q", n, ends, said)
	}
	said, n, ends := of(compare(false))
	if n != 2 || ends != 2 || !strings.Contains(said, "In 2 comparisons, a part of the page was not captured.") {
		t.Errorf("the run that did not see everything: %d, %d, %q", n, ends, said)
	}
	_, err := w.Service.Accounts.UpdateAccount(t.Context(), w.Actor, account.Change{AlarmUnseen: vcd.Some(true)})
	must(t, err)
	if c := compare(false); c.Status != vcd.ComparisonNew || !c.UnseenAlarm || !strings.Contains(c.AlarmWords(), strip) {
		t.Errorf("where that is an alarm it is %s, %q", c.Status, c.AlarmWords())
	}
	w.CheckInvariants()
}
