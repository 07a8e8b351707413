package rest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
)

// sampleExecutor answers every operation on the real schema with made-up values of the right types, one item per list,
// spelled as the executor spells them for REST. It refuses variables that do not fit.
type sampleExecutor struct {
	schema    *ast.Schema
	operation string // the last one
	variables map[string]any
}

// loadSchema reads the product's schema.
func loadSchema(t testing.TB) *ast.Schema {
	t.Helper()
	files, err := filepath.Glob("../graph/schema/*.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schema files: %v", err)
	}
	var sources []*ast.Source
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: file, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func (e *sampleExecutor) Schema() *ast.Schema { return e.schema }

func (e *sampleExecutor) Execute(
	_ context.Context, operation string, document *ast.QueryDocument, variables map[string]any,
) *graphql.Response {
	definition := document.Operations.ForName(operation)
	coerced, err := validator.VariableValues(e.schema, definition, variables)
	if err != nil {
		return graphql.ErrorResponse(context.Background(), "%v", err)
	}
	e.operation, e.variables = operation, coerced
	return &graphql.Response{Data: []byte(e.object(document, definition.SelectionSet))}
}

func (e *sampleExecutor) object(document *ast.QueryDocument, selections ast.SelectionSet) string {
	return "{" + strings.Join(e.members(document, selections), ",") + "}"
}

func (e *sampleExecutor) members(document *ast.QueryDocument, selections ast.SelectionSet) []string {
	var out []string
	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.FragmentSpread:
			out = append(out, e.members(document, document.Fragments.ForName(selection.Name).SelectionSet)...)
		case *ast.InlineFragment:
			out = append(out, e.members(document, selection.SelectionSet)...)
		case *ast.Field:
			if e.included(selection) {
				out = append(out, fmt.Sprintf("%q:%s", selection.Alias, e.value(document, selection, selection.Definition.Type)))
			}
		}
	}
	return out
}

func (e *sampleExecutor) included(field *ast.Field) bool {
	include := field.Directives.ForName("include")
	return include == nil || include.ArgumentMap(e.variables)["if"] == true
}

func (e *sampleExecutor) value(document *ast.QueryDocument, field *ast.Field, typ *ast.Type) string {
	if typ.Elem != nil {
		return "[" + e.value(document, field, typ.Elem) + "]"
	}
	definition := e.schema.Types[typ.NamedType]
	if definition.Kind == ast.Enum {
		return `"` + strings.ToLower(definition.EnumValues[0].Name) + `"`
	}
	if definition.Kind != ast.Scalar {
		return e.object(document, field.SelectionSet)
	}
	samples := map[string]string{
		"ID": `"` + idA + `"`, "Int": "1", "Float": "1.5", "Boolean": "false", "String": `"text"`,
		"EventNumber": "7", "DateTime": `"2026-03-01 09:30:00"`, "ScheduleDay": `"last"`, "ScheduleTime": "1772357400",
		"TriggerRecord": `{"type":"post_save","first_triggered_at":"2026-03-01T09:30:00+00:00","pages":[]}`,
		"Map":           `{"` + idA + `":"` + idB + `"}`,
	}
	if sample, ok := samples[typ.NamedType]; ok {
		return sample
	}
	return `"` + typ.NamedType + `"`
}
