package run_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

func TestARunFromPreToFinishedComparison(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 2, inventory.GroupChange{})
	pre := w.Take(vcd.QueuePre, g)
	if a := w.FreshAccount(); a.ChecksReserved != 4 || a.ChecksDone != 0 {
		t.Errorf("after the start: %d reserved, %d done", a.ChecksReserved, a.ChecksDone)
	}
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "before")
	}
	if b := w.Batch(pre.Batches[0].ID); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 4}) || b.SCVersion != "1" {
		t.Fatalf("pre batch: %+v", b)
	}
	post := w.Take(vcd.QueuePost, g)
	for i, entry := range w.Jobs("capture") {
		w.Capture(entry, []string{"before", "after"}[i%2])
	}
	for i, entry := range w.Jobs("compare") {
		w.Compare(entry, float64(i))
	}
	b := w.Batch(post.Batches[0].ID)
	if b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 8}) {
		t.Fatalf("post batch: %+v", b)
	}
	if b.Comparisons != (vcd.ComparisonCounts{OK: 1, New: 3, AboveThreshold: 3}) || !slices.Equal(b.GroupNames, []string{"shop"}) {
		t.Errorf("figures: %+v of %v", b.Comparisons, b.GroupNames)
	}
	if a := w.FreshAccount(); a.ChecksReserved != 0 || a.ChecksDone != 8 {
		t.Errorf("at the end: %d reserved, %d done", a.ChecksReserved, a.ChecksDone)
	}
	if n := len(w.Jobs("capture")) + len(w.Jobs("compare")); n != 0 {
		t.Errorf("%d jobs are left over", n)
	}
	w.CheckInvariants()
}

func TestAFurtherPostRunIsComparedWithTheOriginalPre(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("again", 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
	w.Take(vcd.QueuePre, g)
	var originals []vcd.ID
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "before")
		originals = append(originals, entry)
	}
	for range 2 {
		w.Take(vcd.QueuePost, g)
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "after")
		}
		for _, entry := range w.Jobs("compare") {
			task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
			must(t, err)
			if !slices.Contains(originals, task.Before.QueueID) {
				t.Errorf("compared with entry %s, which is not a pre screenshot", task.Before.QueueID)
			}
			w.Finish(task, run.CompareResult{})
		}
	}
	w.CheckInvariants()
}

func TestAFailedCaptureIsTriedAgainAndThenGivesItsCheckBack(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("flaky", 1, inventory.GroupChange{})
	_, err := w.Service.Inventory.SelectAll(t.Context(), w.Actor, g.ID, vcd.Mobile, false)
	must(t, err)
	pre := w.Take(vcd.QueuePre, g)
	entry := w.Jobs("capture")[0]
	failure := run.CaptureFailure{Reason: "timeout", Sentence: "The page did not answer.", Retryable: true}
	for attempt := 1; attempt <= 3; attempt++ {
		_, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
		must(t, err)
		must(t, w.Service.Runs.FailCapture(w.Working(entry), w.Actor, entry, failure))
		want := vcd.QueueOpen
		if attempt == 3 {
			want = vcd.QueueFailed
		}
		if e := w.Entry(entry); e.Status != want || e.Attempts != attempt {
			t.Fatalf("after attempt %d: %s, %d attempts", attempt, e.Status, e.Attempts)
		}
	}
	if e := w.Entry(entry); e.Reason != "timeout" || e.ErrorMsg != failure.Sentence {
		t.Errorf("reason %q, message %q", e.Reason, e.ErrorMsg)
	}
	if b := w.Batch(pre.Batches[0].ID); b.FinishedAt == nil || b.Counts.Failed != 1 {
		t.Errorf("batch: %+v", b)
	}
	if a := w.FreshAccount(); a.ChecksReserved != 0 || a.ChecksDone != 0 {
		t.Errorf("%d reserved, %d done", a.ChecksReserved, a.ChecksDone)
	}
	u, err := w.Service.Inventory.URL(t.Context(), w.Actor, urls[0].ID)
	must(t, err)
	if u.ErrorCount != 1 {
		t.Errorf("the URL counts %d errors", u.ErrorCount)
	}
	must(t, w.Service.Runs.FailCapture(w.Working(entry), w.Actor, entry, failure)) // a late repeat changes nothing
	w.CheckInvariants()
}

