package account_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

func TestSubaccounts(t *testing.T) {
	w := newWorld(t)
	_, err := w.Service.Accounts.UpdateAccount(t.Context(), w.Actor, account.Change{Timezone: vcd.Some("Europe/Berlin")})
	must(t, err)
	one, token, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("one@example.com", 5))
	must(t, err)
	w.Clock.Advance(1)
	two, _, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("two@example.com", 0))
	must(t, err)
	if one.Timezone != "Europe/Berlin" || !one.IsSubaccount() || one.ChecksLimit != 5 || two.ChecksLimit != 0 ||
		!one.RenewalAt.Equal(w.Account.RenewalAt) {
		t.Errorf("opened: %+v", one)
	}
	_, _, err = w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("ADA@example.com", 5))
	wantCode(t, err, vcd.CodeInvalid)
	list, err := w.Service.Accounts.Subaccounts(t.Context(), w.Actor, vcd.SubaccountFilter{}, vcd.Page{Size: 1, Number: 1, Total: true})
	must(t, err)
	if len(list.Items) != 1 || list.Items[0].ID != two.ID || list.Total != 2 || !list.HasNextPage {
		t.Errorf("list: %+v", list)
	}
	search := "ONE@"
	list, err = w.Service.Accounts.Subaccounts(t.Context(), w.Actor, vcd.SubaccountFilter{Search: &search}, vcd.Page{Size: 15})
	must(t, err)
	if len(list.Items) != 1 || list.Items[0].ID != one.ID {
		t.Errorf("found: %+v", list)
	}
	changed, err := w.Service.Accounts.UpdateSubaccount(t.Context(), w.Actor, one.ID, account.SubaccountChange{LimitChecks: vcd.Some(7),
		NameFirst: vcd.Some("New")})
	must(t, err)
	if changed.ChecksLimit != 7 || changed.NameFirst != "New" || changed.NameLast != "T" {
		t.Errorf("changed: %+v", changed)
	}
	_, err = w.Service.Accounts.UpdateSubaccount(t.Context(), w.Actor, one.ID, account.SubaccountChange{Email: vcd.Some("TWO@example.com")})
	wantCode(t, err, vcd.CodeInvalid)

	owner := w.Actor
	w.Actor, _, err = w.Service.Accounts.Authenticate(t.Context(), token.Plain)
	must(t, err)
	g, urls := w.Group("g", 1, inventory.GroupChange{})
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	wantCode(t, w.Service.Accounts.DeleteSubaccount(t.Context(), owner, one.ID), vcd.CodeConflict)
	_, _, err = w.Service.Accounts.Authenticate(t.Context(), token.Plain)
	must(t, err) // the rejected call has revoked nothing
	must(t, w.Service.Inventory.DeleteURL(t.Context(), w.Actor, urls[0].ID))
	must(t, w.Service.Accounts.DeleteSubaccount(t.Context(), owner, one.ID))
	_, _, err = w.Service.Accounts.Authenticate(t.Context(), token.Plain)
	wantCode(t, err, vcd.CodeUnauthenticated)
	_, err = w.Service.Accounts.Subaccount(t.Context(), owner, one.ID)
	wantCode(t, err, vcd.CodeNotFound)
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM accounts WHERE id = $1 AND email || name_first || name_last <> ''",
		string(one.ID)); n != 0 {
		t.Error("the deleted subaccount is still named")
	}
	_, _, err = w.Service.Accounts.CreateSubaccount(
		t.Context(),
		owner,
		vcdtest.Subaccount("one@example.com", 5),
	) // its address is available again
	must(t, err)
	w.CheckInvariants()
}

