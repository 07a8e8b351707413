package db_test

import (
	"slices"
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// runDue moves the clock to the group's next run, starts it and returns its batch.
func (w *world) runDue(id vcd.ID) vcd.ID {
	w.t.Helper()
	w.clock.set(*w.freshGroup(id).NextRunAt)
	startDue(w.t, w.service)
	return vcd.ID(value[string](w, `SELECT b.id::text FROM batches AS b JOIN batch_groups AS bg ON bg.batch_id = b.id
		WHERE bg.group_id = $1 ORDER BY b.created_at DESC LIMIT 1`, string(id)))
}

// comparisonOf is the comparison of a batch that has one.
func (w *world) comparisonOf(batch vcd.ID) *vcd.Comparison {
	w.t.Helper()
	list, err := w.service.Reviews.Comparisons(w.t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 2}, false)
	must(w.t, err)
	if len(list.Items) != 1 {
		w.t.Fatalf("%d comparisons in the batch, want one", len(list.Items))
	}
	return list.Items[0]
}

// alarms counts the events of comparisons that are new.
func (w *world) alarms() int {
	w.t.Helper()
	return value[int](w, "SELECT count(*) FROM events WHERE kind = 'comparison_status_new'")
}

func TestMonitoringComparesWithTheRunBefore(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("shop", 1, inventory.GroupChange{})
	first := w.runDue(g.ID)
	w.capture(w.jobs("capture")[0], "was")
	if b := w.batch(first); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 1}) || b.Source != vcd.SourceMonitoring {
		t.Fatalf("the first run makes a baseline and nothing else: %+v", b)
	}
	var before vcd.ID
	for _, pixels := range []string{"is", "is"} {
		batch := w.runDue(g.ID)
		w.capture(w.jobs("capture")[0], pixels)
		w.compare(w.jobs("compare")[0], 0)
		c := w.comparisonOf(batch)
		if b := w.batch(batch); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 2}) || c.Status != vcd.ComparisonOK ||
			c.BeforeID == before {
			t.Errorf("%+v, %+v", b, c)
		}
		if before != "" && before != c.BeforeID && c.Before.Image.Hash != c.After.Image.Hash {
			t.Error("the third run was not compared with the second")
		}
		before = c.BeforeID
	}
	w.checkInvariants()
}

// An upgrade of ours makes new baselines: the first picture by a version is compared with none of another one.
func TestAnUpgradeMakesANewBaselineAndNoAlarm(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("shop", 1, inventory.GroupChange{})
	for _, version := range []string{"1", "2", "1", "2"} {
		batch := w.runDue(g.ID)
		w.captureBy(w.jobs("capture")[0], "by "+version, version)
		if b := w.batch(batch); version == "2" && len(w.jobs("compare")) == 0 {
			compared := w.entriesOf(batch, vcd.QueueCompare)
			if b.FinishedAt == nil || len(compared) != 1 || compared[0].Status != vcd.QueueDone || compared[0].Reason != "baseline" {
				t.Errorf("after the upgrade: %+v, %+v", b, compared)
			}
			continue
		}
		for _, entry := range w.jobs("compare") {
			task, err := w.service.Runs.BeginComparison(w.working(entry), w.actor, entry)
			must(t, err)
			if task.Before.SCVersion != version || task.Before.Image.Hash != task.After.Image.Hash {
				t.Errorf("version %s is compared with %s", version, task.Before.SCVersion)
			}
			w.finish(task, run.CompareResult{})
		}
	}
	if w.alarms() != 0 {
		t.Errorf("%d alarms", w.alarms())
	}
	w.checkInvariants()
}

func (w *world) entriesOf(batch vcd.ID, kind vcd.QueueType) []*vcd.QueueEntry {
	w.t.Helper()
	f := vcd.QueueFilter{BatchIDs: &[]vcd.ID{batch}, Types: &[]vcd.QueueType{kind}}
	list, err := w.service.Runs.QueueEntries(w.t.Context(), w.actor, f, vcd.Page{Size: 100}, false)
	must(w.t, err)
	return list.Items
}

// The report on an automatic update is due when its batch is finished and its results are stored, whichever is last, and
// only once.
func TestTheReportOnAnUpdateIsDueOnce(t *testing.T) {
	for name, steps := range map[string][]string{
		"results last":      {"finish", "results", "results"},
		"batch last":        {"results", "results", "finish", "results"},
		"of a manual batch": {"manual", "results", "finish", "results"},
		"without results":   {"finish"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			g, _ := w.group("site", 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
			in := run.TakeInput{GroupIDs: []string{string(g.ID)}, Type: vcd.QueuePre, Source: vcd.SourceAutoUpdate}
			if steps[0] == "manual" {
				in.Source = vcd.SourceManual
			}
			taken, err := w.service.Runs.TakeScreenshots(t.Context(), w.actor, in)
			must(t, err)
			for _, step := range steps {
				switch step {
				case "finish":
					for _, entry := range w.jobs("capture") {
						w.capture(entry, "page")
					}
				case "results":
					_, err := w.service.Runs.StoreUpdateResults(t.Context(), w.actor, taken.Batches[0].ID, vcd.UpdateResults{
						Summary: vcd.UpdateSummary{Status: vcd.UpdateCompleted}})
					must(t, err)
				}
			}
			want := 0
			if in.Source == vcd.SourceAutoUpdate && slices.Contains(steps, "results") {
				want = 1
			}
			due := value[int](w, "SELECT count(*) FROM events WHERE kind = 'update_report_due' AND subject_id = $1",
				string(taken.Batches[0].ID))
			if due != want {
				t.Errorf("%d events, want %d", due, want)
			}
			w.checkInvariants()
		})
	}
}
