package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/schedule"
)

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// monitored makes a monitoring group with n URLs, desktop only.
func (w *world) monitored(name string, n int, change inventory.GroupChange) *vcd.Group {
	w.t.Helper()
	change.Monitoring = vcd.Some(true)
	g, _ := w.group(name, n, change)
	_, err := w.service.Inventory.SelectAll(w.t.Context(), w.actor, g.ID, vcd.Mobile, false)
	must(w.t, err)
	return w.freshGroup(g.ID)
}

func (w *world) freshGroup(id vcd.ID) *vcd.Group {
	w.t.Helper()
	g, err := w.service.Inventory.Group(w.t.Context(), w.actor, id)
	must(w.t, err)
	return g
}

// startDue starts all runs that are due, by one scheduler for each of the services.
func startDue(t *testing.T, replicas ...*app.Service) {
	t.Helper()
	var all sync.WaitGroup
	for _, s := range replicas {
		all.Go(func() {
			for more := true; more; {
				var err error
				if more, err = s.Runs.RunDueGroup(t.Context()); err != nil {
					t.Errorf("start a due run: %v", err)
				}
			}
		})
	}
	all.Wait()
}

// replica is another process on the same database, with the same clock.
func (w *world) replica() *app.Service {
	w.t.Helper()
	d := openURL(w.t, w.url, newTableQueue)
	return w.service.With(func(c *vcd.Config) { c.Store, c.Feed = d, d })
}

// starts lists when runs of a group were started.
func (w *world) starts(id vcd.ID) []time.Time {
	w.t.Helper()
	var list []time.Time
	must(w.t, pgx.BeginFunc(w.t.Context(), w.db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.t.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		rows, err := tx.Query(w.t.Context(), `SELECT b.created_at FROM batches AS b JOIN batch_groups AS bg ON bg.batch_id = b.id
			WHERE bg.group_id = $1 AND b.source = 'monitoring' ORDER BY 1`, string(id))
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[time.Time])
		return err
	}))
	return list
}

// Two schedulers share a year. Each run that the plans of the groups name is started once, at its time, and no other.
func TestTwoReplicasStartEachDueRunOfAYearOnce(t *testing.T) {
	w := newWorld(t)
	_, err := w.service.Accounts.UpdateAccount(t.Context(), w.actor, account.Change{Timezone: vcd.Some("Europe/Berlin")})
	must(t, err)
	end, copies := w.clock.Now().AddDate(1, 0, 0), 1
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		copies = 20
	}
	var groups []*vcd.Group
	begun := w.clock.Now()
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
			groups = append(groups, w.monitored(fmt.Sprintf("%s%d", name, i), 1, change))
		}
	}
	w.clock.set(begun.Add(time.Hour)) // no slot lies in this hour, so the plans are those from begun too
	replicas := []*app.Service{w.service, w.replica()}
	for runs := 0; ; runs++ {
		due := value[time.Time](w, "SELECT min(next_run_at) FROM groups")
		if !due.Before(end) {
			break
		}
		w.clock.set(due)
		startDue(t, replicas...)
	}
	zone := w.freshAccount().Zone()
	for _, g := range groups {
		want := g.Plan(zone).Upcoming(begun, 400)
		want = slices.DeleteFunc(want, func(at time.Time) bool { return !at.Before(end) })
		if got := w.starts(g.ID); !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Errorf("%s ran %d times in the year, want %d: %s ...", g.Name, len(got), len(want), got[:min(3, len(got))])
		}
	}
	if reserved, entries := w.freshAccount().ChecksReserved,
		value[int](w, "SELECT count(*) FROM queue_entries WHERE type = 'auto'"); reserved != entries {
		t.Errorf("%d checks are reserved for %d screenshots", reserved, entries)
	}
	w.checkInvariants()
}

func TestMissedRunsCollapseIntoOne(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("hourly", 1, inventory.GroupChange{IntervalHours: vcd.Some(0.25)})
	w.clock.advance(100 * time.Hour)
	startDue(t, w.service, w.service)
	if n := len(w.starts(g.ID)); n != 1 {
		t.Fatalf("%d runs after a hundred hours away, want one", n)
	}
	if next := *w.freshGroup(g.ID).NextRunAt; next.Sub(w.clock.Now()) > 15*time.Minute || !next.After(w.clock.Now()) {
		t.Errorf("the next run is at %s, now it is %s", next, w.clock.Now())
	}
}

