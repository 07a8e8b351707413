package turns_test

import (
	"testing"
	"time"

	"afterimage/db/turns"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// TestAMachineThatVanishesHoldsNobodyUp: a process loses its network while it hands out turns, which only one at a time may do. The
// others go on within a few seconds.
func TestAMachineThatVanishesHoldsNobodyUp(t *testing.T) {
	w := newWorld(t)
	a, _, err := w.Service.Accounts.CreateAccount(t.Context(), account.Input{Email: "other@example.com"})
	must(t, err)
	w.crowd(a.ID, 1, 4)
	must(t, w.DB.Beat(t.Context(), vcd.Worker{ID: "worker", Captures: 4, Regions: []vcd.Region{vcd.RegionEU}}))
	frozen, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- turns.FreezeHandingOut(t.Context(), w.DB.DB, func() { close(frozen) }) }()
	<-frozen
	began := time.Now()
	handed, err := w.DB.HandOut(t.Context(), w.Clock.Now(), vcd.HandOutRules{Home: vcd.RegionEU, Silence: time.Minute})
	must(t, err)
	if handed == 0 {
		t.Error("nothing was handed out")
	}
	t.Logf("waited %s", time.Since(began))
	if waited := time.Since(began); waited > time.Minute { // five seconds, on a quiet machine
		t.Errorf("handing out waited %s for a machine that had vanished", waited)
	}
	if err := <-ended; err == nil {
		t.Error("the machine that had vanished went on as if nothing had happened")
	}
}
