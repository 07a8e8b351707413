package db_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"afterimage/internal/vcdtest"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
)

// TestListsTakeThreeStatementsHoweverLongTheyAre holds every list to: bind the transaction, read the page, count.
func TestListsTakeThreeStatementsHoweverLongTheyAre(t *testing.T) {
	w := newWorld(t)
	g, _, _, _ := w.FillEverything("many")
	for i := range 15 {
		w.Group(fmt.Sprintf("g%d", i), 1, inventory.GroupChange{})
	}
	other, _ := w.Group("other", 0, inventory.GroupChange{})
	another, _ := w.Group("another", 0, inventory.GroupChange{})
	w.Website("another.test", other, another)
	w.tagged(g)
	statements := vcdtest.RecordStatements(w.DB)
	s, c, p := w.Service, t.Context(), vcd.Page{Size: 15, Number: 1, Total: true}
	for name, ask := range map[string]struct {
		list func() (items int, err error)
		most int
	}{
		"websites": {func() (int, error) {
			l, err := s.Inventory.Websites(c, w.Actor, vcd.WebsiteFilter{}, p)
			return len(l.Items), err
		}, 3},
		"groups": {func() (int, error) {
			l, err := s.Inventory.Groups(c, w.Actor, vcd.GroupFilter{}, p)
			return len(l.Items), err
		}, 3},
		"urls": {func() (int, error) {
			l, err := s.Inventory.URLs(c, w.Actor, vcd.URLFilter{}, p)
			return len(l.Items), err
		}, 3},
		"batches": {func() (int, error) {
			l, err := s.Runs.Batches(c, w.Actor, vcd.BatchFilter{}, p)
			return len(l.Items), err
		}, 3},
		"screenshots": {func() (int, error) {
			l, err := s.Reviews.Screenshots(c, w.Actor, vcd.ScreenshotFilter{}, p)
			return len(l.Items), err
		}, 3},
		"queue": {func() (int, error) {
			l, err := s.Runs.QueueEntries(c, w.Actor, vcd.QueueFilter{}, p, true)
			return len(l.Items), err
		}, 4}, // with its figures
		"comparisons": {func() (int, error) {
			l, err := s.Reviews.Comparisons(c, w.Actor, vcd.ComparisonFilter{}, p, true)
			return len(l.Items), err
		}, 4}, // with its count of changes
		"selections": {func() (int, error) {
			l, err := s.Inventory.Selections(c, w.Actor, vcd.SelectionFilter{GroupID: g.ID}, p)
			return len(l.Items), err
		}, 4}, // with the group itself
		"tags": {func() (int, error) {
			l, err := s.Inventory.Tags(c, w.Actor)
			return len(l), err
		}, 2},
		"tagged urls": {func() (int, error) {
			l, err := s.Inventory.URLs(c, w.Actor, vcd.URLFilter{Tags: &[]string{"a", "b"}}, p)
			return len(l.Items), err
		}, 3},
		"tagged selections, by tag": {func() (int, error) {
			l, err := s.Inventory.Selections(c, w.Actor, vcd.SelectionFilter{GroupID: g.ID, Tags: &[]string{"a", "b"},
				Sort: vcd.Sort{By: vcd.SelectionTag}}, p)
			return len(l.Items), err
		}, 4},
	} {
		n, err := ask.list()
		must(t, err)
		if n < 2 {
			t.Errorf("%s: the list has only %d items", name, n)
		}
		if texts := statements.Take(); len(texts) > ask.most {
			t.Errorf("%s: %d statements for %d items:\n%s", name, len(texts), n, strings.Join(texts, "\n"))
		}
	}
}

// tagged gives the URLs of a group two tags.
func (w *world) tagged(g *vcd.Group) []vcd.ID {
	w.T.Helper()
	edit := inventory.URLEdit{Tags: inventory.TagChange{Add: []string{"a", "b"}}}
	edited, err := w.Service.Inventory.EditURLs(w.T.Context(), w.Actor, g.ID, vcd.SelectionFilter{}, edit, 1000)
	must(w.T, err)
	return edited.Changed
}

func TestAnEditTakesFewStatementsHoweverManyURLsMatch(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("many", 40, inventory.GroupChange{})
	statements := vcdtest.RecordStatements(w.DB)
	for _, one := range []struct {
		name string
		edit inventory.URLEdit
		most int
	}{
		{"tags", inventory.URLEdit{Tags: inventory.TagChange{Add: []string{"a", "b"}, Remove: []string{"c"}}}, 12},
		{"a device", inventory.URLEdit{Desktop: vcd.Some(false)}, 8},
		{"removal", inventory.URLEdit{Remove: inventory.RemoveEntirely}, 7},
	} {
		edited, err := w.Service.Inventory.EditURLs(t.Context(), w.Actor, g.ID, vcd.SelectionFilter{}, one.edit, 1000)
		must(t, err)
		if texts := statements.Take(); len(edited.Changed) != 40 || len(texts) > one.most {
			t.Errorf("%s: %d statements for %d URLs:\n%s", one.name, len(texts), len(edited.Changed), strings.Join(texts, "\n"))
		}
	}
}

func TestATokenIsLookedUpInOneStatement(t *testing.T) {
	w := newWorld(t)
	token, err := w.Service.Accounts.CreateToken(t.Context(), w.Actor, nil, account.TokenChange{Name: vcd.Some("ci")})
	must(t, err)
	statements := vcdtest.RecordStatements(w.DB)
	hash := sha256.Sum256([]byte(token.Plain))
	bearer, err := w.DB.AccountByToken(t.Context(), hash[:], w.Clock.Now())
	must(t, err)
	if bearer.Account.ID != w.Account.ID || bearer.Token != token.ID {
		t.Errorf("found account %s and token %s", bearer.Account.ID, bearer.Token)
	}
	if texts := statements.Take(); len(texts) != 1 {
		t.Errorf("statements: %s", texts)
	}
}