func TestAComparisonWithoutItsScreenshotFails(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("half", 1, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "before")
	}
	post := w.Take(vcd.QueuePost, g)
	captures := w.Jobs("capture")
	w.Capture(captures[0], "after")
	_, err := w.Service.Runs.BeginCapture(w.Working(captures[1]), w.Actor, captures[1])
	must(t, err)
	must(t, w.Service.Runs.FailCapture(w.Working(captures[1]), w.Actor, captures[1], run.CaptureFailure{Reason: "dns",
		Sentence: "No such host."}))
	compares := w.Jobs("compare")
	if len(compares) != 1 {
		t.Fatalf("%d comparisons are to be made", len(compares))
	}
	must(t, w.Service.Runs.FailComparison(w.Working(compares[0]), w.Actor, compares[0], "decode", "The picture is broken."))
	if b := w.Batch(post.Batches[0].ID); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 1, Failed: 3}) {
		t.Errorf("batch: %+v", b)
	}
	w.CheckInvariants()
}

func TestPostScreenshotsWaitForAPendingPre(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("overlap", 1, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	pres := w.Jobs("capture")
	w.Take(vcd.QueuePost, g)
	posts := w.Jobs("capture")[len(pres):]
	for _, entry := range posts {
		w.Capture(entry, "after")
	}
	if n := len(w.Jobs("compare")); n != 0 {
		t.Fatalf("%d comparisons were started before their baseline was there", n)
	}
	w.Capture(pres[0], "before")
	if n := len(w.Jobs("compare")); n != 1 {
		t.Fatalf("%d comparisons were started by the first baseline", n)
	}
	_, err := w.Service.Runs.BeginCapture(w.Working(pres[1]), w.Actor, pres[1])
	must(t, err)
	must(t, w.Service.Runs.FailCapture(w.Working(pres[1]), w.Actor, pres[1], run.CaptureFailure{Reason: "dns", Sentence: "No such host."}))
	for _, entry := range w.Jobs("compare") {
		w.Compare(entry, 1)
	}
	w.CheckInvariants()
}

func TestPreAndPostEndingAtTheSameMomentArePairedOnce(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("race", 8, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	w.Take(vcd.QueuePost, g)
	entries := w.Jobs("capture")
	var all sync.WaitGroup
	start := make(chan struct{})
	for _, entry := range entries {
		picture := w.Picture(string(entry))
		all.Go(func() {
			ctx := w.Working(entry)
			if _, err := w.Service.Runs.BeginCapture(ctx, w.Actor, entry); err != nil {
				t.Errorf("begin: %v", err)
			}
			<-start
			if err := w.Service.Runs.FinishCapture(ctx, w.Actor, entry, run.CaptureResult{Picture: picture, StatusCode: 200}); err != nil {
				t.Errorf("finish: %v", err)
			}
		})
	}
	close(start)
	all.Wait()
	compares := w.Jobs("compare")
	if len(compares) != 16 {
		t.Fatalf("%d comparison jobs for 16 pairs", len(compares))
	}
	for _, entry := range compares {
		all.Go(func() {
			task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
			if err == nil {
				_, err = w.Service.Runs.FinishComparison(w.Working(entry), w.Actor, task, run.CompareResult{})
			}
			if err != nil {
				t.Errorf("compare: %v", err)
			}
		})
	}
	all.Wait()
	w.CheckInvariants()
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'batch_finished'"); n != 2 {
		t.Errorf("%d batches finished", n)
	}
}

func TestARunNeedsChecks(t *testing.T) {
	w := newWorld(t)
	w.Actor = vcd.Actor{Account: w.NewAccount("small@example.com", 6).ID}
	g, _ := w.Group("poor", 2, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	_, err := w.Service.Runs.TakeScreenshots(t.Context(), w.Actor, run.TakeInput{GroupIDs: []string{string(g.ID)}, Type: vcd.QueuePre})
	wantCode(t, err, vcd.CodeChecksExhausted)
	if a := w.FreshAccount(); a.ChecksReserved != 4 {
		t.Errorf("%d checks reserved", a.ChecksReserved)
	}
	w.CheckInvariants()
}

func TestRunsThatStartTogetherShareTheLastChecksFairly(t *testing.T) {
	w := newWorld(t)
	w.Actor = vcd.Actor{Account: w.NewAccount("small@example.com", 10).ID}
	g, _ := w.Group("poor", 1, inventory.GroupChange{})
	var all sync.WaitGroup
	codes := make(chan vcd.Code, 12)
	for range cap(codes) {
		all.Go(func() {
			_, err := w.Service.Runs.TakeScreenshots(t.Context(), w.Actor, run.TakeInput{GroupIDs: []string{string(g.ID)},
				Type: vcd.QueuePre})
			if err == nil {
				codes <- ""
				return
			}
			codes <- vcd.CodeOf(err)
		})
	}
	all.Wait()
	close(codes)
	started, refused := 0, 0
	for code := range codes {
		switch code {
		case "":
			started++
		case vcd.CodeChecksExhausted:
			refused++
		default:
			t.Errorf("a run failed with %s", code)
		}
	}
	if started != 5 || refused != 7 {
		t.Errorf("%d started and %d refused of 10 checks, 2 each", started, refused)
	}
	w.CheckInvariants()
}

func TestAWithdrawnURLIsNotCaptured(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("gone", 2, inventory.GroupChange{})
	pre := w.Take(vcd.QueuePre, g)
	must(t, w.Service.Inventory.DeleteURL(t.Context(), w.Actor, urls[0].ID))
	for _, entry := range w.Jobs("capture") {
		if w.Entry(entry).URLID == urls[1].ID {
			w.Capture(entry, "before")
			continue
		}
		task, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
		must(t, err)
		if e := w.Entry(entry); task != nil || e.Status != vcd.QueueFailed || e.Reason != "withdrawn" || e.URLAddress != urls[0].Address {
			t.Errorf("task %v, entry %+v", task, e)
		}
	}
	if b := w.Batch(pre.Batches[0].ID); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 2, Failed: 2}) {
		t.Errorf("batch: %+v", b)
	}
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	if b := w.Batch(pre.Batches[0].ID); !slices.Equal(b.GroupNames, []string{"gone"}) {
		t.Errorf("the batch forgot its deleted group: %v", b.GroupNames)
	}
	w.CheckInvariants()
}

func TestAMonitoringRunIsComparedWithTheOneBefore(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("watch", 1, inventory.GroupChange{Monitoring: vcd.Some(true)})
	// Monitoring screenshots have type auto; here they are created from pre.
	for i := range 3 {
		w.Take(vcd.QueuePre, g)
		w.AsSystem("UPDATE queue_entries SET type = 'auto' WHERE type = 'pre'")
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "auto")
			e := w.Entry(entry)
			var baseline *vcd.Screenshot
			must(t, w.DB.Read(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) (err error) {
				baseline, err = tx.BaselineOf(ctx, e)
				return err
			}))
			if (baseline != nil) != (i > 0) {
				t.Errorf("run %d has baseline %v", i, baseline)
			}
			if baseline != nil && (!baseline.CreatedAt.Before(e.CreatedAt) || baseline.Device != e.Device) {
				t.Errorf("entry of %s has a baseline of %s", e.CreatedAt, baseline.CreatedAt)
			}
		}
		w.Clock.Advance(time.Hour)
	}
	w.CheckInvariants()
}
