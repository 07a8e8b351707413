package run_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
	"afterimage/vcd/schedule"
)

// savedGroup creates a monitoring group that runs when its pages are saved.
func (w *world) savedGroup(name string, n int, change inventory.GroupChange) *vcd.Group {
	w.T.Helper()
	change.Triggers = vcd.Some([]vcd.Trigger{{Type: "post_save", Scope: "url"}})
	change.ScheduleType = vcd.Some(schedule.Off)
	return w.Monitored(name, n, change)
}

// runTriggers starts all due pending runs, with one process per service.
func runTriggers(t *testing.T, replicas ...*app.Service) {
	t.Helper()
	var all sync.WaitGroup
	for _, s := range replicas {
		all.Go(func() {
			for more := true; more; {
				var err error
				if more, err = s.Runs.RunDueTrigger(t.Context()); err != nil {
					t.Errorf("start a waiting run: %v", err)
				}
			}
		})
	}
	all.Wait()
}

func (w *world) pending(g *vcd.Group) *vcd.PendingTrigger {
	w.T.Helper()
	found, err := w.Service.Runs.PendingTriggers(w.T.Context(), w.Actor, []vcd.ID{g.ID})
	must(w.T, err)
	return found[g.ID]
}

// triggered lists the batches started by triggers, oldest first.
func (w *world) triggered() []*vcd.Batch {
	w.T.Helper()
	list, err := w.Service.Runs.Batches(w.T.Context(), w.Actor, vcd.BatchFilter{Sources: &[]vcd.BatchSource{vcd.SourceMonitoring}},
		vcd.Page{Size: 100})
	must(w.T, err)
	var found []*vcd.Batch
	for i := range list.Items {
		if b := list.Items[len(list.Items)-1-i]; b.Trigger != nil {
			found = append(found, b)
		}
	}
	return found
}

func TestSavesWithinTheWindowBecomeOneRun(t *testing.T) {
	w := newWorld(t)
	g := w.savedGroup("shop", 3, inventory.GroupChange{})
	first := w.Clock.Now()
	if got := w.Save(g, "https://SHOP.test/0/", "shop.test/elsewhere", "other.test/1"); got.Accepted != 1 || got.Pending == nil ||
		got.Batch != nil {
		t.Fatalf("%+v", got)
	}
	w.Clock.Advance(time.Minute)
	title, post, editor := "One", 7, "Ada"
	_, err := w.Service.Runs.TriggerMonitoring(t.Context(), w.Actor, run.TriggerInput{
		GroupID: string(g.ID), Type: vcd.TriggerPostSave, Editor: &editor,
		URLs: []run.TriggeredURL{{URL: "http://shop.test/1", Title: &title, PostID: &post}},
	})
	must(t, err)
	w.Clock.Advance(time.Minute)
	last := w.Clock.Now()
	w.Save(g, "shop.test/1")
	w.Clock.Advance(time.Minute - time.Microsecond)
	runTriggers(t, w.Service)
	if n := len(w.triggered()); n != 0 {
		t.Fatalf("%d runs before the window is over", n)
	}
	w.Clock.Advance(time.Microsecond)
	runTriggers(t, w.Service, w.Replica(), w.Replica())
	batches := w.triggered()
	if len(batches) != 1 || w.pending(g) != nil {
		t.Fatalf("%d runs, and waiting: %+v", len(batches), w.pending(g))
	}
	want := &vcd.TriggerContext{Type: vcd.TriggerPostSave, FirstTriggeredAt: first, Pages: []vcd.TriggeredPage{
		{Address: "shop.test/0", URL: "https://SHOP.test/0/", TriggeredAt: first},
		{Address: "shop.test/1", URL: "shop.test/1", TriggeredAt: last, Title: &title, PostID: &post, Editor: &editor},
	}}
	if diff := cmp.Diff(want, batches[0].Trigger, cmpopts.IgnoreFields(vcd.TriggeredPage{}, "URLID")); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
	if batches[0].Counts != (vcd.StatusCounts{Open: 2}) {
		t.Errorf("%+v: want a screenshot of each saved page", batches[0].Counts)
	}
	w.CheckInvariants()
}

