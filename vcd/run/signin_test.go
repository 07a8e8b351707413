package run_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// canaryState stands for cookies that must not be told.
const canaryState = `{"cookies":[{"name":"sid","value":"canary-4711"}]}`

// door makes a group with pages at the given paths whose sign-in flow types a password, and returns both.
func (w *world) door(host string, paths ...string) (*vcd.Group, *vcd.Flow) {
	w.T.Helper()
	site, manual, _ := w.Pair(host)
	f, err := w.Service.Inventory.CreateFlow(w.T.Context(), w.Actor, inventory.FlowChange{
		WebsiteID: vcd.Some(string(site.ID)), Name: vcd.Some("Sign in"), URL: vcd.Some(host + "/login"), Manual: vcd.Some(false),
		Steps: vcd.Some([]inventory.FlowStepChange{
			{Type: "fill", Selector: vcd.Some("label=Password"), Value: vcd.Some("canary-password"), Sensitive: vcd.Some(true)},
			{Type: "click", Selector: vcd.Some("#go")},
			{Type: "checkpoint", Label: vcd.Some("Signed in")},
		})})
	must(w.T, err)
	var pages []inventory.SelectionChange
	for _, path := range paths {
		u, err := w.Service.Inventory.CreateURL(w.T.Context(), w.Actor, inventory.URLChange{URL: vcd.Some(host + path)})
		must(w.T, err)
		pages = append(pages, inventory.SelectionChange{URLID: string(u.ID), Desktop: vcd.Some(true), Mobile: vcd.Some(false)})
	}
	_, err = w.Service.Inventory.AddURLs(w.T.Context(), w.Actor, manual.ID, pages)
	must(w.T, err)
	_, err = w.Service.Inventory.UpdateGroup(w.T.Context(), w.Actor, manual.ID,
		inventory.GroupChange{SignInFlowID: vcd.Some(string(f.ID))})
	must(w.T, err)
	return manual, f
}

func (w *world) begin(entry vcd.ID) *run.CaptureTask {
	w.T.Helper()
	task, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
	must(w.T, err)
	return task
}

func (w *world) finishSignIn(entry vcd.ID, r run.SignInResult) {
	w.T.Helper()
	must(w.T, w.Service.Runs.FinishSignIn(w.Working(entry), w.Actor, entry, r))
}

// steps of a sign-in flow, of which the second fails.
var failedSteps = []vcd.FlowRunStep{
	{Type: "fill", Does: "fill field “Password”", Status: vcd.StepPassed},
	{Type: "click", Does: "click #go", Status: vcd.StepFailed, Error: "#go was not found."},
}

// wantFailed checks that an entry has failed for a reason, in a sentence with some words.
func (w *world) wantFailed(entry vcd.ID, reason, words string) {
	w.T.Helper()
	if e := w.Entry(entry); e.Status != vcd.QueueFailed || e.Reason != reason || !strings.Contains(e.ErrorMsg, words) {
		w.T.Errorf("the entry is %s for the reason %q: %s", e.Status, e.Reason, e.ErrorMsg)
	}
}

// One turn signs in while the others wait; then all have what the browser keeps, which is sealed and goes with the end of the batch.
func TestAGroupSignsInOnce(t *testing.T) {
	w := newWorld(t)
	g, _ := w.door("shop.example.com", "/a", "/b", "/c")
	batch := w.Take(vcd.QueuePre, g).Batches[0].ID
	entries := w.Jobs("capture")
	first := w.begin(entries[0])
	if first == nil || first.SignIn == nil || first.SignIn.Secrets["password"] != "canary-password" || first.Session != "" {
		t.Fatalf("the first task is %+v", first)
	}
	for _, e := range entries[1:] {
		if task := w.begin(e); task != nil {
			t.Fatalf("meanwhile there is a task %+v", task)
		}
		if e := w.Entry(e); e.Status != vcd.QueueOpen || !strings.Contains(e.Notice, "sign-in flow") {
			t.Errorf("an entry that waits is %s: %s", e.Status, e.Notice)
		}
	}
	if left := w.Jobs("capture"); len(left) != 1 {
		t.Errorf("%d turns while one signs in", len(left))
	}
	w.CheckInvariants()
	w.finishSignIn(entries[0], run.SignInResult{State: canaryState, Steps: []vcd.FlowRunStep{}})
	for table, text := range map[string]string{
		"page_sessions": "SELECT string_agg((to_jsonb(p) - 'sealed')::text, '') FROM page_sessions AS p",
		"events":        "SELECT coalesce(string_agg(e::text, ''), '') FROM events AS e",
		"queue_entries": "SELECT string_agg(q::text, '') FROM queue_entries AS q",
	} {
		if row := vcdtest.Value[string](w.World, text); strings.Contains(row, "canary") {
			t.Errorf("in %s stands %s", table, row)
		}
	}
	sealed := vcdtest.Value[string](w.World, "SELECT encode(sealed, 'escape') FROM page_sessions")
	if sealed != "page.session:"+canaryState {
		t.Errorf("the session is stored as %s", sealed) // with the sealer of these tests
	}
	again := w.Jobs("capture")
	if len(again) != 3 {
		t.Fatalf("%d turns after the flow, want 3", len(again))
	}
	for _, e := range again {
		if task := w.begin(e); task == nil || task.SignIn != nil || task.Session != canaryState {
			t.Errorf("after the flow the task is %+v", task)
		}
		w.Capture(e, "page")
	}
	if w.Batch(batch).FinishedAt == nil || vcdtest.Value[int](w.World, "SELECT count(*) FROM page_sessions") != 0 {
		t.Error("the batch or its session has not ended")
	}
	w.CheckInvariants()
}

