package jobs_test

import (
	"context"
	"errors"
	"image/color"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/flow"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// walker is a Walker without a browser. Each step passes but the one with the label that breaks.
type walker struct {
	mu     sync.Mutex
	walks  []capture.WalkRequest
	breaks string
	fails  error // before the first step
	look   color.Color
	kept   *capture.Session // after a sign-in flow
	after  func(step int)   // is called when a step is over, and told; nil for nothing
}

func (w *walker) Walk(ctx context.Context, r capture.WalkRequest) (*capture.Walked, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.walks = append(w.walks, r)
	if w.fails != nil {
		return nil, w.fails
	}
	walked := &capture.Walked{}
	state := capture.StepPassed
	for i := range r.Flow.Steps {
		s := &r.Flow.Steps[i]
		if s.Changes && state == capture.StepPassed {
			if err := r.Begins(i + 1); err != nil {
				return walked, err
			}
		}
		step := capture.WalkedStep{Number: i + 1, Kind: s.Kind, Label: s.Label, Does: s.Does(), State: state}
		if state == capture.StepPassed && s.Label == w.breaks && w.breaks != "" {
			step.State, step.Sentence, state = capture.StepFailed, "Button “Buy” was not found.", capture.StepSkipped
			step.Picture = shot(color.Black).PNG
		}
		if s.Kind == flow.Checkpoint && step.State == capture.StepPassed {
			step.Shot = shot(w.look)
			step.Shot.FinalURL = r.Flow.Start
		}
		if r.Looks != nil && step.State != capture.StepSkipped {
			if err := r.Looks(i+1, shot(color.RGBA{R: uint8(i), A: 255}).PNG); err != nil {
				return walked, err
			}
		}
		walked.Steps = append(walked.Steps, step)
		r.Told(step)
		if r.Keep {
			walked.Session = w.kept
		}
		if w.after != nil {
			w.after(i + 1)
		}
		if ctx.Err() != nil {
			return walked, &capture.Failure{Reason: capture.ReasonBrowser, Err: ctx.Err()}
		}
	}
	return walked, nil
}

func (w *walker) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

func (w *walker) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.walks)
}

// flowWorld is a website whose group of manual checks has a flow with two checkpoints.
func flowWorld(t *testing.T) (w *world, browser *walker, group vcd.ID, f *vcd.Flow) {
	t.Helper()
	browser = &walker{look: color.White}
	w = newWorldWith(t, nil, func(c *jobs.Config) { c.Walker = browser })
	f, group = w.flowOfShop(t, inventory.FlowChange{})
	return w, browser, group, f
}

