package run_test

import (
	"fmt"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// upload sends screenshots by name and look, and finishes.
func (w *world) upload(g *vcd.Group, t vcd.QueueType, build string, looks map[string]string) vcd.ID {
	w.T.Helper()
	w.Clock.Advance(time.Minute)
	batch := w.BeginUpload(g, t, build, 1).Batch
	for name, look := range looks {
		w.Send(batch, name, look)
	}
	w.FinishUpload(batch, 1)
	return batch
}

func (w *world) comparisonsOf(batch vcd.ID) map[string]vcd.ComparisonStatus {
	w.T.Helper()
	list, err := w.Service.Reviews.Comparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 100}, false)
	must(w.T, err)
	found := make(map[string]vcd.ComparisonStatus)
	for _, c := range list.Items {
		found[vcd.PageName(c.URLAddress)] = c.Status
	}
	return found
}

func TestUploadedScreenshotsAreComparedLikeCapturedOnes(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 0, inventory.GroupChange{})
	pre := w.upload(g, vcd.QueuePre, "1", map[string]string{"home": "home", "checkout/step 2": "green"})
	if b := w.Batch(pre); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 2}) || b.Planned != 2 || b.SCVersion != "upload" {
		t.Errorf("the first upload: %+v", b)
	}
	post := w.upload(g, vcd.QueuePost, "2", map[string]string{"home": "home", "checkout/step 2": "red", "new": "new"})
	if b := w.Batch(post); b.FinishedAt != nil || b.Uploading || b.Counts != (vcd.StatusCounts{Open: 2, Done: 3}) || b.UnpairedCount != 1 {
		t.Errorf("the second upload before it is compared: %+v", b)
	}
	for _, entry := range w.Jobs("compare") {
		w.CompareByHash(entry)
	}
	b := w.Batch(post)
	if b.FinishedAt == nil || b.Planned != 5 || len(b.GroupIDs) != 1 {
		t.Errorf("the second upload: %+v", b)
	}
	if got := fmt.Sprint(w.comparisonsOf(post)); got != "map[checkout/step 2:new home:ok]" {
		t.Errorf("the comparisons are %s", got)
	}
	if a := w.FreshAccount(); a.ChecksReserved != 0 || a.ChecksDone != 5 {
		t.Errorf("%d checks are reserved and %d done", a.ChecksReserved, a.ChecksDone)
	}
	w.CheckInvariants()
}

// TestAnUploadCanBeRepeated: a job that died is started again with the same build.
func TestAnUploadCanBeRepeated(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 0, inventory.GroupChange{})
	first := w.BeginUpload(g, vcd.QueuePre, "4711", 1)
	w.Send(first.Batch, "home", "home")
	again := w.BeginUpload(g, vcd.QueuePre, "4711", 1)
	if again.Batch != first.Batch || !again.Open {
		t.Fatalf("the same build is %+v", again)
	}
	if w.Send(again.Batch, "home", "home") {
		t.Error("a screenshot was added twice")
	}
	_, err := w.Service.Runs.Upload(t.Context(), w.Actor, again.Batch, run.UploadedInput{Name: "home", Device: vcd.Desktop},
		run.Uploaded{Picture: w.Picture("other")})
	wantCode(t, err, vcd.CodeConflict)
	if !w.Send(again.Batch, "cart", "cart") {
		t.Error("a new screenshot was not added")
	}
	w.FinishUpload(again.Batch, 1)
	w.FinishUpload(again.Batch, 1)
	if over := w.BeginUpload(g, vcd.QueuePre, "4711", 1); over.Batch != first.Batch || over.Open {
		t.Errorf("the build afterwards: %+v", over)
	}
	late := run.UploadedInput{Name: "late", Device: vcd.Desktop}
	_, err = w.Service.Runs.Upload(t.Context(), w.Actor, first.Batch, late, run.Uploaded{Picture: w.Picture("late")})
	wantCode(t, err, vcd.CodeConflict)
	if b := w.Batch(first.Batch); b.FinishedAt == nil || b.Counts.Done != 2 {
		t.Errorf("the batch: %+v", b)
	}
	if post := w.BeginUpload(g, vcd.QueuePost, "4711", 1); post.Batch == first.Batch {
		t.Error("screenshots before and after a change share a batch")
	}
	w.CheckInvariants()
}

