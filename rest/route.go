package rest

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// route is one endpoint: a line of the route table.
type route struct {
	methods   string // separated by spaces
	pattern   string // below the base path; {id:Group} is the variable id, which names a Group
	operation string
	wrapper   wrapper
}

// endpoint is a route with its operation and the parameters of its pattern.
type endpoint struct {
	operation *operation
	wrapper   wrapper
	params    []pathParam
}

// pathParam is a placeholder of a pattern.
type pathParam struct {
	variable string
	model    string // the kind of thing it names, for the answer when there is none
	isID     bool   // its variable takes ids only
}

// node is a place in the tree of paths.
type node struct {
	literals  map[string]*node
	wildcard  *node
	endpoints map[string]*endpoint // by method
}

// newTree builds the tree of all routes and checks each against its operation.
func newTree(routes []route, operations map[string]*operation) (*node, error) {
	root := &node{}
	used := map[string]bool{}
	for _, r := range routes {
		if err := root.add(r, operations); err != nil {
			return nil, fmt.Errorf("route %s %s: %w", r.methods, r.pattern, err)
		}
		used[r.operation] = true
	}
	for name := range operations {
		if !used[name] {
			return nil, fmt.Errorf("the stored operation %s has no route", name)
		}
	}
	return root, nil
}

func (n *node) add(r route, operations map[string]*operation) error {
	op, ok := operations[r.operation]
	if !ok {
		return fmt.Errorf("there is no stored operation %q", r.operation)
	}
	target := &endpoint{operation: op, wrapper: r.wrapper}
	for _, segment := range segments(r.pattern) {
		variable, model, isParam := parsePlaceholder(segment)
		if !isParam {
			n = n.literal(segment)
			continue
		}
		typ := op.inputType(variable)
		if typ == nil {
			return fmt.Errorf("operation %s has no variable or input field %q", op.name, variable)
		}
		target.params = append(target.params, pathParam{variable, model, typ.Name() == "ID" || typ.Name() == "UUID"})
		if n.wildcard == nil {
			n.wildcard = &node{}
		}
		n = n.wildcard
	}
	if n.endpoints == nil {
		n.endpoints = map[string]*endpoint{}
	}
	for _, method := range strings.Fields(r.methods) {
		if n.endpoints[method] != nil {
			return fmt.Errorf("%s is routed twice", method)
		}
		n.endpoints[method] = target
	}
	return nil
}

func (n *node) literal(segment string) *node {
	if n.literals == nil {
		n.literals = map[string]*node{}
	}
	child, ok := n.literals[segment]
	if !ok {
		child = &node{}
		n.literals[segment] = child
	}
	return child
}

// parsePlaceholder reads {variable:Model}.
func parsePlaceholder(segment string) (variable, model string, ok bool) {
	inner, ok := strings.CutPrefix(segment, "{")
	if !ok {
		return "", "", false
	}
	variable, model, _ = strings.Cut(strings.TrimSuffix(inner, "}"), ":")
	return variable, model, true
}

// segments splits a path at its slashes; one at the end does not count.
func segments(path string) []string {
	return strings.Split(strings.Trim(path, "/"), "/")
}

// requestSegments are the parts of a request's path below BasePath. A slash that a part holds encoded does not split it.
func requestSegments(address *url.URL) []string {
	parts := segments(strings.TrimPrefix(address.EscapedPath(), BasePath))
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil {
			parts[i] = plain
		}
	}
	return parts
}

// find walks to the node of a path and collects the parts that stand for placeholders. A literal name goes before a
// placeholder in the same place.
func (n *node) find(path []string) (*node, []string) {
	var params []string
	for _, segment := range path {
		switch child, ok := n.literals[segment]; {
		case ok:
			n = child
		case n.wildcard != nil && segment != "":
			params = append(params, segment)
			n = n.wildcard
		default:
			return nil, nil
		}
	}
	if len(n.endpoints) == 0 {
		return nil, nil
	}
	return n, params
}

// allowed lists the methods of a node as the Allow header has them.
func (n *node) allowed() []string {
	var methods []string
	for method := range n.endpoints {
		methods = append(methods, method)
		if method == "GET" {
			methods = append(methods, "HEAD")
		}
	}
	slices.Sort(methods)
	return methods
}

// bindPath names the path's parts. A part that can be no id of anything is answered as an unknown id is.
func (e *endpoint) bindPath(parts []string) (map[string]string, *failure) {
	path := make(map[string]string, len(parts))
	for i, p := range e.params {
		if p.isID && !isUUID(parts[i]) || !plausible(parts[i]) {
			return nil, modelNotFound(p.model, parts[i])
		}
		path[p.variable] = parts[i]
	}
	return path, nil
}

const maxPathPart = 128 // bytes; the longest thing in a path is an id or a token

// plausible reports whether a part of a path can be an id or a token at all: short, and of visible ASCII.
func plausible(part string) bool {
	return len(part) <= maxPathPart && !strings.ContainsFunc(part, func(r rune) bool { return r <= ' ' || r > '~' })
}

// missing is the answer when an operation found nothing under the path's last parameter.
func (e *endpoint) missing(path map[string]string) *failure {
	if len(e.params) == 0 {
		return serverError(errMissing)
	}
	last := e.params[len(e.params)-1]
	return modelNotFound(last.model, path[last.variable])
}

// inputType is the type of a variable, or of a field of the variable that takes the request as a whole.
func (o *operation) inputType(name string) *ast.Type {
	for _, p := range o.parameters {
		if p.variable == name {
			return p.typ
		}
		if p.spread {
			if field := o.schema.Types[p.typ.Name()].Fields.ForName(name); field != nil {
				return field.Type
			}
		}
	}
	return nil
}
