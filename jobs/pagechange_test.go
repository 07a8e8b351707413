package jobs_test

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// visit is the same picture each time, with other things to be read beside it.
func visit(status int, robots, text string) *capture.Shot {
	s := shot(color.White)
	s.Status, s.Content.Robots, s.Content.Text, s.FinalURL = status, robots, text, "https://example.com/"
	return s
}

// script is a browser whose page looks different at each visit.
type script struct {
	mu    sync.Mutex
	looks []*capture.Shot
}

func (s *script) play(looks ...*capture.Shot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks = slices.Clone(looks)
}

func (s *script) page(capture.Request) (*capture.Shot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.looks) == 0 {
		return nil, &capture.Failure{Reason: capture.ReasonConnect}
	}
	next := s.looks[0]
	s.looks = s.looks[1:]
	return next, nil
}

// comparison is the list of the only comparison of a run.
func (w *world) comparison(batch vcd.ID) *vcd.ComparisonList {
	w.t.Helper()
	of := vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}}
	list, err := w.service.Reviews.Comparisons(w.t.Context(), w.actor, of, vcd.Page{Size: 2}, true)
	if err != nil || len(list.Items) != 1 {
		w.t.Fatalf("%v, %v", list, err)
	}
	return list
}

// The same pixels, but the page is lost: a group that asks for it is alarmed, another only finds it written down.
func TestAPageThatIsLostAlarmsWhateverItsPixels(t *testing.T) {
	t.Parallel()
	s := &script{}
	w := newWorld(t, s.page)
	for _, wanted := range []bool{false, true} {
		group := w.group(fmt.Sprintf("https://example.com/%t", wanted), inventory.GroupChange{AlarmPageChanges: vcd.Some(wanted)})
		s.play(visit(200, "", "one two"), visit(200, "noindex", "one three"))
		w.run(group, vcd.QueuePre)
		batch, _ := w.run(group, vcd.QueuePost)
		list := w.comparison(batch)
		c := list.Items[0]
		if got := kinds(c.PageChanges); got != "robots alarm, text notice" || c.PageAlarm != wanted ||
			(c.Status == vcd.ComparisonNew) != wanted || list.AboveThreshold != 0 {
			t.Errorf("wanted %t: %s, alarm %t, %s, %d above", wanted, got, c.PageAlarm, c.Status, list.AboveThreshold)
		}
		if words := c.PageChanges[1].Words; words == nil || words.Added != 1 || len(words.Runs) != 3 || words.Runs[2].Text != "three" {
			t.Errorf("words %+v", words)
		}
		if !wanted {
			continue
		}
		if p := w.mailbox.next(t); !strings.Contains(p.Text, "asks search engines not to index it") ||
			!strings.Contains(p.HTML, "robots: noindex") {
			t.Errorf("the mail does not tell: %s", p.Text)
		}
		if b, err := w.service.Runs.Batch(t.Context(), w.actor, batch); err != nil || b.Comparisons.New != 1 {
			t.Errorf("batch %+v, %v", b, err)
		}
	}
	w.checkInvariants()
}

// The pictures differ by so little that no pixel counts: it is told all the same, and is no alarm.
func TestWhatNoPixelCountsOfIsToldWithThePage(t *testing.T) {
	t.Parallel()
	s := &script{}
	w := newWorld(t, s.page)
	painted := func(red uint8) *capture.Shot {
		v := shot(color.RGBA{R: red, G: 230, B: 210, A: 255})
		v.Content.Elements = []page.Element{{Box: page.Box{Width: 400, Height: 300}, Selector: "body", Tag: "body", Parent: -1,
			Background: fmt.Sprintf("#%02xe6d2", red)}}
		return v
	}
	for _, verified := range []bool{false, true} {
		_, err := w.service.Accounts.SetPlan(t.Context(), w.actor.Account, account.PlanChange{AIVerification: vcd.Some(verified)})
		if err != nil {
			t.Fatal(err)
		}
		group := w.group(fmt.Sprintf("https://example.com/%t", verified), inventory.GroupChange{})
		s.play(painted(239), painted(235))
		w.run(group, vcd.QueuePre)
		batch, _ := w.run(group, vcd.QueuePost)
		c := w.comparison(batch).Items[0]
		alarmed := c.PageAlarm || c.Status == vcd.ComparisonNew
		if got := kinds(c.PageChanges); got != "appearance warning" || alarmed || !c.Difference.None() {
			t.Errorf("verified %t: %s, %s, %+v", verified, got, c.Status, c.PageChanges)
		}
	}
	w.checkInvariants()
}

func kinds(changes []page.Change) string {
	list := make([]string, len(changes))
	for i, c := range changes {
		list[i] = fmt.Sprintf("%s %s", c.Kind, c.Severity)
	}
	return strings.Join(list, ", ")
}

func TestInMonitoringALostPageIsConfirmedFirst(t *testing.T) {
	t.Parallel()
	fine, lost, hidden := visit(200, "", "one"), visit(500, "", "one"), visit(200, "noindex", "one")
	s, clock := &script{}, newShiftedClock()
	w := newWorldWith(t, s.page, func(c *jobs.Config) {
		c.Service = c.Service.With(func(c *app.Config) { c.Clock = clock })
	})
	id := w.group("https://example.com", inventory.GroupChange{Monitoring: vcd.Some(true), HourOfDay: vcd.Some(6),
		AlarmPageChanges: vcd.Some(true)})
	for i, day := range []struct {
		looks []*capture.Shot
		want  string
	}{
		{[]*capture.Shot{fine}, "baseline"},
		{[]*capture.Shot{lost, fine}, "ok vanished"},
		{[]*capture.Shot{fine}, "ok"},
		{[]*capture.Shot{lost, lost}, "new confirmed alarm"},
		{[]*capture.Shot{lost}, "ok"},
		{[]*capture.Shot{fine}, "ok"},
		{[]*capture.Shot{hidden, hidden}, "new confirmed alarm"},
		{[]*capture.Shot{fine}, "ok"},
		{[]*capture.Shot{hidden, hidden}, "new confirmed alarm"},
	} {
		s.play(day.looks...)
		if got := w.nextDay(clock, id); got != day.want {
			t.Errorf("day %d: %s, want %s", i+1, got, day.want)
		}
	}
	w.checkInvariants()
}

// Without its content a page is compared by what stands in its row.
func TestAPageWhoseContentIsGoneIsStillCompared(t *testing.T) {
	t.Parallel()
	s := &script{}
	w := newWorld(t, s.page)
	group := w.group("https://example.com", inventory.GroupChange{})
	before, after := visit(200, "", "one"), visit(404, "noindex", "two")
	s.play(before, after)
	w.run(group, vcd.QueuePre)
	list, err := w.service.Reviews.Screenshots(t.Context(), w.actor, vcd.ScreenshotFilter{}, vcd.Page{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.files.Remove(t.Context(), list.Items[0].ElementsHash); err != nil {
		t.Fatal(err)
	}
	batch, _ := w.run(group, vcd.QueuePost)
	found, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 1}, false)
	if err != nil || len(found.Items) != 1 || kinds(found.Items[0].PageChanges) != "status alarm" {
		t.Errorf("%+v, %v", found, err)
	}
}
