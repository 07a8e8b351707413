package db_test

import (
	"testing"
	"time"

	"afterimage/vcd"
)

// enter asks for a place at a host for a new entry.
func (w *world) enter(host string, limit int) (vcd.ID, vcd.Admission) {
	w.t.Helper()
	entry := vcd.RandomIDs{}.NewID()
	return entry, w.enterAs(entry, host, limit)
}

func (w *world) enterAs(entry vcd.ID, host string, limit int) (admission vcd.Admission) {
	w.t.Helper()
	now := w.clock.Now()
	must(w.t, w.db.InTx(w.t.Context(), w.actor, func(ctx ctx, tx vcd.Tx) (err error) {
		admission, err = tx.EnterHost(ctx, host, vcd.HostVisit{Entry: entry, Now: now, Ends: now.Add(time.Minute)}, limit)
		return err
	}))
	return admission
}

func (w *world) leave(entry vcd.ID) {
	w.t.Helper()
	must(w.t, w.db.InTx(w.t.Context(), w.actor, func(ctx ctx, tx vcd.Tx) error { return tx.LeaveHost(ctx, entry) }))
}

func (w *world) rest(host string, wait time.Duration) (until time.Time) {
	w.t.Helper()
	must(w.t, w.db.InTx(w.t.Context(), w.actor, func(ctx ctx, tx vcd.Tx) (err error) {
		until, err = tx.RestHost(ctx, host, w.clock.Now(), wait)
		return err
	}))
	return until
}

func TestAHostHasSoManyPlacesForAllAccounts(t *testing.T) {
	w := newWorld(t)
	first, a := w.enter("busy.test", 2)
	w.actor = vcd.Actor{Account: w.newAccount("eve@example.com", 0).ID}
	second, b := w.enter("busy.test", 2)
	_, elsewhere := w.enter("idle.test", 2)
	if !a.Again.IsZero() || !b.Again.IsZero() || !elsewhere.Again.IsZero() {
		t.Fatal("a free place was refused")
	}
	if again := w.enterAs(first, "busy.test", 2); !again.Again.IsZero() {
		t.Error("an entry that starts over lost its place")
	}
	// Whoever finds no place comes again one after the other, but never later than half a minute.
	last := w.clock.Now()
	for i := range 100 {
		_, refused := w.enter("busy.test", 2)
		if refused.Rests || refused.Again.Before(last) || refused.Again.After(w.clock.Now().Add(30*time.Second)) || i < 10 && !refused.Again.After(last) {
			t.Fatalf("the %dth is to come again at %s, the one before at %s", i, refused.Again, last)
		}
		last = refused.Again
	}
	w.leave(second)
	third, c := w.enter("busy.test", 2)
	if !c.Again.IsZero() {
		t.Error("a place that was left was refused")
	}
	w.leave(third)
	if _, d := w.enter("busy.test", 0); !d.Again.IsZero() {
		t.Error("without a limit a place was refused")
	}
	w.clock.advance(2 * time.Minute) // the first one's worker was killed
	if _, e := w.enter("busy.test", 1); !e.Again.IsZero() {
		t.Error("a killed worker keeps its place for ever")
	}
	must(t, w.db.ForgetHosts(t.Context(), w.clock.Now()))
	if n := value[int](w, "SELECT count(*) FROM hosts"); n != 1 {
		t.Errorf("%d hosts are remembered, want the one just visited", n)
	}
}

func TestAHostThatAsksForItIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	begun := w.clock.Now()
	for i, want := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute} {
		until := w.rest("tired.test", 0)
		if got := until.Sub(w.clock.Now()); got != want {
			t.Errorf("pause %d lasts %s, want %s", i, got, want)
		}
		if again := w.rest("tired.test", 0); !again.Equal(until) {
			t.Errorf("a capture that ran beside makes it %s instead of %s", again, until)
		}
		_, refused := w.enter("tired.test", 4)
		if !refused.Rests || refused.Again.Before(until) || refused.Again.After(until.Add(30*time.Second)) {
			t.Errorf("to come again at %+v, want soon after %s", refused, until)
		}
		w.clock.advance(until.Sub(w.clock.Now()) + time.Second)
	}
	if _, a := w.enter("tired.test", 4); !a.Again.IsZero() {
		t.Error("the host rests for ever")
	}
	if until := w.rest("tired.test", 5*time.Minute); until.Sub(w.clock.Now()) != 5*time.Minute {
		t.Errorf("what the host says itself becomes %s", until.Sub(w.clock.Now()))
	}
	must(t, w.db.InTx(t.Context(), w.actor, func(ctx ctx, tx vcd.Tx) error { return tx.WakeHost(ctx, "tired.test") }))
	if until := w.rest("tired.test", 0); until.Sub(w.clock.Now()) != 30*time.Second {
		t.Errorf("after a page was served the pause is %s", until.Sub(w.clock.Now()))
	}
	if w.clock.Now().Before(begun) || vcd.HostPause(1000) != 10*time.Minute {
		t.Errorf("the longest pause is %s", vcd.HostPause(1000))
	}
}

// Whoever looks at the queue learns what an entry waits for.
func TestAnEntryTellsWhatItWaitsFor(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("tired", 1, vcd.GroupChange{})
	w.take(vcd.QueuePre, g)
	entries := w.jobs("capture")
	task, err := w.service.BeginCapture(w.working(entries[0]), w.actor, entries[0])
	must(t, err)
	must(t, w.service.FailCapture(w.working(entries[0]), w.actor, entries[0], vcd.CaptureFailure{
		Reason: "rate_limited", Sentence: "Too many.", Retryable: true, Address: task.Address, Overload: &vcd.Overload{Status: 429, Wait: time.Hour},
	}))
	if e := w.entry(entries[0]); e.Status != vcd.QueueOpen || e.Notice != "Attempt 1 of 3 failed: Too many. The next one follows after 12:10:01 UTC." {
		t.Errorf("entry %+v", e)
	}
	waits, err := w.service.BeginCapture(w.working(entries[1]), w.actor, entries[1])
	must(t, err)
	e := w.entry(entries[1])
	if waits.Again.Sub(w.clock.Now()) < 10*time.Minute || e.Status != vcd.QueueOpen || e.Notice == "" {
		t.Errorf("to come again at %s: entry %+v", waits.Again, e)
	}
	w.clock.advance(11 * time.Minute)
	for _, entry := range entries {
		w.capture(entry, "pixels")
		if e := w.entry(entry); e.Status != vcd.QueueDone || e.Notice != "" {
			t.Errorf("in the end %+v", e)
		}
	}
	w.checkInvariants()
}
