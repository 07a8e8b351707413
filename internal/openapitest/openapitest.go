// Package openapitest checks the responses of a server against its OpenAPI document in tests.
package openapitest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const resource = "document.json"

// Document is an OpenAPI document whose answers hold nothing beside what they describe. It may be used by concurrent
// tests.
type Document struct {
	Operations []Operation
	root       map[string]any
	base       string // the path of the server

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // by place in the document
}

// Operation is one method of one path.
type Operation struct {
	ID, Method, Path string // Path is a template below the server's own: /groups/{id}
	Parameters       []Parameter
	Body             any  // the schema of a JSON body, nil without one
	BodyRequired     bool // whether the body must be there
	responses        map[string]any
	place            string // of the operation in the document
}

// Parameter is one of the path or of the query.
type Parameter struct {
	Name, In string
	Required bool
	Schema   any
}

// Load reads a document in YAML. Its error tells what is wrong with the document itself.
func Load(text []byte) (*Document, error) {
	read, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, fmt.Errorf("the document cannot be read: %w", err)
	}
	if err := read.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("the document is no valid OpenAPI: %w", err)
	}
	converted, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, fmt.Errorf("the document cannot be made JSON: %w", err)
	}
	decoded, err := jsonschema.UnmarshalJSON(bytes.NewReader(converted))
	if err != nil {
		return nil, fmt.Errorf("the document cannot be decoded: %w", err)
	}
	root, ok := decoded.(map[string]any)
	if !ok {
		return nil, errors.New("the document is no object")
	}
	d := &Document{root: root, schemas: map[string]*jsonschema.Schema{}, compiler: jsonschema.NewCompiler()}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	servers, _ := root["servers"].([]any)
	if len(servers) > 0 {
		d.base, _ = servers[0].(map[string]any)["url"].(string)
	}
	if err := d.readOperations(); err != nil {
		return nil, err
	}
	d.closeAnswers()
	return d, d.compiler.AddResource(resource, root)
}

// closeAnswers lets the objects of answers hold nothing that is not described. Those of requests stay open.
func (d *Document) closeAnswers() {
	components, _ := d.root["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for name, schema := range schemas {
		if !strings.HasSuffix(name, "Input") {
			closeObjects(schema)
		}
	}
	for _, op := range d.Operations {
		closeObjects(op.responses)
	}
}

func closeObjects(node any) {
	switch node := node.(type) {
	case map[string]any:
		if _, ok := node["properties"].(map[string]any); ok && node["additionalProperties"] == nil {
			node["additionalProperties"] = false
		}
		for _, child := range node {
			closeObjects(child)
		}
	case []any:
		for _, child := range node {
			closeObjects(child)
		}
	}
}

func (d *Document) readOperations() error {
	paths, _ := d.root["paths"].(map[string]any)
	for path, item := range paths {
		methods, _ := item.(map[string]any)
		for method, raw := range methods {
			op, err := d.readOperation(path, method, raw)
			if err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}
			d.Operations = append(d.Operations, op)
		}
	}
	slices.SortFunc(d.Operations, func(a, b Operation) int { return strings.Compare(a.ID, b.ID) })
	return nil
}

func (d *Document) readOperation(path, method string, raw any) (Operation, error) {
	var described struct {
		OperationID string `json:"operationId"`
		Parameters  []struct {
			Name, In string
			Required bool
			Schema   any
		}
		RequestBody struct {
			Required bool
			Content  map[string]struct{ Schema any }
		} `json:"requestBody"`
	}
	encoded, err := json.Marshal(raw)
	if err != nil {
		return Operation{}, err
	}
	if err := json.Unmarshal(encoded, &described); err != nil {
		return Operation{}, err
	}
	op := Operation{
		ID: described.OperationID, Method: strings.ToUpper(method), Path: path,
		Body: described.RequestBody.Content["application/json"].Schema, BodyRequired: described.RequestBody.Required,
		place: "/paths/" + escape(path) + "/" + method,
	}
	op.responses, _ = raw.(map[string]any)["responses"].(map[string]any)
	for _, p := range described.Parameters {
		op.Parameters = append(op.Parameters, Parameter(p))
	}
	return op, nil
}

