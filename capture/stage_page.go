package capture

import (
	"context"
	_ "embed" // for the script below
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// pageScript is our script in the page. It runs in an isolated world: it shares the document with the page's scripts
// but none of their variables, so a page that replaces Promise or getAnimations does not affect it.
//
//go:embed page.js
var pageScript string

const worldName = "afterimage"

// pageSize is the result of our script's measurement, in CSS pixels.
type pageSize struct {
	X        int    `json:"x"` // where the page begins, from the window's upper left corner: not positive
	Y        int    `json:"y"`
	ClipX    int    `json:"clipX"` // the same, as the browser counts it
	ClipY    int    `json:"clipY"`
	Left     bool   `json:"left"` // the page grows to the left
	Up       bool   `json:"up"`   // the page grows upwards
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	Aside    int    `json:"aside"` // columns that can be scrolled to and are not among these
	Title    string `json:"title"`
	Elements int    `json:"elements"` // in the document
	Canvases bool   `json:"canvases"` // some are visible
	Embeds   bool   `json:"embeds"`   // videos and frames, likewise
	Decoding bool   `json:"decoding"` // a video is loading its first frame
	Hides    bool   `json:"hides"`    // parts of it are there only while they are on the screen
	Late     bool   `json:"late"`     // parts of it come when they have been on the screen for a while
	leftOut
}

func (s *pageSize) origin() image.Point { return image.Pt(s.X, s.Y) }

const (
	decodePause = 20 * time.Millisecond
	decodeMost  = 100 // pauses
)

func (r *run) images() error { return r.ask("images", scriptBudget, nil) }

// scroll scrolls through the page screen by screen, which loads lazy content.
func (r *run) scroll() error {
	var done bool
	linger, token := time.Duration(0), ""
	if r.clock.Virtual() {
		linger, token = growTime, r.token
	}
	if err := r.ask("scroll", maxScroll, &done,
		scrollBudget.Milliseconds(), maxPainted, MaxHeight, linger.Milliseconds(), token); err != nil {
		return err
	}
	if !done {
		r.gaveUp("scroll")
	}
	return r.turnWheels()
}

// turnWheels looks in the frames that our script has reached for content that only the wheel reveals, where anything listens to it.
func (r *run) turnWheels() error {
	if !r.clock.Virtual() {
		return nil
	}
	worlds := r.events.otherWorlds()
	answers := make([]Answer, len(worlds))
	for i, world := range worlds {
		answers[i] = r.tab.Begin(call(world, "wheels", r.token))
	}
	for i, world := range worlds {
		raw, err := answers[i].Result(r.ctx)
		if err != nil {
			continue // best effort, as in still
		}
		answer, err := decodeAnswer[proto.RuntimeEvaluateResult](proto.RuntimeEvaluate{}, raw)
		if err == nil && answer.Result != nil && answer.Result.Value.Int() > 0 {
			_, err = r.evaluate(call(world, "findWheeledIn", r.token, wheelTime.Milliseconds()), wheelBudget)
		}
		if r.ctx.Err() != nil || errors.Is(err, errMoved) {
			return err
		}
	}
	return r.ctx.Err()
}

// scripts run in the page's own world, as if the page contained them. An exception is reported in the console, as for
// the page's own scripts, and the next script runs.
func (r *run) scripts() error {
	for _, script := range r.req.Scripts {
		answer, err := r.evaluate(proto.RuntimeEvaluate{Expression: script, AwaitPromise: true, UserGesture: true}, scriptBudget)
		switch {
		case err != nil:
			return err
		case answer == nil:
			r.gaveUp("script")
		case answer.ExceptionDetails != nil:
			r.note("error", "injected script: "+exceptionText(answer.ExceptionDetails))
		}
	}
	return nil
}

func (r *run) note(kind, text string) {
	r.events.mu.Lock()
	defer r.events.mu.Unlock()
	r.events.console.add(kind, text, "")
}

// readiness is what our script found at the readiness gate.
type readiness struct {
	Waited  []string `json:"waited"`
	Unready []string `json:"unready"`
}

// settle is the readiness gate: it records what it waited for, and which waits timed out. It checks the network again
// because scrolling and scripts start requests.
func (r *run) settle() error {
	if !r.events.isQuiet() && !r.restless {
		r.waitedFor("network")
	}
	if err := r.waitQuiet(); err != nil {
		return err
	}
	domBudget := settleBudget
	if r.clock.Virtual() {
		domBudget = calmTime
		if _, err := r.clock.Wait(r.ctx, nil, calmTime); err != nil {
			return err
		}
	}
	var found readiness
	if err := r.ask("settle", settleBudget, &found, settleBudget.Milliseconds(), domBudget.Milliseconds()); err != nil {
		return err
	}
	r.waitedFor(found.Waited...)
	r.gaveUp(found.Unready...)
	return nil
}

// still stops everything that moves, in all frames that our script has reached, and measures the page.
func (r *run) still() error {
	var canvases bool
	worlds := r.events.otherWorlds()
	if err := r.stillDrawings(worlds); err != nil {
		return err
	}
	for _, world := range worlds {
		// Best effort: a frame that has just been removed, or is busy, must not fail the page that contains it.
		answer, err := r.evaluate(call(world, "halt"), stillBudget)
		canvases = canvases || err == nil && answer != nil && answer.Result != nil && answer.Result.Value.Bool()
	}
	r.size = pageSize{}
	r.listenForMoves()
	if err := r.ask("still", stillBudget, &r.size, MaxWidth); err != nil {
		return err
	}
	r.size.Canvases = r.size.Canvases || canvases
	if err := r.stillClosedRoots(); err != nil {
		return err
	}
	if err := r.covered(); err != nil {
		return err
	}
	if err := r.leftInFrames(worlds); err != nil {
		return err
	}
	if err := r.readHeld(); err != nil {
		return err
	}
	return r.decoded()
}

// decoded gives video decoders wall time without giving the page any. Our own script must be notified of the frames
// that they show, so scripts are not disabled.
func (r *run) decoded() (err error) {
	if !r.size.Decoding {
		return nil
	}
	if err := r.suppressScripts(true); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.suppressScripts(false)) }()
	for pauses := 0; r.size.Decoding && pauses < decodeMost; pauses++ {
		pause, cancel := context.WithTimeout(r.ctx, decodePause)
		err := r.clock.Hold(r.ctx, pause.Done(), false)
		cancel()
		if err == nil {
			err = r.ask("decoding", stillBudget, &r.size.Decoding)
		}
		if err != nil {
			return err
		}
	}
	if r.size.Decoding {
		r.gaveUp("videos")
	}
	return nil
}

