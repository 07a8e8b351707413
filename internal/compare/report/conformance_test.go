package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"afterimage/internal/compare"
	"afterimage/internal/compare/settings"
)

// validated is a file for conformance/validate.mjs.
type validated struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Schema string `json:"schema,omitempty"`
}

// validate runs conformance/validate.mjs, once for all files, and returns what is wrong by their names.
func validate(t *testing.T, files []validated) map[string][]string {
	t.Helper()
	if _, err := os.Stat("conformance/node_modules/ajv"); err != nil {
		t.Fatalf("the packages of internal/compare/report/conformance are not installed: make test does that: %v", err)
	}
	var lines, said bytes.Buffer
	for _, file := range files {
		if err := json.NewEncoder(&lines).Encode(file); err != nil {
			t.Fatal(err)
		}
	}
	node := exec.CommandContext(t.Context(), "node", "validate.mjs")
	node.Dir, node.Stdin, node.Stderr = "conformance", &lines, &said
	out, err := node.Output()
	if err != nil {
		t.Fatalf("validate.mjs: %v\n%.4000s", err, said.String())
	}
	var wrong map[string][]string
	if err := json.Unmarshal(out, &wrong); err != nil {
		t.Fatal(err)
	}
	return wrong
}

// TestOthersTakeOurFiles: validators and schemas of others accept what is written, and the files for others that are in this
// repository. Each validator also sees a file that it has to refuse.
func TestOthersTakeOurFiles(t *testing.T) {
	var files []validated
	for name, result := range map[string]*compare.Result{"sample": sample(), "empty": {}} {
		f := open(t)
		if err := f.Write(t.Context(), result, sampleRun); err != nil {
			t.Fatal(err)
		}
		for file, kind := range map[string]string{"junit.xml": "junit", "report.sarif": "sarif", "report.json": "json"} {
			text, err := f.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, validated{Name: name + "/" + file, Kind: kind, Text: string(text), Schema: string(Schema)})
		}
	}
	for file, kind := range map[string]string{"action.yml": "action", "workflow.example.yml": "workflow"} {
		files = append(files, validated{Name: file, Kind: kind, Text: read(t, "integrations/github/"+file)})
	}
	for i, text := range documented(t) {
		files = append(files, validated{
			Name: fmt.Sprint("example of afterimage.yaml ", i), Kind: "json", Text: text, Schema: string(settings.Schema),
		})
	}
	refused := []validated{
		{Name: "a case outside of suites", Kind: "junit", Text: `<testsuites><testcase name="/"/></testsuites>`},
		{Name: "no runs", Kind: "sarif", Text: `{"version": "2.1.0"}`},
		{Name: "no pages", Kind: "json", Text: `{"version": 1}`, Schema: string(Schema)},
		{Name: "an unknown field", Kind: "json", Text: `{"befor": "a"}`, Schema: string(settings.Schema)},
		{Name: "no steps", Kind: "action", Text: "name: a\ndescription: b\nruns: {using: composite}\n"},
		{Name: "no machine", Kind: "workflow", Text: "on: push\njobs: {a: {steps: []}}\n"},
	}
	wrong := validate(t, slices.Concat(files, refused))
	for _, file := range files {
		if errors, ok := wrong[file.Name]; !ok || len(errors) > 0 {
			t.Errorf("%s: %q\n%.2000s", file.Name, errors, file.Text)
		}
	}
	for _, file := range refused {
		if len(wrong[file.Name]) == 0 {
			t.Errorf("the validator of %s takes a file with %s", file.Kind, file.Name)
		}
	}
}

// read is a file of this repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// documented are the examples of afterimage.yaml in docs/compare.md, as JSON.
func documented(t *testing.T) []string {
	t.Helper()
	var examples []string
	for _, block := range yamlBlock.FindAllStringSubmatch(read(t, "docs/compare.md"), -1) {
		text, err := yaml.YAMLToJSON([]byte(block[1]))
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, string(text))
	}
	if len(examples) == 0 {
		t.Fatal("docs/compare.md has no example of afterimage.yaml")
	}
	return examples
}

// TestCodeQualityFollowsGitLabsRules, as GitLab documents them: five severities, fingerprints that are there once, and locations
// that are relative to the repository and begin at a line.
func TestCodeQualityFollowsGitLabsRules(t *testing.T) {
	f := open(t)
	if err := f.Write(t.Context(), sample(), sampleRun); err != nil {
		t.Fatal(err)
	}
	text, err := f.Read("gl-code-quality-report.json")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.HasPrefix(text, []byte("\xEF\xBB\xBF")) {
		t.Error("the file begins with a byte order mark")
	}
	var issues []codeQualityIssue
	if err := json.Unmarshal(text, &issues); err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for _, issue := range issues {
		path := issue.Location.Path
		if issue.Description == "" || issue.CheckName == "" || issue.Fingerprint == "" || known[issue.Fingerprint] ||
			!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, issue.Severity) ||
			path == "" || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "./") || issue.Location.Lines.Begin < 1 {
			t.Errorf("%+v", issue)
		}
		known[issue.Fingerprint] = true
	}
	if len(issues) != 3 {
		t.Errorf("%d issues", len(issues))
	}
}
