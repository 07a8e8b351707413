package rest

import (
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// shape is what an answer looks like: its status, and the schema of its body, nil without one.
type shape struct {
	status int
	body   ordered
}

func shapeWrapped(d *describer, op *operation) shape {
	o, meta := newObjectSchema(), newObjectSchema()
	for _, f := range op.payload() {
		if f.Alias == "data" {
			o.add("data", d.present(f), true)
			continue
		}
		meta.add(f.Alias, d.output(f), true)
	}
	if len(meta.properties) > 0 {
		o.add("meta", meta.schema(), true)
	}
	return shape{http.StatusOK, o.schema()}
}

func shapeCombined(d *describer, op *operation) shape {
	o, data := newObjectSchema(), newObjectSchema()
	for _, f := range op.payload() {
		fields := []*ast.Field{f}
		if f.Alias == "data" {
			fields = nil
			collectFields(f.SelectionSet, &fields)
		}
		for _, f := range fields {
			data.add(f.Alias, d.output(f), true)
		}
	}
	o.add("data", data.schema(), true)
	return shape{http.StatusOK, o.schema()}
}

func shapeBare(d *describer, op *operation) shape {
	for _, f := range op.payload() {
		if f.Alias == "data" {
			return shape{http.StatusOK, d.present(f)}
		}
	}
	return shape{http.StatusOK, with("type", "object")}
}

func shapePayload(d *describer, op *operation) shape {
	o := newObjectSchema()
	for _, f := range op.payload() {
		o.add(f.Alias, d.output(f), f.Directives.ForName("include") == nil)
	}
	return shape{http.StatusOK, o.schema()}
}

func shapeMessage(text string) func(*describer, *operation) shape {
	return func(*describer, *operation) shape {
		o := newObjectSchema()
		o.add("message", with("type", "string", "example", text), true)
		return shape{http.StatusOK, o.schema()}
	}
}

func shapeNoContent(*describer, *operation) shape { return shape{status: http.StatusNoContent} }

func shapeList(d *describer, op *operation) shape {
	meta := newObjectSchema()
	for _, m := range d.overlay.PageMeta {
		name, _ := m.Key.(string)
		schema, _ := m.Value.(ordered)
		meta.add(name, schema, true)
	}
	var items ordered
	var collect func(ast.SelectionSet)
	collect = func(selections ast.SelectionSet) {
		var fields []*ast.Field
		collectFields(selections, &fields)
		for _, f := range fields {
			switch f.Alias {
			case "data", "list":
				collect(f.SelectionSet)
			case "nodes":
				items = d.present(f)
			case "total":
			default:
				meta.add(f.Alias, d.output(f), true)
			}
		}
	}
	collect(op.document.Operations[0].SelectionSet)
	o := newObjectSchema()
	o.add("data", items, true)
	o.add("links", refTo("PageLinks"), true)
	o.add("meta", meta.schema(), true)
	return shape{http.StatusOK, o.schema()}
}

// present is the schema of a field that is there whenever the answer is success: null is answered as not found.
func (d *describer) present(f *ast.Field) ordered {
	typ := *f.Definition.Type
	typ.NonNull = true
	return d.outputType(&typ, f)
}

// payload are the fields of the object that answers are taken from; see outcome.payload.
func (o *operation) payload() []*ast.Field {
	var fields []*ast.Field
	collectFields(o.document.Operations[0].SelectionSet, &fields)
	if len(fields) != 1 || fields[0].Alias == "data" || len(fields[0].SelectionSet) == 0 {
		return fields
	}
	var inner []*ast.Field
	collectFields(fields[0].SelectionSet, &inner)
	return inner
}

// makeOptional takes names off the required ones of the object under "data".
func (d *describer) makeOptional(schema ordered, names []string) {
	for i, m := range schema {
		switch value := m.Value.(type) {
		case []string:
			if m.Key == "required" {
				schema[i].Value = slices.DeleteFunc(slices.Clone(value), func(name string) bool { return slices.Contains(names, name) })
			}
		case ordered:
			d.makeOptional(value, names)
		case string:
			if name, ok := strings.CutPrefix(value, "#/components/schemas/"); ok && m.Key == "$ref" {
				d.makeOptional(d.schemas[name][:], names)
			}
		}
	}
}

// use is how an operation hands a variable on: to an argument or to a field of an input object, which the schema
// describes.
type use struct {
	description string
	standard    *ast.Value
}

func (o *operation) use(variable string) use {
	var found use
	var visit func(value *ast.Value, at use, typ *ast.Type)
	visit = func(value *ast.Value, at use, typ *ast.Type) {
		if value.Kind == ast.Variable && value.Raw == variable {
			found = at
		}
		definition := o.schema.Types[typ.Name()]
		for _, child := range value.Children {
			if field := definition.Fields.ForName(child.Name); field != nil {
				visit(child.Value, use{field.Description, field.DefaultValue}, field.Type)
			}
		}
	}
	for _, selection := range o.document.Operations[0].SelectionSet {
		if field, ok := selection.(*ast.Field); ok {
			for _, argument := range field.Arguments {
				if a := field.Definition.Arguments.ForName(argument.Name); a != nil {
					visit(argument.Value, use{a.Description, a.DefaultValue}, a.Type)
				}
			}
		}
	}
	return found
}

// texts are the first sentence and the rest of what the schema says about the operation's field.
func (o *operation) texts() (summary, rest string) {
	field, ok := o.document.Operations[0].SelectionSet[0].(*ast.Field)
	if !ok || field.Definition == nil {
		return o.name, ""
	}
	text := strings.Join(strings.Fields(field.Definition.Description), " ")
	summary, rest, found := strings.Cut(text, ". ")
	if found {
		summary += "."
	}
	return summary, rest
}
