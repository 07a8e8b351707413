package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// stored are the operations behind the REST interface, as they can be sent to the public GraphQL endpoint, and what REST
// calls their variables.
type stored struct {
	schema    *ast.Schema
	text      map[string]string // operation and fragments, by operation
	operation map[string]*ast.OperationDefinition
	names     map[string]map[string]string // REST's first name of a variable, by operation and variable
	onlyTrue  map[string]bool              // variables of which REST passes only true on, by operation and variable
	ofHeader  map[string]bool              // variables that tell of a header, by operation and variable
}

var fromDirective = regexp.MustCompile(`\$(\w+): [^$\n@]*@from\(names: \["([^"]+)"[^)]*\)`)

// readStored reads the schema and the operations from the repository: the product has them inside.
func readStored(t *testing.T) *stored {
	t.Helper()
	s := &stored{text: map[string]string{}, operation: map[string]*ast.OperationDefinition{}, names: map[string]map[string]string{},
		onlyTrue: map[string]bool{}, ofHeader: map[string]bool{}}
	var sources []*ast.Source
	for _, file := range glob(t, "../graph/schema/*.graphqls") {
		sources = append(sources, &ast.Source{Name: file, Input: read(t, file)})
	}
	var err error
	if s.schema, err = gqlparser.LoadSchema(sources...); err != nil {
		t.Fatal(err)
	}
	for _, file := range glob(t, "../rest/operations/*.graphql") {
		s.add(t, read(t, file))
	}
	return s
}

func (s *stored) add(t *testing.T, text string) {
	t.Helper()
	document, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		t.Fatal(err)
	}
	renamed := fromDirective.FindAllStringSubmatch(text, -1)
	plain := regexp.MustCompile(`@(atMost\([^)]*\)|from\([^)]*\)|header\([^)]*\)|onlyTrue|orEmpty|orOmit)`).ReplaceAllString(text, "")
	for _, op := range document.Operations {
		names := map[string]string{}
		for _, v := range op.VariableDefinitions {
			names[v.Variable] = snake(v.Variable)
			s.onlyTrue[op.Name+" "+v.Variable] = v.Directives.ForName("onlyTrue") != nil
			s.ofHeader[op.Name+" "+v.Variable] = v.Directives.ForName("header") != nil
			v.Directives = nil
		}
		begin := strings.Index(text, " "+op.Name)
		for _, match := range renamed {
			if at := strings.Index(text[begin:], match[0]); at >= 0 && names[match[1]] != "" &&
				!strings.Contains(text[begin:begin+at], "\n}\n") {
				names[match[1]] = match[2]
			}
		}
		s.names[op.Name] = names
		alone := &ast.QueryDocument{Operations: ast.OperationList{op}, Fragments: document.Fragments}
		_ = validator.ValidateWithRules(s.schema, alone, rules.NewDefaultRules()) // fills in the types; unused fragments are fine
		s.operation[op.Name] = op
		s.text[op.Name] = only(plain, document, op)
	}
}

// only is a file without its other operations and the fragments that this one does not need.
func only(text string, document *ast.QueryDocument, op *ast.OperationDefinition) string {
	used := map[string]bool{}
	var visit func(ast.SelectionSet)
	visit = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch selection := selection.(type) {
			case *ast.Field:
				visit(selection.SelectionSet)
			case *ast.FragmentSpread:
				if !used[selection.Name] {
					used[selection.Name] = true
					visit(document.Fragments.ForName(selection.Name).SelectionSet)
				}
			}
		}
	}
	visit(op.SelectionSet)
	var kept []string
	for _, part := range regexp.MustCompile(`(?m)^\}\n`).Split(text, -1) {
		head := regexp.MustCompile(`(?m)^(query|mutation|fragment) (\w+)`).FindStringSubmatch(part)
		if head != nil && (head[1] == "fragment" && used[head[2]] || head[1] != "fragment" && head[2] == op.Name) {
			kept = append(kept, part+"}\n")
		}
	}
	return strings.Join(kept, "\n")
}

func snake(name string) string {
	return strings.ToLower(regexp.MustCompile(`([A-Z])`).ReplaceAllString(name, "_$1"))
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
