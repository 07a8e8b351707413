package rest

import (
	"bytes"
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
)

// Directives on fields of stored operations say how a null is answered where clients expect none. The executor, which is
// handed checked documents, ignores them.
const (
	orEmptyDirective = "orEmpty" // as an empty string
	orOmitDirective  = "orOmit"  // not at all: the key is left out
)

// null is a field of which null is answered otherwise.
type null struct{ member, instead []byte }

// findNulls notes the fields that the directives stand on. A name must mean the same wherever the operation selects it, and
// an omitted member must have one before it.
func (o *operation) findNulls() error {
	forms := map[string]string{}
	var visit func(ast.SelectionSet) error
	visit = func(selections ast.SelectionSet) error {
		var fields []*ast.Field
		collectFields(selections, &fields)
		for i, f := range fields {
			form := nullForm(f)
			if known, seen := forms[f.Alias]; seen && known != form {
				return fmt.Errorf("one %q has a directive for null and another does not", f.Alias)
			}
			if form == orOmitDirective && i == 0 {
				return fmt.Errorf("%q must not be the first field", f.Alias)
			}
			forms[f.Alias] = form
			if err := visit(f.SelectionSet); err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit(o.document.Operations[0].SelectionSet); err != nil {
		return err
	}
	for alias, form := range forms {
		switch form {
		case orEmptyDirective:
			o.nulls = append(o.nulls, null{fmt.Appendf(nil, "%q:null", alias), fmt.Appendf(nil, `%q:""`, alias)})
		case orOmitDirective:
			o.nulls = append(o.nulls, null{fmt.Appendf(nil, ",%q:null", alias), nil})
		}
	}
	return nil
}

// nullForm is the directive for null that stands on a field; empty for none.
func nullForm(f *ast.Field) string {
	for _, name := range []string{orEmptyDirective, orOmitDirective} {
		if f.Directives.ForName(name) != nil {
			return name
		}
	}
	return ""
}

// presentNulls rewrites the nulls of a result. The bytes of a member cannot occur inside of a string, where quotation marks
// are escaped.
func (o *operation) presentNulls(data []byte) []byte {
	for _, n := range o.nulls {
		if bytes.Contains(data, n.member) {
			data = bytes.ReplaceAll(data, n.member, n.instead)
		}
	}
	return data
}
