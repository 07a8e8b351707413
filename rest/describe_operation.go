package rest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/vektah/gqlparser/v2/ast"
)

// describedEndpoint is a route on its way into the document.
type describedEndpoint struct {
	describer  *describer
	route      route
	op         *operation
	tag        string
	path       string          // as the document has it: /groups/{id}
	inPath     map[string]bool // variables that the path fills
	parameters []ordered
	body       ordered // nil without one
	required   bool    // whether the body must be there
	answer     shape
}

func (d *describer) endpoint(r route, op *operation) *describedEndpoint {
	e := &describedEndpoint{describer: d, route: r, op: op, tag: d.tag(r.pattern), inPath: map[string]bool{}}
	e.path = d.template(r.pattern)
	names := segments(e.path)
	for i, segment := range segments(r.pattern) {
		variable, model, isParam := parsePlaceholder(segment)
		if !isParam {
			continue
		}
		e.inPath[variable] = true
		e.parameters = append(e.parameters, with("name", strings.Trim(names[i], "{}"), "in", "path", "required", true,
			"description", "Of the "+model+".", "schema", d.leaf(op.inputType(variable).Name())))
	}
	e.describeHeaders()
	if slices.ContainsFunc(strings.Fields(r.methods), hasBody) {
		e.describeBody()
	} else {
		e.describeQuery()
	}
	e.answer = r.wrapper.shape(d, op)
	return e
}

// template is the path of a pattern as the document has it. Patterns that differ in the names of their placeholders alone
// are one path, with the names of the first.
func (d *describer) template(pattern string) string {
	var path, form strings.Builder
	for _, segment := range segments(pattern) {
		variable, _, isParam := parsePlaceholder(segment)
		if isParam {
			path.WriteString("/{" + snakeCase(variable) + "}")
			form.WriteString("/{}")
			continue
		}
		path.WriteString("/" + segment)
		form.WriteString("/" + segment)
	}
	if _, known := d.templates[form.String()]; !known {
		d.templates[form.String()] = path.String()
	}
	return d.templates[form.String()]
}

func hasBody(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
}

// describeHeaders adds the headers that the operation looks at.
func (e *describedEndpoint) describeHeaders() {
	add := func(name, description string) {
		e.parameters = append(e.parameters,
			with("name", name, "in", "header", "description", description, "schema", with("type", "string")))
	}
	for _, p := range e.op.parameters {
		if p.header != "" {
			add(p.header, "If present, with any value: "+e.op.use(p.variable).description)
		}
	}
	for _, f := range e.op.headers {
		add(f.name, "Used as "+f.field+" if the request does not contain it.")
	}
}

// describeQuery adds the parameters behind the question mark.
func (e *describedEndpoint) describeQuery() {
	for _, p := range e.op.parameters {
		if e.inPath[p.variable] {
			continue
		}
		if p.paging != nil {
			e.parameters = append(e.parameters, p.paging.describe(p))
			continue
		}
		use := e.op.use(p.variable)
		for i, name := range p.names {
			schema := e.describer.input(p.typ, use.description, nil)
			if !p.typ.NonNull { // a filter is left out, not null
				required := *p.typ
				required.NonNull = true
				schema = e.describer.input(&required, use.description, nil)
			}
			parameter := with("name", name, "in", "query", "description", sameAs(p.names, i), "schema", schema)
			if p.typ.NonNull && !p.hasDefault {
				parameter = append(parameter, yaml.MapItem{Key: "required", Value: true})
			}
			if p.typ.Elem != nil {
				parameter = append(parameter, with("style", "form", "explode", false)...)
			}
			e.parameters = append(e.parameters, parameter)
		}
	}
}

// sameAs is the description of a name that is not the first of its field.
func sameAs(names []string, i int) string {
	if i == 0 {
		return ""
	}
	return "Alias of " + names[0] + "."
}

