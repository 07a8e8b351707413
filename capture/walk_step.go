package capture

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/flow"
	"afterimage/internal/page"
)

// act does the present step, and lets the page come to rest after it. The shot is that of a checkpoint.
func (w *walk) act() (*Shot, error) {
	acts := map[flow.Kind]func() error{
		flow.Navigate: w.goTo, flow.Click: w.click, flow.Fill: w.fill, flow.Select: w.choose, flow.Check: w.check,
		flow.Press: w.press, flow.Hover: w.hover, flow.Scroll: w.scrollTo,
	}
	if act, ok := acts[w.step.Kind]; ok {
		if err := act(); err != nil {
			return nil, err
		}
		if w.clock.Virtual() { // for what the page does after an input
			if _, err := w.clock.Wait(w.ctx, nil, firstPause); err != nil {
				return nil, err
			}
		}
		return nil, w.ready()
	}
	switch w.step.Kind {
	case flow.Wait:
		return nil, w.waitFor()
	case flow.Hide:
		return nil, w.remember()
	case flow.Assert:
		return nil, w.until(w.holds)
	case flow.Checkpoint:
		return w.checkpoint()
	}
	return nil, fmt.Errorf("the step kind %q is unknown", w.step.Kind)
}

// goTo goes to an address as the first page was gone to.
func (w *walk) goTo() error {
	address, err := w.flow.Resolve(w.step.Value)
	if err != nil {
		return err
	}
	before := w.target
	request := w.req
	request.URL = address
	target, failure := request.check()
	if failure != nil {
		return failure
	}
	w.target = target
	defer func() { w.target = before }()
	return w.navigate()
}

// click presses the middle of an element with the mouse, or on telephones with a finger.
func (w *walk) click() error {
	t, at, err := w.usable(w.step.Element)
	if err != nil {
		return err
	}
	return w.tap(t, at)
}

func (w *walk) hover() error {
	_, at, err := w.usable(w.step.Element)
	if err != nil {
		return err
	}
	return w.framed(mouse(proto.InputDispatchMouseEventTypeMouseMoved, at, false))
}

// fill replaces what is in a field.
func (w *walk) fill() error {
	t, at, err := w.usable(w.step.Element)
	if err != nil {
		return err
	}
	var way string
	if err := w.on(t, "wayToFill", &way); err != nil {
		return err
	}
	value := w.step.Value
	if w.step.Secret != "" {
		if value, err = w.reveal(t); err != nil {
			return err
		}
	}
	switch way {
	case "select":
		return w.chooseIn(t, value)
	case "set":
		var complaint string
		if err := w.on(t, "setValue", &complaint, value); err != nil || complaint == "" {
			return err
		}
		return unable("%s %s.", t.name, complaint)
	}
	return w.typeInto(t, at, value)
}

func (w *walk) typeInto(t *target, at point, value string) error {
	if err := w.tap(t, at); err != nil {
		return err
	}
	var full bool
	if err := w.on(t, "beginTyping", &full); err != nil {
		return err
	}
	if value != "" {
		return w.inputs(proto.InputInsertText{Text: value})
	}
	if !full {
		return nil
	}
	key, err := flow.ParseKey("Delete")
	if err != nil {
		return err
	}
	return w.inputs(strokes(key)...)
}

// reveal returns the secret of a step, if the page in which the field is may have it. From then on no other host gets it.
func (w *walk) reveal(t *target) (string, error) {
	var in struct{ Name, Protocol string }
	if err := w.askIn(t.world, "host", scriptBudget, &in); err != nil {
		return "", err
	}
	if reason, ok := w.vault.accepts(w.step.Secret, in.Protocol, in.Name); !ok {
		return "", unable("%s", reason)
	}
	if err := w.on(t, "seal", nil); err != nil {
		return "", err
	}
	w.events.mu.Lock()
	raised := w.events.fence != nil
	if !raised {
		w.events.fence = &fence{vault: w.vault}
	}
	value := w.vault.typed(w.step.Secret, time.Now())
	w.events.mu.Unlock()
	if raised {
		return value, nil
	}
	return value, w.tab.callAll(w.events.fence.commands(w.events.auth)...)
}

func (w *walk) choose() error {
	t, _, err := w.usable(w.step.Element)
	if err != nil {
		return err
	}
	return w.chooseIn(t, w.step.Value)
}

// chooseIn selects an option of a list.
func (w *walk) chooseIn(t *target, words string) error {
	var begun struct {
		Index   int
		Key     string
		Set     bool
		Options []string
	}
	begun.Index = -1
	if err := w.on(t, "beginSelecting", &begun, words); err != nil {
		return err
	}
	if begun.Index < 0 {
		return unable("%s has no option “%s”; it has “%s”.", t.name, words, strings.Join(begun.Options, "”, “"))
	}
	if begun.Key != "" {
		key, err := flow.ParseKey(begun.Key)
		if err != nil {
			return err
		}
		if err := w.inputs(strokes(key)...); err != nil {
			return err
		}
	}
	err := w.on(t, "endSelecting", nil, begun.Index)
	if errors.Is(err, errMoved) { // the page goes on as soon as something is selected
		return nil
	}
	return err
}

func (w *walk) check() error {
	t, at, err := w.usable(w.step.Element)
	if err != nil {
		return err
	}
	var checked bool
	if err := w.on(t, "checked", &checked); err != nil || checked != w.step.Off {
		return err
	}
	if err := w.tap(t, at); err != nil {
		return err
	}
	err = w.on(t, "checked", &checked)
	if errors.Is(err, errMoved) {
		return nil
	}
	if err == nil && checked == w.step.Off {
		return unable("%s did not change when it was clicked.", t.name)
	}
	return err
}

