package rest

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// The texts of fields that cannot be read as their type.
const (
	textRequired = "The {field} field is required."
	textSelected = "The selected {field} is invalid."
	textUUID     = "The {field} field must be a valid UUID."
	textBoolean  = "The {field} field must be true or false."
	textInteger  = "The {field} field must be an integer."
	textNumber   = "The {field} field must be a number."
	textString   = "The {field} field must be a string."
	textNUL      = "The {field} field must not contain NUL characters."
	textDate     = "The {field} field must be a valid date."
	textList     = "The {field} field must be an array."
	textObject   = "The {field} field must be an object."
)

// noID is an id that nothing has. It takes the place of a malformed id in a filter, which thereby matches nothing.
const noID = "00000000-0000-0000-0000-000000000000"

// blankKept are the fields in which an empty string is a value of its own: it clears the stored password. In any other
// optional field it means null.
var blankKept = map[string]bool{"basicAuthPassword": true}

// coercer reads values as the types of the schema and collects the texts of those that do not fit.
type coercer struct {
	schema *ast.Schema
	filter bool // malformed ids match nothing instead of being refused, and empty strings count as absent
	texts  fieldTexts
	places places
}

// target is the place that a value is meant for.
type target struct {
	typ        *ast.Type
	name       string // the GraphQL name, without its place
	field      string // the request's name, dotted
	hasDefault bool
}

// coerce reads raw as its target's type. set is false where the value is to stay absent, and where it does not fit.
func (c *coercer) coerce(t target, raw any) (value any, set bool) {
	if text, ok := raw.(string); ok && strings.TrimSpace(text) == "" && !blankKept[t.name] {
		if c.filter {
			return nil, false
		}
		raw = nil
	}
	if raw == nil {
		return c.null(t)
	}
	if t.typ.Elem != nil {
		return c.list(t, raw)
	}
	definition := c.schema.Types[t.typ.Name()]
	switch definition.Kind {
	case ast.InputObject:
		object, ok := asObject(raw)
		if !ok {
			return c.refuse(t, textObject)
		}
		return c.object(definition, object, t.field)
	case ast.Enum:
		return c.enum(t, definition, raw)
	}
	return c.scalar(t, raw)
}

func (c *coercer) refuse(t target, text string) (any, bool) {
	c.texts.add(t.field, text)
	return nil, false
}

// null is a field without a value: null where it may be, the default where there is one, else missing.
func (c *coercer) null(t target) (any, bool) {
	switch {
	case !t.typ.NonNull:
		return nil, true
	case t.hasDefault:
		return nil, false
	}
	return c.refuse(t, textRequired)
}

// object reads the fields of an input object, in the schema's order, from their names in snake case.
func (c *coercer) object(definition *ast.Definition, object values, within string) (any, bool) {
	out := make(map[string]any, len(object))
	for _, field := range definition.Fields {
		name := snakeCase(field.Name)
		t := target{field.Type, field.Name, nested(within, name), field.DefaultValue != nil}
		raw, given := object[name]
		if !given {
			if field.Type.NonNull && !t.hasDefault {
				c.texts.add(t.field, textRequired)
			}
			continue
		}
		if value, set := c.coerce(t, raw); set {
			out[field.Name] = value
		}
	}
	return out, true
}

// asObject also takes an empty list, which is what PHP makes of an empty object.
func asObject(raw any) (values, bool) {
	switch object := raw.(type) {
	case values:
		return object, true
	case []any:
		return values{}, len(object) == 0
	}
	return nil, false
}

// list reads a list, or a single text that names the items with commas, or a single item.
func (c *coercer) list(t target, raw any) (any, bool) {
	items, isList := elements(raw)
	if !isList {
		return c.inlineList(t, raw)
	}
	if len(items) > maxItems {
		return c.refuse(t, fmt.Sprintf("The {field} field must not have more than %d items.", maxItems))
	}
	out, sent := make([]any, 0, len(items)), make([]string, 0, len(items))
	for _, item := range items {
		if item.value == "" && c.isLeaf(t.typ.Elem) { // PHP clients send x[]= for an empty list
			continue
		}
		at := target{typ: t.typ.Elem, name: t.name, field: nested(t.field, item.index)}
		if value, set := c.coerce(at, item.value); set {
			out, sent = append(out, value), append(sent, item.index)
		}
	}
	c.places.note(t.field, sent)
	return c.listed(out, len(items))
}

// inlineList reads a,b,c. Its items have no names of their own, so their errors are the field's.
func (c *coercer) inlineList(t target, raw any) (any, bool) {
	if !c.isLeaf(t.typ.Elem) {
		return c.refuse(t, textList)
	}
	at := target{typ: t.typ.Elem, name: t.name, field: t.field}
	text, isText := raw.(string)
	if !isText {
		value, set := c.coerce(at, raw)
		return []any{value}, set
	}
	if strings.Count(text, ",") >= maxItems {
		return c.refuse(t, fmt.Sprintf("The {field} field must not have more than %d items.", maxItems))
	}
	var out []any
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if value, set := c.coerce(at, part); set {
			out = append(out, value)
		}
	}
	return c.listed(out, 1)
}

// listed is the value of a list of which given items came. A filter whose items were all empty is no filter.
func (c *coercer) listed(out []any, given int) (any, bool) {
	if out == nil {
		out = []any{}
	}
	return out, !c.filter || len(out) > 0 || given == 0
}

func (c *coercer) isLeaf(typ *ast.Type) bool {
	return typ.Elem == nil && c.schema.Types[typ.Name()].Kind != ast.InputObject
}

func nested(within, name string) string {
	if within == "" {
		return name
	}
	return within + "." + name
}
