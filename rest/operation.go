package rest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"afterimage/graph"
)

// fromDirective stands on a variable of a stored operation and gives the names under which requests carry it, where
// these are not the variable's own name in snake case: $batches: [ID!] @from(names: ["batches", "batch_id"]). The first
// name that a request carries counts. It never reaches the executor.
const fromDirective = "from"

// onlyTrueDirective stands on a Boolean variable of a filter of which only true restricts: clients send false for "show all".
const onlyTrueDirective = "onlyTrue"

const directives = `directive @atMost(items: Int!) on VARIABLE_DEFINITION
directive @from(names: [String!]!) on VARIABLE_DEFINITION
directive @header(name: String!, field: String) repeatable on VARIABLE_DEFINITION
directive @onlyTrue on VARIABLE_DEFINITION
directive @orEmpty on FIELD
directive @orOmit on FIELD
type Query { unused: Boolean }`

// atMostDirective stands on the variable for the items per page where a list has larger pages than others.
const atMostDirective = "atMost"

// spreadVariable is the variable that takes the request as a whole: its input object's fields are the request's fields.
const spreadVariable = "input"

// operation is a stored GraphQL operation, ready to be bound and executed.
type operation struct {
	name       string
	document   *ast.QueryDocument // this operation and the fragments it uses
	query      bool               // reads only; its ids are filters
	secret     bool               // its answer holds one
	parameters []parameter
	headers    []headerField
	fields     map[string]string // the request's name of a field, by its path in the operation's arguments
	objects    map[string]bool   // the arguments that are input objects
	nulls      []null
	schema     *ast.Schema
}

// parameter is a variable of an operation and the names a request has for it.
type parameter struct {
	variable   string
	names      []string
	typ        *ast.Type
	hasDefault bool
	spread     bool
	onlyTrue   bool
	paging     *bounded // of the variables that ask for a page
	header     string   // whose presence it tells; empty for other parameters
}

// loadOperations parses every *.graphql file in dir, checks all of it against the schema, and returns the operations by
// name. Its error names the file and the line.
func loadOperations(schema *ast.Schema, dir fs.FS) (map[string]*operation, error) {
	document, err := parseOperations(dir)
	if err != nil {
		return nil, err
	}
	extended, err := withDirectives(schema)
	if err != nil {
		return nil, err
	}
	if problems := validator.ValidateWithRules(extended, document, rules.NewDefaultRules()); len(problems) > 0 {
		return nil, fmt.Errorf("stored operations do not fit the schema: %w", problems)
	}
	operations := make(map[string]*operation, len(document.Operations))
	for _, definition := range document.Operations {
		op, err := newOperation(schema, document, definition)
		if err != nil {
			return nil, fmt.Errorf("stored operation %s: %w", definition.Name, err)
		}
		operations[op.name] = op
	}
	return operations, nil
}

func parseOperations(dir fs.FS) (*ast.QueryDocument, error) {
	files, err := fs.Glob(dir, "*.graphql")
	if err != nil {
		return nil, fmt.Errorf("listing the stored operations: %w", err)
	}
	all := &ast.QueryDocument{}
	for _, file := range files {
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return nil, fmt.Errorf("reading the stored operations: %w", err)
		}
		document, err := parser.ParseQuery(&ast.Source{Name: file, Input: string(text)})
		if err != nil {
			return nil, fmt.Errorf("stored operations: %w", err)
		}
		all.Operations = append(all.Operations, document.Operations...)
		all.Fragments = append(all.Fragments, document.Fragments...)
	}
	return all, nil
}

// withDirectives is the schema with our own directives; the given one is shared and stays as it is.
func withDirectives(schema *ast.Schema) (*ast.Schema, error) {
	own, err := validator.LoadSchema(validator.Prelude, &ast.Source{Name: "directives.graphql", Input: directives})
	if err != nil {
		return nil, fmt.Errorf("directives of stored operations: %w", err)
	}
	extended := *schema
	extended.Directives = maps.Clone(schema.Directives)
	for _, name := range []string{atMostDirective, fromDirective, headerDirective, onlyTrueDirective, orEmptyDirective, orOmitDirective} {
		extended.Directives[name] = own.Directives[name]
	}
	return &extended, nil
}

func newOperation(schema *ast.Schema, document *ast.QueryDocument, definition *ast.OperationDefinition) (*operation, error) {
	op := &operation{
		name:     definition.Name,
		document: &ast.QueryDocument{Operations: ast.OperationList{definition}, Fragments: usedFragments(document, definition)},
		query:    definition.Operation == ast.Query,
		fields:   map[string]string{},
		objects:  map[string]bool{},
		schema:   schema,
	}
	for _, variable := range definition.VariableDefinitions {
		op.parameters = append(op.parameters, newParameter(schema, variable))
		op.headers = append(op.headers, standIns(variable)...)
		variable.Directives = nil
	}
	op.secret = graph.ShowsSecret(op.document)
	op.mapFields(definition)
	return op, errors.Join(op.checkNames(), op.findNulls())
}

