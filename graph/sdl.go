package graph

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// SDLPath is where the schema is served.
const SDLPath = "/graphql/schema.graphqls"

// SDL serves the schema in the schema definition language, for code generators and linters. It needs no token: the
// schema is the same in every installation of a version.
func (s *Server) SDL() http.Handler {
	var text bytes.Buffer
	formatter.NewFormatter(&text, formatter.WithIndent("  ")).FormatSchema(withoutUses(s.Schema(), "goField"))
	tag := `"` + hashOf(text.String()) + `"`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Type", "text/plain; charset=utf-8")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-cache") // it changes with the program
		header.Set("ETag", tag)
		s.origins.allowReading(header, r)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text.Bytes()))
	})
}

// withoutUses is the schema without the uses of a directive on fields.
func withoutUses(schema *ast.Schema, directive string) *ast.Schema {
	out := *schema
	out.Types = make(map[string]*ast.Definition, len(schema.Types))
	for name, d := range schema.Types {
		shown := *d
		shown.Fields = make(ast.FieldList, len(d.Fields))
		for i, f := range d.Fields {
			field := *f
			field.Directives = slices.DeleteFunc(slices.Clone(f.Directives), func(u *ast.Directive) bool { return u.Name == directive })
			shown.Fields[i] = &field
		}
		out.Types[name] = &shown
	}
	return &out
}
