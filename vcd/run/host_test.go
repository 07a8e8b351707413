package run_test

import (
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// refuse fails a capture because the page reports that the site is overloaded.
func (w *world) refuse(entry vcd.ID, wait time.Duration) {
	w.T.Helper()
	w.refuseWith(entry, 503, wait)
}

func (w *world) refuseWith(entry vcd.ID, status int, wait time.Duration) {
	w.T.Helper()
	task, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
	must(w.T, err)
	must(w.T, w.Service.Runs.FailCapture(w.Working(entry), w.Actor, entry, run.CaptureFailure{
		Reason: "http_status", Sentence: "Too many.", Retryable: true, Address: task.Address,
		Overload: &run.Overload{Status: status, Wait: wait},
	}))
}

// resting is how many hosts rest, of all accounts.
func (w *world) resting() int {
	w.T.Helper()
	return vcdtest.Value[int](w.World, "SELECT count(*) FROM site_rests WHERE resting")
}

// desktopOnly creates a group with n URLs of one host, each captured on one device.
func (w *world) desktopOnly(name string, n int, change inventory.GroupChange) *vcd.Group {
	w.T.Helper()
	g, _ := w.Group(name, n, change)
	_, err := w.Service.Inventory.SelectAll(w.T.Context(), w.Actor, g.ID, vcd.Mobile, false)
	must(w.T, err)
	return g
}

func TestAHostHasSoManyPlacesForAllAccounts(t *testing.T) {
	w := newWorld(t)
	w.Service = w.Service.With(func(c *app.Config) { c.HostCaptures = 2 })
	w.Take(vcd.QueuePre, w.desktopOnly("busy", 3, inventory.GroupChange{}))
	ada := w.Actor
	w.Actor = vcd.Actor{Account: w.NewAccount("eve@example.com", 0).ID}
	w.Take(vcd.QueuePre, w.desktopOnly("busy", 3, inventory.GroupChange{}), w.desktopOnly("idle", 1, inventory.GroupChange{}))
	if n := w.HandOut(); n != 3 {
		t.Fatalf("%d captures were handed out, want two of the busy host and one of the idle", n)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(DISTINCT account) FROM test_jobs"); n != 2 {
		t.Errorf("captures of %d accounts, want of both", n)
	}
	if n := w.HandOut(); n != 0 {
		t.Errorf("%d captures more than the host may have", n)
	}
	w.Actor = ada
	w.Capture(vcd.ID(vcdtest.Value[string](w.World, "SELECT entry::text FROM test_jobs WHERE account = $1", string(ada.Account))), "done")
	if n := w.HandOut(); n != 1 {
		t.Errorf("%d captures for the place that was left", n)
	}
	w.Service = w.Service.With(func(c *app.Config) { c.HostCaptures = 0 })
	if n := w.HandOut(); n != 3 {
		t.Errorf("%d captures without a limit, want all", n)
	}
	w.CheckInvariants()
}

// A page that breaks after an update is exactly what users look for: it must not stall its site. Seen in a run of 494
// captures.
func TestOnePageThatAnswers503DoesNotStallItsSite(t *testing.T) {
	w := newWorld(t)
	w.Take(vcd.QueuePre, w.desktopOnly("shop", 8, inventory.GroupChange{}))
	w.Employ("plenty", 2, 2)
	first := w.Jobs("capture")
	broken := first[0]
	w.refuse(broken, 0)
	w.Capture(first[1], "fine")
	w.Clock.Advance(11 * time.Second)
	for done := 1; done < 7; { // of the pages beside it
		entries := w.Jobs("capture")
		if len(entries) == 0 {
			t.Fatalf("nothing is at work beside the broken page after %d captures", done)
		}
		for _, e := range entries {
			if e != broken {
				w.Capture(e, "fine")
				done++
			} else if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM turns WHERE handed_at IS NULL"); n != 0 {
				t.Errorf("the page was handed out again before %d others", n)
			}
		}
	}
	for range 2 {
		w.Clock.Advance(21 * time.Second)
		entries := w.Jobs("capture")
		if len(entries) != 1 || entries[0] != broken {
			t.Fatalf("at the end of the run %v are captured, want %s", entries, broken)
		}
		if e := w.Entry(broken); e.Attempts < 2 {
			w.refuse(broken, 0)
		} else {
			w.Capture(broken, "closed")
		}
	}
	if n := w.resting(); n != 0 {
		t.Errorf("%d hosts rest", n)
	}
	w.CheckInvariants()
}

