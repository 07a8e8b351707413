package rest

import (
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// docsPage is what the page about the interface shows. It holds the same as the document, for people.
type docsPage struct {
	Title, Summary string
	Intro          template.HTML
	Sections       []docsSection
	Resources      []docsResource
}

type docsSection struct {
	ID, Title string
	Endpoints []docsEndpoint
}

type docsEndpoint struct {
	ID, Path, Summary, Text string
	Short                   string // the path below BasePath
	Methods                 []string
	Parameters, Body        []docsField
	Status                  int
	Answer                  []docsField
	Request, Example        string
	Failures                []failureResponse
}

// docsField is a row of a table of fields.
type docsField struct {
	Name     string
	Type     template.HTML
	Text     template.HTML
	Required bool
	Depth    int // inside how many other fields it stands
}

type docsResource struct {
	Name   string
	Text   template.HTML
	Fields []docsField
}

// newDocsPage gathers the page out of the endpoints that were described.
func (d *described) docsPage() docsPage {
	info := func(key string) string { text, _ := valueOf(d.overlay.Info, key).(string); return text }
	page := docsPage{Title: info("title"), Summary: info("summary"), Intro: markdown(info("description"))}
	for _, tag := range d.tagObjects() {
		title, _ := valueOf(tag, "name").(string)
		section := docsSection{ID: anchor(title), Title: title}
		for _, e := range d.endpoints {
			if e.tag == title {
				section.Endpoints = append(section.Endpoints, e.docs())
			}
		}
		page.Sections = append(page.Sections, section)
	}
	page.Resources = d.docsResources()
	return page
}

func anchor(title string) string { return strings.ReplaceAll(strings.ToLower(title), " ", "-") }

// docsResources are the components that answers refer to: what operations select, and enums.
func (d *describer) docsResources() []docsResource {
	var all []docsResource
	for _, m := range valueOf(d.components(), "schemas").(ordered) {
		name, _ := m.Key.(string)
		schema, _ := m.Value.(ordered)
		if strings.HasSuffix(name, "Input") || d.overlay.Schemas[name] != nil {
			continue
		}
		text, _ := valueOf(schema, "description").(string)
		all = append(all, docsResource{name, markdown(text), d.docsFields(schema, 0)})
	}
	return all
}

func (e *describedEndpoint) docs() docsEndpoint {
	d := e.describer
	summary, rest := e.op.texts()
	shown := docsEndpoint{
		ID: strings.ToLower(e.op.name[:1]) + e.op.name[1:], Path: BasePath + e.path, Short: e.path, Summary: summary, Text: rest,
		Methods: strings.Fields(e.route.methods), Status: e.answer.status,
	}
	for _, p := range e.parameters {
		schema, _ := valueOf(p, "schema").(ordered)
		text, _ := valueOf(p, "description").(string)
		name, _ := valueOf(p, "name").(string)
		if own, _ := valueOf(schema, "description").(string); text == "" {
			text = own
		}
		shown.Parameters = append(shown.Parameters, docsField{
			Name: name, Type: d.docsType(schema), Text: inline(text), Required: valueOf(p, "required") == true,
		})
	}
	if e.body != nil {
		shown.Body = d.docsFields(d.resolve(e.body), 0)
	}
	if e.answer.body != nil {
		shown.Answer = d.docsFields(e.answer.body, 0)
		shown.Example = indented(d.example(e.answer.body, "", 0))
	}
	for _, r := range d.overlay.Responses {
		if e.mayAnswer(r) && (r.Status == 402 || r.Status == 404 || r.Status == 409 || r.Status == 422) {
			shown.Failures = append(shown.Failures, r)
		}
	}
	shown.Request = e.curl(shown)
	return shown
}

// curl is the request as one types it.
func (e *describedEndpoint) curl(shown docsEndpoint) string {
	const id = "0190a1b2-c3d4-7e5f-8a6b-9c0d1e2f3a4b"
	path := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(shown.Path, id)
	var out strings.Builder
	out.WriteString("curl ")
	if shown.Methods[0] != get {
		fmt.Fprintf(&out, "-X %s ", shown.Methods[0])
	}
	fmt.Fprintf(&out, "\"$AFTERIMAGE%s\" \\\n  -H \"Authorization: Bearer $TOKEN\"", path)
	if e.body != nil {
		body := e.describer.example(e.requiredBody(), "", 0)
		fmt.Fprintf(&out, " \\\n  -H 'Content-Type: application/json' \\\n  -d '%s'", strings.ReplaceAll(indented(body), "'", `'\''`))
	}
	return out.String()
}

// requiredBody is the body with the fields that must be there, or with its first field when none must.
func (e *describedEndpoint) requiredBody() ordered {
	schema := e.describer.resolve(e.body)
	properties, _ := valueOf(schema, "properties").(ordered)
	required, _ := valueOf(schema, "required").([]string)
	kept := slices.DeleteFunc(slices.Clone(properties), func(p yaml.MapItem) bool {
		return !slices.Contains(required, fmt.Sprint(p.Key))
	})
	if len(kept) == 0 && len(properties) > 0 {
		kept = properties[:1]
	}
	return with("type", "object", "properties", kept)
}

// docsFields are the rows of an object: its own fields, and below each those of an object that has no name of its own.
func (d *describer) docsFields(schema ordered, depth int) []docsField {
	properties, _ := valueOf(schema, "properties").(ordered)
	required, _ := valueOf(schema, "required").([]string)
	var rows []docsField
	for _, p := range properties {
		name := fmt.Sprint(p.Key)
		property, _ := p.Value.(ordered)
		text, _ := valueOf(property, "description").(string)
		rows = append(rows, docsField{
			Name: name, Type: d.docsType(property), Text: inline(text), Required: slices.Contains(required, name), Depth: depth,
		})
		rows = append(rows, d.docsFields(d.unnamed(property), depth+1)...)
	}
	return rows
}

// unnamed is the object inside a schema that is no component of its own, or a component of requests, which are shown
// where they are used.
func (d *describer) unnamed(schema ordered) ordered {
	if name, ok := componentName(schema); ok {
		if strings.HasSuffix(name, "Input") {
			return d.schemas[name]
		}
		return nil
	}
	if items, ok := valueOf(schema, "items").(ordered); ok {
		return d.unnamed(items)
	}
	if inner := firstSchema(valueOf(schema, "anyOf")); inner != nil {
		return d.unnamed(inner)
	}
	return schema
}

// docsType is the type of a schema in words. Components are linked. Limits stand in the descriptions.
func (d *describer) docsType(schema ordered) template.HTML {
	if name, ok := componentName(schema); ok {
		return d.componentType(name)
	}
	if inner := firstSchema(valueOf(schema, "anyOf")); inner != nil {
		return d.docsType(inner) + " or null"
	}
	text := template.HTML(template.HTMLEscapeString(typeOf(schema))) //nolint:gosec // escaped
	if items, ok := valueOf(schema, "items").(ordered); ok {
		text = "array of " + d.docsType(items)
	}
	if format, ok := valueOf(schema, "format").(string); ok && format == "uuid" {
		text = "uuid"
	}
	if value := valueOf(schema, "default"); value != nil {
		text += template.HTML(template.HTMLEscapeString(fmt.Sprintf(", default %v", value))) //nolint:gosec // escaped
	}
	if names, ok := valueOf(schema, "type").([]string); ok && slices.Contains(names, "null") {
		text += " or null"
	}
	return text
}

func (d *describer) componentType(name string) template.HTML {
	if strings.HasSuffix(name, "Input") {
		return "object"
	}
	if values, ok := valueOf(d.schemas[name], "enum").([]string); ok {
		return template.HTML(fmt.Sprintf(`<a href="#schema-%s">%s</a>`, url.PathEscape(name), //nolint:gosec // escaped
			template.HTMLEscapeString(strings.Join(values, " | "))))
	}
	link := fmt.Sprintf(`<a href="#schema-%s">%s</a>`, url.PathEscape(name), template.HTMLEscapeString(name))
	return template.HTML(link) //nolint:gosec // escaped
}