func TestADueRunWaitsForTheLastOne(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("slow", 1, inventory.GroupChange{IntervalHours: vcd.Some(0.25)})
	other := w.monitored("other", 1, inventory.GroupChange{IntervalHours: vcd.Some(0.25)})
	w.clock.set(*g.NextRunAt)
	startDue(t, w.service)
	slow := vcd.ID(value[string](w, "SELECT id::text FROM queue_entries WHERE group_id = $1", string(g.ID)))
	w.take(vcd.QueuePre, g) // a manual run holds nothing up
	for range 20 {
		w.clock.advance(time.Minute)
		startDue(t, w.service, w.service)
	}
	if n, others := len(w.starts(g.ID)), len(w.starts(other.ID)); n != 1 || others < 1 {
		t.Fatalf("%d runs while the first is going on, the other group ran %d times", n, others)
	}
	w.capture(slow, "page")
	for range 2 {
		w.clock.advance(time.Minute)
		startDue(t, w.service, w.service)
	}
	if n := len(w.starts(g.ID)); n != 2 {
		t.Fatalf("%d runs after the first has ended, want 2", n)
	}
	if next := *w.freshGroup(g.ID).NextRunAt; !next.Equal(schedule.Next(g.Plan(time.UTC), w.clock.Now().Add(-time.Minute))) {
		t.Errorf("the next run is at %s, now it is %s", next, w.clock.Now())
	}
	w.clock.advance(12 * time.Hour) // the second never ends
	startDue(t, w.service)
	if n := len(w.starts(g.ID)); n != 3 {
		t.Errorf("%d runs after half a day, want 3", n)
	}
	w.checkInvariants()
}

func TestALateRunWaitsForTheEndOfQuietHours(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("quiet", 1, inventory.GroupChange{HourOfDay: vcd.Some(21), QuietHoursStart: vcd.Some(22), QuietHoursEnd: vcd.Some(6)})
	w.clock.set(time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC)) // nobody was there at nine
	startDue(t, w.service)
	if n := len(w.starts(g.ID)); n != 0 {
		t.Fatalf("%d runs in quiet hours", n)
	}
	made := *w.freshGroup(g.ID).NextRunAt
	if from := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC); made.Before(from) || made.After(from.Add(5*time.Minute)) {
		t.Fatalf("the run is made up for at %s", made)
	}
	w.clock.set(made)
	startDue(t, w.service)
	if got := w.starts(g.ID); len(got) != 1 || !got[0].Equal(made) {
		t.Errorf("runs at %s, want one at %s", got, made)
	}
	if got := w.nextRun(g.ID); got != "02 21:00" {
		t.Errorf("next run %s, want that of the evening", got)
	}
}

func TestASchedulerThatDiesLosesNothing(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("g", 1, inventory.GroupChange{})
	w.clock.set(*g.NextRunAt)
	ctx, die := context.WithCancel(t.Context())
	taken, err := w.db.TakeDueGroup(ctx, w.clock.Now(), func(ctx context.Context, _ *vcd.Group, tx vcd.Tx) error {
		must(t, tx.InsertBatch(ctx, &vcd.Batch{ID: vcd.RandomIDs{}.NewID(), Account: w.account.ID, Source: vcd.SourceMonitoring}))
		other, err := w.replica().Runs.RunDueGroup(t.Context())
		if other || err != nil {
			t.Errorf("a group that is held was taken by another scheduler: %t, %v", other, err)
		}
		die()
		return ctx.Err()
	})
	if taken || !errors.Is(err, context.Canceled) {
		t.Fatalf("taken %t, %v", taken, err)
	}
	startDue(t, w.replica())
	if got := w.starts(g.ID); len(got) != 1 || !got[0].Equal(*g.NextRunAt) {
		t.Errorf("runs at %s, want one at %s", got, *g.NextRunAt)
	}
	w.checkInvariants()
}

