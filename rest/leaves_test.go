package rest

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// leafPlaces are the places below a name of a type that take a value.
func leafPlaces(schema *ast.Schema, name string, typ *ast.Type) []string {
	definition := schema.Types[typ.Name()]
	if definition.Kind != ast.InputObject {
		return []string{name}
	}
	var places []string
	for _, field := range definition.Fields {
		places = append(places, leafPlaces(schema, name+"."+field.Name, field.Type)...)
	}
	return places
}

// leavesOf are the places below a name that hold a value, and those of their objects and lists.
func leavesOf(value any, name string) []string {
	places := []string{name}
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			places = append(places, leavesOf(inner, strings.TrimPrefix(name+"."+key, "."))...)
		}
	case []any:
		for _, inner := range value {
			places = append(places, leavesOf(inner, name)...)
		}
	}
	return places
}
