package flow

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// YAML writes the definition as [Read] reads it.
func (f *Flow) YAML() ([]byte, error) {
	whole := fields{{Key: "name", Value: f.Name}, {Key: "start", Value: f.Start}}
	if len(f.Devices) > 0 {
		whole.add("devices", f.Devices)
	}
	if f.Deadline > 0 {
		whole.add("deadline", f.Deadline.String())
	}
	if len(f.Secrets) > 0 {
		secrets := fields{}
		for _, s := range f.Secrets {
			secrets.add(s.Name, s.Hosts)
		}
		whole.add("secrets", yaml.MapSlice(secrets))
	}
	steps := make([]yaml.MapSlice, len(f.Steps))
	for i := range f.Steps {
		steps[i] = f.Steps[i].fields()
	}
	whole.add("steps", steps)
	text, err := yaml.MarshalWithOptions(yaml.MapSlice(whole), yaml.IndentSequence(true), yaml.UseLiteralStyleIfMultiline(true))
	if err != nil {
		return nil, fmt.Errorf("write the definition: %w", err)
	}
	return text, nil
}

// fields are those of an object in order.
type fields yaml.MapSlice

func (f *fields) add(name string, value any) { *f = append(*f, yaml.MapItem{Key: name, Value: value}) }

// text adds a field unless it is empty.
func (f *fields) text(name, value string) {
	if value != "" {
		f.add(name, value)
	}
}

func (s *Step) fields() yaml.MapSlice {
	all := fields{}
	s.action(&all)
	if s.Kind != Checkpoint {
		all.text("label", s.Label)
	}
	all.text("dialogs", string(s.Dialogs))
	if s.Changes {
		all.add("changes", true)
	}
	if s.Deadline > 0 {
		all.add("deadline", s.Deadline.String())
	}
	return yaml.MapSlice(all)
}

// action adds what the step does.
func (s *Step) action(all *fields) {
	kind := string(s.Kind)
	switch s.Kind {
	case Navigate, Press:
		all.add(kind, s.Value)
	case Checkpoint:
		all.add(kind, s.Label)
	case Hide:
		all.add(kind, s.Selectors)
	case Assert:
		all.add(kind, string(s.Assertion.Look))
	case Wait:
		all.add(kind, s.awaited())
	case Scroll:
		if s.Element == nil {
			all.add(kind, s.Value)
			break
		}
		all.add(kind, s.Element.value())
	case Click, Fill, Select, Check, Hover:
		all.add(kind, s.Element.value())
	}
	if on := s.Kind == Press || s.Kind == Checkpoint || s.Kind == Assert; on && s.Element != nil {
		all.add("on", s.Element.value())
	}
	switch {
	case s.Kind == Fill && s.Secret != "":
		all.add("secret", s.Secret)
	case s.Kind == Fill, s.Kind == Select:
		all.add("value", s.Value)
	case s.Kind == Check && s.Off:
		all.add("checked", false)
	case s.Kind == Assert:
		all.add(string(s.Assertion.Operator), s.Assertion.Expected)
	}
}

func (s *Step) awaited() any {
	if s.For == AwaitQuiet {
		return string(AwaitQuiet)
	}
	all := fields{}
	if s.For == AwaitElement {
		all.add("element", s.Element.value())
	} else {
		all.add(string(s.For), s.Value)
	}
	if s.Gone {
		all.add("gone", true)
	}
	return yaml.MapSlice(all)
}

// value is one object, or a list of several.
func (e Element) value() any {
	list := make([]yaml.MapSlice, len(e))
	for i, l := range e {
		list[i] = l.fields()
	}
	if len(list) == 1 {
		return list[0]
	}
	return list
}

func (l Locator) fields() yaml.MapSlice {
	all := fields{}
	all.text("role", l.Role)
	all.text("name", l.Name)
	all.text("text", l.Text)
	all.text("label", l.Label)
	all.text("placeholder", l.Placeholder)
	all.text("testid", l.TestID)
	all.text("css", l.CSS)
	if l.Exact {
		all.add("exact", true)
	}
	if l.Nth > 0 {
		all.add("nth", l.Nth)
	}
	return yaml.MapSlice(all)
}
