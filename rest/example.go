package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// maxExampleDepth keeps examples of schemas that contain themselves finite.
const maxExampleDepth = 8

// example is a value that fits a schema; name is the field that it stands in.
func (d *describer) example(schema ordered, name string, depth int) any {
	schema = d.resolve(schema)
	if value, ok := d.overlay.Examples[name]; ok && valueOf(schema, "enum") == nil && typeOf(schema) != "object" {
		if typeOf(schema) != "array" {
			return value
		}
		return strings.Split(fmt.Sprint(value), ", ")
	}
	for _, key := range []any{"example", "default"} {
		if value := valueOf(schema, key); value != nil {
			return value
		}
	}
	if values, ok := valueOf(schema, "enum").([]string); ok {
		return values[0]
	}
	if values, ok := valueOf(schema, "enum").([]any); ok {
		return values[len(values)-1]
	}
	for _, key := range []any{"anyOf", "oneOf"} {
		if first := firstSchema(valueOf(schema, key)); first != nil {
			return d.example(first, name, depth)
		}
	}
	return d.exampleOfType(schema, name, depth)
}

func (d *describer) exampleOfType(schema ordered, name string, depth int) any {
	switch typeOf(schema) {
	case "object":
		properties, _ := valueOf(schema, "properties").(ordered)
		out := ordered{}
		for _, p := range properties {
			property, _ := p.Value.(ordered)
			if depth < maxExampleDepth {
				out = append(out, yaml.MapItem{Key: p.Key, Value: d.example(property, fmt.Sprint(p.Key), depth+1)})
			}
		}
		return out
	case "array":
		items, _ := valueOf(schema, "items").(ordered)
		return []any{d.example(items, name, depth+1)}
	case "integer", "number":
		if least := valueOf(schema, "minimum"); least != nil {
			return least
		}
		return 1
	case "boolean":
		return true
	case "string":
		if valueOf(schema, "format") == "uuid" {
			return "0190a1b2-c3d4-7e5f-8a6b-9c0d1e2f3a4b"
		}
		return "text"
	}
	return ordered{}
}

// resolve follows a reference to a component.
func (d *describer) resolve(schema ordered) ordered {
	if name, ok := componentName(schema); ok {
		return d.schemas[name]
	}
	return schema
}

func componentName(schema ordered) (string, bool) {
	target, _ := valueOf(schema, "$ref").(string)
	return strings.CutPrefix(target, "#/components/schemas/")
}

func valueOf(o ordered, key any) any {
	for _, m := range o {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}

// typeOf is the type of a schema beside null.
func typeOf(schema ordered) string {
	switch name := valueOf(schema, "type").(type) {
	case string:
		return name
	case []string:
		return name[0]
	case []any:
		return fmt.Sprint(name[0])
	}
	return ""
}

func firstSchema(list any) ordered {
	switch list := list.(type) {
	case []ordered:
		return list[0]
	case []any:
		first, _ := list[0].(ordered)
		return first
	}
	return nil
}

// indented is a value as JSON for people.
func indented(value any) string {
	var out bytes.Buffer
	if err := json.Indent(&out, appendJSON(nil, value), "", "  "); err != nil {
		return ""
	}
	return out.String()
}

// appendJSON writes a value whose objects keep their order.
func appendJSON(out []byte, value any) []byte {
	switch value := value.(type) {
	case ordered:
		out = append(out, '{')
		for i, m := range value {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(out, quoted(fmt.Sprint(m.Key))...), ':')
			out = appendJSON(out, m.Value)
		}
		return append(out, '}')
	case []ordered:
		return appendList(out, value)
	case []any:
		return appendList(out, value)
	case []string:
		return appendList(out, value)
	case string:
		return append(out, quoted(value)...)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return append(out, "null"...)
	}
	return append(out, text...)
}

func appendList[T any](out []byte, list []T) []byte {
	out = append(out, '[')
	for i, item := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendJSON(out, item)
	}
	return append(out, ']')
}