// flowOfShop makes a website with a flow with two checkpoints, and returns its group of manual checks.
func (w *world) flowOfShop(t *testing.T, change inventory.FlowChange) (f *vcd.Flow, group vcd.ID) {
	t.Helper()
	manual, err := w.service.Inventory.CreateGroup(t.Context(), w.actor, inventory.GroupChange{Name: vcd.Some("manual")})
	must(t, err)
	auto, err := w.service.Inventory.CreateGroup(t.Context(), w.actor, inventory.GroupChange{Name: vcd.Some("auto"),
		Monitoring: vcd.Some(true)})
	must(t, err)
	site, err := w.service.Inventory.CreateWebsite(t.Context(), w.actor, inventory.WebsiteChange{Domain: vcd.Some("shop.example.com"),
		ManualGroupID: vcd.Some(string(manual.ID)), AutoGroupID: vcd.Some(string(auto.ID))})
	must(t, err)
	change.WebsiteID, change.Name, change.URL = vcd.Some(string(site.ID)), vcd.Some("Checkout"), vcd.Some("https://shop.example.com/")
	change.Steps = vcd.Some([]inventory.FlowStepChange{
		{Type: "fill", Selector: vcd.Some("label=Password"), Value: vcd.Some("correct horse"), Sensitive: vcd.Some(true)},
		{Type: "checkpoint", Label: vcd.Some("Signed in")},
		{Type: "click", Label: vcd.Some("Buy"), Selector: vcd.Some("#buy")},
		{Type: "checkpoint", Label: vcd.Some("Basket")},
	})
	f, err = w.service.Inventory.CreateFlow(t.Context(), w.actor, change)
	must(t, err)
	return f, manual.ID
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// statuses are the statuses of entries by the names of their checkpoints.
func statuses(entries []*vcd.QueueEntry) map[string]string {
	found := map[string]string{}
	for _, e := range entries {
		_, name := vcd.CheckpointNames(e.URLAddress)
		if e.Type == vcd.QueueCompare {
			name = "compare " + name
		}
		found[name] = strings.TrimSpace(string(e.Status) + " " + e.ErrorMsg)
	}
	return found
}

func wantStatuses(t *testing.T, entries []*vcd.QueueEntry, want map[string]string) {
	t.Helper()
	got := statuses(entries)
	for name, status := range want {
		if got[name] != status {
			t.Errorf("%s is %q, want %q", name, got[name], status)
		}
	}
	if len(got) != len(want) {
		t.Errorf("the entries are %v", got)
	}
}

// All checkpoints of a flow are captured by one walk, and each is compared with its earlier self.
func TestAFlowRunsOnceForAllItsCheckpoints(t *testing.T) {
	t.Parallel()
	w, browser, group, f := flowWorld(t)
	_, entries := w.run(group, vcd.QueuePre)
	wantStatuses(t, entries, map[string]string{"Signed in": "done", "Basket": "done"})
	browser.set(func() { browser.look = color.Black })
	batch, entries := w.run(group, vcd.QueuePost)
	wantStatuses(t, entries, map[string]string{
		"Signed in": "done", "Basket": "done", "compare Signed in": "done", "compare Basket": "done",
	})
	if browser.count() != 2 {
		t.Errorf("the flow was walked %d times in two runs", browser.count())
	}
	if got := browser.walks[1]; len(got.Secrets) != 1 || got.Flow.Start != "https://shop.example.com/" {
		t.Errorf("the flow was walked with %+v", got)
	}
	runs, err := w.service.Inventory.FlowRuns(t.Context(), w.actor, f.ID, vcd.FlowRunFilter{}, vcd.Page{Size: 10})
	must(t, err)
	last := runs.Items[0]
	if len(runs.Items) != 2 || last.BatchID != batch || last.Status != vcd.QueueDone || !last.Compared || len(last.Steps) != 4 {
		t.Errorf("the last of %d runs is %+v", len(runs.Items), last)
	}
	checkpoint := *last.Steps[3].Entry
	found, err := w.service.Inventory.FlowRunCheckpoints(t.Context(), w.actor, []vcd.ID{checkpoint})
	must(t, err)
	if c := found[checkpoint]; c.Status != vcd.QueueDone || c.Screenshot == nil || c.Comparison == nil || c.Baseline {
		t.Errorf("the checkpoint is %+v", c)
	}
	w.checkInvariants()
}

// While a flow goes on, its steps that have ended can be read, and each time there are new ones that is an event.
func TestAFlowIsFollowedStepByStep(t *testing.T) {
	t.Parallel()
	w, browser, group, f := flowWorld(t)
	seen := make(chan struct{})
	browser.set(func() {
		browser.after = func(step int) {
			if step == 2 {
				<-seen
			}
		}
	})
	last, err := w.service.Outbound.LastEvent(t.Context(), w.actor)
	must(t, err)
	taken, err := w.service.Runs.TakeScreenshots(t.Context(), w.actor, run.TakeInput{GroupIDs: []string{string(group)}, Type: vcd.QueuePre,
		Source: vcd.SourceManual})
	must(t, err)
	batch := taken.Batches[0].ID
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	events, err := w.service.Outbound.Stream(ctx, w.actor, &last, &batch)
	must(t, err)
	followed := 0
	for e := range events {
		if e.Kind != vcd.EventFlowRunUpdated || followed == 2 {
			continue
		}
		r, err := w.service.Inventory.FlowRun(t.Context(), w.actor, e.SubjectID)
		must(t, err)
		if r.FlowID != f.ID || r.Status != vcd.QueueProcessing || len(r.Steps) == 0 || r.Steps[0].Status != vcd.StepPassed {
			t.Errorf("while the flow goes on its run is %+v", r)
		}
		if followed = len(r.Steps); followed == 2 {
			if checkpoint := r.Steps[1]; checkpoint.Label != "Signed in" || checkpoint.Entry == nil {
				t.Errorf("the checkpoint is %+v", checkpoint)
			}
			close(seen)
		}
	}
	if followed != 2 {
		t.Fatalf("%d steps were told while the flow went on, want 2", followed)
	}
	runs, err := w.service.Inventory.LastFlowRuns(t.Context(), w.actor, []vcd.ID{f.ID})
	must(t, err)
	if r := runs[f.ID]; r.Status != vcd.QueueDone || len(r.Steps) != 4 {
		t.Errorf("the run ended as %+v", r)
	}
	w.checkInvariants()
}

// A step that fails fails the checkpoints after it only, says which step it was, and is not tried again until somebody asks for it.
func TestAStepThatFails(t *testing.T) {
	t.Parallel()
	w, browser, group, f := flowWorld(t)
	browser.set(func() { browser.breaks = "Buy" })
	_, err := w.service.Inventory.UpdateGroup(t.Context(), w.actor, group, inventory.GroupChange{
		AlertEmails: vcd.Some([]string{"team@example.com"})})
	must(t, err)
	hook := newReceiver(t, always(204))
	w.hook(vcd.EventFlowFailed, hook.URL)
	batch, entries := w.run(group, vcd.QueuePre)
	wantStatuses(t, entries, map[string]string{
		"Signed in": "done", "Basket": "failed Step 3 of the flow (click #buy) failed: Button “Buy” was not found.",
	})
	run, err := w.service.Inventory.LastFlowRuns(t.Context(), w.actor, []vcd.ID{f.ID})
	must(t, err)
	if r := run[f.ID]; r.Status != vcd.QueueFailed || r.Steps[2].Error == "" || r.Steps[3].Status != vcd.StepSkipped {
		t.Errorf("the run is %+v", r)
	}
	if told := hook.next(t); told.Event != "flow_failed" || told.Data.ID != run[f.ID].ID {
		t.Errorf("told of %+v", told)
	}
	letter := w.mailbox.next(t)
	for _, words := range []string{"Flow “Checkout” (desktop)", "Step 3 of the flow (click #buy) failed: Button “Buy” was not found."} {
		if strings.Count(letter.Text, words) != 1 {
			t.Errorf("%q is not in the mail once: %s", words, letter.Text)
		}
	}
	if !strings.HasPrefix(letter.Subject, "1 failed flow and 1 failed screenshot: ") {
		t.Errorf("the subject is %q", letter.Subject)
	}
	token := run[f.ID].Image.Token
	if _, err := w.db.ImageByToken(t.Context(), token); err != nil {
		t.Errorf("the picture of the window at the failed step: %v", err)
	}
	if browser.count() != 1 {
		t.Errorf("the flow was walked %d times", browser.count())
	}
	w.checkInvariants()

	browser.set(func() { browser.breaks = "" })
	last, err := w.service.Outbound.LastEvent(t.Context(), w.actor)
	must(t, err)
	retried, err := w.service.Runs.RetryFailed(t.Context(), w.actor, batch, false)
	must(t, err)
	if retried.Entries != 1 {
		t.Errorf("%d entries are retried", retried.Entries)
	}
	wantStatuses(t, w.awaitEnd(batch, last), map[string]string{"Signed in": "done", "Basket": "done"})
	if img, err := w.db.ImageByToken(t.Context(), token); vcd.CodeOf(err) != vcd.CodeNotFound {
		t.Errorf("the picture of a failure that is over: %+v, %v", img, err)
	}
	w.checkInvariants()
}

// A flow whose first page cannot be reached is tried again, and then fails with all its checkpoints.
func TestAFlowThatCannotBegin(t *testing.T) {
	t.Parallel()
	w, browser, group, f := flowWorld(t)
	browser.set(func() {
		browser.fails = &capture.Failure{Reason: capture.ReasonDNS, Stage: "goto", Err: errors.New("no such host")}
	})
	_, entries := w.run(group, vcd.QueuePre)
	for name, status := range statuses(entries) {
		if !strings.HasPrefix(status, "failed ") {
			t.Errorf("%s is %s", name, status)
		}
	}
	run, err := w.service.Inventory.LastFlowRuns(t.Context(), w.actor, []vcd.ID{f.ID})
	must(t, err)
	if r := run[f.ID]; len(entries) != 2 || r.Status != vcd.QueueFailed || r.Error == "" {
		t.Errorf("of %d entries the run is %+v", len(entries), r)
	}
	w.checkInvariants()
}
