package flow

import "strings"

// Does says in a few words what a step does: Fill field “Password” with the secret password. The words of a secret are not in it.
func (s *Step) Does() string {
	switch s.Kind {
	case Navigate:
		return "go to " + s.Value
	case Click, Hover:
		return string(s.Kind) + " " + s.Element.String()
	case Fill:
		if s.Secret != "" {
			return "fill " + s.Element.String() + " with the secret " + s.Secret
		}
		return "fill " + s.Element.String() + " with " + quoted(s.Value)
	case Select:
		return "select " + quoted(s.Value) + " in " + s.Element.String()
	case Check:
		if s.Off {
			return "uncheck " + s.Element.String()
		}
		return "check " + s.Element.String()
	case Press:
		return "press " + s.Value + s.on(" in ")
	case Scroll:
		if s.Element == nil {
			return "scroll to the " + s.Value
		}
		return "scroll to " + s.Element.String()
	case Wait:
		return "wait " + s.awaits()
	case Hide:
		return "hide " + strings.Join(s.Selectors, ", ")
	case Checkpoint:
		return "picture " + quoted(s.Label) + s.on(" of ")
	case Assert:
		return s.Assertion.String() + s.on(" in ")
	}
	return string(s.Kind)
}

func (s *Step) on(word string) string {
	if s.Element == nil {
		return ""
	}
	return word + s.Element.String()
}

func (s *Step) awaits() string {
	until := "for "
	if s.Gone {
		until = "until there is no "
	}
	switch s.For {
	case AwaitElement:
		return until + s.Element.String()
	case AwaitText:
		return until + "text " + quoted(s.Value)
	case AwaitAddress:
		return until + "the address " + s.Value
	}
	return "until the page is quiet"
}
