package account_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

func TestWhatEachStateMayDo(t *testing.T) {
	w := newWorld(t)
	a, token, err := w.Service.Accounts.CreateAccount(t.Context(), account.Input{NameFirst: "I", NameLast: "J",
		Email: "invited@example.com", Invited: true})
	must(t, err)
	w.Actor = vcd.Actor{Account: a.ID}
	g, _ := w.Group("g", 1, inventory.GroupChange{})
	sub, subToken, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("sub@example.com", 100))
	must(t, err)
	take := func() error {
		_, err := w.Service.Runs.TakeScreenshots(t.Context(), w.Actor, run.TakeInput{GroupIDs: []string{string(g.ID)}, Type: vcd.QueuePre})
		return err
	}
	const fine = vcd.Code("")
	for _, step := range []struct {
		name          string
		do            func() (*vcd.Account, error)
		refused       vcd.Code // from the step itself
		enter, below  vcd.Code // with a token of the account, and with one of the subaccount
		run           vcd.Code
		status, under vcd.AccountStatus
	}{
		{"invited", nil, fine, vcd.CodeActivateAccount, fine, vcd.CodeActivateAccount, vcd.AccountActive, vcd.AccountActive},
		{"activated", w.operate(w.Service.Accounts.ActivateAccount, a.ID), fine, fine, fine, fine, vcd.AccountActive, vcd.AccountActive},
		{"reactivated while active", w.reactivate(a.ID), fine, fine, fine, fine, vcd.AccountActive, vcd.AccountActive},
		{"paused", w.operate(w.Service.Accounts.PauseAccount, a.ID), fine, fine, fine, vcd.CodeConflict, vcd.AccountPaused,
			vcd.AccountPaused},
		{"reactivated by the subaccount", w.reactivate(sub.ID), vcd.CodeForbidden, fine, fine, vcd.CodeConflict, vcd.AccountPaused,
			vcd.AccountPaused},
		{"reactivated", w.reactivate(a.ID), fine, fine, fine, fine, vcd.AccountActive, vcd.AccountActive},
		{"cancelled", w.operate(w.Service.Accounts.CancelAccount, a.ID), fine, vcd.CodeForbidden, vcd.CodeForbidden, vcd.CodeForbidden,
			vcd.AccountCancelled, vcd.AccountCancelled},
		{"paused when cancelled", w.operate(w.Service.Accounts.PauseAccount, a.ID), vcd.CodeConflict, vcd.CodeForbidden, vcd.CodeForbidden,
			vcd.CodeForbidden, vcd.AccountCancelled, vcd.AccountCancelled},
		{"reactivated when cancelled", w.reactivate(a.ID), vcd.CodeConflict, vcd.CodeForbidden, vcd.CodeForbidden, vcd.CodeForbidden,
			vcd.AccountCancelled, vcd.AccountCancelled},
		{"opened again", w.operate(w.Service.Accounts.ActivateAccount, a.ID), fine, fine, fine, fine, vcd.AccountActive, vcd.AccountActive},
		{"one subaccount paused", w.operate(w.Service.Accounts.PauseAccount, sub.ID), fine, fine, fine, fine, vcd.AccountActive,
			vcd.AccountPaused},
	} {
		if step.do != nil {
			_, err := step.do()
			if vcdtest.CodeOf(err) != step.refused {
				t.Errorf("%s: %v, want %q", step.name, err, step.refused)
			}
		}
		_, _, enter := w.Service.Accounts.Authenticate(t.Context(), token.Plain)
		_, _, below := w.Service.Accounts.Authenticate(t.Context(), subToken.Plain)
		if got := []vcd.Code{vcdtest.CodeOf(enter), vcdtest.CodeOf(below), vcdtest.CodeOf(take())}; !slices.Equal(got,
			[]vcd.Code{step.enter, step.below, step.run}) {
			t.Errorf("%s: by token %q, by the subaccount's %q, runs %q; want %q, %q, %q", step.name, got[0], got[1], got[2], step.enter,
				step.below, step.run)
		}
		own, err := w.Service.Accounts.Account(t.Context(), w.Actor)
		must(t, err)
		under, err := w.Service.Accounts.Subaccount(t.Context(), w.Actor, sub.ID)
		must(t, err)
		if own.Status != step.status || under.Status != step.under {
			t.Errorf("%s: the account is %s and its subaccount %s", step.name, own.Status, under.Status)
		}
	}
	w.CheckInvariants()
}

func (w *world) operate(do func(context.Context, vcd.ID) (*vcd.Account, error), id vcd.ID) func() (*vcd.Account, error) {
	return func() (*vcd.Account, error) { return do(w.T.Context(), id) }
}

func (w *world) reactivate(id vcd.ID) func() (*vcd.Account, error) {
	return func() (*vcd.Account, error) {
		return w.Service.Accounts.ReactivateAccount(w.T.Context(), vcd.Actor{Account: id})
	}
}

