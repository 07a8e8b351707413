package run_test

import (
	"strings"
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// TestAPageThatWasCutOffIsAnAlarm: a page that is too large for a screenshot is not OK because the part that was compared is
// the same. It says so in words; monitoring tells it once.
func TestAPageThatWasCutOffIsAnAlarm(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("tall", 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
	compare := func(cut bool) *vcd.Comparison {
		t.Helper()
		w.Take(vcd.QueuePre, g)
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "page")
		}
		batch := w.Take(vcd.QueuePost, g).Batches[0].ID
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "page")
		}
		if cut {
			w.AsSystem("UPDATE screenshots SET truncated = true WHERE batch_id = $1", string(batch))
		}
		for _, entry := range w.Jobs("compare") {
			w.Compare(entry, 0)
		}
		list, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
			vcd.Page{Size: 1}, false)
		must(t, err)
		return list.Items[0]
	}
	if c := compare(false); c.Status != vcd.ComparisonOK || c.Truncated || c.AlarmWords() != "" || !c.Verification.Explained {
		t.Errorf("a page that fits is %s, %q", c.Status, c.AlarmWords())
	}
	if c := compare(true); c.Status != vcd.ComparisonNew || !c.TruncationAlarm || !strings.Contains(c.AlarmWords(), "was cut off") ||
		c.Verification.Explained || !strings.Contains(c.Verification.Summary, "in the part of the page") {
		t.Errorf("a page that was cut off is %s, %q, %+v", c.Status, c.AlarmWords(), c.Verification)
	}
	w.CheckInvariants()
}
