package jobs_test

import (
	"errors"
	"image/color"
	"io"
	"sync/atomic"
	"testing"

	"afterimage/capture"
	"afterimage/imgdiff"
	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

func TestAPostRunIsComparedWithThePreRun(t *testing.T) {
	t.Parallel()
	var after atomic.Bool
	w := newWorld(t, func(r capture.Request) (*capture.Shot, error) {
		if after.Load() && r.URL == "https://example.com/changes" {
			return shot(color.Black), nil
		}
		return shot(color.White), nil
	})
	group := w.group("https://example.com/changes", inventory.GroupChange{CSS: vcd.Some("p{}"), JS: vcd.Some("1")})
	w.add(group, "https://example.com/stays")
	w.run(group, vcd.QueuePre)
	after.Store(true)
	batch, entries := w.run(group, vcd.QueuePost)

	if len(entries) != 4 {
		t.Fatalf("%d entries, want two screenshots and two comparisons", len(entries))
	}
	for _, e := range entries {
		if e.Status != vcd.QueueDone {
			t.Errorf("%s %s is %s: %s", e.Type, e.URLAddress, e.Status, e.ErrorMsg)
		}
	}
	list, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 10}, true)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		percent float64
		status  vcd.ComparisonStatus
	}{"example.com/changes": {100, vcd.ComparisonNew}, "example.com/stays": {0, vcd.ComparisonOK}}
	for _, c := range list.Items {
		if got := want[c.URLAddress]; c.Difference.Percent != got.percent || c.Status != got.status {
			t.Errorf("%s: %v %% and %s, want %v", c.URLAddress, c.Difference.Percent, c.Status, got)
		}
	}
	if len(list.Items) != 2 || list.AboveThreshold != 1 {
		t.Errorf("%d comparisons, %d above the threshold; want 2 and 1", len(list.Items), list.AboveThreshold)
	}
	if r := w.browser.asked()[0]; len(r.Styles) != 1 || len(r.Scripts) != 1 || r.Device != capture.Desktop {
		t.Errorf("the browser was asked for %+v", r)
	}
	w.checkInvariants()
}

// A group may judge what remains once rows are aligned: then a page that only moved down is no change.
func TestAnAlignedGroupForgivesAShift(t *testing.T) {
	t.Parallel()
	var after atomic.Bool
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) { return stripes(after.Load()), nil })
	aligned := w.group("https://example.com/1", inventory.GroupChange{Measure: vcd.Some(vcd.MeasureAligned), Threshold: vcd.Some(30.0)})
	plain := w.group("https://example.com/2", inventory.GroupChange{Measure: vcd.Some(vcd.MeasurePlain), Threshold: vcd.Some(30.0)})
	w.run(aligned, vcd.QueuePre)
	w.run(plain, vcd.QueuePre)
	after.Store(true)
	for group, want := range map[vcd.ID]vcd.ComparisonStatus{aligned: vcd.ComparisonOK, plain: vcd.ComparisonNew} {
		batch, _ := w.run(group, vcd.QueuePost)
		list, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
			vcd.Page{Size: 1}, false)
		if err != nil || len(list.Items) != 1 {
			t.Fatalf("%v, %v", list, err)
		}
		c := list.Items[0]
		if c.Status != want || c.Difference.AlignedPercent >= 30 || c.Difference.Percent <= 30 || len(c.Difference.Bands) != 1 {
			t.Errorf("judged %s: %s with %+v, want %s", c.Measure, c.Status, c.Difference, want)
		}
	}
	w.checkInvariants()
}

// Where pictures of one visit differed among themselves, a difference between two visits means nothing.
func TestWhatMovesByItselfIsNoChange(t *testing.T) {
	t.Parallel()
	var after atomic.Bool
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) {
		if !after.Load() {
			return shot(color.White), nil
		}
		moving := shot(color.Black)
		moving.Manifest.Unstable = []page.Box{{Width: 40, Height: 30}}
		return moving, nil
	})
	group := w.group("https://example.com", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	after.Store(true)
	batch, _ := w.run(group, vcd.QueuePost)
	list, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 1}, false)
	if err != nil || len(list.Items) != 1 || list.Items[0].Status != vcd.ComparisonOK || list.Items[0].Difference.ChangedPixels != 0 {
		t.Fatalf("%+v, %v; want one comparison without a change", list, err)
	}
}

func TestWithoutASchemeHTTPSIsTriedFirstAndWhatWorkedIsRemembered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(r capture.Request) (*capture.Shot, error) {
		if r.URL == "https://example.com/" || r.URL == "https://example.com" {
			return nil, &capture.Failure{Reason: capture.ReasonNoTLS}
		}
		return shot(color.White), nil
	})
	group := w.group("example.com", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	w.run(group, vcd.QueuePre)
	var asked []string
	for _, r := range w.browser.asked() {
		asked = append(asked, r.URL)
	}
	want := []string{"https://example.com", "http://example.com", "http://example.com"}
	if len(asked) != 3 || asked[0] != want[0] || asked[1] != want[1] || asked[2] != want[2] {
		t.Errorf("asked for %q, want %q", asked, want)
	}
}

func TestAPasswordIsNotSentInTheOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) {
		return nil, &capture.Failure{Reason: capture.ReasonNoTLS}
	})
	w.run(w.group("example.com", inventory.GroupChange{BasicAuthUser: vcd.Some("user"), BasicAuthPassword: vcd.Some("secret")}),
		vcd.QueuePre)
	for _, r := range w.browser.asked() {
		if r.URL != "https://example.com" || r.Credentials == nil {
			t.Errorf("asked for %s with %v", r.URL, r.Credentials)
		}
	}
}

func TestABadCertificateIsNoReasonToDoWithout(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) {
		return nil, &capture.Failure{Reason: capture.ReasonTLS}
	})
	_, entries := w.run(w.group("example.com", inventory.GroupChange{}), vcd.QueuePre)
	for _, r := range w.browser.asked() {
		if r.URL != "https://example.com" {
			t.Errorf("asked for %s", r.URL)
		}
	}
	if entries[0].Reason != "tls" {
		t.Errorf("failed for the reason %s, want tls", entries[0].Reason)
	}
}

func TestAPageThatFailsIsTriedAgainAndItsCheckGivenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) {
		return nil, &capture.Failure{Reason: capture.ReasonConnect, Err: errors.New("secret internals")}
	})
	_, entries := w.run(w.group("https://example.com", inventory.GroupChange{}), vcd.QueuePre)
	e := entries[0]
	if e.Status != vcd.QueueFailed || e.Attempts != 3 || e.Reason != "connect" ||
		e.ErrorMsg != (&capture.Failure{Reason: capture.ReasonConnect}).Sentence() {
		t.Errorf("entry = %+v, want failed after 3 attempts with the sentence for its owner", e)
	}
	a, err := w.service.Accounts.Account(t.Context(), w.actor)
	if err != nil || a.ChecksDone != 0 || a.ChecksReserved != 0 {
		t.Errorf("checks: %d done, %d reserved (%v); want none", a.ChecksDone, a.ChecksReserved, err)
	}
	w.checkInvariants()
}

func TestAPageThatCanNeverBeCapturedIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) {
		return nil, &capture.Failure{Reason: capture.ReasonNotHTML}
	})
	_, entries := w.run(w.group("https://example.com", inventory.GroupChange{}), vcd.QueuePre)
	if n := len(w.browser.asked()); n != 1 || entries[0].Status != vcd.QueueFailed {
		t.Errorf("asked %d times, entry is %s; want once and failed", n, entries[0].Status)
	}
}

// Entries with a delay wait in their account's lane until a dispatcher hands them over. That the gap is kept is tested
// in package db, with a clock.
func TestTheDispatcherServesTheLane(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) { return shot(color.White), nil })
	group := w.group("https://example.com/1", inventory.GroupChange{ScreenshotDelay: vcd.Some(7)})
	w.add(group, "https://example.com/2")
	_, entries := w.run(group, vcd.QueuePre)
	for _, e := range entries {
		if e.Status != vcd.QueueDone || e.Delay != 7 {
			t.Errorf("%s with a delay of %d s is %s: %s", e.URLAddress, e.Delay, e.Status, e.ErrorMsg)
		}
	}
	w.checkInvariants()
}

// What is kept of a comparison is a mask that knows the picture it belongs over: the picture to look at is made from both.
func TestOnlyTheMaskOfAComparisonIsStored(t *testing.T) {
	t.Parallel()
	var after atomic.Bool
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) { return photo(after.Load()), nil })
	group := w.group("https://example.com", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	after.Store(true)
	batch, _ := w.run(group, vcd.QueuePost)
	list, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 1}, false)
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	stored, under := list.Items[0].Image, list.Items[0].After.Image
	if stored.Over != under.Hash || under.Over != "" || stored.Width != under.Width || stored.Height != under.Height ||
		stored.Size > under.Size/100 {
		t.Errorf("stored %+v, the picture after is %+v", stored, under)
	}
	mask, err := w.files.Get(t.Context(), stored.Hash)
	if err != nil || len(mask) != stored.Size {
		t.Fatalf("%d bytes, %v; want %d", len(mask), err, stored.Size)
	}
	is, err := w.files.Get(t.Context(), stored.Over)
	if err != nil {
		t.Fatal(err)
	}
	if err := imgdiff.Overlay(t.Context(), io.Discard, is, mask, imgdiff.ComposeOptions{}); err != nil {
		t.Error(err)
	}
	w.checkInvariants()
}
