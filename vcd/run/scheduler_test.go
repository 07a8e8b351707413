package run_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
	"afterimage/vcd/schedule"
)

// starts lists the start times of a group's runs.
func (w *world) starts(id vcd.ID) []time.Time {
	w.T.Helper()
	var list []time.Time
	must(w.T, pgx.BeginFunc(w.T.Context(), w.DB.SystemPool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.T.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		rows, err := tx.Query(w.T.Context(), `SELECT b.created_at FROM batches AS b JOIN batch_groups AS bg ON bg.batch_id = b.id
			WHERE bg.group_id = $1 AND b.source = 'monitoring' ORDER BY 1`, string(id))
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[time.Time])
		return err
	}))
	return list
}

// Two schedulers share a year. Each planned run is started once, at its time, and no other.
func TestTwoReplicasStartEachDueRunOfAYearOnce(t *testing.T) {
	w := newWorld(t)
	_, err := w.Service.Accounts.UpdateAccount(t.Context(), w.Actor, account.Change{Timezone: vcd.Some("Europe/Berlin")})
	must(t, err)
	end, copies := w.Clock.Now().AddDate(1, 0, 0), 1
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		copies = 20
	}
	var groups []*vcd.Group
	begun := w.Clock.Now()
	for i := range copies {
		for name, change := range map[string]inventory.GroupChange{
			"daily": {HourOfDay: vcd.Some(2), QuietHoursStart: vcd.Some(1), QuietHoursEnd: vcd.Some(5)},
			"weekly": {ScheduleType: vcd.Some(schedule.Weekly), ScheduleDays: vcd.Some([]schedule.Day{1, 7}),
				HourOfDay: vcd.Some(2 + i%20)},
			"weekly2": {ScheduleType: vcd.Some(schedule.Weekly), ScheduleDays: vcd.Some([]schedule.Day{7}), HourOfDay: vcd.Some(2)},
			"monthly": {ScheduleType: vcd.Some(schedule.Monthly), ScheduleDays: vcd.Some([]schedule.Day{30, schedule.LastDay}),
				HourOfDay: vcd.Some(3)},
			"month2": {ScheduleType: vcd.Some(schedule.Monthly), ScheduleDays: vcd.Some([]schedule.Day{1, 15})},
		} {
			groups = append(groups, w.Monitored(fmt.Sprintf("%s%d", name, i), 1, change))
		}
	}
	w.Clock.Set(begun.Add(time.Hour)) // there is no slot in this hour, so the plans also hold from begun
	replicas := []*app.Service{w.Service, w.Replica()}
	for runs := 0; ; runs++ {
		due := vcdtest.Value[time.Time](w.World, "SELECT min(next_run_at) FROM groups")
		if !due.Before(end) {
			break
		}
		w.Clock.Set(due)
		vcdtest.StartDue(t, replicas...)
	}
	zone := w.FreshAccount().Zone()
	for _, g := range groups {
		want := g.Plan(zone).Upcoming(begun, 400)
		want = slices.DeleteFunc(want, func(at time.Time) bool { return !at.Before(end) })
		if got := w.starts(g.ID); !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Errorf("%s ran %d times in the year, want %d: %s ...", g.Name, len(got), len(want), got[:min(3, len(got))])
		}
	}
	if reserved, entries := w.FreshAccount().ChecksReserved,
		vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE type = 'auto'"); reserved != entries {
		t.Errorf("%d checks are reserved for %d screenshots", reserved, entries)
	}
	w.CheckInvariants()
}

func TestMissedRunsCollapseIntoOne(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("hourly", 1, inventory.GroupChange{IntervalHours: vcd.Some(0.25)})
	w.Clock.Advance(100 * time.Hour)
	vcdtest.StartDue(t, w.Service, w.Service)
	if n := len(w.starts(g.ID)); n != 1 {
		t.Fatalf("%d runs after a hundred hours away, want one", n)
	}
	if next := *w.FreshGroup(g.ID).NextRunAt; next.Sub(w.Clock.Now()) > 15*time.Minute || !next.After(w.Clock.Now()) {
		t.Errorf("the next run is at %s, now it is %s", next, w.Clock.Now())
	}
}

