package flow

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const full = `name: Checkout
start: https://shop.example.com/
devices: [desktop, mobile]
deadline: 3m
secrets:
  password: [shop.example.com, login.example.com:8443]
  pin: pay.example.com
steps:
  - navigate: /login
  - fill: {label: E-mail}
    value: reader@example.com
  - fill: {label: Password}
    secret: password
  - click: {role: button, name: Sign in}
    label: Sign in as a regular customer
    dialogs: accept
    changes: true
    deadline: 1m
  - wait: {address: /account*}
  - click:
      - testid: buy
      - {role: Button, name: Buy, exact: true, nth: 2}
      - css: "form.buy button"
  - select: {placeholder: Colour}
    value: Red
  - check: {label: I agree}
    checked: false
  - press: Control+Enter
    on: {label: Search}
  - press: Tab
  - hover: {text: Products}
  - scroll: bottom
  - scroll: {css: "#reviews"}
  - wait: quiet
  - wait: {element: {css: .spinner}, gone: true}
  - wait: {text: Thank you}
  - hide: [.clock, "#ad"]
  - checkpoint: Basket
  - checkpoint: Total
    on: {css: .total}
  - assert: text
    contains: 12.00
  - assert: count
    on: {role: listitem}
    at_least: 2
  - assert: visible
    on: {text: Sold out}
    equals: false
  - assert: address
    matches: ^https://shop
`

func TestADefinitionIsReadAndWritten(t *testing.T) {
	f, err := Read([]byte(full))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Steps) != 23 || f.Checkpoints() != 2 || f.Limit() != 3*time.Minute || f.Steps[3].Patience() != time.Minute ||
		!f.Steps[7].Off || f.Steps[5].Element[1].Nth != 2 ||
		f.Steps[5].Element[1].Role != "button" || f.Steps[19].Assertion.Expected != "12.00" {
		t.Errorf("%+v", f)
	}
	if diff := cmp.Diff([]string{"password"}, f.Needed()); diff != "" {
		t.Error(diff)
	}
	text, err := f.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if diff := cmp.Diff(f, again, cmpopts.IgnoreFields(Step{}, "Line")); diff != "" {
		t.Errorf("%s\n%s", diff, text)
	}
}