func TestFieldsOfSubaccounts(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		path, rule string
		change     func(*account.SubaccountChange)
	}{
		{"nameFirst", "required", func(c *account.SubaccountChange) { c.NameFirst = vcd.Some(" ") }},
		{"nameFirst", "max", func(c *account.SubaccountChange) { c.NameFirst = vcd.Some(strings.Repeat("ä", 256)) }},
		{"nameLast", "required", func(c *account.SubaccountChange) { c.NameLast = vcd.Null[string]() }},
		{"email", "email", func(c *account.SubaccountChange) { c.Email = vcd.Some("nobody") }},
		{"email", "required", func(c *account.SubaccountChange) { c.Email = vcd.Optional[string]{} }},
		{"email", "unique", func(c *account.SubaccountChange) { c.Email = vcd.Some("Ada@example.com") }},
		{"limitChecks", "min", func(c *account.SubaccountChange) { c.LimitChecks = vcd.Some(-1) }},
		{"limitChecks", "required", func(c *account.SubaccountChange) { c.LimitChecks = vcd.Optional[int]{} }},
	} {
		in := vcdtest.Subaccount("sub@example.com", 0)
		c.change(&in)
		_, _, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, in)
		vcdtest.WantField(t, err, c.path, c.rule)
	}
}

func TestOnlyTheOwnerSeesItsSubaccounts(t *testing.T) {
	w := newWorld(t)
	sub, _, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("sub@example.com", 5))
	must(t, err)
	sibling, _, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("sibling@example.com", 5))
	must(t, err)
	stranger := w.NewAccount("bob@example.com", 0)
	s, c := w.Service, t.Context()
	calls := map[string]func(vcd.Actor) error{
		"create": func(a vcd.Actor) error {
			_, _, err := s.Accounts.CreateSubaccount(c, a, vcdtest.Subaccount(string(a.Account)+"@example.com", 1))
			return err
		},
		"list": func(a vcd.Actor) error {
			l, err := s.Accounts.Subaccounts(c, a, vcd.SubaccountFilter{}, vcd.Page{Size: 15})
			if err == nil && slices.ContainsFunc(l.Items, func(x *vcd.Account) bool { return x.ID == sub.ID }) != (a == w.Actor) {
				return fmt.Errorf("lists %d", len(l.Items))
			}
			return err
		},
		"read": func(a vcd.Actor) error { _, err := s.Accounts.Subaccount(c, a, sub.ID); return err },
		"update": func(a vcd.Actor) error {
			_, err := s.Accounts.UpdateSubaccount(c, a, sub.ID, account.SubaccountChange{})
			return err
		},
		"token": func(a vcd.Actor) error {
			_, err := s.Accounts.CreateToken(c, a, &sub.ID, account.TokenChange{Name: vcd.Some("x")})
			return err
		},
		"tokens": func(a vcd.Actor) error {
			_, err := s.Accounts.Tokens(c, a, &sub.ID, vcd.TokenFilter{}, vcd.Page{Size: 15})
			return err
		},
		"delete": func(a vcd.Actor) error { return s.Accounts.DeleteSubaccount(c, a, sub.ID) },
	}
	for _, name := range []string{"create", "list", "read", "update", "token", "tokens", "delete"} {
		var got []vcd.Code
		for _, a := range []vcd.ID{sub.ID, sibling.ID, stranger.ID, w.Account.ID} {
			got = append(got, vcdtest.CodeOf(calls[name](vcd.Actor{Account: a})))
		}
		foreign := vcd.CodeNotFound
		if name == "create" || name == "list" {
			foreign = ""
		}
		if want := []vcd.Code{vcd.CodeForbidden, vcd.CodeForbidden, foreign, ""}; !slices.Equal(got, want) {
			t.Errorf("%s by itself, its sibling, a stranger and its owner: %q, want %q", name, got, want)
		}
	}
	for account, want := range map[vcd.ID]int{w.Account.ID: 4, sibling.ID: 1, stranger.ID: 2} { // a deleted one still has a row
		seen := 0
		must(t, w.AsAccount(account, func(tx pgx.Tx) error { return tx.QueryRow(c, "SELECT count(*) FROM accounts").Scan(&seen) }))
		if seen != want {
			t.Errorf("account %s sees %d accounts, want %d", account, seen, want)
		}
	}
}