func TestADueRunWaitsForTheLastOne(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("slow", 1, inventory.GroupChange{IntervalHours: vcd.Some(0.25)})
	other := w.Monitored("other", 1, inventory.GroupChange{IntervalHours: vcd.Some(0.25)})
	w.Clock.Set(*g.NextRunAt)
	vcdtest.StartDue(t, w.Service)
	slow := vcd.ID(vcdtest.Value[string](w.World, "SELECT id::text FROM queue_entries WHERE group_id = $1", string(g.ID)))
	w.Take(vcd.QueuePre, g) // a manual run blocks nothing
	for range 20 {
		w.Clock.Advance(time.Minute)
		vcdtest.StartDue(t, w.Service, w.Service)
	}
	if n, others := len(w.starts(g.ID)), len(w.starts(other.ID)); n != 1 || others < 1 {
		t.Fatalf("%d runs while the first is going on, the other group ran %d times", n, others)
	}
	w.Capture(slow, "page")
	for range 2 {
		w.Clock.Advance(time.Minute)
		vcdtest.StartDue(t, w.Service, w.Service)
	}
	if n := len(w.starts(g.ID)); n != 2 {
		t.Fatalf("%d runs after the first has ended, want 2", n)
	}
	if next := *w.FreshGroup(g.ID).NextRunAt; !next.Equal(schedule.Next(g.Plan(time.UTC), w.Clock.Now().Add(-time.Minute))) {
		t.Errorf("the next run is at %s, now it is %s", next, w.Clock.Now())
	}
	w.Clock.Advance(12 * time.Hour) // the second run never ends
	vcdtest.StartDue(t, w.Service)
	if n := len(w.starts(g.ID)); n != 3 {
		t.Errorf("%d runs after half a day, want 3", n)
	}
	w.CheckInvariants()
}

func TestALateRunWaitsForTheEndOfQuietHours(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("quiet", 1, inventory.GroupChange{HourOfDay: vcd.Some(21), QuietHoursStart: vcd.Some(22), QuietHoursEnd: vcd.Some(6)})
	w.Clock.Set(time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC)) // the run at nine was missed
	vcdtest.StartDue(t, w.Service)
	if n := len(w.starts(g.ID)); n != 0 {
		t.Fatalf("%d runs in quiet hours", n)
	}
	made := *w.FreshGroup(g.ID).NextRunAt
	if from := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC); made.Before(from) || made.After(from.Add(5*time.Minute)) {
		t.Fatalf("the run is made up for at %s", made)
	}
	w.Clock.Set(made)
	vcdtest.StartDue(t, w.Service)
	if got := w.starts(g.ID); len(got) != 1 || !got[0].Equal(made) {
		t.Errorf("runs at %s, want one at %s", got, made)
	}
	if got := w.NextRun(g.ID); got != "02 21:00" {
		t.Errorf("next run %s, want that of the evening", got)
	}
}

func TestASchedulerThatDiesLosesNothing(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("g", 1, inventory.GroupChange{})
	w.Clock.Set(*g.NextRunAt)
	ctx, die := context.WithCancel(t.Context())
	taken, err := w.DB.ForRuns().TakeDueGroups(ctx, w.Clock.Now(), 1, func(ctx context.Context, _ []*vcd.Group, tx run.Tx) error {
		batch := &vcd.Batch{ID: vcd.RandomIDs{}.NewID(), Account: w.Account.ID, Source: vcd.SourceMonitoring, Type: vcd.QueueAuto}
		must(t, tx.InsertBatches(ctx, []*vcd.Batch{batch}))
		other, err := w.Replica().Runs.RunDueGroups(t.Context())
		if other || err != nil {
			t.Errorf("a group that is held was taken by another scheduler: %t, %v", other, err)
		}
		die()
		return ctx.Err()
	})
	if taken != 1 || !errors.Is(err, context.Canceled) {
		t.Fatalf("taken %d, %v", taken, err)
	}
	vcdtest.StartDue(t, w.Replica())
	if got := w.starts(g.ID); len(got) != 1 || !got[0].Equal(*g.NextRunAt) {
		t.Errorf("runs at %s, want one at %s", got, *g.NextRunAt)
	}
	w.CheckInvariants()
}

