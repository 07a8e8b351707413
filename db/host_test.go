package db_test

import (
	"strings"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// refuse lets a capture fail because the page says that the site is overloaded.
func (w *world) refuse(entry vcd.ID, wait time.Duration) {
	w.t.Helper()
	task, err := w.service.Runs.BeginCapture(w.working(entry), w.actor, entry)
	must(w.t, err)
	must(w.t, w.service.Runs.FailCapture(w.working(entry), w.actor, entry, run.CaptureFailure{
		Reason: "http_status", Sentence: "Too many.", Retryable: true, Address: task.Address,
		Overload: &run.Overload{Status: 503, Wait: wait},
	}))
}

// desktopOnly makes a group with n URLs of one host, each captured on one device.
func (w *world) desktopOnly(name string, n int, change inventory.GroupChange) *vcd.Group {
	w.t.Helper()
	g, _ := w.group(name, n, change)
	_, err := w.service.Inventory.SelectAll(w.t.Context(), w.actor, g.ID, vcd.Mobile, false)
	must(w.t, err)
	return g
}

func TestAHostHasSoManyPlacesForAllAccounts(t *testing.T) {
	w := newWorld(t)
	w.service = w.service.With(func(c *vcd.Config) { c.HostCaptures = 2 })
	w.take(vcd.QueuePre, w.desktopOnly("busy", 3, inventory.GroupChange{}))
	ada := w.actor
	w.actor = vcd.Actor{Account: w.newAccount("eve@example.com", 0).ID}
	w.take(vcd.QueuePre, w.desktopOnly("busy", 3, inventory.GroupChange{}), w.desktopOnly("idle", 1, inventory.GroupChange{}))
	if n := w.handOut(); n != 3 {
		t.Fatalf("%d captures were handed out, want two of the busy host and one of the idle", n)
	}
	if n := value[int](w, "SELECT count(DISTINCT account) FROM test_jobs"); n != 2 {
		t.Errorf("captures of %d accounts, want of both", n)
	}
	if n := w.handOut(); n != 0 {
		t.Errorf("%d captures more than the host may have", n)
	}
	w.actor = ada
	w.capture(vcd.ID(value[string](w, "SELECT entry::text FROM test_jobs WHERE account = $1", string(ada.Account))), "done")
	if n := w.handOut(); n != 1 {
		t.Errorf("%d captures for the place that was left", n)
	}
	w.service = w.service.With(func(c *vcd.Config) { c.HostCaptures = 0 })
	if n := w.handOut(); n != 3 {
		t.Errorf("%d captures without a limit, want all", n)
	}
	w.checkInvariants()
}

// A page that breaks after an update is what people look for: it must not stop its site. Seen on a run of 494 captures.
func TestOnePageThatAnswers503DoesNotStallItsSite(t *testing.T) {
	w := newWorld(t)
	w.take(vcd.QueuePre, w.desktopOnly("shop", 8, inventory.GroupChange{}))
	w.employ("plenty", 2, 2)
	first := w.jobs("capture")
	broken := first[0]
	w.refuse(broken, 0)
	w.capture(first[1], "fine")
	w.clock.advance(11 * time.Second)
	for range 3 {
		entries := w.jobs("capture")
		if len(entries) != 2 {
			t.Fatalf("%d captures are at work beside the broken page", len(entries))
		}
		for _, e := range entries {
			if e == broken {
				t.Error("the page was tried again before the others were done")
			}
			w.capture(e, "fine")
		}
	}
	for range 2 {
		w.clock.advance(21 * time.Second)
		entries := w.jobs("capture")
		if len(entries) != 1 || entries[0] != broken {
			t.Fatalf("at the end of the run %v are captured, want %s", entries, broken)
		}
		if e := w.entry(broken); e.Attempts < 2 {
			w.refuse(broken, 0)
		} else {
			w.capture(broken, "closed")
		}
	}
	if n := value[int](w, "SELECT count(*) FROM hosts WHERE rests > 0"); n != 0 {
		t.Errorf("%d hosts rested", n)
	}
	w.checkInvariants()
}

func TestSeveralPagesThatRefuseLetTheHostRest(t *testing.T) {
	w := newWorld(t)
	w.take(vcd.QueuePre, w.desktopOnly("tired", 9, inventory.GroupChange{}))
	entries := w.jobs("capture")
	for i, e := range entries[:4] {
		if i == 2 {
			w.capture(e, "fine") // takes one refusal away
			continue
		}
		w.refuse(e, 0)
	}
	if n := value[int](w, "SELECT count(*) FROM hosts WHERE rest_until IS NOT NULL"); n != 0 {
		t.Fatal("the host rests though it served a page")
	}
	w.employ("plenty", 2, 2)
	for _, e := range entries[4:6] {
		w.refuse(e, 0)
	}
	until := value[time.Time](w, "SELECT rest_until FROM hosts WHERE host = 'tired.test'")
	if got := until.Sub(w.clock.Now()); got != 30*time.Second {
		t.Fatalf("the host rests for %s", got)
	}
	for _, e := range entries[6:] {
		w.capture(e, "fine on its way")
	}
	if n := value[int](w, "SELECT count(*) FROM hosts WHERE rest_until IS NOT NULL"); n != 0 {
		t.Error("the host rests although it answers again")
	}
	w.checkInvariants()
}

// A rest ends when a look shows that the host answers again; each in a row is longer.
func TestALookEndsTheRestOfAHost(t *testing.T) {
	w := newWorld(t)
	w.take(vcd.QueuePre, w.desktopOnly("tired", 8, inventory.GroupChange{}))
	for _, e := range w.jobs("capture")[:3] {
		w.refuse(e, 0)
	}
	for _, e := range w.jobs("capture") { // were on their way; to be captured again
		w.asSystem("UPDATE turns SET handed_at = NULL WHERE subject_id = $1", string(e))
	}
	w.exec("DELETE FROM test_jobs")
	if n := w.handOut(); n != 0 {
		t.Fatalf("%d captures of a resting host", n)
	}
	if e := w.entry(vcd.ID(value[string](w, "SELECT id::text FROM queue_entries WHERE attempts = 0 LIMIT 1"))); !strings.Contains(e.Notice,
		"rate limiting") {
		t.Errorf("the notice of a waiting entry is %q", e.Notice)
	}
	w.clock.advance(10 * time.Second)
	probe := w.jobs("capture")
	if len(probe) != 1 || w.handOut() != 0 {
		t.Fatalf("%d captures look whether the host answers again, want one", len(probe))
	}
	w.refuse(probe[0], 0)
	if n := w.handOut(); n != 0 {
		t.Fatalf("%d captures after a look in vain", n)
	}
	w.clock.advance(10 * time.Second)
	probe = w.jobs("capture")
	if len(probe) != 1 {
		t.Fatalf("%d captures look again, want one", len(probe))
	}
	w.capture(probe[0], "fine again")
	if n := len(w.jobs("capture")); n < 3 {
		t.Errorf("%d captures after the host answered again", n)
	}
	if e := w.entry(vcd.ID(value[string](w,
		"SELECT id::text FROM queue_entries WHERE attempts = 0 AND status = 'open' LIMIT 1"))); e.Notice != "" {
		t.Errorf("the notice is still %q", e.Notice)
	}
	if vcd.HostPause(1) != time.Minute || vcd.HostPause(2) != 2*time.Minute || vcd.HostPause(1000) != 10*time.Minute {
		t.Errorf("pauses of %s, %s, …, %s", vcd.HostPause(1), vcd.HostPause(2), vcd.HostPause(1000))
	}
	w.checkInvariants()
}

// What a host asks for itself is kept: no capture looks, and none on its way ends it.
func TestAHostThatAsksForItIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("tired", 2, inventory.GroupChange{})
	w.take(vcd.QueuePre, g)
	w.employ("plenty", 2, 2)
	entries := w.jobs("capture")
	w.refuse(entries[0], time.Hour)
	if e := w.entry(entries[0]); e.Status != vcd.QueueOpen ||
		e.Notice != "Attempt 1 of 3 failed: Too many. Next attempt after 12:10:01 UTC." {
		t.Errorf("entry %+v", e)
	}
	w.capture(entries[1], "on its way")
	for range 9 {
		w.clock.advance(time.Minute)
		if n := w.handOut(); n != 0 {
			t.Fatalf("%d captures of a host that asked to be left alone", n)
		}
	}
	w.clock.advance(2 * time.Minute)
	for range 3 {
		for _, entry := range w.jobs("capture") {
			w.capture(entry, "pixels")
			if e := w.entry(entry); e.Status != vcd.QueueDone || e.Notice != "" {
				t.Errorf("in the end %+v", e)
			}
		}
	}
	if n := value[int](w, "SELECT count(*) FROM queue_entries WHERE status <> 'done'"); n != 0 {
		t.Errorf("%d entries have not ended", n)
	}
	must(t, w.db.ForgetHosts(t.Context(), w.clock.Now().Add(time.Hour)))
	if n := value[int](w, "SELECT count(*) FROM hosts") + value[int](w, "SELECT count(*) FROM shares"); n != 0 {
		t.Errorf("%d rows are kept of what is long ago", n)
	}
	w.checkInvariants()
}
