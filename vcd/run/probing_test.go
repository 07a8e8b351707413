package run_test

import (
	"fmt"
	"testing"
	"time"

	"afterimage/internal/noise"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

var everywhere = []vcd.Region{vcd.RegionEU, vcd.RegionUS}

// probe takes the next due probe, and reports whether there was one. It teaches a tick of a clock.
func probe(t *testing.T, w *world, seen func(*run.ProbeTask)) bool {
	t.Helper()
	task, err := w.Service.Runs.BeginProbe(t.Context(), everywhere, vcd.RegionEU)
	must(t, err)
	if task == nil {
		return false
	}
	seen(task)
	learned := task.Noise.Knowledge.Clone()
	learned.Observe(ticks(task.Visit(w.Clock.Now()), len(learned.Visits)))
	must(t, w.Service.Runs.FinishProbe(t.Context(), task, learned))
	return true
}

// captured takes all screenshots that wait.
func captured(w *world, look string) {
	for _, entry := range w.Jobs("capture") {
		w.Visit(entry, look)
	}
}

// TestAProbeThatACaptureOvertakes plans nothing: the capture has planned a probe of what it took.
func TestAProbeThatACaptureOvertakes(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g := w.Monitored("page", 1, inventory.GroupChange{ConfirmChanges: vcd.Some(false)})
	w.Clock.Advance(6 * time.Minute)
	if !probe(t, w, func(task *run.ProbeTask) {
		if task.Before != nil {
			t.Error("the first probe is of a screenshot")
		}
		w.RunDue(g.ID)
		captured(w, "look")
	}) {
		t.Fatal("no probe is taken before the first run")
	}
	if planned := vcdtest.Value[int](w.World, "SELECT count(*) FROM noise_probes WHERE screenshot_id IS NOT NULL"); planned != 1 {
		t.Errorf("%d probes of the screenshot are planned, want 1", planned)
	}
}

// Pages of which little is known are probed a few times and then no more: in a fortnight of monitoring, probes are a tenth of the
// captures. They are neither checks nor screenshots.
func TestProbesEndWhenAPageIsKnown(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g := w.Monitored("page", 2, inventory.GroupChange{ConfirmChanges: vcd.Some(false)})
	captures, probes, seeds := 0, 0, map[uint32]time.Duration{}
	for day := range 40 {
		w.RunDue(g.ID)
		n := len(w.Jobs("capture"))
		if probe(t, w, func(*run.ProbeTask) {}) {
			t.Fatal("a probe is taken while ordinary captures wait")
		}
		captures += n
		captured(w, fmt.Sprint("look ", day))
		if probe(t, w, func(*run.ProbeTask) {}) {
			t.Fatal("a probe is taken at once")
		}
		for range 6 {
			w.Clock.Advance(5 * time.Minute)
			for probe(t, w, func(task *run.ProbeTask) { seeds[task.Capture.Seed] = task.Capture.Later }) {
				probes++
			}
		}
	}
	if probes != 4*2 || 10*probes > captures {
		t.Errorf("%d probes for %d captures", probes, captures)
	}
	for seed, later := range seeds {
		if seed < 2 || later < 3*24*time.Hour {
			t.Errorf("seed %d, date later by %v", seed, later)
		}
	}
	a := w.FreshAccount()
	if shots := vcdtest.Value[int](w.World, "SELECT count(*) FROM screenshots"); shots != captures || a.ChecksDone != captures ||
		a.ChecksReserved != 0 || len(seeds) != 4 {
		t.Errorf("%d captures, %d screenshots, %d checks, %d of them reserved; seeds %v", captures, shots, a.ChecksDone,
			a.ChecksReserved, seeds)
	}
	w.CheckInvariants()
}

func TestProbesHaveABudgetAndCanBeSwitchedOff(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, urls := w.Group("shop", 4, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	captured(w, "before")
	w.Clock.Advance(6 * time.Minute)
	day := w.Clock.Now().UTC().Format(time.DateOnly)
	w.AsSystem("UPDATE accounts SET noise_probed_on = $1, noise_probed = 198", day)
	took := 0
	for probe(t, w, func(*run.ProbeTask) {}) {
		took++
	}
	if took != 2 {
		t.Errorf("%d probes beyond 198 of the day, want 2", took)
	}
	w.Clock.Advance(24 * time.Hour)
	off := func(want bool) {
		_, err := w.Service.Accounts.UpdateAccount(t.Context(), w.Actor, account.Change{NoiseProbes: vcd.Some(want)})
		must(t, err)
	}
	off(false)
	if probe(t, w, func(*run.ProbeTask) {}) {
		t.Error("probed though the account does not want it")
	}
	off(true)
	must(t, w.Service.Inventory.DeleteURL(t.Context(), w.Actor, urls[0].ID))
	pages := map[vcd.ID]bool{}
	for probe(t, w, func(task *run.ProbeTask) { pages[task.Probe.URLID] = true }) {
		continue
	}
	if len(pages) != 3 || pages[urls[0].ID] {
		t.Errorf("on the next day %d pages are probed, the deleted one %t", len(pages), pages[urls[0].ID])
	}
	w.CheckInvariants()
}

// A probe that kills its worker is not begun for ever, and one that a comparison overtakes does not overwrite what that taught.
func TestProbesGiveWay(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	captured(w, "before")
	begun := 0
	for range 9 {
		w.Clock.Advance(20 * time.Minute)
		for task, err := w.Service.Runs.BeginProbe(t.Context(), everywhere, vcd.RegionEU); task != nil; task = nil {
			must(t, err)
			begun++
		}
	}
	if begun == 0 || begun > 6 {
		t.Errorf("begun %d times", begun)
	}
	w.Take(vcd.QueuePre, g)
	captured(w, "again")
	w.Clock.Advance(6 * time.Minute)
	task, err := w.Service.Runs.BeginProbe(t.Context(), everywhere, vcd.RegionEU)
	must(t, err)
	if task == nil {
		t.Fatal("no probe after another capture")
	}
	task.Noise.Version += 3
	learned := &noise.Knowledge{}
	learned.Observe(ticks(task.Visit(w.Clock.Now()), 1))
	must(t, w.Service.Runs.FinishProbe(t.Context(), task, learned))
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM learned_noise"); n != 0 {
		t.Errorf("%d pages are known", n)
	}
}

// Repeated runs before updates teach without another capture, and so does a run before an update after the last one. They are lessons
// even for an account that wants no probes, and no part of its probes of the day.
func TestRepeatedRunsTeach(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	_, err := w.Service.Accounts.UpdateAccount(t.Context(), w.Actor, account.Change{NoiseProbes: vcd.Some(false)})
	must(t, err)
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	for i, kind := range []vcd.QueueType{vcd.QueuePre, vcd.QueuePre, vcd.QueuePost, vcd.QueuePre} {
		w.Clock.Advance(time.Minute)
		w.Take(kind, g)
		captured(w, fmt.Sprint("look ", i))
		taught := 0 // desktop and mobile
		for probe(t, w, func(task *run.ProbeTask) {
			if task.After == nil || !task.After.CreatedAt.After(task.Before.CreatedAt) || task.Before.Device != task.After.Device ||
				task.Visit(time.Time{}).Source != noise.FromRepeat {
				t.Errorf("run %d: teaches from %+v and %+v", i, task.Before, task.After)
			}
		}) {
			taught++
		}
		if want := 2 * (i % 2); taught != want {
			t.Errorf("run %d: teaches %d times, want %d", i, taught, want)
		}
	}
	if n := vcdtest.Value[int](w.World, "SELECT noise_probed FROM accounts"); n != 0 {
		t.Errorf("%d probes are counted", n)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM learned_noise WHERE visits = 2"); n != 2 {
		t.Errorf("of %d pages two pairs of visits are known, want 2", n)
	}
	w.CheckInvariants()
}

// Pages are probed since they are in a group: twice, each time captured twice, as there is no screenshot. A run goes first, and what is
// known is not probed again.
func TestPagesAreProbedBeforeTheirFirstRun(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, urls := w.Group("shop", 2, inventory.GroupChange{})
	desktop := inventory.SelectionChange{URLID: string(urls[1].ID), Mobile: vcd.Some(false)}
	_, err := w.Service.Inventory.AddURLs(t.Context(), w.Actor, g.ID, []inventory.SelectionChange{desktop})
	must(t, err)
	if probe(t, w, func(*run.ProbeTask) {}) {
		t.Fatal("a probe is taken at once")
	}
	took := map[vcd.ID]int{}
	for range 6 {
		w.Clock.Advance(6 * time.Minute)
		for probe(t, w, func(task *run.ProbeTask) {
			if task.Before != nil || task.After != nil || task.Capture.Seed == 0 {
				t.Errorf("compares %+v with %+v, seed %d", task.Before, task.After, task.Capture.Seed)
			}
			took[task.Probe.URLID]++
		}) {
			continue
		}
	}
	if took[urls[0].ID] != 2*2 || took[urls[1].ID] < 2 {
		t.Errorf("the pages are probed %v times", took)
	}
	_, err = w.Service.Inventory.AddURLs(t.Context(), w.Actor, g.ID, []inventory.SelectionChange{{URLID: string(urls[0].ID)}})
	must(t, err)
	w.Clock.Advance(6 * time.Minute)
	if probe(t, w, func(*run.ProbeTask) {}) {
		t.Error("a page that is known is probed as if it were new")
	}
	w.Take(vcd.QueuePre, g)
	captured(w, "before")
	w.Clock.Advance(6 * time.Minute)
	if !probe(t, w, func(task *run.ProbeTask) {
		if task.Before == nil {
			t.Error("a page with a screenshot is compared with another capture")
		}
	}) {
		t.Error("after the first run no probe is taken")
	}
	w.CheckInvariants()
}
