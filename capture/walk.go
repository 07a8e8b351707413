package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/flow"
	"afterimage/internal/page"
)

// WalkRequest specifies the walk of a flow.
type WalkRequest struct {
	Flow *flow.Flow
	// Request is how pages are captured. The flow has the address and the deadline; nothing is shared with other captures.
	Request Request
	Secrets map[string]Secret // by the names in the flow
	Told    func(WalkedStep)  // is called with each step when it has ended; may be nil
	// Begins is asked before a step that changes something begins, counted from 1. Its error ends the flow and is returned, within a
	// Failure; the step is not carried out. Nil for nobody.
	Begins func(step int) error
	// Looks gets a picture of the window, a PNG file, before each step and after the last one that was done, with how many steps were
	// done by then. What is a secret is covered. Its error ends the flow as that of Begins does. Nil for nobody.
	Looks func(stepsDone int, picture []byte) error
	// Keep asks for what the browser keeps of the visit when all steps have passed.
	Keep bool
}

// StepState is what became of a step.
type StepState string

// The states.
const (
	StepPassed  StepState = "passed"
	StepFailed  StepState = "failed"
	StepSkipped StepState = "skipped" // after one that failed
)

// WalkedStep is a step with its result. None of its texts has a secret in it.
type WalkedStep struct {
	Number   int // from 1
	Kind     flow.Kind
	Label    string
	Does     string // as flow.Step.Does says it
	State    StepState
	Took     time.Duration
	Sentence string   // why it failed
	Notes    []string // what else happened: dialogs, windows that were not opened
	Actual   string   // what an assertion found
	Reason   Reason   // of a page that could not be captured; "" for other failures
	Shot     *Shot    // of a checkpoint that passed
	Picture  []byte   // a PNG file of the window when the step failed; nil if there is none
}

// Walked is what became of a flow.
type Walked struct {
	Steps   []WalkedStep
	Session *Session // see WalkRequest.Keep
}

// Failed is the step that failed; nil if all passed.
func (w *Walked) Failed() *WalkedStep {
	for i := range w.Steps {
		if w.Steps[i].State == StepFailed {
			return &w.Steps[i]
		}
	}
	return nil
}

const (
	quietTime   = 300 * time.Millisecond // of the page's own time, before and after each step
	firstPause  = 100 * time.Millisecond // between two looks at a page, likewise; they grow up to the next
	lastPause   = time.Second
	inputBudget = 5 * time.Second // for the page to take an input
	pictureTime = 5 * time.Second
)

// walk is a flow in progress.
type walk struct {
	*run
	all     context.Context // of the whole flow; that of run is the step's
	flow    *flow.Flow
	step    *flow.Step
	vault   *vault
	hidden  []string      // selectors, for the pictures that follow
	arrived page.Manifest // of the present document, up to the first step on it
	seen    string        // address that has been scrolled through
	notes   []string      // of the step
	follows bool          // another step comes after this one
	failing *stepFailure  // what keeps the step from being done at present
	found   string        // by the assertion of the step, at its last look
	keeper  *keeper       // nil unless the session is to be kept
}

// stepFailure says why a step cannot be done.
type stepFailure struct{ sentence string }

func (f *stepFailure) Error() string { return f.sentence }

func unable(format string, args ...any) *stepFailure {
	return &stepFailure{fmt.Sprintf(format, args...)}
}

// Walk carries out the steps of a flow in a fresh tab, which must be disposed of afterwards. A step that fails is no error: the steps
// after it are skipped. The error is a *[Failure] if the flow could not begin, or the browser failed; the steps carried out until then are
// returned with it.
func Walk(ctx context.Context, tab Tab, req WalkRequest) (*Walked, error) {
	request := req.Request
	request.URL, request.Deadline, request.Shared, request.LeaveRefused = req.Flow.Start, req.Flow.Limit(), nil, false
	vault, err := newVault(&req)
	if err != nil {
		return nil, &Failure{Reason: ReasonInvalidAddress, Stage: "guard", Err: err}
	}
	r, end := begin(ctx, tab, request)
	defer end()
	w := &walk{run: r, all: r.ctx, flow: req.Flow, vault: vault, hidden: slices.Clone(request.Hide)}
	w.run.veil = w.cover
	if req.Keep {
		w.keeper = newKeeper()
	}
	if failure := w.open(); failure != nil {
		return nil, w.secretless(failure)
	}
	return w.steps(&req)
}

