package run_test

import (
	"slices"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// comparisonOf returns the only comparison of a batch.
func (w *world) comparisonOf(batch vcd.ID) *vcd.Comparison {
	w.T.Helper()
	list, err := w.Service.Reviews.Comparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 2}, false)
	must(w.T, err)
	if len(list.Items) != 1 {
		w.T.Fatalf("%d comparisons in the batch, want one", len(list.Items))
	}
	return list.Items[0]
}

// silenced counts the events of changes above their threshold that were found harmless.
func (w *world) silenced() int {
	w.T.Helper()
	return vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'comparison_silenced'")
}

// alarms counts the events of new comparisons.
func (w *world) alarms() int {
	w.T.Helper()
	return vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'comparison_status_new'")
}

func TestMonitoringComparesWithTheRunBefore(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("shop", 1, inventory.GroupChange{})
	first := w.RunDue(g.ID)
	w.Capture(w.Jobs("capture")[0], "was")
	if b := w.Batch(first); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 1}) || b.Source != vcd.SourceMonitoring {
		t.Fatalf("the first run makes a baseline and nothing else: %+v", b)
	}
	var before vcd.ID
	for _, pixels := range []string{"is", "is"} {
		batch := w.RunDue(g.ID)
		w.Capture(w.Jobs("capture")[0], pixels)
		w.Compare(w.Jobs("compare")[0], 0)
		c := w.comparisonOf(batch)
		if b := w.Batch(batch); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 2}) || c.Status != vcd.ComparisonOK ||
			c.BeforeID == before {
			t.Errorf("%+v, %+v", b, c)
		}
		if before != "" && before != c.BeforeID && c.Before.Image.Hash != c.After.Image.Hash {
			t.Error("the third run was not compared with the second")
		}
		before = c.BeforeID
	}
	w.CheckInvariants()
}

// An upgrade of ours creates new baselines: the first picture by a version is not compared with one by another version.
func TestAnUpgradeMakesANewBaselineAndNoAlarm(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("shop", 1, inventory.GroupChange{})
	for _, version := range []string{"1", "2", "1", "2"} {
		batch := w.RunDue(g.ID)
		w.CaptureBy(w.Jobs("capture")[0], "by "+version, version)
		if b := w.Batch(batch); version == "2" && len(w.Jobs("compare")) == 0 {
			compared := w.entriesOf(batch, vcd.QueueCompare)
			if b.FinishedAt == nil || len(compared) != 1 || compared[0].Status != vcd.QueueDone || compared[0].Reason != "baseline" {
				t.Errorf("after the upgrade: %+v, %+v", b, compared)
			}
			continue
		}
		for _, entry := range w.Jobs("compare") {
			task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
			must(t, err)
			if task.Before.SCVersion != version || task.Before.Image.Hash != task.After.Image.Hash {
				t.Errorf("version %s is compared with %s", version, task.Before.SCVersion)
			}
			w.Finish(task, run.CompareResult{})
		}
	}
	if w.alarms() != 0 {
		t.Errorf("%d alarms", w.alarms())
	}
	w.CheckInvariants()
}

func (w *world) entriesOf(batch vcd.ID, kind vcd.QueueType) []*vcd.QueueEntry {
	w.T.Helper()
	f := vcd.QueueFilter{BatchIDs: &[]vcd.ID{batch}, Types: &[]vcd.QueueType{kind}}
	list, err := w.Service.Runs.QueueEntries(w.T.Context(), w.Actor, f, vcd.Page{Size: 100}, false)
	must(w.T, err)
	return list.Items
}

// The report on an automatic update becomes due once, when its batch is finished and its results are stored, in either order.
func TestTheReportOnAnUpdateIsDueOnce(t *testing.T) {
	for name, steps := range map[string][]string{
		"results last":      {"finish", "results", "results"},
		"batch last":        {"results", "results", "finish", "results"},
		"of a manual batch": {"manual", "results", "finish", "results"},
		"without results":   {"finish"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			g, _ := w.Group("site", 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
			in := run.TakeInput{GroupIDs: []string{string(g.ID)}, Type: vcd.QueuePre, Source: vcd.SourceAutoUpdate}
			if steps[0] == "manual" {
				in.Source = vcd.SourceManual
			}
			taken, err := w.Service.Runs.TakeScreenshots(t.Context(), w.Actor, in)
			must(t, err)
			for _, step := range steps {
				switch step {
				case "finish":
					for _, entry := range w.Jobs("capture") {
						w.Capture(entry, "page")
					}
				case "results":
					_, err := w.Service.Runs.StoreUpdateResults(t.Context(), w.Actor, taken.Batches[0].ID, vcd.UpdateResults{
						Summary: vcd.UpdateSummary{Status: vcd.UpdateCompleted}})
					must(t, err)
				}
			}
			want := 0
			if in.Source == vcd.SourceAutoUpdate && slices.Contains(steps, "results") {
				want = 1
			}
			due := vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'update_report_due' AND subject_id = $1",
				string(taken.Batches[0].ID))
			if due != want {
				t.Errorf("%d events, want %d", due, want)
			}
			w.CheckInvariants()
		})
	}
}
