package run_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
	"afterimage/vcd/schedule"
)

const day = 24 * time.Hour

// keep sets the account's rule.
func (w *world) keep(days, runs int, reviewed bool) {
	w.T.Helper()
	_, err := w.Service.Accounts.UpdateRetention(w.T.Context(), w.Actor, account.RetentionChange{
		Days: vcd.Some(days), Runs: vcd.Some(runs), Reviewed: vcd.Some(reviewed),
	})
	must(w.T, err)
}

// expire runs rounds until nothing is due, two hours later.
func (w *world) expire() vcd.Freed {
	w.T.Helper()
	w.Clock.Advance(2 * time.Hour)
	freed, err := w.Service.Runs.RemoveExpired(w.T.Context(), 0)
	must(w.T, err)
	w.CheckInvariants()
	return freed
}

// watched runs a monitoring group on each of the given days, one look per run, and returns the batches.
func (w *world) watched(g *vcd.Group, looks ...string) []vcd.ID {
	w.T.Helper()
	batches := make([]vcd.ID, len(looks))
	for i, look := range looks {
		batches[i] = w.RunDue(g.ID)
		w.Look(look)
	}
	return batches
}

// exists reports whether a batch is there, and whether it has expired.
func (w *world) exists(id vcd.ID) (there, expired bool) {
	w.T.Helper()
	b, err := w.Service.Runs.Batch(w.T.Context(), w.Actor, id)
	if vcd.CodeOf(err) == vcd.CodeNotFound {
		return false, false
	}
	must(w.T, err)
	return true, b.ExpiredAt != nil
}

// remaining says what is left of batches: a letter each, k for kept, s for some screenshots, "." for nothing.
func (w *world) remaining(batches ...vcd.ID) (left string) {
	w.T.Helper()
	for _, id := range batches {
		switch there, expired := w.exists(id); {
		case !there:
			left += "."
		case expired:
			left += "s"
		default:
			left += "k"
		}
	}
	return left
}

// setStatus is a verdict of the account's owner.
func (w *world) setStatus(comparison vcd.ID, status vcd.ComparisonStatus) {
	w.T.Helper()
	_, err := w.Service.Reviews.SetStatusOfComparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{IDs: &[]vcd.ID{comparison}}, status, 1)
	must(w.T, err)
}

// comparisonOf is a comparison of a batch.
func (w *world) someComparison(batch vcd.ID) vcd.ID {
	w.T.Helper()
	return vcd.ID(vcdtest.Value[string](w.World, "SELECT id::text FROM comparisons WHERE batch_id = $1 ORDER BY id LIMIT 1", string(batch)))
}

// everyDay is a group of n pages that are monitored once a day.
func (w *world) everyDay(name string, n int) *vcd.Group {
	w.T.Helper()
	return w.Monitored(name, n, inventory.GroupChange{
		ScheduleType: vcd.Some(schedule.Interval), IntervalHours: vcd.Some[float64](24), ConfirmChanges: vcd.Some(false),
	})
}

func TestRunsExpireByTheRule(t *testing.T) {
	for name, test := range map[string]struct {
		days, runs int
		reviewed   bool
		want       string // of six daily runs, the last of which has just ended: kept, some screenshots, nothing
	}{
		"days":                            {days: 2, want: "...skk"},
		"no days":                         {days: 0, want: "kkkkkk"},
		"the newest, whatever their age":  {days: 1, runs: 4, want: ".skkkk"},
		"those that somebody spoke about": {days: 2, reviewed: true, want: "skkskk"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			batches := w.watched(w.everyDay("news", 2), "a", "b", "c", "d", "e", "f")
			_, err := w.Service.Reviews.AddComment(t.Context(), w.Actor, w.someComparison(batches[1]), "Is this right?")
			must(t, err)
			w.setStatus(w.someComparison(batches[2]), vcd.ComparisonToFix)
			w.keep(test.days, test.runs, test.reviewed)
			w.expire()
			if got := w.remaining(batches...); got != test.want {
				t.Errorf("left are %s, want %s", got, test.want)
			}
			before := w.FreshAccount()
			if before.ChecksDone != 12 {
				t.Errorf("%d checks are done, want 12", before.ChecksDone)
			}
		})
	}
}

// A link keeps a run until it ends.
func TestARunWithAPublicLinkIsKept(t *testing.T) {
	w := newWorld(t)
	batches := w.watched(w.everyDay("news", 1), "a", "b", "c", "d")
	ends := w.Clock.Now().Add(30 * day)
	_, err := w.Service.Reviews.ShareBatch(t.Context(), w.Actor, batches[1], &ends, vcd.LinkRead)
	must(t, err)
	w.keep(1, 0, false)
	w.Clock.Advance(10 * day)
	w.expire()
	if got := w.remaining(batches...); got != "sk.s" {
		t.Errorf("left are %s, want the shared one with what it is compared with, and the baseline", got)
	}
	w.Clock.Advance(30 * day)
	w.expire()
	if got := w.remaining(batches...); got != "...s" {
		t.Errorf("when the link has ended, left are %s, want the baseline", got)
	}
}

