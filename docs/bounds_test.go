package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The bounds of docs/architecture.md: who opens a package or reads an interface should be able to keep in mind what is in it.
const (
	mostFiles   = 45 // in one package, without tests and what gqlgen writes
	mostMethods = 40 // of one interface, with those of the interfaces that it embeds
)

// larger lists what may exceed a bound, up to which size, and why. Nothing is added here: what grows is divided.
var larger = map[string]struct {
	size int
	why  string
}{
	"vcd/run.Tx": {115, "a capture that ends may begin a comparison and end the run in one transaction; it has an interface per concept"},
}

// TestPackagesAndInterfacesStayWithinTheirBounds reads the declarations of all packages.
func TestPackagesAndInterfacesStayWithinTheirBounds(t *testing.T) {
	program := readProgram(t)
	within := func(name string, size, most int, of string) {
		if exception, ok := larger[name]; ok {
			most = exception.size
		}
		if size > most {
			t.Errorf("%s has %d %s, at most %d are allowed: divide it by concept", name, size, of, most)
		}
	}
	interfaces := 0
	for folder, p := range program {
		within(folder, p.files, mostFiles, "files")
		for name := range p.interfaces {
			interfaces++
			within(folder+"."+name, len(program.methods(folder, name)), mostMethods, "methods")
		}
	}
	if len(program) < 80 || interfaces < 100 {
		t.Errorf("only %d packages and %d interfaces were found", len(program), interfaces)
	}
	for name := range larger {
		folder, of, isInterface := strings.Cut(name, ".")
		if p := program[folder]; p == nil || isInterface && p.interfaces[of] == nil {
			t.Errorf("the exception for %s names nothing", name)
		}
	}
}

// sourcePackage is what the bounds are about in a package.
type sourcePackage struct {
	files      int
	interfaces map[string]*sourceInterface
}

// sourceInterface is a declared interface.
type sourceInterface struct {
	*ast.InterfaceType
	imports map[string]string // of its file: the folders of our packages by their names
}

// sourceProgram is all packages by their folders.
type sourceProgram map[string]*sourcePackage

func readProgram(t *testing.T) sourceProgram {
	t.Helper()
	program := make(sourceProgram)
	skipped := []string{".git", "bin", "dist", "generated", "node_modules", "testdata"}
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skipped, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		return program.add(file)
	})
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// add reads a file.
func (program sourceProgram) add(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return err
	}
	folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
	p := program[folder]
	if p == nil {
		p = &sourcePackage{interfaces: make(map[string]*sourceInterface)}
		program[folder] = p
	}
	if !ast.IsGenerated(syntax) && !strings.Contains(string(text), "will be automatically regenerated") {
		p.files++
	}
	imports := make(map[string]string)
	for _, spec := range syntax.Imports {
		if own, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "afterimage/"); ok {
			imports[path.Base(own)] = own
			if spec.Name != nil {
				imports[spec.Name.Name] = own
			}
		}
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if declared, ok := spec.Type.(*ast.InterfaceType); ok {
				p.interfaces[spec.Name.Name] = &sourceInterface{declared, imports}
			}
		}
		return true
	})
	return nil
}

// methods are the names of an interface's methods, with those that it embeds of our own interfaces.
func (program sourceProgram) methods(folder, name string) map[string]bool {
	found := make(map[string]bool)
	p := program[folder]
	if p == nil || p.interfaces[name] == nil {
		return found
	}
	declared := p.interfaces[name]
	for _, field := range declared.Methods.List {
		for _, method := range field.Names {
			found[method.Name] = true
		}
		if len(field.Names) > 0 {
			continue
		}
		embedded := field.Type
		if generic, ok := embedded.(*ast.IndexExpr); ok {
			embedded = generic.X
		}
		of, from := "", folder
		switch e := embedded.(type) {
		case *ast.Ident:
			of = e.Name
		case *ast.SelectorExpr:
			of, from = e.Sel.Name, declared.imports[e.X.(*ast.Ident).Name]
		}
		for method := range program.methods(from, of) {
			found[method] = true
		}
	}
	return found
}