func (w *walk) press() error {
	key, err := flow.ParseKey(w.step.Value)
	if err != nil {
		return err
	}
	if w.step.Element != nil {
		t, _, err := w.usable(w.step.Element)
		if err != nil {
			return err
		}
		if err := w.on(t, "focus", nil); err != nil {
			return err
		}
	}
	return w.inputs(strokes(key)...)
}

func (w *walk) scrollTo() error {
	if w.step.Element == nil {
		return w.ask("scrollWindow", scriptBudget, nil, w.step.Value)
	}
	return w.until(func() error {
		t, err := w.locate(w.step.Element)
		if err != nil {
			return err
		}
		return w.on(t, "scrollInto", nil)
	})
}

// remember adds selectors to those that are hidden in the pictures that follow.
func (w *walk) remember() error {
	var wrong []string
	if err := w.ask("wrong", scriptBudget, &wrong, w.step.Selectors); err != nil {
		return err
	}
	if len(wrong) > 0 {
		return unable("the browser cannot parse the selector %s.", wrong[0])
	}
	w.hidden = append(w.hidden, w.step.Selectors...)
	return nil
}

// waitFor waits for what the step names.
func (w *walk) waitFor() error {
	if w.step.For == flow.AwaitQuiet {
		return w.ready()
	}
	return w.until(func() error {
		there, complaint, err := w.there()
		if err != nil || there != w.step.Gone {
			return err
		}
		return complaint
	})
}

// there reports whether what the step waits for is there. The complaint is for when that is not what it waits for.
func (w *walk) there() (there bool, complaint, err error) {
	switch w.step.For {
	case flow.AwaitText:
		text, err := w.text()
		fold := func(s string) string { return strings.ToLower(page.CollapseSpace(s)) }
		if there = strings.Contains(fold(text), fold(w.step.Value)); there {
			return true, unable("the page still shows “%s”.", w.step.Value), err
		}
		return false, unable("the page does not show “%s”.", w.step.Value), err
	case flow.AwaitAddress:
		address := w.events.current().url
		if flow.Reached(address, w.step.Value) {
			return true, unable("the page still has the address %s.", address), nil
		}
		return false, unable("the page has the address %s, not %s.", address, w.step.Value), nil
	}
	m, err := w.match(w.step.Element)
	switch {
	case err != nil:
		return false, nil, err
	case m.total > 0:
		return true, unable("%s is still there.", titled(w.step.Element[m.way:m.way+1])), nil
	case w.step.Gone:
		return false, nil, nil
	case m.hidden > 0:
		return false, unable("%s is on the page, but is not visible.", titled(w.step.Element)), nil
	}
	return false, w.missing(w.step.Element), nil
}

// text is what a reader can read on the page and in its frames.
func (w *walk) text() (string, error) {
	worlds, err := w.worlds()
	if err != nil {
		return "", err
	}
	var all []string
	for i, world := range worlds {
		var text string
		err := w.askIn(world, "text", scriptBudget, &text)
		if err != nil && (i == 0 || w.ctx.Err() != nil || w.moved()) {
			return "", err
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n"), nil
}

// holds looks whether the assertion of the step holds.
func (w *walk) holds() error {
	a := w.step.Assertion
	actual, err := w.actual(a.Look)
	w.found = cut(page.CollapseSpace(actual), maxElementText)
	if err != nil || a.Holds(actual) {
		return err
	}
	subject := map[flow.Looked]string{flow.LookText: "the text", flow.LookAddress: "the address", flow.LookValue: "the value"}[a.Look]
	if w.step.Element != nil && subject != "" {
		subject += " of " + w.step.Element.String()
	}
	switch a.Look {
	case flow.LookCount:
		return unable("%s is visible %s times, expected %s.", titled(w.step.Element), actual, expected(a))
	case flow.LookVisible:
		if a.Expected == "true" {
			return w.unseen()
		}
		return unable("%s is visible.", titled(w.step.Element))
	}
	return unable("%s is “%s”, expected %s.", subject, w.found, expected(a))
}

// expected says what an assertion expects.
func expected(a flow.Assertion) string {
	words := map[flow.Operator]string{
		flow.Contains: "one that contains ", flow.Matches: "a match of ", flow.AtLeast: "at least ", flow.AtMost: "at most ",
	}[a.Operator]
	if _, err := strconv.Atoi(a.Expected); err == nil && a.Look == flow.LookCount {
		return words + a.Expected
	}
	return words + "“" + a.Expected + "”"
}

// unseen says why an element that should be seen is not.
func (w *walk) unseen() error {
	m, err := w.match(w.step.Element)
	if err != nil {
		return err
	}
	if m.hidden > 0 {
		return unable("%s is on the page, but is not visible.", titled(w.step.Element))
	}
	return w.missing(w.step.Element)
}

var leadingHash = regexp.MustCompile(`#.*$`)

// actual is what there is of what an assertion looks at.
func (w *walk) actual(look flow.Looked) (string, error) {
	switch look {
	case flow.LookAddress:
		address := w.events.current().url
		if strings.Contains(w.step.Assertion.Expected, "#") {
			return address, nil
		}
		return leadingHash.ReplaceAllString(address, ""), nil
	case flow.LookCount, flow.LookVisible:
		m, err := w.match(w.step.Element)
		if err != nil {
			return "", err
		}
		if look == flow.LookVisible {
			return strconv.FormatBool(m.total > 0), nil
		}
		return strconv.Itoa(m.total), nil
	}
	if w.step.Element == nil {
		return w.text()
	}
	t, err := w.locate(w.step.Element)
	if err != nil {
		return "", err
	}
	read := "textOf"
	if look == flow.LookValue {
		read = "valueOf"
	}
	var text string
	return text, w.on(t, read, &text)
}