func TestSeveralPagesThatRefuseLetTheHostRest(t *testing.T) {
	w := newWorld(t)
	w.Take(vcd.QueuePre, w.desktopOnly("tired", 9, inventory.GroupChange{}))
	entries := w.Jobs("capture")
	for i, e := range entries[:4] {
		if i == 2 {
			w.Capture(e, "fine") // cancels out one refusal
			continue
		}
		w.refuse(e, 0)
	}
	if w.resting() != 0 {
		t.Fatal("the host rests though it served a page")
	}
	w.Employ("plenty", 2, 2)
	for _, e := range entries[4:6] {
		w.refuse(e, 0)
	}
	probe := vcdtest.Value[time.Time](w.World, "SELECT probe_at FROM site_rests WHERE host = 'tired.test' AND resting")
	if got := probe.Sub(w.Clock.Now()); got != 10*time.Second {
		t.Fatalf("the first probe is in %s", got)
	}
	for _, e := range entries[6:] {
		w.Capture(e, "fine on its way")
	}
	if w.resting() != 0 {
		t.Error("the host rests although it answers again")
	}
	w.CheckInvariants()
}

// A rest ends when a probe shows that the host answers again.
func TestALookEndsTheRestOfAHost(t *testing.T) {
	w := newWorld(t)
	w.Take(vcd.QueuePre, w.desktopOnly("tired", 8, inventory.GroupChange{}))
	for _, e := range w.Jobs("capture")[:3] {
		w.refuse(e, 0)
	}
	for _, e := range w.Jobs("capture") { // these were in progress and have to be captured again
		w.AsSystem("UPDATE turns SET handed_at = NULL WHERE subject_id = $1", string(e))
	}
	w.Exec("DELETE FROM test_jobs")
	if n := w.HandOut(); n != 0 {
		t.Fatalf("%d captures of a resting host", n)
	}
	untried := vcdtest.Value[string](w.World, "SELECT id::text FROM queue_entries WHERE attempts = 0 LIMIT 1")
	since := w.Clock.Now().Format("15:04 UTC")
	if e := w.Entry(vcd.ID(untried)); e.Notice != "The site has answered 503 (maintenance) since "+since+"; next attempt in 10 s." {
		t.Errorf("the notice of a waiting entry is %q", e.Notice)
	}
	w.Clock.Advance(10 * time.Second)
	probe := w.Jobs("capture")
	if len(probe) != 1 || w.HandOut() != 0 {
		t.Fatalf("%d captures look whether the host answers again, want one", len(probe))
	}
	w.refuse(probe[0], 0)
	if n := w.HandOut(); n != 0 {
		t.Fatalf("%d captures after a look in vain", n)
	}
	w.Clock.Advance(10 * time.Second)
	probe = w.Jobs("capture")
	if len(probe) != 1 {
		t.Fatalf("%d captures look again, want one", len(probe))
	}
	w.Capture(probe[0], "fine again")
	if n := len(w.Jobs("capture")); n < 3 {
		t.Errorf("%d captures after the host answered again", n)
	}
	if e := w.Entry(vcd.ID(vcdtest.Value[string](w.World,
		"SELECT id::text FROM queue_entries WHERE attempts = 0 AND status = 'open' LIMIT 1"))); e.Notice != "" {
		t.Errorf("the notice is still %q", e.Notice)
	}
	w.CheckInvariants()
}

// What is remembered of hosts is forgotten when it is long ago.
func TestHostsAreForgotten(t *testing.T) {
	w := newWorld(t)
	w.Take(vcd.QueuePre, w.desktopOnly("tired", 4, inventory.GroupChange{}))
	for _, e := range w.Jobs("capture") {
		w.refuse(e, 0)
	}
	if w.resting() != 1 {
		t.Fatal("no host rests")
	}
	must(t, w.DB.ForgetHosts(t.Context(), w.Clock.Now().Add(time.Hour)))
	for _, table := range []string{"site_rests", "site_refusals", "shares"} {
		if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows of %s are kept of what is long ago", n, table)
		}
	}
	w.CheckInvariants()
}