func TestConcurrentSavesAreNotLost(t *testing.T) {
	const savers, saves = 4, 6
	w := newWorld(t)
	g := w.savedGroup("shop", savers*saves, inventory.GroupChange{})
	other := w.Replica()
	var all sync.WaitGroup
	for i := range savers {
		all.Go(func() {
			for j := range saves {
				_, err := w.Service.Runs.TriggerMonitoring(t.Context(), w.Actor, run.TriggerInput{
					GroupID: string(g.ID), Type: vcd.TriggerPostSave,
					URLs: []run.TriggeredURL{{URL: fmt.Sprintf("shop.test/%d", i*saves+j)}},
				})
				if err != nil {
					t.Errorf("save: %v", err)
				}
				w.Clock.Advance(time.Minute)
				for _, s := range []*app.Service{w.Service, other} {
					if _, err := s.Runs.RunDueTrigger(t.Context()); err != nil {
						t.Errorf("start a waiting run: %v", err)
					}
				}
			}
		})
	}
	all.Wait()
	w.Clock.Advance(time.Hour)
	runTriggers(t, w.Service, other)
	seen := map[string]int{}
	batches := w.triggered()
	for _, b := range batches {
		for _, page := range b.Trigger.Pages {
			seen[page.URL]++
		}
	}
	if len(seen) != savers*saves || len(batches) >= savers*saves {
		t.Errorf("%d pages in %d runs, want %d pages in fewer runs", len(seen), len(batches), savers*saves)
	}
	for url, n := range seen {
		if n != 1 {
			t.Errorf("%s ran %d times", url, n)
		}
	}
	w.CheckInvariants()
}

func TestExtensionsProlongTheWaiting(t *testing.T) {
	w := newWorld(t)
	g, h := w.savedGroup("shop", 2, inventory.GroupChange{}), w.savedGroup("blog", 1, inventory.GroupChange{})
	first := w.Clock.Now()
	w.Save(g, "shop.test/0")
	w.Save(h, "blog.test/0")
	extend := func(group *string, url string) int {
		t.Helper()
		runs, err := w.Service.Runs.ExtendTriggers(t.Context(), w.Actor, run.ExtendTriggerInput{GroupID: group,
			URLs: []run.TriggeredURL{{URL: url}}})
		must(t, err)
		return len(runs)
	}
	w.Clock.Advance(2 * time.Minute)
	of, wrong := string(g.ID), string(h.ID)
	if a, b, c, d := extend(&of, "https://shop.test/0/"), extend(&wrong, "shop.test/0"), extend(nil, "shop.test/1"),
		extend(nil, "shop.test/0"); a != 1 || b != 0 || c != 0 || d != 1 {
		t.Errorf("extended %d, %d, %d, %d", a, b, c, d)
	}
	if at := w.pending(g).DueAt; !at.Equal(first.Add(5 * time.Minute)) {
		t.Errorf("due at %s", at)
	}
	if at := w.pending(h).DueAt; !at.Equal(first.Add(3 * time.Minute)) {
		t.Errorf("the other is due at %s", at)
	}
	w.Clock.Advance(57 * time.Minute)
	extend(nil, "shop.test/0")
	if at := w.pending(g).DueAt; !at.Equal(first.Add(time.Hour)) {
		t.Errorf("due at %s, want an hour after the first save", at)
	}
}

