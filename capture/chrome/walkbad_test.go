package chrome

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
	"afterimage/internal/flow"
)

// TestStepsOnPagesThatNeverRest: they call for ever, change for ever, or keep the page busy.
func TestStepsOnPagesThatNeverRest(t *testing.T) {
	gone := make(chan struct{})
	defer close(gone)
	site.handle(t, "poll", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-gone:
		case <-r.Context().Done():
		}
	})
	for name, script := range map[string]string{
		"calls":   `const poll = () => fetch('poll').then(poll); poll()`,
		"changes": `setInterval(() => { log.dataset.n = Math.random(); log.style.width = Math.random() * 100 + 'px' }, 20)`,
		"works":   `setInterval(() => { const end = performance.now() + 30; while (performance.now() < end); }, 40)`,
		"frames":  `let n = 0; const loop = () => { log.style.left = n++ + 'px'; requestAnimationFrame(loop) }; loop()`,
	} {
		start := site.handle(t, name, serve("text/html", `<p id=log></p><button onclick="this.after('Pressed')">Press</button>
<iframe srcdoc="<p>Frame"></iframe><script>`+script+`</script>`))
		walked := walkThrough(t, start, "steps:\n  - click: {role: button}\n  - wait: {text: pressed}\n  - checkpoint: One\n"+
			"  - click: {role: button}\n  - checkpoint: Two\n")
		if passes(t, walked); t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestADeadlineEndsAStep though the page does not answer, as it computes or waits for an answer itself, and one ends the flow.
func TestADeadlineEndsAStep(t *testing.T) {
	site.handle(t, "never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	start := site.page(t, `<button onclick="for (;;);">Hang</button><input type=checkbox
onclick="const never = new XMLHttpRequest(); never.open('GET', 'never', false); never.send()">`+
		strings.Repeat("<a href=#>Same</a>", 600))
	for _, test := range [][2]string{
		{"steps:\n  - click: {role: button}\n    deadline: 1s\n  - checkpoint: One\n", "The step did not finish within 1s."},
		{"deadline: 6s\nsteps:\n  - click: {role: checkbox}\n    deadline: 60s\n  - checkpoint: One\n",
			"The flow did not finish within its deadline of 6s."},
		{"steps:\n  - click: {role: link}\n    deadline: 1s\n  - checkpoint: One\n",
			"Link matches 600 elements: be more specific, or add nth."},
		{"steps:\n  - click: {role: link, name: Same, nth: 601}\n    deadline: 1s\n  - press: Escape\n",
			"Link “Same” (number 601) was not found: there are only 600."},
	} {
		steps, want := test[0], test[1]
		walked := walkThrough(t, start, steps)
		if failed := walked.Failed(); failed == nil || failed.Number != 1 || failed.Sentence != want ||
			walked.Steps[1].State != capture.StepSkipped {
			t.Errorf("%+v, want %s", failed, want)
		}
	}
}

// TestAFlowThatCannotBeRun is an error, and one that is stopped is one, too.
func TestAFlowThatCannotBeRun(t *testing.T) {
	start := site.page(t, `<button>Press</button>`)
	read := func(text string) *flow.Flow {
		f, err := flow.Read([]byte("name: Test\nstart: " + text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for text, reason := range map[string]capture.Reason{
		"http://" + site.closedPort + "/\nsteps:\n  - press: a\n":                         capture.ReasonConnect,
		"http://127.0.0.9/\nsteps:\n  - press: a\n":                                       capture.ReasonBlockedAddress,
		start + "\nsteps:\n  - fill: {css: input}\n    secret: missing\n":                 capture.ReasonInvalidAddress,
		strings.Replace(start, "/page", "/none", 1) + "\nsteps:\n  - wait: {text: 404}\n": capture.ReasonHTTPStatus, // without a page
	} {
		walked, err := pool.Walk(t.Context(), capture.WalkRequest{Flow: read(text), Request: capture.Request{Device: capture.Desktop}})
		var failure *capture.Failure
		if !errors.As(err, &failure) || failure.Reason != reason || walked != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request := capture.WalkRequest{
		Flow:    read(start + "\nsteps:\n  - click: {role: button}\n  - press: a\n  - press: b\n"),
		Request: capture.Request{Device: capture.Desktop}, Told: func(capture.WalkedStep) { cancel() },
	}
	walked, err := pool.Walk(ctx, request)
	if err == nil || walked == nil || len(walked.Steps) != 3 || walked.Steps[0].State != capture.StepPassed ||
		walked.Steps[1].State != capture.StepFailed || walked.Steps[2].State != capture.StepSkipped {
		t.Errorf("%+v, %v", walked, err)
	}
}

// TestACrashIsToldAtItsStep: the steps before it keep their pictures, and the lane goes on with another browser.
func TestACrashIsToldAtItsStep(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	tab := openTab(t, p)
	f, err := flow.Read([]byte("name: Test\nstart: " + site.page(t, `<button>Press</button>`) +
		"\nsteps:\n  - checkpoint: One\n  - press: a\n  - checkpoint: Two\n"))
	if err != nil {
		t.Fatal(err)
	}
	walked, err := capture.Walk(t.Context(), tab, capture.WalkRequest{
		Flow: f, Request: capture.Request{Device: capture.Desktop},
		Told: func(s capture.WalkedStep) {
			if s.Number == 1 {
				tab.Post(proto.PageCrash{})
			}
		},
	})
	if err != nil || walked.Failed() == nil || walked.Failed().Number != 2 || walked.Failed().Reason != capture.ReasonCrashed ||
		walked.Steps[0].Shot == nil || walked.Steps[2].State != capture.StepSkipped {
		t.Errorf("%+v, %v", walked, err)
	}
}

// TestAWalkInWallTime: a browser without frame control does the same steps.
func TestAWalkInWallTime(t *testing.T) {
	config := ownConfig(t, 1)
	config.RealTime = true
	p := startPool(t, config)
	start := site.page(t, `<style>@keyframes turn{to{opacity:0}} b{animation:turn 1s infinite}</style>
<b>Turning</b><label>Name <input></label>
<select aria-label=Size><option>Small<option>Large</select><button onclick="setTimeout(() => this.after('Pressed'), 300)">Press</button>`)
	f, err := flow.Read([]byte("name: Test\nstart: " + start + `
steps:
  - fill: {label: Name}
    secret: name
  - select: {role: combobox}
    value: Large
  - checkpoint: One
  - click: {role: button}
  - wait: {text: Pressed}
  - assert: value
    on: {role: combobox}
    equals: Large
  - checkpoint: Two
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, device := range []capture.Device{capture.Desktop, capture.Mobile} {
		request := capture.WalkRequest{Flow: f, Request: capture.Request{Device: device}}
		withSecret(t, "name", canary)(&request)
		walked, err := p.Walk(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		passes(t, walked)
		shots := shotsOf(walked)
		if one, two := shots["One"], shots["Two"]; one == nil || two == nil || bytes.Equal(one.PNG, two.PNG) {
			t.Errorf("on %s the pictures are %v and %v", device, one, two)
		}
	}
}