func newParameter(schema *ast.Schema, variable *ast.VariableDefinition) parameter {
	p := parameter{
		variable:   variable.Variable,
		names:      []string{snakeCase(variable.Variable)},
		typ:        variable.Type,
		hasDefault: variable.DefaultValue != nil,
	}
	if from := variable.Directives.ForName(fromDirective); from != nil {
		p.names = nil
		for _, name := range from.Arguments.ForName("names").Value.Children {
			p.names = append(p.names, name.Value.Raw)
		}
	}
	p.onlyTrue = variable.Directives.ForName(onlyTrueDirective) != nil
	if header := variable.Directives.ForName(headerDirective); header != nil && header.Arguments.ForName("field") == nil {
		p.header, p.names = header.Arguments.ForName("name").Value.Raw, nil
	}
	if paging, ok := pageVariables[p.variable]; ok {
		if most := variable.Directives.ForName(atMostDirective); most != nil {
			paging.largest, _ = strconv.ParseInt(most.Arguments.ForName("items").Value.Raw, 10, 64) // validated as an Int
		}
		p.paging = &paging
	}
	definition := schema.Types[variable.Type.Name()]
	p.spread = p.variable == spreadVariable && definition.Kind == ast.InputObject
	return p
}

// usedFragments are the fragments that an operation spreads, directly or through others, in the document's order.
func usedFragments(document *ast.QueryDocument, definition *ast.OperationDefinition) ast.FragmentDefinitionList {
	used := map[string]bool{}
	var visit func(ast.SelectionSet)
	visit = func(selections ast.SelectionSet) {
		for _, selection := range selections {
			switch selection := selection.(type) {
			case *ast.Field:
				visit(selection.SelectionSet)
			case *ast.InlineFragment:
				visit(selection.SelectionSet)
			case *ast.FragmentSpread:
				if !used[selection.Name] {
					used[selection.Name] = true
					visit(document.Fragments.ForName(selection.Name).SelectionSet)
				}
			}
		}
	}
	visit(definition.SelectionSet)
	var fragments ast.FragmentDefinitionList
	for _, fragment := range document.Fragments {
		if used[fragment.Name] {
			fragments = append(fragments, fragment)
		}
	}
	return fragments
}

// mapFields notes, for the paths that validation errors name, the request's names, as far as the operation composes its
// arguments from variables. A path may begin at the argument ("input.groupIds") or inside it ("groupIds").
func (o *operation) mapFields(definition *ast.OperationDefinition) {
	names := make(map[string]string, len(o.parameters))
	for _, p := range o.parameters {
		if len(p.names) > 0 {
			names[p.variable] = p.names[0]
		}
	}
	for _, selection := range definition.SelectionSet {
		field, ok := selection.(*ast.Field)
		if !ok {
			continue
		}
		for _, argument := range field.Arguments {
			if argument.Value.Kind == ast.ObjectValue || argument.Value.Raw == spreadVariable {
				o.objects[argument.Name] = true
			}
			o.mapValue(names, nil, argument.Name, argument.Value)
		}
	}
}

func (o *operation) mapValue(names map[string]string, outer []string, name string, value *ast.Value) {
	path := append(slices.Clone(outer), name)
	for _, child := range value.Children {
		o.mapValue(names, path, child.Name, child.Value)
	}
	if value.Kind != ast.Variable || value.Raw == spreadVariable || names[value.Raw] == "" {
		return
	}
	for start := range path {
		key := strings.Join(path[start:], ".")
		if _, taken := o.fields[key]; !taken {
			o.fields[key] = names[value.Raw]
		}
	}
}

// fieldName spells the path of a validation error the way the client sent the field.
func (o *operation) fieldName(path string) string {
	parts := strings.Split(path, ".")
	for n := len(parts); n > 0; n-- {
		name, ok := o.fields[strings.Join(parts[:n], ".")]
		if ok {
			return strings.Join(append([]string{name}, snakeCases(parts[n:])...), ".")
		}
	}
	if len(parts) > 1 && o.objects[parts[0]] {
		parts = parts[1:]
	}
	return strings.Join(snakeCases(parts), ".")
}

// checkNames makes sure that every name a request may carry can be told from its GraphQL name and back, and that what tells of a header
// can.
func (o *operation) checkNames() error {
	seen := map[string]bool{}
	var check func(name, typeName string) error
	check = func(name, typeName string) error {
		if camelCase(snakeCase(name)) != name {
			return fmt.Errorf("the name %q has no spelling in snake case", name)
		}
		definition := o.schema.Types[typeName]
		if definition.Kind != ast.InputObject || seen[typeName] {
			return nil
		}
		seen[typeName] = true
		for _, field := range definition.Fields {
			if err := check(field.Name, field.Type.Name()); err != nil {
				return fmt.Errorf("input %s: %w", typeName, err)
			}
		}
		return nil
	}
	for _, p := range o.parameters {
		if err := check(p.variable, p.typ.Name()); err != nil {
			return err
		}
		if p.header != "" && p.typ.Name() != "Boolean" {
			return fmt.Errorf("$%s tells whether there is a header, so it must be a Boolean", p.variable)
		}
	}
	return nil
}
