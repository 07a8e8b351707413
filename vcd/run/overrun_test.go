package run_test

import (
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// waiting returns the entry of a comparison that is ready to run.
func (w *world) waiting(name string) vcd.ID {
	w.T.Helper()
	g, _ := w.Group(name, 1, inventory.GroupChange{})
	for _, kind := range []vcd.QueueType{vcd.QueuePre, vcd.QueuePost} {
		w.Take(kind, g)
		for _, entry := range w.Jobs("capture") {
			if !w.Entry(entry).Status.Ended() {
				w.Capture(entry, string(kind)+name)
			}
		}
	}
	jobs := w.Jobs("compare")
	return jobs[len(jobs)-1]
}

// TestTheSecondOverrunIsTheLast counts across processes: the first overrun may have been on another machine.
func TestTheSecondOverrunIsTheLast(t *testing.T) {
	w := newWorld(t)
	entry := w.waiting("heavy")
	heavy := run.Overrun{Reason: vcd.ReasonTooHeavy, Sentence: "It was too much."}
	for overrun, last := range []bool{false, true, true} {
		if !last {
			task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
			must(t, err)
			if task == nil {
				t.Fatal("given up")
			}
		}
		givenUp, err := w.Service.Runs.OverranComparison(w.Working(entry), w.Actor, entry, heavy)
		must(t, err)
		if givenUp != last {
			t.Errorf("overrun %d: given up %v", overrun+1, givenUp)
		}
	}
	if e := w.Entry(entry); e.Status != vcd.QueueFailed || e.Reason != vcd.ReasonTooHeavy || e.ErrorMsg != heavy.Sentence {
		t.Errorf("the entry is %s, %s: %s", e.Status, e.Reason, e.ErrorMsg)
	}
	newest, all, err := w.DB.GivenUp(t.Context(), 5)
	if err != nil || all != 1 || newest[0].Entry != entry || newest[0].Sentence != heavy.Sentence {
		t.Errorf("listed as given up: %d, %+v, %v", all, newest, err)
	}
	w.CheckInvariants()
}