func TestAManualTriggerRunsAtOnce(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("shop", 3, inventory.GroupChange{})
	editor, all := "Ada", vcd.TriggerScopeAll
	in := run.TriggerInput{GroupID: string(g.ID), Type: vcd.TriggerManual, Scope: &all, Editor: &editor}
	got, err := w.Service.Runs.TriggerMonitoring(t.Context(), w.Actor, in)
	must(t, err)
	if got.Accepted != 3 || got.Batch == nil || got.Batch.Counts.Total() != 3 {
		t.Errorf("all: %+v", got)
	}
	w.Clock.Advance(time.Minute)
	in.Scope, in.URLs = nil, []run.TriggeredURL{{URL: "shop.test/1"}, {URL: "shop.test/9"}}
	got, err = w.Service.Runs.TriggerMonitoring(t.Context(), w.Actor, in)
	must(t, err)
	if got.Accepted != 1 || got.Batch == nil || got.Batch.Counts != (vcd.StatusCounts{Open: 2}) {
		t.Errorf("one: %+v, want a screenshot and its comparison", got.Batch)
	}
	contexts := w.triggered()
	if p := contexts[0].Trigger; *p.Scope != vcd.TriggerScopeAll || len(p.Pages) != 0 || *p.Editor != "Ada" {
		t.Errorf("all: %+v", p)
	}
	if p := contexts[1].Trigger; *p.Scope != vcd.TriggerScopeURL || len(p.Pages) != 1 || *p.Editor != "Ada" {
		t.Errorf("one: %+v", p)
	}
	in.URLs = in.URLs[1:]
	got, err = w.Service.Runs.TriggerMonitoring(t.Context(), w.Actor, in)
	must(t, err)
	if got.Accepted != 0 || got.Batch != nil || len(w.triggered()) != 2 {
		t.Errorf("none: %+v", got)
	}
	w.CheckInvariants()
}

// A trigger does not wait for other runs. Overlapping runs end in any order, and each is compared with what was there before
// it.
func TestTriggeredRunsMayOverlap(t *testing.T) {
	w := newWorld(t)
	g := w.savedGroup("shop", 1, inventory.GroupChange{})
	start := func() vcd.ID {
		w.Save(g, "shop.test/0")
		w.Clock.Advance(vcd.DefaultTriggerWindow + time.Second)
		runTriggers(t, w.Service, w.Service)
		waiting := w.Jobs("capture")
		return waiting[len(waiting)-1]
	}
	w.Capture(start(), "page")
	first, second := start(), start()
	if first == second || len(w.triggered()) != 3 {
		t.Fatalf("%d runs, want three", len(w.triggered()))
	}
	w.Capture(second, "page")
	w.Clock.Advance(time.Second)
	w.Capture(first, "page")
	compares := w.Jobs("compare")
	for _, entry := range compares {
		w.Compare(entry, 0)
	}
	for _, b := range w.triggered() {
		if b.FinishedAt == nil {
			t.Errorf("batch %s did not finish", b.ID)
		}
	}
	if len(compares) != 2 {
		t.Errorf("%d comparisons of two runs", len(compares))
	}
	w.CheckInvariants()
}

func TestGroupsThatTriggersDoNotRun(t *testing.T) {
	w := newWorld(t)
	manual, _ := w.Group("manual", 1, inventory.GroupChange{})
	scheduled := w.Monitored("scheduled", 1, inventory.GroupChange{})
	off := w.savedGroup("off", 1, inventory.GroupChange{Enabled: vcd.Some(false)})
	for _, c := range []struct {
		group   string
		kind    vcd.TriggerType
		refused bool
		path    string
	}{
		{string(manual.ID), vcd.TriggerPostSave, true, ""},
		{string(manual.ID), vcd.TriggerManual, true, ""},
		{string(scheduled.ID), vcd.TriggerPostSave, true, ""},
		{string(off.ID), vcd.TriggerPostSave, true, ""},
		{string(off.ID), vcd.TriggerManual, true, ""},
		{string(vcd.RandomIDs{}.NewID()), vcd.TriggerPostSave, false, "groupId"},
	} {
		_, err := w.Service.Runs.TriggerMonitoring(t.Context(), w.Actor, run.TriggerInput{
			GroupID: c.group, Type: c.kind, URLs: []run.TriggeredURL{{URL: "off.test/0"}},
		})
		var refused *vcd.Error
		switch {
		case !errors.As(err, &refused) || refused.Code != vcd.CodeInvalid:
			t.Errorf("%+v: %v", c, err)
		case c.refused != (refused.Reason == run.ReasonTriggerNotEnabled):
			t.Errorf("%+v: the reason is %q", c, refused.Reason)
		case !c.refused && refused.Fields[0].Path != c.path:
			t.Errorf("%+v: %+v", c, refused.Fields)
		}
	}
}