func TestAnUploadWaitsForAllItsShards(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 0, inventory.GroupChange{})
	w.upload(g, vcd.QueuePre, "1", map[string]string{"a": "a"})
	w.Clock.Advance(time.Minute)
	batch := w.BeginUpload(g, vcd.QueuePost, "2", 2).Batch
	w.Send(batch, "a", "a")
	for _, entry := range w.Jobs("compare") {
		w.CompareByHash(entry)
	}
	if second := w.FinishUpload(batch, 2); !second.Open {
		t.Error("the upload is over before its first shard")
	}
	if b := w.Batch(batch); b.FinishedAt != nil || b.Counts != (vcd.StatusCounts{Done: 2}) {
		t.Errorf("the batch between its shards: %+v", b)
	}
	w.CheckInvariants()
	if first := w.FinishUpload(batch, 1); first.Open || fmt.Sprint(first.Finished) != "[1 2]" {
		t.Errorf("the upload in the end: %+v", first)
	}
	if b := w.Batch(batch); b.FinishedAt == nil {
		t.Errorf("the batch in the end: %+v", b)
	}
	_, err := w.Service.Runs.FinishUpload(t.Context(), w.Actor, batch, 3)
	wantCode(t, err, vcd.CodeInvalid)
	three := 3
	build := "2"
	_, err = w.Service.Runs.BeginUpload(t.Context(), w.Actor, run.UploadInput{
		GroupID: string(g.ID), Type: vcd.QueuePost, Build: &build, Shards: &three,
	})
	wantCode(t, err, vcd.CodeInvalid)
	w.CheckInvariants()
}

func TestAnAbandonedUploadEnds(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 0, inventory.GroupChange{})
	left, empty := w.BeginUpload(g, vcd.QueuePre, "1", 1).Batch, w.BeginUpload(g, vcd.QueuePre, "2", 1).Batch
	w.Clock.Advance(59 * time.Minute)
	w.Send(left, "home", "home")
	w.Clock.Advance(2 * time.Minute)
	must(t, w.Service.Runs.EndStaleUploads(t.Context(), 10))
	if b := w.Batch(empty); b.FinishedAt == nil || b.CancelledAt == nil {
		t.Errorf("an upload that nobody filled goes on: %+v", b)
	}
	if b := w.Batch(left); b.FinishedAt != nil {
		t.Errorf("an upload was ended two minutes after its last screenshot: %+v", b)
	}
	w.Clock.Advance(time.Hour)
	must(t, w.Service.Runs.EndStaleUploads(t.Context(), 10))
	if b := w.Batch(left); b.FinishedAt == nil || b.CancelledAt == nil || b.Counts != (vcd.StatusCounts{Done: 1}) {
		t.Errorf("an abandoned upload: %+v", b)
	}
	build := "1"
	_, err := w.Service.Runs.BeginUpload(t.Context(), w.Actor, run.UploadInput{GroupID: string(g.ID), Type: vcd.QueuePre, Build: &build})
	wantCode(t, err, vcd.CodeConflict)
	w.CheckInvariants()
}

func TestACancelledUploadTakesNoMore(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 0, inventory.GroupChange{})
	w.upload(g, vcd.QueuePre, "1", map[string]string{"a": "a"})
	w.Clock.Advance(time.Minute)
	batch := w.BeginUpload(g, vcd.QueuePost, "2", 1).Batch
	w.Send(batch, "a", "b")
	b, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	if b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 1, Failed: 1}) {
		t.Errorf("the batch: %+v", b)
	}
	_, err = w.Service.Runs.Upload(t.Context(), w.Actor, batch, run.UploadedInput{Name: "b", Device: vcd.Desktop},
		run.Uploaded{Picture: w.Picture("b")})
	wantCode(t, err, vcd.CodeConflict)
	w.CheckInvariants()
}

