package rest

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/vektah/gqlparser/v2/ast"
)

//go:embed overlay.yaml
var overlayText []byte

// overlay is what overlay.yaml says.
type overlay struct {
	Info      ordered
	Tags      []struct{ Path, Title string }
	Scalars   map[string]ordered
	Answers   map[string][]string // names of responses, by operation
	Examples  map[string]any      // by field
	Headers   ordered
	Schemas   map[string]ordered
	PageMeta  ordered `yaml:"pageMeta"`
	Responses []failureResponse
}

// failureResponse is an answer other than success.
type failureResponse struct {
	Name, Description, Schema, Header string
	Status                            int
}

// describer writes down what a GraphQL schema and the stored operations say, in the words of OpenAPI.
type describer struct {
	schema  *ast.Schema
	overlay overlay
	schemas map[string]ordered // the components, by name
	sources map[string]any     // what each component was made of
	tags    map[string]bool    // the first parts of the paths
	order   []string           // the same as they came

	templates map[string]string // paths, by their form without names
}

func newDescriber(schema *ast.Schema) (*describer, error) {
	d := &describer{schema: schema, schemas: map[string]ordered{}, sources: map[string]any{}, tags: map[string]bool{},
		templates: map[string]string{}}
	if err := yaml.UnmarshalWithOptions(overlayText, &d.overlay, yaml.Strict(), yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("overlay.yaml: %w", err)
	}
	maps.Copy(d.schemas, d.overlay.Schemas)
	return d, nil
}

// component refers to a schema of the document, and makes it when nobody has referred to it before. What was made of
// something else under the same name shows as a panic of the generator and of the tests.
func (d *describer) component(name string, source any, make func() ordered) ordered {
	if known, taken := d.sources[name]; taken && known != source || !taken && d.schemas[name] != nil {
		panic(fmt.Sprintf("two things in the document are called %s: rename the fragment or the type", name))
	} else if !taken {
		d.sources[name] = source
		d.schemas[name] = make()
	}
	return refTo(name)
}

func refTo(name string) ordered { return with("$ref", "#/components/schemas/"+name) }

// components are the parts that operations refer to.
func (d *describer) components() ordered {
	var schemas, responses ordered
	for _, name := range slices.Sorted(maps.Keys(d.schemas)) {
		schemas = append(schemas, yaml.MapItem{Key: name, Value: d.schemas[name]})
	}
	for _, r := range d.overlay.Responses {
		headers := []string{"X-Request-Id"}
		if r.Header != "" {
			headers = append(headers, r.Header)
		}
		schema := r.Schema
		if schema == "" {
			schema = "Message"
		}
		responses = append(responses, yaml.MapItem{Key: r.Name, Value: with(
			"description", r.Description, "headers", headerReferences(headers), "content", jsonContent(refTo(schema)))})
	}
	return with(
		"securitySchemes", with("bearer", with("type", "http", "scheme", "bearer", "description", "An API token.")),
		"headers", d.overlay.Headers,
		"responses", responses,
		"schemas", schemas,
	)
}

func headerReferences(names []string) ordered {
	var headers ordered
	for _, name := range names {
		headers = append(headers, yaml.MapItem{Key: name, Value: with("$ref", "#/components/headers/"+name)})
	}
	return headers
}

func jsonContent(schema ordered) ordered {
	return with("application/json", with("schema", schema))
}

// tag is the section of a path.
func (d *describer) tag(pattern string) string {
	first := segments(pattern)[0]
	if !d.tags[first] {
		d.tags[first] = true
		d.order = append(d.order, first)
	}
	return d.title(first)
}

func (d *describer) title(first string) string {
	for _, t := range d.overlay.Tags {
		if t.Path == first {
			return t.Title
		}
	}
	words := strings.ReplaceAll(first, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// tagObjects are the sections that have operations: those of the overlay first.
func (d *describer) tagObjects() []ordered {
	var titles []string
	for _, t := range d.overlay.Tags {
		if d.tags[t.Path] && !slices.Contains(titles, t.Title) {
			titles = append(titles, t.Title)
		}
	}
	for _, first := range d.order {
		if title := d.title(first); !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	tags := make([]ordered, len(titles))
	for i, title := range titles {
		tags[i] = with("name", title)
	}
	return tags
}
