package graph

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// shape is what a document asks for, in numbers. Fragments count wherever they are spread.
type shape struct {
	fields, aliases, directives, depth int

	lists         int // lists of the schema inside each other
	introspection introspection
}

// saturated keeps sums far from overflowing; no limit is near it.
const saturated = 1 << 30

func (s *shape) add(other shape) {
	s.fields = min(s.fields+other.fields, saturated)
	s.aliases = min(s.aliases+other.aliases, saturated)
	s.directives = min(s.directives+other.directives, saturated)
	s.depth = max(s.depth, other.depth)
	s.lists = max(s.lists, other.lists)
	s.introspection.add(other.introspection)
}

// checkShape refuses documents that are costly to validate or to run, before they are validated: the rule that looks
// for fields in conflict compares fields by pairs, and fragments that spread fragments multiply. The time it takes
// itself grows with the length of the document only.
func (l *Limits) checkShape(doc *ast.QueryDocument) *gqlerror.Error {
	s := survey{limits: l, fragments: map[string]*shape{}, doc: doc}
	var whole shape
	for _, operation := range doc.Operations {
		s.directivesAt(operation.Directives, &whole)
		whole.add(s.selections(operation.SelectionSet, 1))
	}
	for _, fragment := range doc.Fragments { // also those that nobody spreads: they are validated
		s.fragment(fragment.Name)
	}
	switch {
	case s.err != nil:
		return s.err
	case whole.depth > l.Depth:
		return coded(codeTooMuch, "The operation is nested deeper than %d selections.", l.Depth)
	case whole.fields > l.Fields:
		return coded(codeTooMuch, "The operation selects more than %d fields.", l.Fields)
	case whole.aliases > l.Aliases:
		return coded(codeTooMuch, "The operation has more than %d aliases.", l.Aliases)
	case whole.directives > l.Directives:
		return coded(codeTooMuch, "The operation has more than %d directives.", l.Directives)
	}
	return whole.introspection.check()
}

// survey takes the shape of a document. It stops at the first thing that must be refused.
type survey struct {
	limits    *Limits
	doc       *ast.QueryDocument
	fragments map[string]*shape // nil while being surveyed
	err       *gqlerror.Error
}

func (s *survey) selections(set ast.SelectionSet, depth int) shape {
	var total shape
	if s.err != nil || len(set) == 0 {
		return total
	}
	if depth > s.limits.Depth {
		s.err = coded(codeTooMuch, "The operation is nested deeper than %d selections.", s.limits.Depth)
		return total
	}
	repeats := map[string]int{}
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			repeats[selection.Alias]++
			if repeats[selection.Alias] > s.limits.Repeats {
				s.err = coded(codeTooMuch, "The field %q is repeated more than %d times.", selection.Alias, s.limits.Repeats)
			}
			total.add(s.field(selection, depth))
		case *ast.InlineFragment:
			s.directivesAt(selection.Directives, &total)
			total.add(nested(s.selections(selection.SelectionSet, depth+1)))
		case *ast.FragmentSpread:
			s.directivesAt(selection.Directives, &total)
			total.add(nested(s.fragment(selection.Name)))
		}
	}
	return total
}

// nested is a shape one level further in.
func nested(s shape) shape {
	s.depth++
	return s
}

func (s *survey) field(field *ast.Field, depth int) shape {
	own := shape{fields: 1, depth: 1}
	if field.Alias != field.Name {
		own.aliases = 1
	}
	s.directivesAt(field.Directives, &own)
	own.add(nested(s.selections(field.SelectionSet, depth+1)))
	own.introspect(field)
	return own
}

// fragment is the shape of a fragment, taken once. A spread of an unknown one counts nothing: validation refuses it.
func (s *survey) fragment(name string) shape {
	known, seen := s.fragments[name]
	if known != nil {
		return *known
	}
	definition := s.doc.Fragments.ForName(name)
	if definition == nil || s.err != nil {
		return shape{}
	}
	if seen {
		s.err = coded(codeTooMuch, "The fragment %q contains itself.", name)
		return shape{}
	}
	s.fragments[name] = nil
	var taken shape
	s.directivesAt(definition.Directives, &taken)
	taken.add(s.selections(definition.SelectionSet, 1))
	s.fragments[name] = &taken
	return taken
}

// maxDirectivesAtOnce bounds those in one place, which validation compares with each other.
const maxDirectivesAtOnce = 10

func (s *survey) directivesAt(list ast.DirectiveList, total *shape) {
	if len(list) > maxDirectivesAtOnce && s.err == nil {
		s.err = coded(codeTooMuch, "There are more than %d directives in one place.", maxDirectivesAtOnce)
	}
	total.add(shape{directives: len(list)})
}