func TestARunThatCannotBeStartedLetsOthersGoFirst(t *testing.T) {
	w := newWorld(t)
	first := w.Monitored("first", 1, inventory.GroupChange{})
	second := w.Monitored("second", 1, inventory.GroupChange{HourOfDay: vcd.Some(1)})
	w.Clock.Set(*second.NextRunAt)
	taken, err := w.DB.ForRuns().TakeDueGroups(
		t.Context(),
		w.Clock.Now(),
		1,
		func(context.Context, []*vcd.Group, run.Tx) error { return vcdtest.ErrOnPurpose },
	)
	if taken != 1 || !errors.Is(err, vcdtest.ErrOnPurpose) {
		t.Fatalf("taken %d, %v", taken, err)
	}
	vcdtest.StartDue(t, w.Service)
	if n, m := len(w.starts(first.ID)), len(w.starts(second.ID)); n != 0 || m != 1 {
		t.Fatalf("the first ran %d times, the second %d times", n, m)
	}
	w.Clock.Advance(2 * time.Minute)
	vcdtest.StartDue(t, w.Service)
	if n := len(w.starts(first.ID)); n != 1 {
		t.Errorf("the first ran %d times in the end", n)
	}
}

// Groups of an account that are due together start together, each with a batch of its own, while the checks last.
func TestGroupsThatAreDueTogetherStartTogether(t *testing.T) {
	w := newWorld(t)
	w.Actor = vcd.Actor{Account: w.NewAccount("many@example.com", 5).ID}
	var groups []*vcd.Group
	for i := range 7 { // each needs a check
		groups = append(groups, w.Monitored(fmt.Sprintf("g%d", i), 1, inventory.GroupChange{IntervalHours: vcd.Some(24.0)}))
	}
	w.AsSystem("UPDATE groups SET next_run_at = $2::timestamptz + make_interval(secs => right(name, 1)::integer) WHERE account_id = $1",
		string(w.Actor.Account), w.Clock.Now())
	w.Clock.Advance(2 * time.Second)
	more, err := w.Service.Runs.RunDueGroups(t.Context())
	must(t, err)
	if n := vcdtest.Value[int](w.World, "SELECT count(DISTINCT xmin::text) FROM batches"); !more || n != 1 {
		t.Errorf("three groups started in %d transactions", n)
	}
	w.Clock.Advance(time.Minute)
	vcdtest.StartDue(t, w.Service)
	for i, g := range groups {
		n, why := w.missed(g.ID)
		if ran := len(w.starts(g.ID)); i < 5 && (ran != 1 || n != 0) || i >= 5 && (ran != 0 || n != 1 || why != vcd.MissedChecks) {
			t.Errorf("group %d ran %d times and missed %d for %q", i, ran, n, why)
		}
		if next := w.FreshGroup(g.ID).NextRunAt; !next.After(w.Clock.Now()) {
			t.Errorf("group %d is still due at %s", i, next)
		}
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(DISTINCT batch_id) FROM batch_groups"); n != 5 {
		t.Errorf("%d batches for five groups", n)
	}
	w.CheckInvariants()
}