func TestSchedulesBeginAnewAfterAPause(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("g", 0, inventory.GroupChange{Monitoring: vcd.Some(true)})
	_, err := w.Service.Accounts.PauseAccount(t.Context(), w.Account.ID)
	must(t, err)
	w.Clock.Advance(10 * 24 * time.Hour)
	if got := w.NextRun(g.ID); got != "02 00:00" {
		t.Errorf("paused: next run %s", got)
	}
	_, err = w.Service.Accounts.ReactivateAccount(t.Context(), w.Actor)
	must(t, err)
	if got := w.NextRun(g.ID); got != "12 00:00" {
		t.Errorf("reactivated: next run %s", got)
	}
}

func TestAccountsThatNobodyUsesArePaused(t *testing.T) {
	w := newWorld(t)
	const after = 48 * time.Hour
	quiet := w.NewAccount("quiet@example.com", 0)
	below := w.NewAccount("owner-of-a-busy-one@example.com", 0)
	_, busy, err := w.Service.Accounts.CreateSubaccount(
		t.Context(),
		vcd.Actor{Account: below.ID},
		vcdtest.Subaccount("busy@example.com", 1),
	)
	must(t, err)
	token, err := w.Service.Accounts.CreateToken(t.Context(), w.Actor, nil, account.TokenChange{Name: vcd.Some("own")})
	must(t, err)
	w.Clock.Advance(47 * time.Hour)
	for _, plain := range []string{token.Plain, busy.Plain} {
		_, _, err := w.Service.Accounts.Authenticate(t.Context(), plain)
		must(t, err)
	}
	state := func(a *vcd.Account) vcd.AccountStatus {
		found, err := w.Service.Accounts.Account(t.Context(), vcd.Actor{Account: a.ID})
		must(t, err)
		return found.Status
	}
	must(t, w.Service.Accounts.KeepAccounts(t.Context(), after))
	if state(quiet) != vcd.AccountActive {
		t.Error("paused too early")
	}
	w.Clock.Advance(2 * time.Hour)
	must(t, w.Service.Accounts.KeepAccounts(t.Context(), 0))
	if state(quiet) != vcd.AccountActive {
		t.Error("paused although nobody asked for it")
	}
	must(t, w.Service.Accounts.KeepAccounts(t.Context(), after))
	if state(quiet) != vcd.AccountPaused || state(w.Account) != vcd.AccountActive || state(below) != vcd.AccountActive {
		t.Errorf("unused %s, used %s, used below %s", state(quiet), state(w.Account), state(below))
	}
	_, err = w.Service.Accounts.ReactivateAccount(t.Context(), vcd.Actor{Account: quiet.ID})
	must(t, err)
	must(t, w.Service.Accounts.KeepAccounts(t.Context(), after))
	if state(quiet) != vcd.AccountActive {
		t.Error("paused again right after it was reactivated")
	}
}

func TestAPeriodStartsTheCountersAnew(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("g", 1, inventory.GroupChange{})
	sub, _, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("sub@example.com", 10))
	must(t, err)
	owner := w.Actor
	w.Actor = vcd.Actor{Account: sub.ID}
	below, _ := w.Group("below", 1, inventory.GroupChange{})
	w.Take(vcd.QueuePre, below)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "x")
	}
	w.Actor = owner
	w.Take(vcd.QueuePre, g)
	opened := w.Account.CreatedAt
	if want := opened.AddDate(0, 1, 0); !w.FreshAccount().RenewalAt.Equal(want) {
		t.Errorf("the first period ends at %s, want %s", w.FreshAccount().RenewalAt, want)
	}
	must(t, w.Service.Accounts.KeepAccounts(t.Context(), 0))
	w.wantChecks("before", owner, 2, 2)
	w.wantChecks("below, before", vcd.Actor{Account: sub.ID}, 2, 0)
	w.Clock.Advance(opened.AddDate(0, 3, 1).Sub(w.Clock.Now()))
	must(t, w.Service.Accounts.KeepAccounts(t.Context(), 0))
	must(t, w.Service.Accounts.KeepAccounts(t.Context(), 0))
	w.wantChecks("after", owner, 0, 2)
	w.wantChecks("below, after", vcd.Actor{Account: sub.ID}, 0, 0)
	if want := opened.AddDate(0, 4, 0); !w.FreshAccount().RenewalAt.Equal(want) {
		t.Errorf("the new period ends at %s, want %s", w.FreshAccount().RenewalAt, want)
	}
	w.CheckInvariants()
}

func (w *world) wantChecks(name string, actor vcd.Actor, done, reserved int) {
	w.T.Helper()
	a, err := w.Service.Accounts.Account(w.T.Context(), actor)
	must(w.T, err)
	if a.ChecksDone != done || a.ChecksReserved != reserved || a.ChecksLeft() != a.ChecksLimit-done-reserved {
		w.T.Errorf("%s: %d checks done, %d reserved, %d left; want %d and %d", name, a.ChecksDone, a.ChecksReserved,
			a.ChecksLeft(), done, reserved)
	}
}