// escape writes a key as a part of a JSON pointer (RFC 6901).
func escape(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

// Resolve follows a reference, or returns the schema itself.
func (d *Document) Resolve(schema any) map[string]any {
	object, _ := schema.(map[string]any)
	target, ok := object["$ref"].(string)
	if !ok {
		return object
	}
	var node any = d.root
	for part := range strings.SplitSeq(strings.TrimPrefix(target, "#/"), "/") {
		object, _ := node.(map[string]any)
		node = object[part]
	}
	object, _ = node.(map[string]any)
	return object
}

// Check tells what is wrong with an answer; nil when nothing is. The path is that of the request.
func (d *Document) Check(method, path string, status int, header http.Header, body []byte) error {
	problem := d.check(method, path, status, header, body)
	if problem != nil {
		return fmt.Errorf("%s %s answers %d %.2000s: %w", method, path, status, body, problem)
	}
	return nil
}

func (d *Document) check(method, path string, status int, header http.Header, body []byte) error {
	if header.Get("X-Request-Id") == "" {
		return errors.New("there is no X-Request-Id")
	}
	op, known := d.find(method, strings.TrimPrefix(path, d.base))
	switch {
	case method == http.MethodHead || method == http.MethodOptions:
		if len(body) > 0 && method == http.MethodHead {
			return errors.New("there is a body")
		}
		return nil
	case op == nil && !known && status != http.StatusNotFound && status != http.StatusUnauthorized:
		return errors.New("the path is not in the document")
	case op == nil && known && status != http.StatusMethodNotAllowed:
		return errors.New("the method is not in the document")
	case op == nil:
		return d.matches("/components/schemas/Message", header, body)
	}
	return d.checkResponse(op, status, header, body)
}

func (d *Document) checkResponse(op *Operation, status int, header http.Header, body []byte) error {
	code := fmt.Sprint(status)
	response, ok := op.responses[code].(map[string]any)
	if !ok {
		return fmt.Errorf("%s has no such status in the document", op.ID)
	}
	place := op.place + "/responses/" + code
	if target, ok := response["$ref"].(string); ok {
		place = strings.TrimPrefix(target, "#")
		response = d.Resolve(response)
	}
	if response["content"] == nil {
		if len(body) > 0 {
			return errors.New("there is a body and the document has none")
		}
		return nil
	}
	return d.matches(place+"/content/application~1json/schema", header, body)
}

// matches compares a body with the schema at a place of the document.
func (d *Document) matches(place string, header http.Header, body []byte) error {
	if kind := header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		return fmt.Errorf("the content type is %q", kind)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	schema, err := d.compiled(place)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func (d *Document) compiled(place string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known, ok := d.schemas[place]; ok {
		return known, nil
	}
	schema, err := d.compiler.Compile(resource + "#" + place)
	if err != nil {
		return nil, fmt.Errorf("compile the schema at %s: %w", place, err)
	}
	d.schemas[place] = schema
	return schema, nil
}

// find is the operation of a request; known tells whether its path has any.
func (d *Document) find(method, path string) (op *Operation, known bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	best := -1
	for i := range d.Operations {
		candidate := &d.Operations[i]
		literals := match(strings.Split(strings.Trim(candidate.Path, "/"), "/"), parts)
		if literals < 0 {
			continue
		}
		if literals > best {
			best, op = literals, nil
		}
		if literals == best && candidate.Method == method {
			op = candidate
		}
		known = true
	}
	return op, known
}

// match counts the parts that a path has word for word as its template, -1 where the two do not fit.
func match(template, path []string) int {
	if len(template) != len(path) {
		return -1
	}
	literals := 0
	for i, part := range template {
		if strings.HasPrefix(part, "{") && path[i] != "" {
			continue
		}
		if part != path[i] {
			return -1
		}
		literals++
	}
	return literals
}

// Answers reports whether the success of an operation is an object with a property of this name.
func (d *Document) Answers(op Operation, property string) bool {
	for code, response := range op.responses {
		var described struct {
			Content map[string]struct {
				Schema struct{ Properties map[string]any }
			}
		}
		encoded, err := json.Marshal(response)
		if err == nil && strings.HasPrefix(code, "2") && json.Unmarshal(encoded, &described) == nil {
			_, ok := described.Content["application/json"].Schema.Properties[property]
			return ok
		}
	}
	return false
}
