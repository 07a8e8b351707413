package graph

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Limits of what may be asked below __schema and __type. The schema is large and its types refer to each other, so that
// few fields can make a response of many megabytes. API explorers ask for 230 fields in three lists.
const (
	maxIntrospected      = 300 // fields, with fragments written out
	maxIntrospectAliases = 5   // fields under another name, with fragments written out
	maxIntrospectLists   = 3   // lists inside each other, like the arguments of the fields of the types
)

// introspectionLists are the fields of the introspection schema that are lists of more than words.
var introspectionLists = map[string]bool{
	"types": true, "directives": true, "fields": true, "args": true, "inputFields": true, "enumValues": true,
	"interfaces": true, "possibleTypes": true,
}

func introspects(field *ast.Field) bool { return field.Name == "__schema" || field.Name == "__type" }

// introspect notes in the shape of a field what it is for introspection.
func (s *shape) introspect(field *ast.Field) {
	if introspectionLists[field.Name] {
		s.lists++
	}
	if introspects(field) {
		s.introspection = introspection{fields: s.fields, aliases: s.aliases, lists: s.lists}
	}
}

// introspection is what a document asks for below __schema and __type, in numbers.
type introspection struct {
	fields, aliases, lists int
}

func (i *introspection) add(other introspection) {
	i.fields = min(i.fields+other.fields, saturated)
	i.aliases = min(i.aliases+other.aliases, saturated)
	i.lists = max(i.lists, other.lists)
}

func (i introspection) check() *gqlerror.Error {
	switch {
	case i.fields > maxIntrospected:
		return coded(codeTooMuch, "The operation selects more than %d schema fields.", maxIntrospected)
	case i.aliases > maxIntrospectAliases:
		return coded(codeTooMuch, "The operation has more than %d aliases of schema fields.", maxIntrospectAliases)
	case i.lists > maxIntrospectLists:
		return coded(codeTooMuch, "The operation nests schema lists deeper than %d.", maxIntrospectLists)
	}
	return nil
}