func TestARunThatCannotBeStartedLetsOthersGoFirst(t *testing.T) {
	w := newWorld(t)
	first := w.monitored("first", 1, inventory.GroupChange{})
	second := w.monitored("second", 1, inventory.GroupChange{HourOfDay: vcd.Some(1)})
	w.clock.set(*second.NextRunAt)
	taken, err := w.db.TakeDueGroup(t.Context(), w.clock.Now(), func(context.Context, *vcd.Group, vcd.Tx) error { return errOnPurpose })
	if taken || !errors.Is(err, errOnPurpose) {
		t.Fatalf("taken %t, %v", taken, err)
	}
	startDue(t, w.service)
	if n, m := len(w.starts(first.ID)), len(w.starts(second.ID)); n != 0 || m != 1 {
		t.Fatalf("the first ran %d times, the second %d times", n, m)
	}
	w.clock.advance(2 * time.Minute)
	startDue(t, w.service)
	if n := len(w.starts(first.ID)); n != 1 {
		t.Errorf("the first ran %d times in the end", n)
	}
}

// missed is how many events tell that a run of the group did not take place, and what the group says about it.
func (w *world) missed(id vcd.ID) (int, vcd.MissedRun) {
	w.t.Helper()
	n := value[int](w, "SELECT count(*) FROM events WHERE kind = 'run_missed' AND subject_type = 'group' AND subject_id = $1", string(id))
	if why := w.freshGroup(id).MissedRun; why != nil {
		return n, *why
	}
	return n, ""
}

func TestARunWithoutChecksIsMissedAndSaysSo(t *testing.T) {
	w := newWorld(t)
	w.actor = vcd.Actor{Account: w.newAccount("poor@example.com", 3).ID}
	g := w.monitored("g", 2, inventory.GroupChange{IntervalHours: vcd.Some(24.0)})
	for i, want := range []struct {
		runs, missed int
		why          vcd.MissedRun
	}{{1, 0, ""}, {1, 1, vcd.MissedChecks}, {1, 2, vcd.MissedChecks}} {
		w.clock.set(*w.freshGroup(g.ID).NextRunAt)
		startDue(t, w.service)
		if n, why := w.missed(g.ID); len(w.starts(g.ID)) != want.runs || n != want.missed || why != want.why {
			t.Errorf("round %d: %d runs, %d missed for %q; want %+v", i, len(w.starts(g.ID)), n, why, want)
		}
	}
	w.asSystem("UPDATE accounts SET checks_limit = 100 WHERE id = $1", string(w.actor.Account))
	w.clock.set(*w.freshGroup(g.ID).NextRunAt)
	startDue(t, w.service)
	if n, why := w.missed(g.ID); len(w.starts(g.ID)) != 2 || n != 2 || why != "" {
		t.Errorf("with checks again: %d runs, %d missed for %q", len(w.starts(g.ID)), n, why)
	}
	w.checkInvariants()
}

func TestTheGroupsOfAPausedAccountRestUntilItIsReactivated(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("g", 1, inventory.GroupChange{IntervalHours: vcd.Some(0.25)})
	_, err := w.service.Accounts.PauseAccount(t.Context(), w.account.ID)
	must(t, err)
	w.clock.set(*g.NextRunAt)
	startDue(t, w.service)
	n, why := w.missed(g.ID)
	if rest := w.freshGroup(g.ID).NextRunAt.Sub(w.clock.Now()); n != 1 || why != vcd.MissedPaused || len(w.starts(g.ID)) != 0 ||
		rest < 23*time.Hour {
		t.Fatalf("%d events, missed for %q, %d runs, looked at again in %s", n, why, len(w.starts(g.ID)), rest)
	}
	_, err = w.service.Accounts.ReactivateAccount(t.Context(), w.actor)
	must(t, err)
	if rest := w.freshGroup(g.ID).NextRunAt.Sub(w.clock.Now()); rest > 15*time.Minute {
		t.Errorf("reactivated, the next run is in %s", rest)
	}
	w.clock.set(*w.freshGroup(g.ID).NextRunAt)
	startDue(t, w.service)
	if _, why := w.missed(g.ID); len(w.starts(g.ID)) != 1 || why != "" {
		t.Errorf("reactivated: %d runs, missed for %q", len(w.starts(g.ID)), why)
	}
}

func TestAGroupWithoutPagesRunsQuietly(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("empty", 0, inventory.GroupChange{})
	w.clock.set(*g.NextRunAt)
	startDue(t, w.service)
	if n, why := w.missed(g.ID); n != 0 || why != "" || len(w.starts(g.ID)) != 0 || !w.freshGroup(g.ID).NextRunAt.After(w.clock.Now()) {
		t.Errorf("%d missed for %q, %d runs, next at %s", n, why, len(w.starts(g.ID)), w.freshGroup(g.ID).NextRunAt)
	}
}