// A flow that fails fails all captures of its group with the step, and a retry runs it again.
func TestASignInThatFails(t *testing.T) {
	w := newWorld(t)
	g, _ := w.door("shop.example.com", "/a", "/b")
	batch := w.Take(vcd.QueuePre, g).Batches[0].ID
	entries := w.Jobs("capture")
	w.begin(entries[0])
	w.begin(entries[1])
	w.finishSignIn(entries[0], run.SignInResult{Steps: failedSteps})
	for _, e := range w.Jobs("capture") {
		if task := w.begin(e); task != nil {
			t.Errorf("after the failure there is a task %+v", task)
		}
		w.wantFailed(e, "sign_in_failed", "Step 2 of the flow (click #go) failed: #go was not found.")
	}
	if w.Batch(batch).FinishedAt == nil {
		t.Error("the batch did not finish")
	}
	_, err := w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, false)
	must(t, err)
	if task := w.begin(w.Jobs("capture")[0]); task == nil || task.SignIn == nil {
		t.Errorf("a retry begins with %+v", task)
	}
	w.CheckInvariants()
}

// A flow that cannot open its first page is tried again, after a pause for all.
func TestASignInThatCannotBegin(t *testing.T) {
	w := newWorld(t)
	g, _ := w.door("shop.example.com", "/a", "/b")
	w.Take(vcd.QueuePre, g)
	entries := w.Jobs("capture")
	for attempt := 1; ; attempt++ {
		now := w.Jobs("capture")
		if task := w.begin(now[0]); task == nil || task.SignIn == nil {
			t.Fatalf("attempt %d begins with %+v", attempt, task)
		}
		w.begin(now[1])
		w.finishSignIn(now[0], run.SignInResult{Failure: "The host was not found.", Retryable: true})
		if attempt == 3 {
			break
		}
		if left := w.Jobs("capture"); len(left) != 0 {
			t.Fatalf("%d turns during the pause", len(left))
		}
		w.Clock.Advance(time.Hour)
	}
	for _, e := range w.Jobs("capture") {
		w.begin(e)
	}
	w.wantFailed(entries[0], "sign_in_failed", "The host was not found.")
	w.wantFailed(entries[1], "sign_in_failed", "The host was not found.")
	w.CheckInvariants()
}

// A flow whose worker dies is begun again in its turn only, and not at all once a step has begun that changes something.
func TestASignInThatIsInterrupted(t *testing.T) {
	w := newWorld(t)
	g, _ := w.door("shop.example.com", "/a", "/b")
	w.Take(vcd.QueuePre, g)
	entries := w.Jobs("capture")
	w.begin(entries[0])
	if task := w.begin(entries[1]); task != nil {
		t.Errorf("another turn has the task %+v", task)
	}
	if task := w.begin(entries[0]); task == nil || task.SignIn == nil {
		t.Errorf("after the interruption the task is %+v", task)
	}
	must(t, w.Service.Runs.BeginSignInChange(t.Context(), w.Actor, entries[0], 2))
	if err := w.Service.Runs.BeginSignInChange(t.Context(), w.Actor, entries[1], 2); !errors.Is(err, run.ErrStopped) {
		t.Errorf("a step in another turn: %v", err)
	}
	if task := w.begin(entries[0]); task != nil {
		t.Errorf("after a change the task is %+v", task)
	}
	w.wantFailed(entries[0], "sign_in_failed", "interrupted after step 2")
	w.begin(w.Jobs("capture")[0])
	w.wantFailed(entries[1], "sign_in_failed", "interrupted after step 2")
	w.CheckInvariants()
}