// However old the last run is, the next one is compared with it.
func TestBaselinesNeverExpire(t *testing.T) {
	w := newWorld(t)
	g := w.everyDay("news", 3)
	last := w.watched(g, "a", "b")[1]
	w.keep(1, 0, false)
	w.Clock.Advance(300 * day)
	freed := w.expire()
	if freed.Runs != 1 || freed.Screenshots != 3 || freed.Comparisons != 3 {
		t.Errorf("freed %+v, want the first run and the comparisons of the second", freed)
	}
	now := w.Clock.Now()
	next := w.watched(g, "b")[0]
	w.Clock.Set(now) // the run had been due for long
	if n := vcdtest.Value[int](w.World, `SELECT count(*) FROM comparisons AS c JOIN screenshots AS s ON s.id = c.before_id
		WHERE c.batch_id = $1 AND s.batch_id = $2 AND c.difference_percent = 0`, string(next), string(last)); n != 3 {
		t.Errorf("%d pages were compared with the old run, want 3", n)
	}
	w.Clock.Advance(2 * day)
	w.expire()
	if got := w.remaining(last, next); got != ".s" {
		t.Errorf("left are %s, want the newer baseline alone", got)
	}
}

// A run that is under way needs what it will be compared with, though newer screenshots are there already; and so does one
// whose comparison failed, until it is retried.
func TestARunUnderWayKeepsItsBaseline(t *testing.T) {
	w := newWorld(t)
	g := w.everyDay("news", 2)
	last := w.watched(g, "a", "b")[1]
	w.keep(1, 0, false)
	w.Clock.Advance(30 * day)
	next := w.RunDue(g.ID)
	for _, entry := range w.Jobs("capture") {
		w.Visit(entry, "c")
	}
	w.expire()
	if got := w.remaining(last, next); got != "sk" {
		t.Fatalf("left are %s", got)
	}
	w.Look("c")
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM comparisons WHERE batch_id = $1 AND above_threshold", string(next)); n != 2 {
		t.Errorf("%d changes were found, want 2", n)
	}
}

// Screenshots before a change stay until newer ones were taken.
func TestAPreRunIsKeptForThePostRun(t *testing.T) {
	w := newWorld(t)
	g := w.desktopOnly("shop", 2, inventory.GroupChange{})
	pre := w.Take(vcd.QueuePre, g).Batches[0].ID
	w.Look("before")
	w.keep(1, 0, false)
	w.Clock.Advance(90 * day)
	w.expire()
	post := w.Take(vcd.QueuePost, g).Batches[0].ID
	w.Look("after")
	w.Clock.Advance(90 * day)
	w.expire()
	if got := w.remaining(pre, post); got != "ss" {
		t.Errorf("left are %s, want the baselines of both", got)
	}
	again := w.Take(vcd.QueuePre, g).Batches[0].ID
	w.Look("later")
	w.expire()
	if got := w.remaining(pre, post, again); got != ".sk" {
		t.Errorf("after another pre run, left are %s", got)
	}
}

// What nobody can see any more, nothing will be compared with.
func TestNothingIsKeptForDeletedGroups(t *testing.T) {
	w := newWorld(t)
	g := w.everyDay("news", 2)
	batches := w.watched(g, "a", "b")
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	kept := w.watched(w.everyDay("shop", 1), "x")
	w.keep(1, 5, true)
	w.Clock.Advance(10 * day)
	w.expire()
	if got := w.remaining(append(batches, kept...)...); got != "..k" {
		t.Errorf("left are %s", got)
	}
	// Their files are free, the one of the other group is not.
	settled, err := w.DB.SettleBlobs(t.Context(), time.Now().Add(time.Minute), 100)
	must(t, err)
	var removed []string
	_, err = w.DB.SweepBlobs(t.Context(), time.Now().Add(time.Minute), 100, func(_ context.Context, hashes []string) ([]string, error) {
		removed = hashes
		return hashes, nil
	})
	must(t, err)
	if settled != 1 || len(removed) != 3 { // two looks, and the mask over the second
		t.Errorf("%d files are settled and %d removed", settled, len(removed))
	}
	w.CheckInvariants()
}