// TestChecksUnderContention starts runs, captures and fails concurrently with too few checks for all. No counter may drop
// below zero or exceed its limit, every rejection must be justified, and the totals must add up.
func TestChecksUnderContention(t *testing.T) {
	w := newWorld(t)
	owner := w.NewAccount("owner@example.com", 30)
	actors := []vcd.Actor{{Account: owner.ID}}
	for i := range 2 {
		sub, _, err := w.Service.Accounts.CreateSubaccount(
			t.Context(),
			actors[0],
			vcdtest.Subaccount(fmt.Sprintf("s%d@example.com", i), 16),
		)
		must(t, err)
		actors = append(actors, vcd.Actor{Account: sub.ID})
	}
	groups := make([]*vcd.Group, len(actors))
	for i, a := range actors {
		w.Actor = a
		groups[i], _ = w.Group(fmt.Sprint("g", i), 1, inventory.GroupChange{}) // two screenshots each
	}
	var all sync.WaitGroup
	refusals := make([]int, len(actors))
	var mu sync.Mutex
	for i, a := range actors {
		for range 2 {
			all.Go(func() {
				for range 8 {
					_, err := w.Service.Runs.TakeScreenshots(t.Context(), a, run.TakeInput{GroupIDs: []string{string(groups[i].ID)},
						Type: vcd.QueuePre})
					switch {
					case vcdtest.CodeOf(err) == vcd.CodeChecksExhausted:
						mu.Lock()
						refusals[i]++
						mu.Unlock()
					case err != nil:
						t.Errorf("account %d: %v", i, err)
					}
				}
			})
		}
	}
	all.Wait()
	read := func(a vcd.Actor) *vcd.Account {
		found, err := w.Service.Accounts.Account(t.Context(), a)
		must(t, err)
		return found
	}
	if a := read(actors[0]); a.ChecksReserved != 30 || a.ChecksLeft() != 0 {
		t.Errorf("the owner has %d reserved and %d left, want all 30 promised", a.ChecksReserved, a.ChecksLeft())
	}
	for i, a := range actors[1:] {
		if found := read(a); found.ChecksReserved > 16 {
			t.Errorf("subaccount %d has %d reserved above its 16", i, found.ChecksReserved)
		}
	}
	if refusals[0]+refusals[1]+refusals[2] != 3*16-15 {
		t.Errorf("refused %v times; 15 of 48 runs have room", refusals)
	}
	w.CheckInvariants()
	w.settleAll(actors)
	w.CheckInvariants()
	a := read(actors[0])
	done := vcdtest.Value[int](w.World, "SELECT count(*) FROM screenshots")
	if a.ChecksDone != done || a.ChecksReserved != 0 || a.ChecksLeft() != 30-done || done == 0 || done == 30 {
		t.Errorf("%d done, %d reserved, %d left; %d screenshots", a.ChecksDone, a.ChecksReserved, a.ChecksLeft(), done)
	}
}

// settleAll concurrently captures every second waiting entry of all accounts and lets the others fail.
func (w *world) settleAll(actors []vcd.Actor) {
	w.T.Helper()
	picture := w.Picture("pixels")
	var all sync.WaitGroup
	for _, actor := range actors {
		list, err := w.Service.Runs.QueueEntries(w.T.Context(), actor, vcd.QueueFilter{}, vcd.Page{Size: 100}, false)
		must(w.T, err)
		for i, e := range list.Items {
			all.Go(func() {
				var err error
				if i%2 == 0 {
					err = w.Service.Runs.FinishCapture(w.Working(e.ID), actor, e.ID, run.CaptureResult{Picture: picture, StatusCode: 200,
						SCVersion: "1", Manifest: []byte(`{}`)})
				} else {
					err = w.Service.Runs.FailCapture(w.Working(e.ID), actor, e.ID, run.CaptureFailure{Reason: "gone", Sentence: "Gone."})
				}
				if err != nil {
					w.T.Error(err)
				}
			})
		}
	}
	all.Wait()
}