func newVault(req *WalkRequest) (*vault, error) {
	if err := req.Flow.Check(); err != nil {
		return nil, err
	}
	v := &vault{secrets: req.Secrets, hosts: make(map[string][]string), safe: strings.HasPrefix(strings.ToLower(req.Flow.Start), "https:")}
	for _, name := range req.Flow.Needed() {
		secret, ok := req.Secrets[name]
		if !ok || secret.text == "" {
			return nil, fmt.Errorf("the flow needs the secret %s, which was not given", name)
		}
		v.hosts[name] = req.Flow.HostsOf(name)
		v.add(name, secret.text)
	}
	return v, nil
}

// secretless is a failure whose cause names no secret.
func (w *walk) secretless(f *Failure) *Failure {
	hidden := *f
	if f.Err != nil {
		hidden.Err = errors.New(w.vault.hide(f.Err.Error()))
	}
	return &hidden
}

// open goes to the first page.
func (w *walk) open() *Failure {
	for _, s := range append(stagesOf("guard", "context"), stage{"context", (*run).prepareFlow}, stagesOf("goto")[0]) {
		begun := w.clock.Now()
		if err := s.do(w.run); err != nil {
			return w.explain(err, s.name)
		}
		w.time(s.name, w.clock.Now().Sub(begun))
	}
	if err := w.ready(); err != nil {
		return w.explain(err, "load")
	}
	return nil
}

// prepareFlow adds what only pages of flows have.
func (r *run) prepareFlow() error {
	return r.tab.callAll(
		proto.PageAddScriptToEvaluateOnNewDocument{Source: flowScript + ";afterimage.listen('" + r.token + "');", WorldName: worldName},
		proto.PageAddScriptToEvaluateOnNewDocument{Source: strings.ReplaceAll(windowsScript, "TOKEN", r.token)},
	)
}

// steps does all steps.
func (w *walk) steps(req *WalkRequest) (*Walked, error) {
	walked := &Walked{Steps: make([]WalkedStep, 0, len(w.flow.Steps))}
	if err := w.look(req, 0); err != nil {
		return walked, err
	}
	var broken *Failure
	for i := range w.flow.Steps {
		w.step, w.follows = &w.flow.Steps[i], i+1 < len(w.flow.Steps)
		done := WalkedStep{Number: i + 1, Kind: w.step.Kind, Label: w.step.Label, Does: w.step.Does(), State: StepSkipped}
		if walked.Failed() == nil {
			if err := w.mayBegin(req, i); err != nil {
				return walked, err
			}
			if broken = w.do(&done); broken == nil {
				if err := w.lookAfter(req, &done); err != nil {
					return walked, err
				}
			}
		}
		w.vault.hideAll(&done)
		walked.Steps = append(walked.Steps, done)
		if req.Told != nil {
			req.Told(done)
		}
	}
	if broken != nil {
		return walked, broken
	}
	if w.keeper != nil && walked.Failed() == nil {
		return walked, w.keepSession(walked)
	}
	return walked, nil
}

// mayBegin asks whether a step that changes something may begin.
func (w *walk) mayBegin(req *WalkRequest, i int) error {
	if req.Begins == nil || !w.step.Changes {
		return nil
	}
	if err := req.Begins(i + 1); err != nil {
		return &Failure{Reason: ReasonBrowser, Stage: string(w.step.Kind), Err: err}
	}
	return nil
}

