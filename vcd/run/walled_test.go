package run_test

import (
	"strings"
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// notCompared is why the comparison of a batch could not be made; "" if it was made.
func (w *world) notCompared(batch vcd.ID) string {
	w.T.Helper()
	list, err := w.Service.Runs.QueueEntries(w.T.Context(), w.Actor, vcd.QueueFilter{
		BatchIDs: &[]vcd.ID{batch}, Types: &[]vcd.QueueType{vcd.QueueCompare},
	}, vcd.Page{Size: 2}, false)
	must(w.T, err)
	if len(list.Items) == 0 || list.Items[0].Status != vcd.QueueFailed {
		return ""
	}
	return list.Items[0].Reason + ": " + list.Items[0].ErrorMsg
}

// TestWallsAreNotCompared: a comparison with a wall is none, and monitoring goes on with the page as it was before.
func TestWallsAreNotCompared(t *testing.T) {
	w := newWorld(t)
	type step struct{ looks, want string }
	for name, story := range map[string][]step{
		"a challenge": {
			{"A", "baseline"}, {"wall challenge", "wall: The screenshot shows a bot check"},
			{"wall challenge", "wall: Both screenshots show a bot check (“Its words”)"}, {"A", "ok"}},
		"what changed behind a wall is told": {
			{"A", "baseline"}, {"wall sign_in", "wall: The screenshot shows a sign-in page"}, {"B,B", "new confirmed"}, {"B", "ok"}},
		"a notice instead of the page is a change, once": {
			{"A", "baseline"}, {"wall maintenance", "new confirmed"},
			{"wall maintenance", "wall: Both screenshots show a maintenance notice"},
			{"A", "ok"}},
		"a wall from the beginning": {
			{"wall parked", "baseline"}, {"wall parked", "wall: Both screenshots show the page of a parked domain"},
			{"A", "wall: The earlier screenshot shows the page of a parked domain"}, {"A", "ok"}},
		"a wall at the second look confirms nothing": {
			{"A", "baseline"}, {"B,wall challenge", "new not_possible"}, {"B", "ok"}},
	} {
		g := w.Monitored(strings.NewReplacer(" ", "-", ",", "").Replace(name), 1, inventory.GroupChange{})
		for i, s := range story {
			if got := w.verdict(g.ID, strings.Split(s.looks, ",")...); !strings.HasPrefix(got, s.want) {
				t.Errorf("%s, run %d: %s, want %s", name, i+1, got, s.want)
			}
		}
		must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	}
	w.CheckInvariants()
}

// TestAnUpdateBehindAWall: what was taken before an update decides, not what was taken for another one.
func TestAnUpdateBehindAWall(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
	for _, step := range []struct{ before, after, want string }{
		{"A", "A", ""},
		{"wall challenge", "A", "wall: The earlier screenshot shows a bot check"},
		{"wall consent", "wall consent", "wall: Both screenshots show a consent dialog"},
		{"A", "wall error", ""},
		{"A", "wall sign_in", "wall: The screenshot shows a sign-in page"},
	} {
		w.Take(vcd.QueuePre, g)
		w.Look(step.before)
		batch := w.Take(vcd.QueuePost, g).Batches[0].ID
		w.Look(step.after)
		if got := w.notCompared(batch); !strings.HasPrefix(got, step.want) || step.want == "" && got != "" {
			t.Errorf("%s, %s: %q, want %q", step.before, step.after, got, step.want)
		}
	}
	w.CheckInvariants()
}
