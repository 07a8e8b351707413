package graph_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"afterimage/vcd"
)

// own visits the types that the schema files define.
func own(t *testing.T, visit func(d *ast.Definition)) {
	t.Helper()
	for name, d := range newSite(t).graph.Schema().Types {
		if !d.BuiltIn && !strings.HasPrefix(name, "__") {
			visit(d)
		}
	}
}

func fieldsOf(d *ast.Definition) []*ast.FieldDefinition {
	var fields []*ast.FieldDefinition
	for _, f := range d.Fields {
		if !strings.HasPrefix(f.Name, "__") {
			fields = append(fields, f)
		}
	}
	return fields
}

func TestEverythingInTheSchemaIsDescribed(t *testing.T) {
	described := func(text string, place ...string) {
		if !strings.HasSuffix(text, ".") {
			t.Errorf("%s has no description in sentences: %q", strings.Join(place, "."), text)
		}
	}
	own(t, func(d *ast.Definition) {
		described(d.Description, d.Name)
		for _, f := range fieldsOf(d) {
			described(f.Description, d.Name, f.Name)
			for _, a := range f.Arguments {
				described(a.Description, d.Name, f.Name, a.Name)
			}
		}
		for _, v := range d.EnumValues {
			described(v.Description, d.Name, v.Name)
		}
	})
}

func TestEveryConnectionTakesPaging(t *testing.T) {
	own(t, func(d *ast.Definition) {
		for _, f := range fieldsOf(d) {
			if !strings.HasSuffix(f.Type.Name(), "Connection") {
				continue
			}
			for _, argument := range []string{"first", "after", "last", "before", "page", "perPage", "filter"} {
				if f.Arguments.ForName(argument) == nil {
					t.Errorf("%s.%s takes no %s", d.Name, f.Name, argument)
				}
			}
		}
	})
}

func TestConnectionsAreRelays(t *testing.T) {
	own(t, func(d *ast.Definition) {
		if !strings.HasSuffix(d.Name, "Connection") {
			return
		}
		item := strings.TrimSuffix(d.Name, "Connection")
		for name, want := range map[string]string{
			"nodes": "[" + item + "!]!", "edges": "[" + item + "Edge!]!", "pageInfo": "PageInfo!", "totalCount": "Int!",
		} {
			if f := d.Fields.ForName(name); f == nil || f.Type.String() != want {
				t.Errorf("%s.%s is not of type %s", d.Name, name, want)
			}
		}
	})
}

func TestEveryMutationHasItsPayload(t *testing.T) {
	schema := newSite(t).graph.Schema()
	for _, f := range fieldsOf(schema.Mutation) {
		want := strings.ToUpper(f.Name[:1]) + f.Name[1:] + "Payload!"
		if f.Type.String() != want {
			t.Errorf("mutation %s answers %s, want %s", f.Name, f.Type, want)
		}
		if schema.Types[f.Type.Name()].Kind != ast.Object {
			t.Errorf("the payload of %s is no object", f.Name)
		}
	}
}

// The REST interface spells names in snake case and back, which must not lose anything.
func TestNamesOfInputsSurviveSnakeCase(t *testing.T) {
	check := func(place, name string) {
		for i, c := range name {
			previous := byte(0)
			if i > 0 {
				previous = name[i-1]
			}
			if c >= 'A' && c <= 'Z' && previous >= 'A' && previous <= 'Z' || c == '_' {
				t.Errorf("%s: the name %q is not plain camel case", place, name)
				return
			}
		}
	}
	own(t, func(d *ast.Definition) {
		for _, f := range fieldsOf(d) {
			if d.Kind == ast.InputObject {
				check(d.Name, f.Name)
			}
			for _, a := range f.Arguments {
				check(d.Name+"."+f.Name, a.Name)
			}
		}
	})
}

// TestWebhookEventsAreTheDomains holds the enum against the one list of what webhooks can hear of.
func TestWebhookEventsAreTheDomains(t *testing.T) {
	shown := map[vcd.EventKind]bool{}
	for _, v := range newSite(t).graph.Schema().Types["WebhookEvent"].EnumValues {
		shown[vcd.EventKind(strings.ToLower(v.Name))] = true
	}
	for event := range vcd.WebhookSubjects {
		if !shown[event] {
			t.Errorf("the schema lacks %s", event)
		}
		delete(shown, event)
	}
	maps.DeleteFunc(shown, func(event vcd.EventKind, _ bool) bool { return vcd.IsCall(event) })
	if len(shown) > 0 {
		t.Errorf("the schema has %v, of which webhooks hear nothing", shown)
	}
}
