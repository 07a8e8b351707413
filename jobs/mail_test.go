package jobs_test

import (
	"bytes"
	"context"
	"image/color"
	"image/jpeg"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/mail"
	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
)

// posted is a mail that was sent.
type posted struct {
	mail.Envelope
	mail.Letter
}

// mailbox is a Transport that takes what is sent, but refuses recipients by their names.
type mailbox chan posted

func (b mailbox) Send(_ context.Context, e mail.Envelope, l mail.Letter) error {
	if strings.HasPrefix(e.To, "nobody@") {
		return &mail.Refusal{Permanent: true, Said: "550 No such mailbox"}
	}
	b <- posted{e, l}
	return nil
}

func (b mailbox) next(t *testing.T) posted {
	t.Helper()
	select {
	case p := <-b:
		return p
	case <-time.After(patience):
		t.Fatal("no mail within a minute")
		return posted{}
	}
}

// boxed is a page that gets a black box from its second visit on.
func boxed() func(capture.Request) (*capture.Shot, error) {
	visits := make(map[string]int)
	return func(r capture.Request) (*capture.Shot, error) {
		visits[r.URL]++
		s := photo(visits[r.URL] > 1)
		s.Content.Elements = []page.Element{{Box: page.Box{X: 40, Y: 50, Width: 60, Height: 40}, Selector: "div", Tag: "div", Parent: -1,
			Classes: "black-box"}}
		return s, nil
	}
}

func TestADigestTellsWhatChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, boxed())
	emails := []string{"owner@example.com", "Team@example.com", "nobody@example.com"}
	group := w.group("digest.example.test", inventory.GroupChange{AlertEmails: vcd.Some(emails)})
	w.run(group, vcd.QueuePre)
	batch, _ := w.run(group, vcd.QueuePost)
	first, second := w.mailbox.next(t), w.mailbox.next(t)
	for _, p := range []posted{first, second} {
		if p.To != "owner@example.com" && p.To != "Team@example.com" {
			t.Errorf("sent to %s", p.To)
		}
		for _, words := range []string{"A page", "digest.example.test", "desktop", t.Name(), "https://afterimage.example.com/c/"} {
			if !strings.Contains(p.HTML, words) || !strings.Contains(p.Text, words) {
				t.Errorf("%q is not in both forms", words)
			}
		}
		checkCrops(t, p.Pictures)
	}
	if first.To == second.To {
		t.Errorf("%s got it twice", first.To)
	}
	sent, failed := w.mails(batch, 3)
	if len(sent) != 2 || len(failed) != 1 || failed[0].Problem != "The mail server rejected it: 550 No such mailbox" {
		t.Errorf("sent %d, failed %+v", len(sent), failed)
	}
}

// checkCrops wants the place of the black box (50, 60)–(90, 80), before and after it was there.
func checkCrops(t *testing.T, pictures []mail.Picture) {
	t.Helper()
	if len(pictures) != 2 || pictures[0].ID != "before-1" || pictures[1].ID != "after-1" {
		t.Fatalf("pictures: %d", len(pictures))
	}
	for i, dark := range []bool{false, true} {
		img, err := jpeg.Decode(bytes.NewReader(pictures[i].Data))
		if err != nil {
			t.Fatal(err)
		}
		r, g, b, _ := img.At(70, 70-(60-24)).RGBA()
		if (r+g+b < 0x3000) != dark {
			t.Errorf("%s: dark %v at the place of the box", pictures[i].ID, !dark)
		}
	}
}

// mails waits until n mails about a batch have ended.
func (w *world) mails(batch vcd.ID, n int) (sent, failed []*vcd.Mail) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		list, err := w.service.Outbound.Mails(ctx, w.actor, vcd.MailFilter{BatchIDs: &[]vcd.ID{batch}}, vcd.Page{Size: 100})
		if err != nil {
			w.t.Fatal(err)
		}
		sent, failed = nil, nil
		for _, m := range list.Items {
			switch m.State {
			case vcd.MailSent:
				sent = append(sent, m)
			case vcd.MailFailed:
				failed = append(failed, m)
			}
		}
		if len(sent)+len(failed) == n && len(list.Items) == n {
			return sent, failed
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			w.t.Fatalf("%d mails, %d sent, %d failed; want %d that have ended", len(list.Items), len(sent), len(failed), n)
		}
	}
}

func TestWhatDidNotChangeWakesNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) { return photo(false), nil })
	group := w.group("calm.example.test", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	w.run(group, vcd.QueuePost)
	// The events of both runs are read before those of a webhook that is disabled, whose mail is then the first.
	r := newReceiver(t, always(410))
	w.hook(vcd.EventBatchFinished, r.URL)
	w.run(group, vcd.QueuePre)
	if p := w.mailbox.next(t); p.To != "owner@example.com" || !strings.Contains(p.Subject, "Webhook disabled") ||
		!strings.Contains(p.Text, "410 Gone") {
		t.Errorf("sent %q to %s", p.Subject, p.To)
	}
}

func TestADigestSaysWhatVerificationFound(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	page := sentence("Welcome", color.Black)
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) {
		mu.Lock()
		defer mu.Unlock()
		return page, nil
	})
	if _, err := w.service.Accounts.SetPlan(t.Context(), w.actor.Account, account.PlanChange{AIVerification: vcd.Some(true)}); err != nil {
		t.Fatal(err)
	}
	group := w.group("verified.example.test", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	for _, after := range []*capture.Shot{sentence("Fatal error: Uncaught Error: call to undefined function", color.RGBA{G: 90, A: 255}),
		shot(color.White)} {
		mu.Lock()
		page = after
		mu.Unlock()
		batch, _ := w.run(group, vcd.QueuePost)
		list, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
			vcd.Page{Size: 1}, false)
		if err != nil {
			t.Fatal(err)
		}
		found := list.Items[0].Verification.Summary
		if gravest := list.Items[0].Verification.Gravest(); gravest != nil {
			found = gravest.Description
		}
		if p := w.mailbox.next(t); found == "" || !strings.Contains(strings.Join(strings.Fields(p.Text), " "), found) {
			t.Errorf("%q is not in\n%s", found, p.Text)
		}
	}
}
