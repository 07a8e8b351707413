package turns_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"afterimage/db/turns"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// crowd lets so many captures wait in each of some batches of an account.
func (w *world) crowd(account vcd.ID, batches, each int) {
	w.T.Helper()
	w.AsSystem(`INSERT INTO turns (account_id, subject_id, kind, queue, payer_id, batch_id, delay, host, at)
		SELECT $1, gen_random_uuid(), 'capture', 'eu', $1, b.id, 0, 'host-' || n % 50, $4
		FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) AS b, generate_series(1, $3) AS n`,
		string(account), batches, each, w.Clock.Now())
}

// effort is how much of the table of turns it takes to hand four turns out: searches of an index, and rows.
func (w *world) effort() int {
	w.T.Helper()
	w.Exec("VACUUM ANALYZE turns") // what was deleted is not to be counted
	n, err := turns.HandOutEffort(w.T.Context(), w.DB.DB, w.Clock.Now(), 4)
	must(w.T, err)
	return n
}

// What a step costs follows from the accounts and batches that wait, not from how much each of them has.
func TestHandingOutCostsTheSameHoweverMuchWaits(t *testing.T) {
	w := newWorld(t)
	w.crowd(w.Account.ID, 1, 200)
	few := w.effort()
	w.AsSystem("DELETE FROM turns")
	w.AsSystem("DELETE FROM shares")
	w.crowd(w.Account.ID, 1, 20_000)
	many := w.effort()
	for i := range 20 {
		w.crowd(w.NewAccount(fmt.Sprintf("other%d@example.com", i), 0).ID, 10, 50)
	}
	crowd := w.effort()
	t.Logf("for four turns of 200: %d, of 20,000: %d, with 20 more accounts of 10 batches each: %d", few, many, crowd)
	if few == 0 || many > 2*few || crowd > 100*many {
		t.Errorf("four turns take %d of 200 waiting turns, %d of 20,000, %d with 20 more accounts", few, many, crowd)
	}
}

// An account with two shares gets twice of what one with one gets; a small run of an account does not wait for its large one.
func TestSharesAreWeighted(t *testing.T) {
	w := newWorld(t)
	rich, err := w.Service.Accounts.SetPlan(t.Context(), w.Account.ID, account.PlanChange{Share: vcd.Some(2)})
	must(t, err)
	if rich.Share != 2 {
		t.Fatalf("the share is %d", rich.Share)
	}
	_, err = w.Service.Accounts.SetPlan(t.Context(), w.Account.ID, account.PlanChange{Share: vcd.Some(101)})
	wantCode(t, err, vcd.CodeInvalid)
	other := w.NewAccount("eve@example.com", 0)
	for _, account := range []vcd.ID{w.Account.ID, other.ID} {
		w.crowd(account, 1, 300)
	}
	w.AsSystem(`INSERT INTO turns (account_id, subject_id, kind, queue, payer_id, batch_id, delay, host, at)
		SELECT $1, gen_random_uuid(), 'capture', 'eu', $1, 'ffffffff-ffff-7fff-bfff-ffffffffffff', 0, 'small', $2
			FROM generate_series(1, 10)`,
		string(w.Account.ID), w.Clock.Now())
	got := map[string]int{}
	var order []string
	for range 90 { // one place
		order = append(order, w.turn())
		got[order[len(order)-1][:36]]++
		w.Clock.Advance(time.Second)
	}
	if n := got[string(w.Account.ID)]; n < 55 || n > 65 {
		t.Errorf("of 90 turns the account with two shares got %d, want 60", n)
	}
	if first := slices.Index(order, string(w.Account.ID)+" ffffffff-ffff-7fff-bfff-ffffffffffff"); first < 0 || first > 6 {
		t.Errorf("the account's small run began at turn %d", first)
	}
}

// turn hands one turn out and ends the one before; it returns its account and batch.
func (w *world) turn() (whose string) {
	w.T.Helper()
	w.AsSystem("SELECT charge_turns('capture', $1)", w.Clock.Now()) // the step that found it at work
	w.AsSystem("DELETE FROM turns WHERE handed_at IS NOT NULL")
	_, err := turns.HandOutTurns(w.T.Context(), w.DB.DB, w.Clock.Now(), []string{"eu"}, 1, 0, 0, 0)
	must(w.T, err)
	return vcdtest.Value[string](w.World, "SELECT account_id || ' ' || batch_id FROM turns WHERE handed_at IS NOT NULL")
}