func TestUploadsAreRefusedWithAReason(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	watched, _ := w.Group("watched", 1, inventory.GroupChange{Monitoring: vcd.Some(true)})
	off, _ := w.Group("off", 1, inventory.GroupChange{Enabled: vcd.Some(false)})
	ctx, runs := t.Context(), w.Service.Runs
	two := 2
	for name, in := range map[string]run.UploadInput{
		"no group":         {GroupID: "nonsense", Type: vcd.QueuePre},
		"unknown group":    {GroupID: string(vcd.RandomIDs{}.NewID()), Type: vcd.QueuePre},
		"monitoring group": {GroupID: string(watched.ID), Type: vcd.QueuePre},
		"disabled group":   {GroupID: string(off.ID), Type: vcd.QueuePre},
		"kind":             {GroupID: string(g.ID), Type: vcd.QueueAuto},
		"empty build":      {GroupID: string(g.ID), Type: vcd.QueuePre, Build: new(string)},
		"shards, no build": {GroupID: string(g.ID), Type: vcd.QueuePre, Shards: &two},
	} {
		if _, err := runs.BeginUpload(ctx, w.Actor, in); vcd.CodeOf(err) != vcd.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	captured := w.Take(vcd.QueuePre, g).Batches[0].ID
	_, err := runs.FinishUpload(ctx, w.Actor, captured, 1)
	wantCode(t, err, vcd.CodeNotFound)
	in := run.UploadedInput{Name: "home", Device: vcd.Desktop}
	_, err = runs.Upload(ctx, w.Actor, captured, in, run.Uploaded{Picture: w.Picture("home")})
	wantCode(t, err, vcd.CodeNotFound)
	batch := w.BeginUpload(g, vcd.QueuePre, "1", 1).Batch
	stranger := vcd.Actor{Account: w.NewAccount("eve@example.com", 0).ID}
	_, err = runs.Upload(ctx, stranger, batch, in, run.Uploaded{Picture: w.Picture("home")})
	wantCode(t, err, vcd.CodeNotFound)
	wantCode(t, runs.CheckUpload(ctx, stranger, batch, in), vcd.CodeNotFound)
	wantCode(t, runs.CheckUpload(ctx, w.Actor, batch, run.UploadedInput{Name: "a//b", Device: vcd.Desktop}), vcd.CodeInvalid)
	wantCode(t, runs.CheckUpload(ctx, w.Actor, batch, run.UploadedInput{Name: "a", Device: "watch"}), vcd.CodeInvalid)
	w.CheckInvariants()
}

func TestAnUploadNeedsChecks(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 0, inventory.GroupChange{})
	poor := w.NewAccount("poor@example.com", 1)
	w.Actor = vcd.Actor{Account: poor.ID}
	g, err := w.Service.Inventory.CreateGroup(t.Context(), w.Actor, inventory.GroupChange{Name: vcd.Some(g.Name)})
	must(t, err)
	batch := w.BeginUpload(g, vcd.QueuePre, "1", 1).Batch
	w.Send(batch, "one", "one")
	_, err = w.Service.Runs.Upload(t.Context(), w.Actor, batch, run.UploadedInput{Name: "two", Device: vcd.Desktop},
		run.Uploaded{Picture: w.Picture("two")})
	wantCode(t, err, vcd.CodeChecksExhausted)
	w.CheckInvariants()
}

// TestAnUploadedPageIsNeverCaptured: its address leads nowhere.
func TestAnUploadedPageIsNeverCaptured(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("shop", 1, inventory.GroupChange{})
	w.upload(g, vcd.QueuePre, "1", map[string]string{"checkout/step 2": "green"})
	ctx, inv := t.Context(), w.Service.Inventory
	for _, device := range vcd.Devices {
		if _, err := inv.SelectAll(ctx, w.Actor, g.ID, device, true); err != nil {
			t.Error(err)
		}
	}
	if taken := w.Take(vcd.QueuePre, g); taken.Screenshots != 2 {
		t.Errorf("%d screenshots are taken of one URL", taken.Screenshots)
	}
	list, err := inv.URLs(ctx, w.Actor, vcd.URLFilter{Search: vcdtest.Pointer("upload:///")}, vcd.Page{Size: 10})
	must(t, err)
	page := list.Items[0]
	if len(list.Items) != 1 || page.Address != "upload:///checkout/step%202" || page.HTMLTitle != "checkout/step 2" ||
		page.Domain() != "" || page.Href() != page.Address {
		t.Errorf("the page is %+v", page)
	}
	on := inventory.SelectionChange{URLID: string(page.ID), Desktop: vcd.Some(true)}
	_, err = inv.UpdateSelection(ctx, w.Actor, g.ID, page.ID, on)
	wantCode(t, err, vcd.CodeInvalid)
	_, err = inv.ChangeURLs(ctx, w.Actor, g.ID, []inventory.SelectionChange{on})
	wantCode(t, err, vcd.CodeInvalid)
	other, _ := w.Group("other", 0, inventory.GroupChange{})
	if n, err := inv.AddURLs(ctx, w.Actor, other.ID, []inventory.SelectionChange{{URLID: string(page.ID)}}); n != 1 || err != nil {
		t.Errorf("added %d, %v", n, err)
	}
	_, err = inv.UpdateURL(ctx, w.Actor, page.ID, inventory.URLChange{URL: vcd.Some("https://example.com")})
	wantCode(t, err, vcd.CodeInvalid)
	_, err = inv.UpdateURL(ctx, w.Actor, urls[0].ID, inventory.URLChange{URL: vcd.Some("upload:///checkout/step%202")})
	wantCode(t, err, vcd.CodeInvalid)
	regions, err := w.DB.UnsettledRegions(ctx, 10)
	must(t, err)
	for _, r := range regions {
		if vcd.IsUploaded(r.Address) {
			t.Errorf("the location of %s is looked up", r.Address)
		}
	}
	w.CheckInvariants()
}
