package flow

import (
	"slices"
	"time"
)

// Limits of a definition.
const (
	MaxSize         = 1 << 20 // bytes of a file
	MaxSteps        = 200
	MaxAlternatives = 10 // of one element
	MaxSecrets      = 20 // and as many hosts of each
	MaxSelectors    = 50 // of one step
	maxNth          = 1000
	maxName         = 200    // bytes of names and labels
	maxWords        = 2_000  // bytes of what an element is found by, and of addresses
	maxValue        = 10_000 // bytes of what is put into a field, or expected
)

// Deadlines. Those of a step are of the page's time and of ours: whichever ends first ends the step.
const (
	DefaultDeadline     = 5 * time.Minute // of the whole flow
	MaxDeadline         = 30 * time.Minute
	DefaultStepDeadline = 30 * time.Second
	MaxStepDeadline     = 5 * time.Minute
)

// Flow is a definition.
type Flow struct {
	Name     string
	Start    string        // address of the first page; that of each step may be relative to it
	Devices  []string      // empty for desktop
	Deadline time.Duration // 0 = DefaultDeadline
	Secrets  []Secret
	Steps    []Step
}

// Secret is something that is typed into a page and shown nowhere. The definition has its name only.
type Secret struct {
	Name  string
	Hosts []string // to whose pages it may be given, as host or host:port; empty for that of the start
}

// Kind is what a step does.
type Kind string

// The kinds of steps.
const (
	Navigate   Kind = "navigate"
	Click      Kind = "click"
	Fill       Kind = "fill"
	Select     Kind = "select"
	Check      Kind = "check"
	Press      Kind = "press"
	Hover      Kind = "hover"
	Scroll     Kind = "scroll"
	Wait       Kind = "wait"
	Hide       Kind = "hide"
	Checkpoint Kind = "checkpoint"
	Assert     Kind = "assert"
)

// Kinds lists all kinds of steps.
var Kinds = []Kind{Navigate, Click, Fill, Select, Check, Press, Hover, Scroll, Wait, Hide, Checkpoint, Assert}

// Step is one thing that a reader does or looks at.
type Step struct {
	Kind  Kind
	Label string // what people call it; "" for none. That of a checkpoint is its name
	Line  int    // of the file; 0 when it comes from elsewhere
	// Element is what the step acts on or looks at. Press without one is for what has the focus, Scroll for the page, Checkpoint for the
	// whole page, Assert for the page or its address.
	Element Element
	// Value is the address of Navigate, the text of Fill, the option of Select, the key of Press, "top" or "bottom" for Scroll, and
	// the text or address that Wait waits for.
	Value     string
	Secret    string   // name of the secret that Fill types in place of a value
	Off       bool     // of Check: take the mark away
	For       Awaited  // of Wait
	Gone      bool     // of Wait: until it is not there any more
	Selectors []string // of Hide
	Assertion Assertion
	Dialogs   Dialogs
	Changes   bool          // something that lasts, such as an order: the flow must not be repeated unasked once the step has begun
	Deadline  time.Duration // 0 = DefaultStepDeadline
}

// Acts reports whether steps of the kind do something to the page, and may change something that lasts.
func (k Kind) Acts() bool {
	return slices.Contains([]Kind{Navigate, Click, Fill, Select, Check, Press, Hover}, k)
}

// Awaited is what a step waits for.
type Awaited string

// What can be waited for.
const (
	AwaitElement Awaited = "element"
	AwaitText    Awaited = "text"
	AwaitAddress Awaited = "address"
	AwaitQuiet   Awaited = "quiet"
)

// Dialogs is how alert, confirm and prompt are answered during a step. Without a word, an alert is closed and everything else
// declined, as in other captures.
type Dialogs string

// The answers to dialogs.
const (
	AcceptDialogs  Dialogs = "accept"
	DismissDialogs Dialogs = "dismiss"
)

// Patience is how long the step may take.
func (s *Step) Patience() time.Duration {
	if s.Deadline > 0 {
		return s.Deadline
	}
	return DefaultStepDeadline
}

// Limit is how long the flow may take.
func (f *Flow) Limit() time.Duration {
	if f.Deadline > 0 {
		return f.Deadline
	}
	return DefaultDeadline
}

// Checkpoints counts the pictures that the flow takes.
func (f *Flow) Checkpoints() int {
	n := 0
	for i := range f.Steps {
		if f.Steps[i].Kind == Checkpoint {
			n++
		}
	}
	return n
}

// Changes reports whether a step changes something that lasts, so that the flow must not be repeated unasked.
func (f *Flow) Changes() bool {
	return slices.ContainsFunc(f.Steps, func(s Step) bool { return s.Changes })
}

// Needed lists the secrets that steps type in.
func (f *Flow) Needed() []string {
	var names []string
	seen := make(map[string]bool)
	for i := range f.Steps {
		if name := f.Steps[i].Secret; name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}
