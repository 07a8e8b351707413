package flow

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"afterimage/internal/yamltext"
)

// Read reads a definition from YAML or JSON and checks it. An error names the line, the field and what to do.
func Read(text []byte) (*Flow, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("the definition has more than %d bytes", MaxSize)
	}
	tree, err := yamltext.Parse(text)
	if err != nil {
		return nil, err
	}
	if tree == nil {
		return nil, fmt.Errorf("the definition is empty: it needs name, start and steps")
	}
	r := &reader{}
	f := r.flow(tree)
	if r.err != nil {
		return nil, r.err
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	return f, nil
}

func (r *reader) flow(tree ast.Node) *Flow {
	o := r.object(tree, "a definition")
	f := &Flow{
		Name: o.text("name", maxName), Start: o.text("start", maxWords), Devices: o.list("devices", 2, maxName),
		Deadline: o.duration("deadline", MaxDeadline), Secrets: r.secrets(o.take("secrets")),
	}
	steps := o.take("steps")
	o.close("a definition")
	list, ok := steps.(*ast.SequenceNode)
	switch {
	case steps == nil:
		r.fail(o.line, "steps are missing: list what is to be done")
	case !ok:
		r.fail(lineOf(steps), "steps must be a list, not %s", kindOf(steps))
	case len(list.Values) > MaxSteps:
		r.fail(lineOf(steps), "there are %d steps; at most %d are supported", len(list.Values), MaxSteps)
	default:
		for _, node := range list.Values {
			f.Steps = append(f.Steps, r.step(node))
		}
	}
	return f
}

// secrets reads names with the hosts to which they may be given.
func (r *reader) secrets(node ast.Node) []Secret {
	if node == nil {
		return nil
	}
	o := r.object(node, "secrets")
	if len(o.order) > MaxSecrets {
		r.fail(o.line, "there are %d secrets; at most %d are supported", len(o.order), MaxSecrets)
		return nil
	}
	var secrets []Secret
	for _, name := range o.order {
		if o.fields[name] != nil {
			secrets = append(secrets, Secret{Name: name, Hosts: o.list(name, MaxSecrets, maxName)})
		}
	}
	return secrets
}

// step reads one step: the field that is named like a kind says what it does.
func (r *reader) step(node ast.Node) Step {
	if word, plain := plainText(node); plain && word == string(Checkpoint) {
		r.fail(lineOf(node), "a checkpoint needs a name: write checkpoint: Basket")
	}
	o := r.object(node, "a step")
	s := Step{Line: o.line, Label: o.text("label", maxName), Deadline: o.duration("deadline", MaxStepDeadline)}
	for _, kind := range Kinds {
		if o.fields[string(kind)] == nil {
			continue
		}
		if s.Kind != "" {
			r.fail(o.lines[string(kind)], "the step is both %s and %s: split it into two steps", s.Kind, kind)
		}
		s.Kind = kind
	}
	if s.Kind == "" {
		r.fail(o.line, "the step does not say what to do: add one of %s", kindWords())
		return s
	}
	stepReaders[s.Kind](o, &s)
	if s.Kind == Click || s.Kind == Press || s.Kind == Navigate || s.Kind == Check || s.Kind == Select {
		s.Dialogs = Dialogs(o.text("dialogs", maxName))
	}
	if s.Kind.Acts() {
		s.Changes = o.flag("changes", false)
	}
	o.close("the step " + string(s.Kind))
	return s
}

func kindWords() string {
	words := make([]string, len(Kinds))
	for i, kind := range Kinds {
		words[i] = string(kind)
	}
	return strings.Join(words, ", ")
}

// stepReaders read what the kinds of steps have besides their labels and deadlines.
var stepReaders = map[Kind]func(*object, *Step){
	Navigate: func(o *object, s *Step) { s.Value = o.text("navigate", maxWords) },
	Click:    func(o *object, s *Step) { s.Element = o.element("click") },
	Hover:    func(o *object, s *Step) { s.Element = o.element("hover") },
	Fill: func(o *object, s *Step) {
		s.Element = o.element("fill")
		given := o.fields["value"] != nil
		s.Value, s.Secret = o.text("value", maxValue), o.text("secret", maxName)
		if given == (s.Secret != "") {
			o.fail(o.line, "fill needs value, a text, or secret, the name of a secret, and not both")
		}
	},
	Select: func(o *object, s *Step) {
		s.Element = o.element("select")
		if s.Value = o.text("value", maxName); s.Value == "" {
			o.fail(o.line, "select needs value: the words or the value of the option")
		}
	},
	Check: func(o *object, s *Step) {
		s.Element = o.element("check")
		s.Off = !o.flag("checked", true)
	},
	Press: func(o *object, s *Step) {
		s.Value = o.text("press", maxName)
		s.Element = o.optionalElement("on")
	},
	Scroll: func(o *object, s *Step) {
		if text, plain := plainText(o.fields["scroll"]); plain {
			o.take("scroll")
			s.Value = text
			return
		}
		s.Element = o.element("scroll")
	},
	Wait:       (*object).wait,
	Hide:       func(o *object, s *Step) { s.Selectors = o.list("hide", MaxSelectors, maxWords) },
	Checkpoint: func(o *object, s *Step) { s.Label, s.Element = o.checkpointName(s.Label), o.optionalElement("on") },
	Assert:     (*object).assertion,
}

