package rest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/vektah/gqlparser/v2/ast"
)

// plainScalars stand where they are used; any other scalar is a component.
var plainScalars = []string{"ID", "String", "Boolean", "Int", "Float"}

// objectOf is the JSON object of a selection. A selection that is nothing but a fragment is a component of that name.
func (d *describer) objectOf(selections ast.SelectionSet) ordered {
	if len(selections) == 1 {
		if spread, ok := selections[0].(*ast.FragmentSpread); ok {
			return d.component(spread.Name, spread.Definition, func() ordered {
				return d.objectOfFields(spread.Definition.SelectionSet)
			})
		}
	}
	return d.objectOfFields(selections)
}

func (d *describer) objectOfFields(selections ast.SelectionSet) ordered {
	var fields []*ast.Field
	collectFields(selections, &fields)
	o := newObjectSchema()
	for _, f := range fields {
		always := f.Directives.ForName("include") == nil && f.Directives.ForName("skip") == nil && nullForm(f) != orOmitDirective
		o.add(f.Alias, d.output(f), always)
	}
	return o.schema()
}

// collectFields gathers the fields of a selection with fragments written out.
func collectFields(selections ast.SelectionSet, into *[]*ast.Field) {
	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			*into = append(*into, selection)
		case *ast.FragmentSpread:
			collectFields(selection.Definition.SelectionSet, into)
		case *ast.InlineFragment:
			collectFields(selection.SelectionSet, into)
		}
	}
}

// output is the schema of a field in an answer.
func (d *describer) output(f *ast.Field) ordered {
	typ := f.Definition.Type
	schema := d.outputType(presentedType(f), f)
	if nullForm(f) == orEmptyDirective {
		schema = with("type", "string")
	}
	return withDescription(schema, d.speak(f.Definition.Description, typ))
}

// presentedType is the type of a field without the null that is never answered.
func presentedType(f *ast.Field) *ast.Type {
	typ := *f.Definition.Type
	typ.NonNull = typ.NonNull || nullForm(f) != ""
	return &typ
}

func (d *describer) outputType(typ *ast.Type, f *ast.Field) ordered {
	var schema ordered
	switch {
	case typ.Elem != nil:
		schema = with("type", "array", "items", d.outputType(typ.Elem, f))
	case len(f.SelectionSet) > 0:
		schema = d.objectOf(f.SelectionSet)
	default:
		schema = d.leaf(typ.Name())
	}
	if typ.NonNull {
		return schema
	}
	return nullable(schema)
}

// leaf is the schema of a scalar or an enum.
func (d *describer) leaf(name string) ordered {
	definition := d.schema.Types[name]
	if definition.Kind == ast.Enum {
		return d.component(name, definition, func() ordered { return enumSchema(definition) })
	}
	known, ok := d.overlay.Scalars[name]
	if slices.Contains(plainScalars, name) {
		return known
	}
	return d.component(name, definition, func() ordered {
		if !ok {
			return with("description", definition.Description)
		}
		return known
	})
}

// enumSchema lists the values in lower case, as this interface spells them, and what each means.
func enumSchema(definition *ast.Definition) ordered {
	values := valuesOf(definition)
	names := make([]string, len(values))
	var meanings strings.Builder
	meanings.WriteString(definition.Description)
	for i, value := range values {
		names[i] = strings.ToLower(value.Name)
		if value.Description != "" {
			fmt.Fprintf(&meanings, "\n- `%s`: %s", names[i], value.Description)
		}
	}
	return with("type", "string", "description", meanings.String(), "enum", names)
}

// nullable also allows null.
func nullable(schema ordered) ordered {
	if len(schema) > 0 && schema[0].Key == "type" {
		if name, ok := schema[0].Value.(string); ok {
			return append(ordered{{Key: "type", Value: []string{name, "null"}}}, schema[1:]...)
		}
	}
	return with("anyOf", []ordered{schema, with("type", "null")})
}

// described gives a schema a description of its own.
func withDescription(schema ordered, text string) ordered {
	if text == "" {
		return schema
	}
	own := slices.DeleteFunc(slices.Clone(schema), func(m yaml.MapItem) bool { return m.Key == "description" })
	return append(own, yaml.MapItem{Key: "description", Value: text})
}

// speak puts the description of a GraphQL field into the words of this interface: the names of its enum in lower case.
func (d *describer) speak(text string, typ *ast.Type) string {
	definition := d.schema.Types[typ.Name()]
	text = strings.Join(strings.Fields(text), " ")
	if definition == nil || definition.Kind != ast.Enum {
		return text
	}
	words := strings.Split(text, " ")
	for i, word := range words {
		name := strings.Trim(word, ",.;:()")
		if definition.EnumValues.ForName(name) != nil {
			words[i] = strings.Replace(word, name, "`"+strings.ToLower(name)+"`", 1)
		}
	}
	return strings.Join(words, " ")
}

// objectSchema is the schema of an object under construction.
type objectSchema struct {
	properties ordered
	required   []string
}

func newObjectSchema() *objectSchema { return &objectSchema{} }

func (o *objectSchema) add(name string, schema ordered, required bool) {
	for _, p := range o.properties {
		if p.Key == name {
			return // selected twice
		}
	}
	o.properties = append(o.properties, yaml.MapItem{Key: name, Value: schema})
	if required {
		o.required = append(o.required, name)
	}
}

func (o *objectSchema) schema() ordered {
	s := with("type", "object")
	if len(o.required) > 0 {
		s = append(s, yaml.MapItem{Key: "required", Value: o.required})
	}
	return append(s, yaml.MapItem{Key: "properties", Value: o.properties})
}