// call is the expression that calls a function of our script in one world.
func call(world proto.RuntimeExecutionContextID, function string, args ...any) proto.RuntimeEvaluate {
	list, err := json.Marshal(args)
	if err != nil || len(args) == 0 {
		list = []byte("[]")
	}
	return proto.RuntimeEvaluate{
		Expression: fmt.Sprintf("afterimage.%s(...%s)", function, list),
		ContextID:  world, AwaitPromise: true, ReturnByValue: true,
	}
}

// ask calls a function of our script in the main frame. result may be nil.
func (r *run) ask(function string, budget time.Duration, result any, args ...any) error {
	world := r.events.world()
	if world == 0 {
		return errMoved // the document is being replaced: our script is added to its successor
	}
	answer, err := r.evaluate(call(world, function, args...), budget+answerGrace)
	switch {
	case err != nil:
		return err
	case answer == nil:
		return failed(ReasonTimeout, "the page's scripts keep it from answering")
	case answer.ExceptionDetails != nil:
		return fmt.Errorf("our script in the page: %s", exceptionText(answer.ExceptionDetails))
	case result == nil:
		return nil
	case answer.Result == nil:
		return fmt.Errorf("our script's %s has no answer", function)
	}
	if err := answer.Result.Value.Unmarshal(result); err != nil {
		return fmt.Errorf("decode the answer of our script's %s: %w", function, err)
	}
	return nil
}

// evaluate sends an expression and lets the page's time pass until it is answered; nil when the budget is used up
// first.
func (r *run) evaluate(request proto.RuntimeEvaluate, budget time.Duration) (*proto.RuntimeEvaluateResult, error) {
	raw, err := r.await(request, budget)
	if err != nil || raw == nil {
		return nil, err
	}
	return decodeAnswer[proto.RuntimeEvaluateResult](request, raw)
}

// await sends a command and lets the page's time pass until it is answered; nil when the budget is used up first. A
// command that failed because its document was replaced yields errMoved.
func (r *run) await(command proto.Request, budget time.Duration) ([]byte, error) {
	answer := r.tab.Begin(command)
	done, err := r.clock.Wait(r.ctx, answer.Done(), budget)
	if err != nil || !done {
		return nil, err
	}
	raw, err := answer.Result(r.ctx)
	if err != nil && (r.moved() || r.events.world() == 0 || saysMoved(err)) && !errors.Is(err, r.ctx.Err()) {
		return nil, errMoved
	}
	return raw, err
}

// saysMoved recognises the browser's messages about a document that was replaced. They may arrive before the event that
// announces its successor.
func saysMoved(err error) bool {
	for _, words := range []string{"Inspected target navigated or closed", "Execution context was destroyed",
		"Cannot find context with specified id"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

func decodeAnswer[Result any](command proto.Request, raw []byte) (*Result, error) {
	result := new(Result)
	if err := json.Unmarshal(raw, result); err != nil {
		return nil, fmt.Errorf("decode the answer to %s: %w", command.ProtoReq(), err)
	}
	return result, nil
}