func TestWaitingRunsThatCannotTakePlace(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(w *world, g *vcd.Group)
		missed    vcd.MissedRun
	}{
		"paused": {func(w *world, _ *vcd.Group) {
			_, err := w.Service.Accounts.PauseAccount(w.T.Context(), w.Account.ID)
			must(w.T, err)
		}, vcd.MissedPaused},
		"exhausted": {func(w *world, _ *vcd.Group) {
			w.AsSystem("UPDATE accounts SET checks_limit = 0 WHERE id = $1", string(w.Actor.Account))
		}, vcd.MissedChecks},
		"cancelled": {func(w *world, _ *vcd.Group) {
			_, err := w.Service.Accounts.CancelAccount(w.T.Context(), w.Account.ID)
			must(w.T, err)
		}, ""},
		"disabled": {func(w *world, g *vcd.Group) {
			_, err := w.Service.Inventory.UpdateGroup(w.T.Context(), w.Actor, g.ID, inventory.GroupChange{Enabled: vcd.Some(false)})
			must(w.T, err)
		}, ""},
		"deleted": {func(w *world, g *vcd.Group) {
			must(w.T, w.Service.Inventory.DeleteGroup(w.T.Context(), w.Actor, g.ID))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			g := w.savedGroup("shop", 1, inventory.GroupChange{})
			w.Save(g, "shop.test/0")
			c.meanwhile(w, g)
			w.Clock.Advance(vcd.DefaultTriggerWindow)
			runTriggers(t, w.Service)
			if p := w.pending(g); p != nil || len(w.triggered()) != 0 {
				t.Errorf("waiting: %+v, runs: %d", p, len(w.triggered()))
			}
			told := vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'run_missed'")
			if c.missed == "" && told != 0 || c.missed != "" && (told != 1 || *w.FreshGroup(g.ID).MissedRun != c.missed) {
				t.Errorf("told %d times", told)
			}
			w.CheckInvariants()
		})
	}
}

func TestTriggersRespectQuietHours(t *testing.T) {
	w := newWorld(t)
	g := w.savedGroup("shop", 1, inventory.GroupChange{QuietHoursStart: vcd.Some(11), QuietHoursEnd: vcd.Some(14)})
	w.Save(g, "shop.test/0")
	w.Clock.Advance(vcd.DefaultTriggerWindow)
	runTriggers(t, w.Service)
	p := w.pending(g)
	if p == nil || len(w.triggered()) != 0 || !p.DueAt.Equal(g.Plan(w.Account.Zone()).Allowed(w.Clock.Now())) {
		t.Fatalf("%+v", p)
	}
	w.Clock.Set(p.DueAt)
	runTriggers(t, w.Service)
	if len(w.triggered()) != 1 {
		t.Error("it does not run after the quiet hours")
	}
}

func TestNoMoreThanAThousandPagesWait(t *testing.T) {
	w := newWorld(t)
	g := w.savedGroup("shop", 2, inventory.GroupChange{})
	w.Save(g, "shop.test/0")
	w.AsSystem(`UPDATE pending_triggers SET pages = (SELECT jsonb_agg(p.pages -> 0 || jsonb_build_object('url_id', gen_random_uuid()))
		FROM pending_triggers AS p, generate_series(1, 1000))`)
	_, err := w.Service.Runs.TriggerMonitoring(t.Context(), w.Actor, run.TriggerInput{
		GroupID: string(g.ID), Type: vcd.TriggerPostSave, URLs: []run.TriggeredURL{{URL: "shop.test/1"}},
	})
	wantCode(t, err, vcd.CodeInvalid)
}
