package account_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
)

// atOnce does something several times at the same moment, by two processes in turn, and returns the errors.
func atOnce(processes [2]*app.Service, times int, do func(process *app.Service, i int) error) []error {
	errs := make([]error, times)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range times {
		all.Go(func() {
			<-start
			errs[i] = do(processes[i%2], i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// succeeded counts those that did. The others must have been refused with a reason, not by a fault.
func succeeded(t *testing.T, what string, errs []error) (n int) {
	t.Helper()
	for _, err := range errs {
		var refused *vcd.Error
		switch {
		case err == nil:
			n++
		case !errors.As(err, &refused) || refused.Code != vcd.CodeConflict && refused.Code != vcd.CodeInvalid:
			t.Errorf("%s: %v", what, err)
		}
	}
	return n
}

// TestInvitationsRaceOverTwoProcesses: however many accept, revoke and invite at once, an invitation makes one user or none.
func TestInvitationsRaceOverTwoProcesses(t *testing.T) {
	w := newWorld(t)
	both := [2]*app.Service{w.Service, w.Replica()}
	ctx := t.Context()
	for round := range 10 {
		email := fmt.Sprintf("grace%d@example.com", round)
		errs := atOnce(both, 6, func(p *app.Service, _ int) error {
			_, err := p.Accounts.Invite(ctx, w.Actor, email, vcd.RoleViewer)
			return err
		})
		if n := succeeded(t, "invite", errs); n != 1 {
			t.Fatalf("%d of six invitations of an address were made", n)
		}
		list, err := w.Service.Accounts.Invitations(ctx, w.Actor, vcd.InvitationFilter{Search: &email}, vcd.Page{Size: 10})
		must(t, err)
		i := list.Items[0]
		link := vcdtest.LinkOf(t, w.Service, w.DB, i)
		joinings := make([]account.Joining, 6)
		for n := range joinings {
			joinings[n] = joining(fmt.Sprint("Grace ", n))
			joinings[n].Passkey.CredentialID = fmt.Appendf(nil, "%d-%d", round, n)
		}
		accepted := 0
		errs = atOnce(both, 6, func(p *app.Service, n int) error {
			if n == 5 && round%2 == 1 { // somebody revokes it at the same moment
				_, err := p.Accounts.RevokeInvitation(ctx, w.Actor, i.ID)
				return err
			}
			_, err := p.Accounts.AcceptInvitation(ctx, link, joinings[n])
			return err
		})
		if n := succeeded(t, "accept", errs); n != 1 {
			t.Errorf("round %d: %d succeeded, want one", round, n)
		}
		for n, err := range errs {
			if err == nil && (n != 5 || round%2 == 0) {
				accepted++
			}
		}
		users := vcdtest.Value[int](w.World, "SELECT count(*) FROM users WHERE email = $1 AND removed_at IS NULL", email)
		if users != accepted {
			t.Errorf("round %d: %d users, %d were told that they joined", round, users, accepted)
		}
	}
	// Two accounts invite the same address, and both invitations are accepted at once: a user belongs to one account.
	other := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	var links [2]string
	for n, actor := range []vcd.Actor{w.Actor, other} {
		i, err := w.Service.Accounts.Invite(ctx, actor, "both@example.com", vcd.RoleViewer)
		must(t, err)
		links[n] = vcdtest.LinkOf(t, w.Service, w.DB, i)
	}
	errs := atOnce(both, 2, func(p *app.Service, n int) error {
		join := joining("Both")
		join.Passkey.CredentialID = fmt.Appendf(nil, "both-%d", n)
		_, err := p.Accounts.AcceptInvitation(ctx, links[n], join)
		return err
	})
	if n := succeeded(t, "accept for two accounts", errs); n != 1 {
		t.Errorf("%d of two accounts have the user: %v", n, errs)
	}
	broken, err := w.DB.CheckInvariants(ctx)
	must(t, err)
	if len(broken) > 0 {
		t.Errorf("broken invariants: %v", broken)
	}
}