// checkpointName is the name of a checkpoint, which has no label beside it.
func (o *object) checkpointName(label string) string {
	if label != "" {
		o.fail(o.line, "a checkpoint has a name and no label: remove label")
	}
	return o.text("checkpoint", maxName)
}

func (o *object) wait(s *Step) {
	line := o.lines["wait"]
	node := o.take("wait")
	if word, plain := plainText(node); plain {
		if s.For = AwaitQuiet; word != string(AwaitQuiet) {
			o.fail(line, "wait must be quiet, or an object with element, text or address, not %q", word)
		}
		return
	}
	w := o.object(node, "wait")
	for _, way := range []Awaited{AwaitElement, AwaitText, AwaitAddress} {
		if w.fields[string(way)] == nil {
			continue
		}
		if s.For != "" {
			o.fail(line, "wait has both %s and %s: split it into two steps", s.For, way)
		}
		s.For = way
	}
	switch s.For {
	case AwaitElement:
		s.Element = w.element("element")
	case AwaitText, AwaitAddress:
		s.Value = w.text(string(s.For), maxWords)
	default:
		o.fail(line, "wait needs element, text or address")
	}
	s.Gone = w.flag("gone", false)
	if s.Gone && s.For == AwaitAddress {
		o.fail(line, "gone can only be used with element or text")
	}
	w.close("wait")
}

func (o *object) assertion(s *Step) {
	a := &s.Assertion
	line := o.lines["assert"]
	a.Look = Looked(o.text("assert", maxName))
	s.Element = o.optionalElement("on")
	possible, known := operators[a.Look]
	if !known {
		o.fail(line, "assert must be text, address, count, value or visible, not %q", a.Look)
	}
	for _, operator := range possible {
		if o.fields[string(operator)] == nil {
			continue
		}
		if a.Operator != "" {
			o.fail(line, "the step has both %s and %s: make two steps of it", a.Operator, operator)
		}
		a.Operator, a.Expected = operator, o.text(string(operator), maxValue)
	}
	for _, operator := range possible {
		o.known = append(o.known, string(operator))
	}
	if a.Operator == "" && a.Look == LookVisible {
		a.Operator, a.Expected = Equals, "true"
	}
}

// optionalElement reads a field that says by what an element is found; nil when there is none.
func (o *object) optionalElement(name string) Element {
	if o.fields[name] == nil {
		o.known = append(o.known, name)
		return nil
	}
	return o.element(name)
}

// element reads a field with one way to find an element, or several.
func (o *object) element(name string) Element {
	line := o.lines[name]
	node := o.take(name)
	nodes := []ast.Node{node}
	if several, ok := node.(*ast.SequenceNode); ok {
		nodes = several.Values
	}
	if len(nodes) == 0 || len(nodes) > MaxAlternatives {
		o.fail(line, "%s has %d ways to find the element; 1 to %d are supported", name, len(nodes), MaxAlternatives)
		return nil
	}
	element := make(Element, len(nodes))
	for i, node := range nodes {
		element[i] = o.locator(node, name)
	}
	return element
}

func (r *reader) locator(node ast.Node, name string) Locator {
	o := r.object(node, name)
	l := Locator{
		Role: strings.ToLower(o.text("role", maxName)), Name: o.text("name", maxWords), Text: o.text("text", maxWords),
		Label: o.text("label", maxWords), Placeholder: o.text("placeholder", maxWords), TestID: o.text("testid", maxWords),
		CSS: o.text("css", maxWords), Exact: o.flag("exact", false), Nth: o.number("nth", maxNth),
	}
	o.close("an element")
	if err := l.check(); err != nil {
		r.fail(o.line, "%s %v", name, err)
	}
	return l
}