// do does the present step. A failure that is not the page's is returned.
func (w *walk) do(done *WalkedStep) *Failure {
	begun := w.clock.Now()
	w.notes, w.failing, w.found = nil, nil, ""
	end := w.within(w.patience())
	w.answerDialogs(w.step.Dialogs)
	var err error
	if w.moved() {
		err = w.ready()
	}
	if err == nil {
		done.Shot, err = w.act()
	}
	w.collect()
	w.keepStorage()
	ended := context.Cause(w.ctx)
	end()
	done.Took, done.Notes, done.Actual, done.State = w.clock.Now().Sub(begun), w.notes, w.found, StepPassed
	if err == nil {
		return nil
	}
	done.State, done.Shot = StepFailed, nil
	var broken *Failure
	done.Sentence, done.Reason, broken = w.say(err, ended)
	if broken == nil {
		done.Picture = w.present()
	}
	return broken
}

// patience is how long the step may take. A picture has as long as other captures, unless the flow says otherwise.
func (w *walk) patience() time.Duration {
	if w.step.Kind == flow.Checkpoint && w.step.Deadline == 0 {
		return max(DefaultDeadline, w.step.Patience())
	}
	return w.step.Patience()
}

// within limits what follows.
func (w *walk) within(limit time.Duration) (end func()) {
	ctx, abort := context.WithCancelCause(w.all)
	d := newDeadline(limit, abort)
	w.ctx, w.tab.ctx, w.deadline = ctx, ctx, d
	return func() {
		d.stop()
		abort(nil)
		w.ctx, w.tab.ctx = w.all, w.all
	}
}

// say tells why a step failed: in a sentence, by the reason of a capture if it is one, and as a failure of its own if the page has
// nothing to do with it.
func (w *walk) say(err, ended error) (sentence string, reason Reason, broken *Failure) {
	if cause := context.Cause(w.all); cause != nil {
		failure := asFailure(cause, string(w.step.Kind))
		if errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) {
			failure = &Failure{Reason: ReasonBrowser, Stage: string(w.step.Kind), Err: cause}
		}
		if failure.Reason == ReasonTimeout {
			return fmt.Sprintf("The flow did not finish within its deadline of %s.", w.flow.Limit()), ReasonTimeout, nil
		}
		return w.failed(failure)
	}
	var cannot *stepFailure
	if errors.As(err, &cannot) {
		return capital(cannot.sentence), "", nil
	}
	if ended != nil {
		if w.failing != nil {
			return capital(w.failing.sentence), ReasonTimeout, nil
		}
		return fmt.Sprintf("The step did not finish within %s.", w.patience()), ReasonTimeout, nil
	}
	return w.failed(w.explain(err, string(w.step.Kind)))
}

func (w *walk) failed(failure *Failure) (sentence string, reason Reason, broken *Failure) {
	if failure.Reason == ReasonBrowser {
		broken = w.secretless(failure)
	}
	return failure.Sentence(), failure.Reason, broken
}

// ready brings the page to rest: a document that is new to us as at the beginning of a capture.
func (w *walk) ready() error {
	for range maxMoves {
		err := w.calm
		if w.since != w.events.current().count {
			err = w.arrive
		}
		switch err := err(); {
		case err == nil && !w.moved():
			return nil
		case err != nil && !errors.Is(err, errMoved):
			return err
		}
		if !w.moved() { // it is about to
			if _, err := w.clock.Wait(w.ctx, nil, firstPause); err != nil {
				return err
			}
		}
	}
	return &Failure{Reason: ReasonRedirectLoop, Err: errMoved}
}

// stagesOf are stages of ordinary captures.
func stagesOf(names ...string) []stage {
	var chosen []stage
	for _, name := range names {
		i := slices.IndexFunc(stages, func(s stage) bool { return s.name == name })
		chosen = append(chosen, stages[i])
	}
	return chosen
}

var (
	arriving = stagesOf("load", "status", "rest", "consent", "styles", "scripts")
	looking  = stagesOf("hide", "still")
	keeping  = stagesOf("shot", "elements")
)

// arrive waits for a new document as other captures do.
func (w *walk) arrive() error {
	w.restless, w.unanswered, w.shot = false, false, newShot()
	if clock, ok := w.clock.(Stepper); ok {
		clock.Renew()
	}
	if err := w.through(arriving); err != nil {
		return err
	}
	w.arrived = w.shot.Manifest
	return w.calm()
}