// If the entry in whose turn the flow ran ends, another one takes over.
func TestAnotherTurnSignsIn(t *testing.T) {
	w := newWorld(t)
	g, _ := w.door("shop.example.com", "/a", "/b")
	w.Take(vcd.QueuePre, g)
	entries := w.Jobs("capture")
	w.begin(entries[0])
	w.begin(entries[1])
	crash := run.CaptureFailure{Reason: "crashed", Sentence: "It crashed."}
	must(t, w.Service.Runs.FailCapture(w.Working(entries[0]), w.Actor, entries[0], crash))
	w.Clock.Advance(10 * time.Minute)
	if task := w.begin(w.Jobs("capture")[0]); task == nil || task.SignIn == nil {
		t.Errorf("then the task is %+v", task)
	}
	w.CheckInvariants()
}

// A session that is lost is renewed once, by one turn, and then the pages fail.
func TestALostSessionIsRenewedOnce(t *testing.T) {
	w := newWorld(t)
	g, _ := w.door("shop.example.com", "/a", "/b")
	w.Take(vcd.QueuePre, g)
	entries := w.Jobs("capture")
	w.begin(entries[0])
	w.begin(entries[1])
	w.finishSignIn(entries[0], run.SignInResult{State: canaryState})
	lost := func(entry vcd.ID, round int) {
		t.Helper()
		handled, err := w.Service.Runs.SignedOut(w.Working(entry), w.Actor, entry, round)
		if must(t, err); !handled {
			t.Error("a lost session is not dealt with")
		}
	}
	both := w.Jobs("capture")
	for _, e := range both {
		if task := w.begin(e); task.SessionRound != 1 {
			t.Errorf("the task has the session of round %d", task.SessionRound)
		}
	}
	lost(both[0], 1)
	lost(both[1], 1)
	again := w.Jobs("capture")
	if task := w.begin(again[0]); task == nil || task.SignIn == nil {
		t.Fatalf("the session is renewed by %+v", task)
	}
	if task := w.begin(again[1]); task != nil {
		t.Fatalf("meanwhile there is a task %+v", task)
	}
	w.finishSignIn(again[0], run.SignInResult{State: "renewed"})
	for _, e := range w.Jobs("capture") {
		if task := w.begin(e); task.SessionRound != 2 || task.Session != "renewed" {
			t.Errorf("then the task is %+v", task)
		}
		lost(e, 2)
		w.wantFailed(e, "signed_out", "also after it was repeated")
	}
	w.CheckInvariants()
}

// A cancelled run stops the flow and leaves no session.
func TestACancelledSignIn(t *testing.T) {
	w := newWorld(t)
	g, _ := w.door("shop.example.com", "/a")
	batch := w.Take(vcd.QueuePre, g).Batches[0].ID
	entry := w.Jobs("capture")[0]
	w.begin(entry)
	_, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	if err := w.Service.Runs.BeginSignInChange(t.Context(), w.Actor, entry, 1); !errors.Is(err, run.ErrStopped) {
		t.Errorf("the next step: %v", err)
	}
	w.finishSignIn(entry, run.SignInResult{State: canaryState})
	w.wantFailed(entry, "cancelled", "")
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM page_sessions"); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
	w.CheckInvariants()
}

// Each group has its own session, old ones go in any case, and pages that sign out are not visited.
func TestSessionsOfSeveralGroups(t *testing.T) {
	w := newWorld(t)
	one, _ := w.door("one.example.com", "/a", "/account/logout")
	two, _ := w.door("two.example.com", "/a")
	w.Take(vcd.QueuePre, one, two)
	signIns := map[vcd.ID]bool{}
	for _, e := range w.Jobs("capture") {
		task := w.begin(e)
		if task == nil {
			w.wantFailed(e, "signs_out", "is not visited")
			continue
		}
		signIns[task.Entry.GroupID] = task.SignIn != nil
		w.finishSignIn(e, run.SignInResult{State: vcd.PageState("of " + task.Entry.GroupID)})
	}
	if len(signIns) != 2 || !signIns[one.ID] || !signIns[two.ID] {
		t.Errorf("signed in: %v", signIns)
	}
	for _, e := range w.Jobs("capture") {
		if task := w.begin(e); task.Session != vcd.PageState("of "+task.Entry.GroupID) {
			t.Error("a session is that of another group")
		}
	}
	w.Clock.Advance(vcd.PageSessionAge + time.Minute)
	must(t, w.Service.Runs.RemoveOld(t.Context(), run.Retention{}))
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM page_sessions"); n != 0 {
		t.Errorf("%d old sessions are left", n)
	}
}