// The rule of an account concerns its own runs. Those of a deleted account go, but not at once.
func TestRunsOfOthersAndOfDeletedAccounts(t *testing.T) {
	w := newWorld(t)
	own := w.watched(w.everyDay("news", 1), "a", "b", "c")
	below, _, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("eve@example.com", 50))
	must(t, err)
	owner := w.Actor
	w.Actor = vcd.Actor{Account: below.ID}
	w.keep(1, 0, false)
	g := w.everyDay("theirs", 1)
	theirs := w.watched(g, "a", "b", "c")
	w.Clock.Advance(10 * day)
	w.expire()
	if got := w.remaining(theirs...); got != "..s" {
		t.Errorf("of the account with a rule, left are %s", got)
	}
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	w.keep(0, 1, true)
	for _, id := range vcdtest.Value[[]string](w.World, "SELECT array_agg(id::text) FROM urls WHERE account_id = $1", string(below.ID)) {
		must(t, w.Service.Inventory.DeleteURL(t.Context(), w.Actor, vcd.ID(id)))
	}
	w.Actor = owner
	must(t, w.Service.Accounts.DeleteSubaccount(t.Context(), owner, below.ID))
	for days, want := range []int{1, 0} {
		if days > 0 {
			w.Clock.Advance(7 * day)
		}
		w.expire()
		if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM batches WHERE account_id = $1", string(below.ID)); n != want {
			t.Errorf("%d runs of the deleted account are left, want %d", n, want)
		}
	}
	if got := w.remaining(own...); got != "kkk" {
		t.Errorf("of the account without a rule, left are %s", got)
	}
}

// An account whose storage fills is told so twice; when it is full, nothing runs, until runs expire.
func TestAFullStorageStopsRuns(t *testing.T) {
	w := newWorld(t)
	g := w.everyDay("news", 4)
	w.watched(g, "a", "b", "c")
	w.expire()
	stored, _, err := w.Service.Accounts.Storage(t.Context(), w.Actor)
	must(t, err)
	if stored.Bytes == 0 || stored.Files != 5 || stored.MeasuredAt == nil { // three looks and two masks
		t.Fatalf("measured %+v", stored)
	}
	limit := func(bytes int64) {
		_, err := w.Service.Accounts.SetPlan(t.Context(), w.Account.ID, account.PlanChange{StorageLimit: vcd.Some(bytes)})
		must(t, err)
		w.expire()
	}
	told := func() (kinds []string) {
		w.RelayAll()
		must(t, w.DB.Read(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
			events, err := tx.EventsAfter(ctx, 0, nil, 500)
			for _, e := range events {
				if e.Kind == vcd.EventStorageLow || e.Kind == vcd.EventStorageFull {
					kinds = append(kinds, string(e.Kind))
				}
			}
			return err
		}))
		return kinds
	}
	limit(stored.Bytes * 10 / 9)
	w.expire()
	limit(stored.Bytes)
	w.expire()
	if got := fmt.Sprint(told()); got != "[storage_low storage_full]" {
		t.Errorf("told %s", got)
	}
	_, err = w.Service.Runs.TakeScreenshots(t.Context(), w.Actor, run.TakeInput{Type: vcd.QueuePre, GroupIDs: []string{string(g.ID)}})
	wantCode(t, err, vcd.CodeConflict)
	w.Clock.Set(*w.FreshGroup(g.ID).NextRunAt)
	vcdtest.StartDue(t, w.Service)
	if missed := w.FreshGroup(g.ID).MissedRun; missed == nil || *missed != vcd.MissedStorage {
		t.Errorf("the run was missed because of %v", missed)
	}
	w.keep(1, 0, false)
	w.Clock.Advance(3 * day)
	w.expire()
	_, freed, err := w.Service.Accounts.Storage(t.Context(), w.Actor)
	must(t, err)
	if len(freed) != 1 || freed[0].Runs != 2 || freed[0].Comparisons != 8 || freed[0].Screenshots != 8 || freed[0].Bytes == 0 {
		t.Errorf("freed %+v", freed)
	}
	w.watched(g, "d")
	if missed := w.FreshGroup(g.ID).MissedRun; missed != nil {
		t.Errorf("with room again, a run is missed because of %s", *missed)
	}
}

func TestARuleIsPreviewedAndChecked(t *testing.T) {
	w := newWorld(t)
	w.watched(w.everyDay("news", 1), "a", "b", "c", "d")
	preview := func(in account.RetentionChange) string {
		n, err := w.Service.Accounts.PreviewRetention(t.Context(), w.Actor, in)
		must(t, err)
		if n == nil {
			return "unknown"
		}
		return fmt.Sprint(*n)
	}
	for want, in := range map[string]account.RetentionChange{
		"unknown": {},
		"0":       {Days: vcd.Some(0)},
		"2":       {Days: vcd.Some(1), Runs: vcd.Some(0)},
		"1":       {Days: vcd.Some(1), Runs: vcd.Some(3)},
	} {
		if got := preview(in); got != want {
			t.Errorf("%+v expires %s runs, want %s", in, got, want)
		}
	}
	for field, in := range map[string]account.RetentionChange{
		"days": {Days: vcd.Some(3651)}, "runs": {Runs: vcd.Some(-1)},
	} {
		_, err := w.Service.Accounts.UpdateRetention(t.Context(), w.Actor, in)
		vcdtest.WantField(t, err, field, "between")
	}
}