func TestJSONIsADefinitionToo(t *testing.T) {
	f, err := Read([]byte(`{"name": "A", "start": "http://a.test/",
		"steps": [{"fill": {"css": "#a"}, "value": "007"}, {"checkpoint": "Home"}]}`))
	if err != nil || f.Steps[0].Value != "007" || f.Steps[1].Label != "Home" {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestAWrongDefinitionIsRefused with the line, the field and what to do.
func TestAWrongDefinitionIsRefused(t *testing.T) {
	const head = "name: A\nstart: https://a.test/\nsteps:\n"
	for _, c := range [][2]string{
		{"", "is empty: it needs name, start and steps"},
		{"- a\n", "line 1: a definition must be an object with fields, not a list"},
		{"name: A\n", "line 1: steps are missing"},
		{head + "  - click\n", `line 4: a step must be an object with fields, not "click"`},
		{head + "  - label: x\n", "line 4: the step does not say what to do: add one of navigate, click,"},
		{head + "  - klick: {text: x}\n", "line 4: the step does not say what to do: add one of"},
		{head + "  - click: {text: x}\n    vale: y\n", `line 5: the step click has no field "vale"; its fields are`},
		{head + "  - click: {text: x, css: y}\n", "line 4: click needs exactly one of role, text,"},
		{head + "  - click: {name: x}\n", "needs exactly one of"},
		{head + "  - click: {text: x, name: y}\n", "has a name but no role"},
		{head + "  - click: {colour: red}\n", `an element has no field "colour"`},
		{head + "  - click: []\n", "0 ways to find the element; 1 to 10"},
		{head + "  - click: {text: x}\n    hover: {text: y}\n", "line 5: the step is both click and hover: split it into two steps"},
		{head + "  - click: {text: x}\n    click: {text: y}\n", "line"},
		{head + "  - fill: {text: x}\n", "line 4: fill needs value, a text, or secret"},
		{head + "  - fill: {text: x}\n    value: a\n    secret: b", "not both"},
		{head + "  - fill: {text: x}\n    secret: a b\n", "name of a secret must be letters"},
		{head + "  - select: {text: x}\n", "select needs value"},
		{head + "  - check: {text: x}\n    checked: maybe\n", `line 5: checked must be true or false, not "maybe"`},
		{head + "  - press: Entr\n", `line 4: step 1 (press): the key "Entr" is unknown`},
		{head + "  - scroll: left\n", "scroll must be top, bottom or an element"},
		{head + "  - wait: soon\n", "wait must be quiet, or an object"},
		{head + "  - wait: {seconds: 5}\n", "wait needs element, text or address"},
		{head + "  - wait: {text: a, address: b}\n", "wait has both text and address"},
		{head + "  - checkpoint\n", "a checkpoint needs a name: write checkpoint: Basket"},
		{head + "  - checkpoint: A\n  - checkpoint: a\n", `line 5: step 2 (checkpoint): step 1 already has the name "a"`},
		{head + "  - checkpoint: A\n    label: B\n", "remove label"},
		{head + "  - assert: colour\n    equals: red\n", "assert must be text, address, count, value or visible"},
		{head + "  - assert: text\n", "it does not say what is expected: add equals, contains, matches"},
		{head + "  - assert: count\n    equals: 3\n", "count needs an element: add the field on"},
		{head + "  - assert: count\n    on: {css: a}\n    equals: many\n", `equals must be a number, not "many"`},
		{head + "  - assert: text\n    matches: '('\n", "the value of matches is not a regular expression"},
		{head + "  - assert: text\n    at_least: 3\n", `has no field "at_least"`},
		{head + "  - navigate: ftp://a.test/\n", "must be an http or https address"},
		{head + "  - navigate: javascript:alert(1)\n", "must be an http or https address"},
		{head + "  - click: {text: x}\n    deadline: 1h\n", "deadline must be a time from 1s to 5m0s, such as 30s"},
		{head + "  - click: {text: x}\n    dialogs: ignore\n", "dialogs must be accept or dismiss"},
		{head + "  - click: {text: x}\n    label:\n", "line 5: label has no value"},
		{head + "  - navigate: " + strings.Repeat("a", 3000), "at most 2000 are supported"},
		{head + strings.Repeat("  - wait: quiet\n", 201), "there are 201 steps; at most 200 are supported"},
		{"name: A\nname: B\n", "line"},
		{"name: A\nstart: shop.example.com\nsteps: [{wait: quiet}]\n", "start must be the http or https address"},
		{"name: A\nstart: https://a.test\ndevices: [watch]\nsteps: [{wait: quiet}]\n", "devices must be desktop, mobile or both"},
		{"name: A\nstart: https://a.test\nsecrets: {p: 'https://x'}\nsteps: [{wait: quiet}]\n", "is not a host or host:port"},
		{"name: A\nstart: https://a.test\nsteps: []\n", "there are 0 steps; 1 to 200"},
		{"name: &a A\nstart: *a\nsteps: [{wait: quiet}]\n", "an anchor or alias, which is not supported"},
		{"name: A\n---\nname: B\n", "several documents"},
		{"a: &a [x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nname: A\n", "has no field"},
		{strings.Repeat("[", 300), "nested more than"},
		{"name: " + strings.Repeat("a", MaxSize), "more than 1048576 bytes"},
		{
			"name: A\nstart: https://a.test\nsteps: [{hide: ['" + strings.Repeat("a", 3000) + "']}]\n",
			"each item must be text of 1 to 2000 bytes",
		},
		{"name: A\nstart: https://user:pw@a.test\nsteps: [{wait: quiet}]\n", "start must be"},
		{"name: !!str A\nstart: https://a.test\nsteps: [{wait: quiet}]\n", "a tagged value"},
		{"name: A\nstart: https://a.test\nsteps: [{click: {css: a}, " + `"dialogs": "accept", "x": 1}]`, `has no field "x"`},
	} {
		text, words := c[0], c[1]
		_, err := Read([]byte(text))
		if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
			t.Errorf("%.80q: %v, want %q", text, err, words)
		}
	}
}

func TestAssertionsHold(t *testing.T) {
	for _, c := range []struct {
		look     Looked
		operator Operator
		expected string
		actual   string
		holds    bool
	}{
		{LookText, Equals, "2  items", " 2 items\n", true},
		{LookText, Equals, "2 items", "12 items", false},
		{LookText, Contains, "items", "12 items", true},
		{LookText, Matches, `^\d+ items$`, "12  items", true},
		{LookCount, AtLeast, "2", "2", true},
		{LookCount, AtMost, "2", "3", false},
		{LookAddress, Equals, "/basket?a=1", "https://a.test/basket?a=1#top", true},
		{LookAddress, Equals, "https://a.test/basket", "https://b.test/basket", false},
		{LookVisible, Equals, "true", "false", false},
	} {
		if a := (Assertion{c.look, c.operator, c.expected}); a.Holds(c.actual) != c.holds {
			t.Errorf("%s with %q: %t", a, c.actual, !c.holds)
		}
	}
	for awaited, want := range map[string]bool{
		"/a/*": true, "/a": false, "https://x.test/a/b?c=.d": true, "*": true, "/a/b?c=*": true, "/a/b?c=xd": false,
	} {
		if Reached("https://x.test/a/b?c=.d", awaited) != want {
			t.Errorf("%s: %t", awaited, !want)
		}
	}
}

func TestKeysAreKnown(t *testing.T) {
	for name, want := range map[string]Key{
		"Enter":           {Key: "Enter", Code: "Enter", Number: 13, Text: "\r"},
		"a":               {Key: "a", Code: "KeyA", Number: 65, Text: "a"},
		"7":               {Key: "7", Code: "Digit7", Number: 55, Text: "7"},
		"ü":               {Key: "ü", Text: "ü"},
		"+":               {Key: "+", Text: "+"},
		"Control+Shift+k": {Key: "k", Code: "KeyK", Number: 75, Modifiers: 10},
		"Shift+Tab":       {Key: "Tab", Code: "Tab", Number: 9, Modifiers: 8},
	} {
		if got, err := ParseKey(name); err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestWhatAStepDoesIsSaidWithoutSecrets and for each kind.
func TestWhatAStepDoesIsSaidWithoutSecrets(t *testing.T) {
	f, err := Read([]byte(full))
	if err != nil {
		t.Fatal(err)
	}
	said := make(map[Kind]string)
	for i := range f.Steps {
		said[f.Steps[i].Kind] += f.Steps[i].Does() + "\n"
	}
	for kind, words := range map[Kind]string{
		Navigate: "go to /login", Click: `test id “buy” or button “Buy” (number 2) or form.buy button`, Fill: "with the secret password",
		Select: "select “Red” in field with placeholder “Colour”", Check: "uncheck field “I agree”",
		Press: "press Control+Enter in field “Search”",
		Hover: "hover text “Products”", Scroll: "scroll to the bottom", Wait: "wait until there is no .spinner", Hide: "hide .clock, #ad",
		Checkpoint: "picture “Total” of .total", Assert: "count at least “2” in listitem",
	} {
		if !strings.Contains(said[kind], words) {
			t.Errorf("%s: %q, want %q", kind, said[kind], words)
		}
	}
}

func TestASecretBelongsToHosts(t *testing.T) {
	f := Flow{Start: "https://shop.example.com:8443/", Secrets: []Secret{{Name: "pin", Hosts: []string{"pay.example.com"}}}}
	if got := f.HostsOf("pin"); len(got) != 1 || got[0] != "pay.example.com" {
		t.Errorf("%v", got)
	}
	if got := f.HostsOf("other"); len(got) != 1 || got[0] != "shop.example.com:8443" {
		t.Errorf("%v", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(full)
	f.Add(`{"name": "A", "start": "http://a.test/", "steps": [{"wait": {"text": "x"}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		read, err := Read([]byte(text))
		if err != nil {
			return
		}
		written, err := read.YAML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if diff := cmp.Diff(read, again, cmpopts.IgnoreFields(Step{}, "Line"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s\n%s", diff, written)
		}
	})
}