// through does stages up to one in which the page moves on.
func (w *walk) through(list []stage) error {
	for _, s := range list {
		begun := w.clock.Now()
		err := s.do(w.run)
		w.time(s.name, w.clock.Now().Sub(begun))
		if err == nil && s.name != restartStage && w.moved() {
			err = errMoved
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// calm waits until nothing is happening any more.
func (w *walk) calm() error {
	if err := w.waitQuiet(); err != nil {
		return err
	}
	dom := settleBudget
	if w.clock.Virtual() {
		dom = calmTime
		if _, err := w.clock.Wait(w.ctx, nil, quietTime); err != nil {
			return err
		}
	}
	return w.ask("settle", settleBudget, nil, settleBudget.Milliseconds(), dom.Milliseconds())
}

// until looks at the page again and again until look has nothing to complain of, or the patience of the step is over. Time passes for
// the page in between.
func (w *walk) until(look func() error) error {
	pause := firstPause
	for spent := time.Duration(0); ; {
		err := look()
		if errors.Is(err, errMoved) {
			w.failing, err = nil, w.ready()
			if err == nil {
				continue
			}
		}
		var cannot *stepFailure
		if !errors.As(err, &cannot) {
			return err
		}
		w.failing = cannot
		if spent >= w.step.Patience() {
			return cannot
		}
		if _, err := w.clock.Wait(w.ctx, nil, pause); err != nil {
			return err
		}
		spent += pause
		pause = min(2*pause, lastPause)
		if w.moved() {
			if err := w.ready(); err != nil {
				return err
			}
		}
	}
}

// answerDialogs is how dialogs are answered from now on.
func (w *walk) answerDialogs(how flow.Dialogs) {
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	w.events.dialogs, w.events.questions = how, nil
}

// collect notes what happened besides during the step.
func (w *walk) collect() {
	w.events.mu.Lock()
	questions := w.events.questions
	w.events.questions = nil
	if f := w.events.fence; f != nil && f.told != "" {
		w.notes = append(w.notes, f.told)
		f.told = ""
	}
	w.events.mu.Unlock()
	for _, q := range questions {
		answer := "declined"
		switch {
		case q.kind == proto.PageDialogTypeAlert:
			answer = "closed"
		case q.accepted:
			answer = "accepted"
		}
		w.notes = append(w.notes, fmt.Sprintf("The dialog “%s” (%s) was %s.", page.CollapseSpace(q.text), q.kind, answer))
	}
	for _, world := range append([]proto.RuntimeExecutionContextID{w.events.world()}, w.events.otherWorlds()...) {
		var addresses []string
		if world == 0 || w.ctx.Err() != nil || w.askIn(world, "windows", stillBudget, &addresses) != nil {
			continue
		}
		for _, address := range addresses {
			w.notes = append(w.notes, fmt.Sprintf("The page tried to open a window with %s; flows cannot open windows.", address))
		}
	}
}

// askIn calls a function of our script in one frame. result may be nil.
func (r *run) askIn(world proto.RuntimeExecutionContextID, function string, budget time.Duration, result any, args ...any) error {
	answer, err := r.evaluate(call(world, function, args...), budget)
	switch {
	case err != nil:
		return err
	case answer == nil:
		return failed(ReasonTimeout, "the page's scripts keep it from answering")
	case answer.ExceptionDetails != nil:
		return fmt.Errorf("our script in the page: %s", exceptionText(answer.ExceptionDetails))
	case result == nil || answer.Result == nil:
		return nil
	}
	return answer.Result.Value.Unmarshal(result)
}

// worlds are the frames of the page that our script has reached, the main one first.
func (w *walk) worlds() ([]proto.RuntimeExecutionContextID, error) {
	first := w.events.world()
	if first == 0 {
		return nil, errMoved
	}
	return append([]proto.RuntimeExecutionContextID{first}, w.events.otherWorlds()...), nil
}

func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