func TestTokensAreListedChangedAndRevoked(t *testing.T) {
	w := newWorld(t)
	s, c := w.Service, t.Context()
	var made []account.NewToken
	for i := range 9 {
		w.Clock.Advance(1000)
		token, err := s.Accounts.CreateToken(c, w.Actor, nil, account.TokenChange{Name: vcd.Some(fmt.Sprint(i))})
		must(t, err)
		made = append(made, token)
	}
	_, err := s.Accounts.CreateToken(c, w.Actor, nil, account.TokenChange{Name: vcd.Some("one too many")})
	wantCode(t, err, vcd.CodeConflict)
	soon := w.Clock.Now().Add(1e9)
	changed, err := s.Accounts.UpdateToken(c, w.Actor, nil, made[0].ID, account.TokenChange{ExpiresAt: vcd.Some(soon),
		Name: vcd.Some("renamed")})
	must(t, err)
	if changed.Name != "renamed" || !changed.ExpiresAt.Equal(soon) {
		t.Errorf("changed: %+v", changed)
	}
	for range 2 {
		revoked, err := s.Accounts.RevokeToken(c, w.Actor, nil, made[1].ID)
		must(t, err)
		if revoked.RevokedAt == nil {
			t.Error("not revoked")
		}
	}
	_, err = s.Accounts.UpdateToken(c, w.Actor, nil, made[1].ID, account.TokenChange{ExpiresAt: vcd.Null[time.Time]()})
	wantCode(t, err, vcd.CodeConflict)
	_, err = s.Accounts.UpdateToken(c, w.Actor, nil, made[2].ID, account.TokenChange{ExpiresAt: vcd.Some(w.Clock.Now())})
	vcdtest.WantField(t, err, "expiresAt", "after")
	_, _, err = s.Accounts.Authenticate(c, made[0].Plain)
	must(t, err)
	w.Clock.Advance(2e9)
	for i, want := range []vcd.Code{vcd.CodeUnauthenticated, vcd.CodeUnauthenticated, ""} {
		if _, _, err := s.Accounts.Authenticate(c, made[i].Plain); vcdtest.CodeOf(err) != want {
			t.Errorf("token %d: %v, want %q", i, err, want)
		}
	}
	now, prefix := w.Clock.Now(), made[2].Prefix[:6]
	for name, want := range map[string]struct {
		filter vcd.TokenFilter
		count  int
	}{
		"all": {vcd.TokenFilter{}, 10}, "live": {vcd.TokenFilter{LiveAt: &now}, 8}, "by prefix": {vcd.TokenFilter{Prefix: &prefix}, 1},
	} {
		l, err := s.Accounts.Tokens(c, w.Actor, nil, want.filter, vcd.Page{Size: 100, Total: true})
		must(t, err)
		if len(l.Items) != want.count || l.Total != want.count {
			t.Errorf("%s: %d tokens of %d, want %d", name, len(l.Items), l.Total, want.count)
		}
		for _, token := range l.Items {
			if used := token.LastUsedAt != nil; used != (token.ID == made[0].ID || token.ID == made[2].ID) {
				t.Errorf("%s: token %s was used: %t", name, token.Name, used)
			}
		}
	}
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	_, err = s.Accounts.RevokeToken(c, stranger, nil, made[2].ID)
	wantCode(t, err, vcd.CodeNotFound)
	n := vcdtest.Value[int](w.World,
		"SELECT count(*) FROM tokens WHERE $1 IN (name, prefix, encode(hash, 'escape'))", made[2].Plain)
	if n != 0 {
		t.Error("a token is kept in the open")
	}
}