// A group whose run cannot be started does not keep others of its account from starting.
func TestOneOfManyGroupsCannotBeStarted(t *testing.T) {
	w := newWorld(t)
	var groups []*vcd.Group
	for i := range 4 {
		groups = append(groups, w.Monitored(fmt.Sprintf("g%d", i), 1, inventory.GroupChange{IntervalHours: vcd.Some(24.0)}))
	}
	w.AsSystem("UPDATE groups SET next_run_at = $1::timestamptz + make_interval(secs => right(name, 1)::integer)", w.Clock.Now())
	w.Exec(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'on purpose'; END $$`)
	w.Exec(fmt.Sprintf("CREATE TRIGGER fail BEFORE INSERT ON queue_entries FOR EACH ROW WHEN (new.group_id = '%s') EXECUTE FUNCTION fail()",
		groups[1].ID))
	w.Clock.Advance(time.Minute)
	failures := 0
	for range 4 {
		if _, err := w.Service.Runs.RunDueGroups(t.Context()); err != nil {
			failures++
		}
	}
	for i, g := range groups {
		if n := len(w.starts(g.ID)); (n == 1) != (i != 1) {
			t.Errorf("group %d ran %d times", i, n)
		}
	}
	if failures != 1 {
		t.Errorf("%d failures, want that of one group", failures)
	}
	w.CheckInvariants()
}

// missed returns how many events report that a run of the group did not take place, and the group's reason.
func (w *world) missed(id vcd.ID) (int, vcd.MissedRun) {
	w.T.Helper()
	n := vcdtest.Value[int](
		w.World,
		"SELECT count(*) FROM events WHERE kind = 'run_missed' AND subject_type = 'group' AND subject_id = $1",
		string(id),
	)
	if why := w.FreshGroup(id).MissedRun; why != nil {
		return n, *why
	}
	return n, ""
}

func TestARunWithoutChecksIsMissedAndSaysSo(t *testing.T) {
	w := newWorld(t)
	w.Actor = vcd.Actor{Account: w.NewAccount("poor@example.com", 3).ID}
	g := w.Monitored("g", 2, inventory.GroupChange{IntervalHours: vcd.Some(24.0)})
	for i, want := range []struct {
		runs, missed int
		why          vcd.MissedRun
	}{{1, 0, ""}, {1, 1, vcd.MissedChecks}, {1, 2, vcd.MissedChecks}} {
		w.Clock.Set(*w.FreshGroup(g.ID).NextRunAt)
		vcdtest.StartDue(t, w.Service)
		if n, why := w.missed(g.ID); len(w.starts(g.ID)) != want.runs || n != want.missed || why != want.why {
			t.Errorf("round %d: %d runs, %d missed for %q; want %+v", i, len(w.starts(g.ID)), n, why, want)
		}
	}
	w.AsSystem("UPDATE accounts SET checks_limit = 100 WHERE id = $1", string(w.Actor.Account))
	w.Clock.Set(*w.FreshGroup(g.ID).NextRunAt)
	vcdtest.StartDue(t, w.Service)
	if n, why := w.missed(g.ID); len(w.starts(g.ID)) != 2 || n != 2 || why != "" {
		t.Errorf("with checks again: %d runs, %d missed for %q", len(w.starts(g.ID)), n, why)
	}
	w.CheckInvariants()
}

func TestTheGroupsOfAPausedAccountRestUntilItIsReactivated(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("g", 1, inventory.GroupChange{IntervalHours: vcd.Some(0.25)})
	_, err := w.Service.Accounts.PauseAccount(t.Context(), w.Account.ID)
	must(t, err)
	w.Clock.Set(*g.NextRunAt)
	vcdtest.StartDue(t, w.Service)
	n, why := w.missed(g.ID)
	if rest := w.FreshGroup(g.ID).NextRunAt.Sub(w.Clock.Now()); n != 1 || why != vcd.MissedPaused || len(w.starts(g.ID)) != 0 ||
		rest < 23*time.Hour {
		t.Fatalf("%d events, missed for %q, %d runs, looked at again in %s", n, why, len(w.starts(g.ID)), rest)
	}
	_, err = w.Service.Accounts.ReactivateAccount(t.Context(), w.Actor)
	must(t, err)
	if rest := w.FreshGroup(g.ID).NextRunAt.Sub(w.Clock.Now()); rest > 15*time.Minute {
		t.Errorf("reactivated, the next run is in %s", rest)
	}
	w.Clock.Set(*w.FreshGroup(g.ID).NextRunAt)
	vcdtest.StartDue(t, w.Service)
	if _, why := w.missed(g.ID); len(w.starts(g.ID)) != 1 || why != "" {
		t.Errorf("reactivated: %d runs, missed for %q", len(w.starts(g.ID)), why)
	}
}

func TestAGroupWithoutPagesRunsQuietly(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("empty", 0, inventory.GroupChange{})
	w.Clock.Set(*g.NextRunAt)
	vcdtest.StartDue(t, w.Service)
	if n, why := w.missed(g.ID); n != 0 || why != "" || len(w.starts(g.ID)) != 0 || !w.FreshGroup(g.ID).NextRunAt.After(w.Clock.Now()) {
		t.Errorf("%d missed for %q, %d runs, next at %s", n, why, len(w.starts(g.ID)), w.FreshGroup(g.ID).NextRunAt)
	}
}
