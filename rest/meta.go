package rest

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"
)

// inMeta moves a member of another wrapper's answer into "meta".
func inMeta(inner wrapper, name string) wrapper {
	answer := func(o outcome) (reply, error) {
		r, err := inner.answer(o)
		if err != nil {
			return reply{}, err
		}
		body, err := parse(r.body)
		if err != nil {
			return reply{}, err
		}
		all, err := members(body)
		if err != nil {
			return reply{}, err
		}
		moved := slices.IndexFunc(all, func(m member) bool { return m.name == name })
		if moved < 0 {
			return reply{}, fmt.Errorf("%w: it has no %s", errNotJSON, name)
		}
		rest := joined(slices.Delete(slices.Clone(all), moved, moved+1))
		r.body = fmt.Appendf(rest[:len(rest)-1], `,"meta":%s}`, joined(all[moved:moved+1]))
		return r, nil
	}
	return wrapper{answer, func(d *describer, op *operation) shape {
		s := inner.shape(d, op)
		rest, meta := newObjectSchema(), newObjectSchema()
		for _, m := range properties(s.body) {
			into := rest
			if m.Key == name {
				into = meta
			}
			into.add(fmt.Sprint(m.Key), m.Value.(ordered), required(s.body, fmt.Sprint(m.Key)))
		}
		rest.add("meta", meta.schema(), true)
		s.body = rest.schema()
		return s
	}}
}

// properties are those of the schema of an object.
func properties(schema ordered) []yaml.MapItem {
	for _, m := range schema {
		if found, ok := m.Value.(ordered); ok && m.Key == "properties" {
			return found
		}
	}
	return nil
}

// required reports whether the schema of an object requires a property.
func required(schema ordered, name string) bool {
	for _, m := range schema {
		if names, ok := m.Value.([]string); ok && m.Key == "required" {
			return slices.Contains(names, name)
		}
	}
	return false
}
