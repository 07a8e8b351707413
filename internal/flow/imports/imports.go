// Package imports makes flows from recordings of other tools: JSON of the Recorder in Chrome's DevTools, and what Playwright's codegen
// writes.
package imports

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"afterimage/internal/flow"
)

// Imported is a flow with what could not be taken over.
type Imported struct {
	Flow *flow.Flow
	Left []Left // in the order of the file
}

// Left is a part of a recording that is not in the flow.
type Left struct {
	Line int // of the file
	Why  string
}

func (l Left) String() string { return fmt.Sprintf("line %d: %s", l.Line, l.Why) }

// The formats.
const (
	Recorder   = "recorder"
	Playwright = "playwright"
)

// Read reads a recording in one of the formats; "" finds out which one it is.
func Read(text []byte, format string) (*Imported, error) {
	if len(text) > flow.MaxSize {
		return nil, fmt.Errorf("the recording has more than %d bytes", flow.MaxSize)
	}
	if format == "" {
		format = Playwright
		if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
			format = Recorder
		}
	}
	into := &builder{flow: &flow.Flow{Name: "Recorded flow"}}
	var err error
	switch format {
	case Recorder:
		err = into.recorder(text)
	case Playwright:
		into.playwright(string(text))
	default:
		err = fmt.Errorf("the format %q is unknown: give recorder or playwright", format)
	}
	if err != nil {
		return nil, err
	}
	return into.finish()
}

// builder collects steps.
type builder struct {
	flow *flow.Flow
	left []Left
}

func (b *builder) leave(line int, format string, args ...any) {
	b.left = append(b.left, Left{Line: line, Why: fmt.Sprintf(format, args...)})
}

// add adds a step. What was typed into a field for passwords stays in the recording: the flow has a secret instead.
func (b *builder) add(s flow.Step) {
	if s.Kind == flow.Fill && confidential.MatchString(s.Element.String()) {
		s.Value, s.Secret = "", "password"
		b.leave(s.Line, "the value of %s: the flow uses the secret “password” instead; give it when you run the flow", s.Element[0])
	}
	b.flow.Steps = append(b.flow.Steps, s)
}

// confidential matches what fields for passwords and the like are called.
var confidential = regexp.MustCompile(`(?i)passw|pwd|kennwort|passphrase|secret|\bpin\b|\botp\b|\bcv[cv]2?\b`)

// begin takes the first address as the start, to which a flow goes by itself.
func (b *builder) begin(line int, address string) {
	if b.flow.Start == "" {
		b.flow.Start = address
		return
	}
	b.add(flow.Step{Kind: flow.Navigate, Line: line, Value: address})
}

// finish adds a picture of where the recording ends and leaves out what the flow could not have.
func (b *builder) finish() (*Imported, error) {
	if b.flow.Start == "" {
		return nil, errors.New("the recording opens no page: it has no navigate step and no page.goto")
	}
	kept := b.flow.Steps[:0]
	for _, s := range b.flow.Steps {
		one := flow.Flow{Name: "x", Start: b.flow.Start, Steps: []flow.Step{s}}
		if err := one.Check(); err != nil {
			why := err.Error()
			if _, words, found := strings.Cut(why, "): "); found {
				why = words
			}
			b.leave(s.Line, "%s: %s", s.Kind, why)
			continue
		}
		kept = append(kept, s)
	}
	if room := flow.MaxSteps - 1; len(kept) > room {
		b.leave(kept[room].Line, "this step and %d more: a flow has at most %d", len(kept)-room-1, flow.MaxSteps)
		kept = kept[:room]
	}
	b.flow.Steps = kept
	b.add(flow.Step{Kind: flow.Checkpoint, Label: "End"})
	if err := b.flow.Check(); err != nil {
		return nil, err
	}
	return &Imported{Flow: b.flow, Left: b.left}, nil
}
