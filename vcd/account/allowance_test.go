package account_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/outbound"
	"afterimage/vcd/run"
)

// TestSubaccountsAreOpenedAtAPace guards against an attack that opened 150 subaccounts, each with a mail to a stranger, in
// two seconds.
func TestSubaccountsAreOpenedAtAPace(t *testing.T) {
	w := newWorld(t)
	w.Service = w.Service.With(func(c *app.Config) { c.Frequencies.Subaccounts = 5 })
	processes := []*app.Service{w.Service, w.Replica(), w.Replica()}
	var mu sync.Mutex
	var all sync.WaitGroup
	opened, refused := 0, 0
	for i := range 30 {
		all.Go(func() {
			_, _, err := processes[i%len(processes)].Accounts.CreateSubaccount(t.Context(), w.Actor,
				vcdtest.Subaccount(fmt.Sprintf("sub%d@example.com", i), 5))
			mu.Lock()
			defer mu.Unlock()
			var told *vcd.Error
			switch {
			case err == nil:
				opened++
			case errors.As(err, &told) && told.Code == vcd.CodeRateLimited && told.RetryAfter == 12*time.Minute &&
				strings.Contains(told.Message, "12 minutes"):
				refused++
			default:
				t.Errorf("refused with %v", err)
			}
		})
	}
	all.Wait()
	if opened != 5 || refused != 25 {
		t.Errorf("%d were opened and %d refused, want 5 and 25", opened, refused)
	}
	other := w.NewAccount("other@example.com", 0)
	_, _, err := w.Service.Accounts.CreateSubaccount(
		t.Context(),
		vcd.Actor{Account: other.ID},
		vcdtest.Subaccount("elsewhere@example.com", 5),
	)
	must(t, err)
	w.Clock.Advance(12 * time.Minute)
	for i, want := range []vcd.Code{"", vcd.CodeRateLimited} {
		_, _, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount(fmt.Sprintf("later%d@example.com", i), 5))
		if vcdtest.CodeOf(err) != want {
			t.Errorf("12 minutes later, number %d: %v, want %q", i+1, err, want)
		}
	}
}

// sendAll begins every pending mail and counts, by recipient, those sent and those held back.
func (w *world) sendAll() (gone, held map[string]int) {
	w.T.Helper()
	for more := true; more; {
		var err error
		more, err = w.Service.Outbound.RelayMails(w.T.Context())
		must(w.T, err)
	}
	gone, held = map[string]int{}, map[string]int{}
	for _, id := range w.Jobs("mail") {
		w.Exec("DELETE FROM test_jobs WHERE entry = $1 AND kind = 'mail'", string(id))
		account := vcdtest.Value[string](w.World, "SELECT account_id::text FROM mails WHERE id = $1", string(id))
		to := vcdtest.Value[string](w.World, "SELECT recipient FROM mails WHERE id = $1", string(id))
		task, err := w.Service.Outbound.BeginMail(w.T.Context(), vcd.Actor{Account: vcd.ID(account)}, id)
		must(w.T, err)
		if task == nil {
			held[to]++
			continue
		}
		gone[to]++
		must(w.T, w.Service.Outbound.FinishMail(w.T.Context(), vcd.Actor{Account: vcd.ID(account)}, id, outbound.MailResult{Subject: "s"}))
	}
	return gone, held
}

// TestStrangersGetFewMails repeatedly creates tokens for a subaccount; each sends a mail to an address that never asked for
// it.
func TestStrangersGetFewMails(t *testing.T) {
	w := newWorld(t)
	w.Service = w.Service.With(func(c *app.Config) { c.Frequencies = vcd.Frequencies{MailsPerAccount: 7, MailsPerReceiver: 4} })
	var subs []vcd.ID
	for i := range 2 {
		sub, _, err := w.Service.Accounts.CreateSubaccount(
			t.Context(),
			w.Actor,
			vcdtest.Subaccount(fmt.Sprintf("stranger%d@example.com", i), 5),
		)
		must(t, err)
		subs = append(subs, sub.ID)
	}
	bother := func(sub *vcd.ID, times int) {
		for range times {
			token, err := w.Service.Accounts.CreateToken(t.Context(), w.Actor, sub, account.TokenChange{Name: vcd.Some("again")})
			must(t, err)
			_, err = w.Service.Accounts.RevokeToken(t.Context(), w.Actor, sub, token.ID)
			must(t, err)
		}
	}
	bother(&subs[0], 9)
	bother(&subs[1], 9)
	bother(nil, 9) // the operator vouches for the owner's own address
	gone, held := w.sendAll()
	one, other := gone["stranger0@example.com"], gone["stranger1@example.com"]
	if one+other != 7 || max(one, other) != 4 || gone[w.Account.Email] != 9 {
		t.Errorf("sent %v, want 7 to strangers, at most 4 to each, and all 9 to the owner", gone)
	}
	if n := held["stranger0@example.com"] + held["stranger1@example.com"]; n != 13 {
		t.Errorf("held back %v, want the other 13", held)
	}
	w.Clock.Advance(time.Hour)
	gone, _ = w.sendAll()
	if gone["stranger0@example.com"]+gone["stranger1@example.com"] != 7 {
		t.Errorf("an hour later %v were sent, want 7", gone)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM mails WHERE state = 'failed'"); n != 0 {
		t.Errorf("%d mails were given up: what is held back must not be lost", n)
	}
	w.Clock.Advance(3 * time.Hour)
	must(t, w.Service.Runs.RemoveOld(t.Context(), run.Retention{}))
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM allowances"); n != 0 {
		t.Errorf("%d allowances are kept that say nothing any more", n)
	}
}
