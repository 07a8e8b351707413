package rest

import (
	"maps"

	"github.com/vektah/gqlparser/v2/ast"
)

// headerDirective stands on a variable that depends on a header of the request. With a field, the header stands in for that field
// where the request lacks it: $input: SyncUrlsInput! @header(name: "x-wcd-domain", field: "domain"). Without one, the variable is a
// Boolean that tells whether the header is there; requests cannot send it otherwise.
const headerDirective = "header"

// headerField is a header that stands in for a field of the request.
type headerField struct{ name, field string }

// standIns are the headers that stand in for fields, as the directives on a variable name them.
func standIns(variable *ast.VariableDefinition) (all []headerField) {
	for _, header := range variable.Directives.ForNames(headerDirective) {
		if field := header.Arguments.ForName("field"); field != nil {
			all = append(all, headerField{header.Arguments.ForName("name").Value.Raw, field.Value.Raw})
		}
	}
	return all
}

// withHeaders is the request with what its headers say of the fields that it lacks.
func (r request) withHeaders(fields []headerField) request {
	for _, f := range fields {
		text := utf8Text(r.header.Get(f.name))
		if given, ok := r.lookup(f.field); text == "" || ok && given != nil && given != "" {
			continue
		}
		body := maps.Clone(r.body)
		if body == nil {
			body = values{}
		}
		body[f.field], r.body = text, body
	}
	return r
}