func (b bounded) describe(p parameter) ordered {
	text := "The page number."
	if p.variable == perPageVariable {
		text = "Items per page; larger values are reduced to " + strconv.FormatInt(b.largest, 10) + "."
	}
	return with("name", p.names[0], "in", "query", "description", text,
		"schema", with("type", "integer", "minimum", 1, "default", b.standard))
}

// describeBody makes the object that the request's body is.
func (e *describedEndpoint) describeBody() {
	var own []parameter
	for _, p := range e.op.parameters {
		if !e.inPath[p.variable] && p.header == "" {
			own = append(own, p)
		}
	}
	switch {
	case len(own) == 0:
		return
	case len(own) == 1 && own[0].spread && !e.fillsFieldOf(own[0]):
		definition := e.describer.schema.Types[own[0].typ.Name()]
		e.body = e.describer.inputObject(definition)
		e.required = slices.ContainsFunc(definition.Fields, func(f *ast.FieldDefinition) bool {
			return f.Type.NonNull && f.DefaultValue == nil
		})
		return
	}
	o := newObjectSchema()
	for _, p := range own {
		if p.spread {
			e.describer.addFields(o, e.describer.schema.Types[p.typ.Name()], e.inPath)
			continue
		}
		use := e.op.use(p.variable)
		for i, name := range p.names {
			schema := e.describer.input(p.typ, use.description, use.standard)
			if i > 0 {
				schema = withDescription(schema, sameAs(p.names, i))
			}
			o.add(name, schema, i == 0 && len(p.names) == 1 && p.typ.NonNull && !p.hasDefault)
		}
	}
	e.body, e.required = o.schema(), len(o.required) > 0
}

func (e *describedEndpoint) fillsFieldOf(p parameter) bool {
	return slices.ContainsFunc(e.describer.schema.Types[p.typ.Name()].Fields, func(f *ast.FieldDefinition) bool {
		return e.inPath[f.Name]
	})
}

// operation is the object of the endpoint under one of its methods, of which the first gives it its name.
func (e *describedEndpoint) operation(method int) ordered {
	id := strings.ToLower(e.op.name[:1]) + e.op.name[1:]
	if method > 0 {
		id += "By" + strings.Fields(e.route.methods)[method]
	}
	summary, rest := e.op.texts()
	var body any
	if e.body != nil {
		body = with("required", e.required, "content", with(
			"application/json", with("schema", e.body),
			"application/x-www-form-urlencoded", with("schema", e.body)))
	}
	var parameters any
	if len(e.parameters) > 0 {
		parameters = e.parameters
	}
	return with("tags", []string{e.tag}, "operationId", id, "summary", summary, "description", rest,
		"parameters", parameters, "requestBody", body, "responses", e.responses())
}

// responses are those of success and of all that may go wrong, by status.
func (e *describedEndpoint) responses() ordered {
	success := with("description", "Done.", "headers",
		headerReferences([]string{"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining"}))
	if e.answer.body != nil {
		success = append(success, with("content", jsonContent(e.answer.body))...)
	}
	all := ordered{{Key: strconv.Itoa(e.answer.status), Value: success}}
	for _, r := range e.describer.overlay.Responses {
		if e.mayAnswer(r) {
			all = append(all, yaml.MapItem{Key: strconv.Itoa(r.Status), Value: with("$ref", "#/components/responses/"+r.Name)})
		}
	}
	return all
}

func (e *describedEndpoint) mayAnswer(r failureResponse) bool {
	switch r.Status {
	case http.StatusPaymentRequired:
		return slices.Contains(e.describer.overlay.Answers[e.op.name], r.Name)
	case http.StatusNotFound:
		return !e.op.query || len(e.inPath) > 0
	case http.StatusConflict:
		return !e.op.query
	case http.StatusUnsupportedMediaType, http.StatusRequestEntityTooLarge:
		return slices.ContainsFunc(strings.Fields(e.route.methods), hasBody)
	case http.StatusUnprocessableEntity:
		sent := func(p parameter) bool { return !e.inPath[p.variable] && p.header == "" }
		return !e.op.query || slices.ContainsFunc(e.op.parameters, sent)
	}
	return true
}
