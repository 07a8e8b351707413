package db_test

import (
	"fmt"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// links are the links to one comparison and its pictures, as they were given out.
type links struct {
	own    []string // tokens of the pictures: before, after and mask
	public string   // the token of the public page
}

func linksOf(c *vcd.Comparison) links {
	return links{[]string{c.Before.Image.Token, c.After.Image.Token, c.Image.Token}, c.Token}
}

// open tells what opens: how many of the three own links, how many of the page's three pictures, and whether the page does.
func (w *world) open(l links) string {
	w.T.Helper()
	own, public, page := 0, 0, false
	for _, token := range l.own {
		if w.found(w.DB.ImageByToken(w.T.Context(), token)) {
			own++
		}
	}
	for _, part := range []vcd.PublicPart{vcd.PublicBefore, vcd.PublicAfter, vcd.PublicMask} {
		if w.found(w.DB.ImageByPublicLink(w.T.Context(), l.public, part)) {
			public++
		}
	}
	switch _, err := w.Service.Reviews.Review(w.T.Context(), l.public); vcdtest.CodeOf(err) {
	case "":
		page = true
	case vcd.CodeNotFound:
	default:
		w.T.Fatal(err)
	}
	return fmt.Sprintf("%d own, %d public, page %t", own, public, page)
}

func (w *world) found(_ *vcd.Image, err error) bool {
	w.T.Helper()
	if err != nil && vcd.CodeOf(err) != vcd.CodeNotFound {
		w.T.Fatal(err)
	}
	return err == nil
}

// TestPictureLinksDieWithWhatTheyShow is named after the pictures of withdrawn pages, deleted groups and cancelled accounts, which could be
// opened for ever.
func TestPictureLinksDieWithWhatTheyShow(t *testing.T) {
	const all, none = "3 own, 3 public, page true", "0 own, 0 public, page false"
	for name, c := range map[string]struct {
		do   func(w *world, g *vcd.Group, c *vcd.Comparison) error
		want string
	}{
		"nothing": {func(*world, *vcd.Group, *vcd.Comparison) error { return nil }, all},
		"renewed": {func(w *world, _ *vcd.Group, c *vcd.Comparison) error {
			_, err := w.Service.Reviews.RenewPublicLink(t.Context(), w.Actor, c.ID)
			return err
		}, "3 own, 0 public, page false"},
		"group deleted": {func(w *world, g *vcd.Group, _ *vcd.Comparison) error {
			return w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID)
		}, none},
		"URL deleted": {func(w *world, _ *vcd.Group, c *vcd.Comparison) error {
			return w.Service.Inventory.DeleteURL(t.Context(), w.Actor, c.URLID)
		}, none},
		"paused": {func(w *world, _ *vcd.Group, _ *vcd.Comparison) error {
			_, err := w.Service.Accounts.PauseAccount(t.Context(), w.Account.ID)
			return err
		}, all},
		"cancelled": {func(w *world, _ *vcd.Group, _ *vcd.Comparison) error {
			_, err := w.Service.Accounts.CancelAccount(t.Context(), w.Account.ID)
			return err
		}, none},
		"opened again": {func(w *world, _ *vcd.Group, _ *vcd.Comparison) error {
			if _, err := w.Service.Accounts.CancelAccount(t.Context(), w.Account.ID); err != nil {
				return err
			}
			_, err := w.Service.Accounts.ActivateAccount(t.Context(), w.Account.ID)
			return err
		}, all},
		"account deleted": {func(w *world, _ *vcd.Group, _ *vcd.Comparison) error {
			w.AsSystem("UPDATE accounts SET deleted_at = now() WHERE id = $1", w.Account.ID)
			return nil
		}, none},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			g, comparison := w.Seen("shown")
			given := linksOf(comparison)
			must(t, c.do(w, g, comparison))
			if got := w.open(given); got != c.want {
				t.Errorf("%s opens, want %s", got, c.want)
			}
		})
	}
}

func TestARenewedLinkShowsTheSame(t *testing.T) {
	w := newWorld(t)
	_, c := w.Seen("shown")
	renewed, err := w.Service.Reviews.RenewPublicLink(t.Context(), w.Actor, c.ID)
	must(t, err)
	if got := w.open(linksOf(renewed)); got != "3 own, 3 public, page true" {
		t.Errorf("%s opens at the new link", got)
	}
	if now := linksOf(renewed); fmt.Sprint(now.own) != fmt.Sprint(linksOf(c).own) {
		t.Errorf("the account's own links have changed: %v, were %v", now.own, linksOf(c).own)
	}
}

// TestALinkIsOneQuestion keeps a page of pictures that are all revalidated cheap.
func TestALinkIsOneQuestion(t *testing.T) {
	w := newWorld(t)
	_, c := w.Seen("shown")
	statements := vcdtest.RecordStatements(w.DB)
	_, err := w.DB.ImageByToken(t.Context(), c.Image.Token)
	must(t, err)
	_, err = w.DB.ImageByPublicLink(t.Context(), c.Token, vcd.PublicMask)
	must(t, err)
	if texts := statements.Take(); len(texts) != 2 {
		t.Errorf("%d statements for two pictures: %s", len(texts), texts)
	}
}
