package jobs_test

import (
	"bytes"
	"image/color"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/flow"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// buffer is what was logged.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// doorWorld is a group with two pages and the flow of flowWorld as its sign-in flow, which is run for nothing else.
func doorWorld(t *testing.T, page func(capture.Request) (*capture.Shot, error)) (w *world, browser *walker, group vcd.ID, logged *buffer) {
	t.Helper()
	session, err := capture.ReadSession([]byte(`{"cookies":[{"name":"sid","value":"canary-cookie","url":"https://shop.example.com/"}]}`))
	must(t, err)
	browser, logged = &walker{kept: session}, &buffer{}
	w = newWorldWith(t, page, func(c *jobs.Config) {
		c.Walker, c.Logger = browser, slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	f, group := w.flowOfShop(t, inventory.FlowChange{Manual: vcd.Some(false)})
	var pages []inventory.SelectionChange
	for _, address := range []string{"shop.example.com/a", "shop.example.com/b"} {
		u, err := w.service.Inventory.CreateURL(t.Context(), w.actor, inventory.URLChange{URL: vcd.Some(address)})
		must(t, err)
		pages = append(pages, inventory.SelectionChange{URLID: string(u.ID), Desktop: vcd.Some(true), Mobile: vcd.Some(false)})
	}
	_, err = w.service.Inventory.AddURLs(t.Context(), w.actor, group, pages)
	must(t, err)
	_, err = w.service.Inventory.UpdateGroup(t.Context(), w.actor, group, inventory.GroupChange{SignInFlowID: vcd.Some(string(f.ID))})
	must(t, err)
	return w, browser, group, logged
}

// The pages of a group are captured with what the flow left in the browser. Nothing of it is logged.
func TestPagesAreCapturedWithASession(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	with := 0
	w, browser, group, logged := doorWorld(t, func(r capture.Request) (*capture.Shot, error) {
		mu.Lock()
		defer mu.Unlock()
		if r.Session != nil && r.Shared == nil {
			with++
		}
		return shot(color.White), nil
	})
	_, entries := w.run(group, vcd.QueuePre)
	for _, e := range entries {
		if e.Status != vcd.QueueDone {
			t.Errorf("%s is %s: %s", e.URLAddress, e.Status, e.ErrorMsg)
		}
	}
	if browser.count() != 1 || with != 2 {
		t.Errorf("the flow was walked %d times, and %d pages have its session", browser.count(), with)
	}
	if got := browser.walks[0]; !got.Keep || len(got.Flow.Steps) != 4 || got.Flow.Steps[1].Kind != flow.Wait {
		t.Errorf("the flow was walked with %+v", got)
	}
	text := logged.String()
	if strings.Contains(text, "canary") || strings.Contains(text, "correct horse") || !strings.Contains(text, "sign-in flow ended") {
		t.Errorf("the log is %s", text)
	}
	w.checkInvariants()
}

// A flow that fails fails the pages, which are not visited, and names its step.
func TestPagesBehindASignInThatFails(t *testing.T) {
	t.Parallel()
	w, browser, group, _ := doorWorld(t, func(capture.Request) (*capture.Shot, error) {
		t.Error("a page was visited")
		return shot(color.White), nil
	})
	browser.set(func() { browser.breaks = "Buy" })
	_, entries := w.run(group, vcd.QueuePre)
	for _, e := range entries {
		if e.Status != vcd.QueueFailed || e.Reason != "sign_in_failed" || !strings.Contains(e.ErrorMsg, "Step 3") ||
			!strings.Contains(e.ErrorMsg, "Button “Buy” was not found.") {
			t.Errorf("%s is %s: %s %s", e.URLAddress, e.Status, e.Reason, e.ErrorMsg)
		}
	}
	if browser.count() != 1 {
		t.Errorf("the flow was walked %d times", browser.count())
	}
	w.checkInvariants()
}

// A page that asks to sign in all the same is captured once more with a new session, and then fails.
func TestPagesThatAskToSignInAgain(t *testing.T) {
	t.Parallel()
	w, browser, group, _ := doorWorld(t, func(r capture.Request) (*capture.Shot, error) {
		s := shot(color.White)
		s.FinalURL = r.URL
		if strings.HasSuffix(r.URL, "/b") {
			s.FinalURL = "https://shop.example.com/login"
		}
		return s, nil
	})
	_, entries := w.run(group, vcd.QueuePre)
	for _, e := range entries {
		want := "done"
		if strings.HasSuffix(e.URLAddress, "/b") {
			want = "failed signed_out"
		}
		if got := strings.TrimSpace(string(e.Status) + " " + e.Reason); got != want {
			t.Errorf("%s is %s: %s", e.URLAddress, got, e.ErrorMsg)
		}
	}
	if browser.count() != 2 {
		t.Errorf("the flow was walked %d times, want twice", browser.count())
	}
	w.checkInvariants()
}
