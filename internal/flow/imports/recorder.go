package imports

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"afterimage/internal/flow"
	"afterimage/internal/yamltext"
)

// recording is the JSON that Chrome's Recorder exports, as far as a flow can do it.
type recording struct {
	Title string         `yaml:"title"`
	Steps []recordedStep `yaml:"steps"`
}

type recordedStep struct {
	Type        string      `yaml:"type"`
	URL         string      `yaml:"url"`
	Value       string      `yaml:"value"`
	Key         string      `yaml:"key"`
	Width       int         `yaml:"width"`
	Mobile      bool        `yaml:"isMobile"`
	Visible     *bool       `yaml:"visible"`
	Count       *int        `yaml:"count"`
	Operator    string      `yaml:"operator"`
	Button      string      `yaml:"button"`
	X           float64     `yaml:"x"`
	Y           float64     `yaml:"y"`
	Selectors   []selectors `yaml:"selectors"`
	Frame       []int       `yaml:"frame"`
	AssertedAll []asserted  `yaml:"assertedEvents"`
	line        int
}

type asserted struct {
	Type  string `yaml:"type"`
	URL   string `yaml:"url"`
	Title string `yaml:"title"`
}

// selectors is one way to an element: one selector, or several that lead from shadow tree to shadow tree.
type selectors []string

// UnmarshalYAML reads a text or a list of texts.
func (s *selectors) UnmarshalYAML(read func(any) error) error {
	var one string
	if read(&one) == nil {
		*s = selectors{one}
		return nil
	}
	return read((*[]string)(s))
}

func (b *builder) recorder(text []byte) error {
	var r recording
	if err := yamltext.Decode(text, &r); err != nil {
		return fmt.Errorf("the file is not a recording by Chrome's Recorder: %w", err)
	}
	if len(r.Steps) == 0 {
		return fmt.Errorf("the file is not a recording by Chrome's Recorder: it has no steps")
	}
	if r.Title != "" {
		b.flow.Name = cut(r.Title)
	}
	lines := stepLines(text)
	for i := range r.Steps {
		s := &r.Steps[i]
		if i < len(lines) {
			s.line = lines[i]
		}
		b.recorded(s)
	}
	return nil
}

// stepLines are the lines at which the steps begin.
func stepLines(text []byte) []int {
	tree, err := yamltext.Parse(text)
	if err != nil || tree == nil {
		return nil
	}
	path, err := yaml.PathString("$.steps")
	if err != nil {
		return nil
	}
	found, err := path.FilterNode(tree)
	steps, ok := found.(*ast.SequenceNode)
	if err != nil || !ok {
		return nil
	}
	lines := make([]int, len(steps.Values))
	for i, node := range steps.Values {
		lines[i] = node.GetToken().Position.Line
	}
	return lines
}

// recorded takes over one step.
func (b *builder) recorded(s *recordedStep) {
	step := flow.Step{Line: s.line, Element: recordedElement(s.Selectors)}
	needsElement := true
	switch s.Type {
	case "setViewport":
		b.flow.Devices = []string{"desktop"}
		if s.Mobile || s.Width > 0 && s.Width < 600 {
			b.flow.Devices = []string{"mobile"}
		}
		return
	case "navigate":
		b.begin(s.line, s.URL)
		return
	case "click":
		if step.Kind = flow.Click; s.Button != "" && s.Button != "primary" {
			b.leave(s.line, "click with the %s button", s.Button)
			return
		}
	case "change":
		step.Kind, step.Value = flow.Fill, s.Value
	case "hover":
		step.Kind = flow.Hover
	case "keyDown":
		step.Kind, step.Value, step.Element, needsElement = flow.Press, s.Key, nil, false
	case "keyUp":
		return // a pressed key is let go
	case "scroll":
		if step.Kind, needsElement = flow.Scroll, false; step.Element == nil {
			step.Value = map[bool]string{true: "bottom", false: "top"}[s.Y > 0]
		}
	case "waitForElement":
		b.recordedWait(s, step)
		return
	default:
		b.leave(s.line, "the step %q has no equivalent", s.Type)
		return
	}
	if needsElement && step.Element == nil {
		b.leave(s.line, "%s: none of its selectors can be converted: %s", s.Type, strings.Join(flat(s.Selectors), ", "))
		return
	}
	b.add(step)
	b.recordedAfter(s)
}

// recordedWait takes over a wait for an element, or for a number of them.
func (b *builder) recordedWait(s *recordedStep, step flow.Step) {
	if step.Element == nil {
		b.leave(s.line, "waitForElement: none of its selectors can be converted")
		return
	}
	if s.Count == nil {
		step.Kind, step.For, step.Gone = flow.Wait, flow.AwaitElement, s.Visible != nil && !*s.Visible
		b.add(step)
		return
	}
	operator := map[string]flow.Operator{"": flow.AtLeast, ">=": flow.AtLeast, "==": flow.Equals, "<=": flow.AtMost}[s.Operator]
	step.Kind, step.Assertion = flow.Assert, flow.Assertion{Look: flow.LookCount, Operator: operator, Expected: fmt.Sprint(*s.Count)}
	b.add(step)
}

// recordedAfter waits for the page to which a step leads.
func (b *builder) recordedAfter(s *recordedStep) {
	for _, event := range s.AssertedAll {
		if event.Type == "navigation" && event.URL != "" {
			b.add(flow.Step{Kind: flow.Wait, Line: s.line, For: flow.AwaitAddress, Value: strings.ReplaceAll(event.URL, "*", "%2A")})
		}
	}
}

// recordedElement takes over selectors. One through shadow trees is its last part: they are searched anyway.
func recordedElement(ways []selectors) flow.Element {
	var element flow.Element
	for _, way := range ways {
		if len(way) == 0 || len(element) == flow.MaxAlternatives {
			continue
		}
		last := way[len(way)-1]
		kind, words, found := strings.Cut(last, "/")
		switch {
		case found && kind == "aria":
			element = append(element, aria(words))
		case found && kind == "text":
			element = append(element, flow.Locator{Text: words})
		case found && kind == "pierce":
			element = append(element, flow.Locator{CSS: words})
		case found && kind == "xpath":
		default:
			element = append(element, flow.Locator{CSS: last})
		}
	}
	return element
}

// aria reads a name with an optional role, as in aria/Buy[role="button"]. A name without a role is that of a field, or a text.
func aria(words string) flow.Locator {
	name, rest, found := strings.Cut(words, `[role="`)
	if found {
		return flow.Locator{Role: strings.TrimSuffix(rest, `"]`), Name: strings.TrimSpace(name)}
	}
	return flow.Locator{Role: flow.AnyRole, Name: words}
}

func flat(ways []selectors) []string {
	var all []string
	for _, way := range ways {
		all = append(all, strings.Join(way, " >>> "))
	}
	return all
}

func cut(text string) string {
	if len(text) <= 200 {
		return text
	}
	return strings.ToValidUTF8(text[:200], "")
}
