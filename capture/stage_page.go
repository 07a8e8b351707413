package capture

import (
	_ "embed" // for the script below
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// pageScript is our hand in the page. It lives in a world of its own: it shares the document with the page's scripts but
// none of their variables, so a page that replaces Promise or getAnimations does not touch it.
//
//go:embed page.js
var pageScript string

const worldName = "afterimage"

// pageSize is in CSS pixels.
type pageSize struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Title  string `json:"title"`
}

func (r *run) styles() error {
	if len(r.req.Styles) == 0 {
		return nil
	}
	return r.ask("styles", scriptBudget, nil, r.req.Styles)
}

func (r *run) images() error { return r.ask("images", scriptBudget, nil) }

// scroll goes through the page screen by screen: that is what lazy content waits for.
func (r *run) scroll() error {
	var done bool
	if err := r.ask("scroll", scrollBudget, &done, scrollBudget.Milliseconds(), MaxHeight); err != nil {
		return err
	}
	if !done {
		r.gaveUp("scroll")
	}
	return nil
}

// scripts run in the page's own world, as if the page contained them. One that throws is reported in the console, as the
// page's own would be, and the next one runs.
func (r *run) scripts() error {
	for _, script := range r.req.Scripts {
		var answer struct {
			Exception *struct {
				Text      string        `json:"text"`
				Exception *remoteObject `json:"exception"`
			} `json:"exceptionDetails"`
		}
		waited, err := r.await("Runtime.evaluate", params{"expression": script, "awaitPromise": true, "userGesture": true}, &answer, scriptBudget)
		if err != nil {
			return err
		}
		if !waited {
			r.gaveUp("script")
		}
		if e := answer.Exception; e != nil {
			text := e.Text
			if e.Exception != nil {
				text += " " + e.Exception.String()
			}
			r.note("error", "injected script: "+text)
		}
	}
	return nil
}

func (r *run) note(kind, text string) {
	r.events.mu.Lock()
	defer r.events.mu.Unlock()
	r.events.console.add(kind, text, "")
}

// settle is the readiness gate: it names what it waited for in vain. The network is looked at again afterwards because
// scrolling and scripts start requests.
func (r *run) settle() error {
	if err := r.waitQuiet(); err != nil {
		return err
	}
	var unready []string
	if err := r.ask("settle", settleBudget, &unready, settleBudget.Milliseconds()); err != nil {
		return err
	}
	r.gaveUp(unready...)
	return nil
}

// still stops what moves, in all frames that our script has reached, and measures the page.
func (r *run) still() error {
	for _, world := range r.events.otherWorlds() {
		// Best effort: a frame that has just gone, or is busy, must not fail the page that contains it.
		_, _ = r.await("Runtime.evaluate", call(world, "halt"), nil, stillBudget)
	}
	return r.ask("still", stillBudget, &r.size)
}

// shoot takes the picture beyond the viewport. Growing the viewport instead would stretch what is as high as the screen.
func (r *run) shoot() error {
	height := r.size.Height
	if height > MaxHeight {
		height, r.shot.Truncated = MaxHeight, true
	}
	clip := params{"x": 0, "y": 0, "width": r.size.Width, "height": height, "scale": 1}
	png, err := r.tab.Screenshot(r.ctx, params{
		"format": "png", "optimizeForSpeed": true, "captureBeyondViewport": true, "fromSurface": true, "clip": clip,
	})
	if err != nil {
		return err
	}
	width, height, err := pngSize(png)
	if err != nil {
		return err
	}
	r.shot.PNG, r.shot.Width, r.shot.Height, r.shot.Title = png, width, height, cut(r.size.Title, maxTitle)
	return nil
}

const maxTitle = 1000 // bytes

// call is the expression that asks our script for one of its functions in one world.
func call(world int, function string, args ...any) params {
	list, err := json.Marshal(args)
	if err != nil || len(args) == 0 {
		list = []byte("[]")
	}
	return params{
		"expression": fmt.Sprintf("afterimage.%s(...%s)", function, list),
		"contextId":  world, "awaitPromise": true, "returnByValue": true,
	}
}

// ask calls a function of our script in the main frame. result may be nil.
func (r *run) ask(function string, budget time.Duration, result any, args ...any) error {
	world := r.events.world()
	if world == 0 {
		return errMoved // the document is being replaced: its successor will bring our script along
	}
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Exception remoteObject `json:"exception"`
		} `json:"exceptionDetails"`
	}
	answered, err := r.await("Runtime.evaluate", call(world, function, args...), &answer, budget+answerGrace)
	switch {
	case err != nil:
		return err
	case !answered:
		return failed(ReasonTimeout, "the page's scripts keep it from answering")
	case answer.Exception != nil:
		return fmt.Errorf("our script in the page: %s", answer.Exception.Exception)
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(answer.Result.Value, result); err != nil {
		return fmt.Errorf("decode the answer of our script's %s: %w", function, err)
	}
	return nil
}

// await sends a command and lets the page's time pass until it is answered. A command that failed because its document
// went away is errMoved.
func (r *run) await(method string, arguments, result any, budget time.Duration) (bool, error) {
	answered := make(chan struct{})
	var callErr error
	go func() {
		defer close(answered)
		callErr = r.tab.Call(r.ctx, method, arguments, result)
	}()
	done, err := r.tab.Clock().Wait(r.ctx, answered, budget)
	if err != nil || !done {
		return false, err
	}
	if callErr != nil && (r.moved() || r.events.world() == 0) && !errors.Is(callErr, r.ctx.Err()) {
		return true, errMoved
	}
	return true, callErr
}
