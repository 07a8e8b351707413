package rest

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/vektah/gqlparser/v2/ast"
)

// Document returns the OpenAPI 3.1 document of the API in YAML. It is derived from the route table, the stored
// operations and the given GraphQL schema, so that every route is included; overlay.yaml adds the rest. The output
// is deterministic.
func Document(schema *ast.Schema) ([]byte, error) {
	dir, err := fs.Sub(operationFiles, "operations")
	if err != nil {
		return nil, fmt.Errorf("opening the stored operations: %w", err)
	}
	operations, err := loadOperations(schema, dir)
	if err != nil {
		return nil, err
	}
	if _, err := newTree(routes, operations); err != nil {
		return nil, err
	}
	all, err := describe(schema, operations, routes)
	if err != nil {
		return nil, fmt.Errorf("describing the REST interface: %w", err)
	}
	for name := range all.overlay.Answers {
		if operations[name] == nil {
			return nil, fmt.Errorf("overlay.yaml names the answers of %s, which is not a stored operation", name)
		}
	}
	return all.yaml()
}

const documentHead = "# Made by `go generate ./rest` out of the route table, the stored operations and the GraphQL schema.\n"

func (d *described) yaml() ([]byte, error) {
	text, err := yaml.MarshalWithOptions(d.document(), yaml.UseLiteralStyleIfMultiline(true), yaml.IndentSequence(true))
	if err != nil {
		return nil, fmt.Errorf("writing the OpenAPI document: %w", err)
	}
	return append([]byte(documentHead), text...), nil
}

// ordered is a JSON object whose ordered keep their order.
type ordered = yaml.MapSlice

// with is an object of names and values in turn. What has no value is left out.
func with(pairs ...any) ordered {
	var out ordered
	for i := 0; i+1 < len(pairs); i += 2 {
		if value := pairs[i+1]; value != nil && value != "" {
			out = append(out, yaml.MapItem{Key: pairs[i], Value: value})
		}
	}
	return out
}

// described is the interface in the words of OpenAPI.
type described struct {
	*describer
	endpoints []*describedEndpoint // in the order of the route table
}

func describe(schema *ast.Schema, operations map[string]*operation, table []route) (*described, error) {
	d, err := newDescriber(schema)
	if err != nil {
		return nil, err
	}
	all := &described{describer: d}
	for _, r := range table {
		all.endpoints = append(all.endpoints, d.endpoint(r, operations[r.operation]))
	}
	return all, nil
}

// document is the OpenAPI document as an object.
func (d *described) document() ordered {
	return with(
		"openapi", "3.1.0",
		"info", d.overlay.Info,
		"servers", []ordered{with("url", BasePath)},
		"security", []ordered{with("bearer", []string{})},
		"tags", d.tagObjects(),
		"paths", d.paths(),
		"components", d.components(),
	)
}

func (d *described) paths() ordered {
	var order []string
	items := map[string]ordered{}
	for _, e := range d.endpoints {
		if !slices.Contains(order, e.path) {
			order = append(order, e.path)
		}
		for i, method := range strings.Fields(e.route.methods) {
			items[e.path] = append(items[e.path], yaml.MapItem{Key: strings.ToLower(method), Value: e.operation(i)})
		}
	}
	var all ordered
	for _, path := range order {
		all = append(all, yaml.MapItem{Key: path, Value: items[path]})
	}
	return all
}
