package settings

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const full = `before: https://www.example.com
after: https://${BRANCH}.preview.example.com
paths: [/, /shop]
devices: [mobile]
report: out
pictures_url: https://pictures.example.com
fail_on: alert
max_percent: 0.5
ignore: [.ad, "0,0,10,10"]
css: [hide.css]
js: [/abs/ready.js]
headers: {X-Key: "k-${KEY}"}
cookies: {session: "1"}
basic_auth: preview
keep_consent: true
concurrency: 3
deadline: 30s
date: 2026-11-23T12:00:00Z
allow_hosts: [localhost:9000]
`

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), DefaultName)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func lookup(name string) (string, bool) {
	value, ok := map[string]string{"BRANCH": "new-price", "KEY": "a: b # c"}[name]
	return value, ok
}

func TestAFileIsRead(t *testing.T) {
	name := write(t, full)
	got, err := Read(name, lookup)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(name)
	want := &File{
		Before: "https://www.example.com", After: "https://new-price.preview.example.com", Paths: []string{"/", "/shop"},
		Devices: []string{"mobile"}, Report: filepath.Join(folder, "out"), PicturesURL: "https://pictures.example.com", FailOn: "alert",
		MaxPercent: new(0.5), Ignore: []string{".ad", "0,0,10,10"}, CSS: []string{filepath.Join(folder, "hide.css")},
		JS: []string{"/abs/ready.js"}, Headers: map[string]string{"X-Key": "k-a: b # c"}, Cookies: map[string]string{"session": "1"},
		BasicAuth: "preview", KeepConsent: true, Concurrency: 3, Deadline: 30 * time.Second,
		Date: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), AllowHosts: []string{"localhost:9000"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestABaselineIsAFolderBesideTheFileOrHasAURL(t *testing.T) {
	for given, want := range map[string]string{
		"pictures": "FOLDER/pictures", "/abs": "/abs", "s3://bucket/${BRANCH}?region=x": "s3://bucket/new-price?region=x",
	} {
		name := write(t, "baseline: "+given+"\n")
		got, err := Read(name, lookup)
		if err != nil {
			t.Fatal(err)
		}
		if want = strings.Replace(want, "FOLDER", filepath.Dir(name), 1); got.Baseline != want {
			t.Errorf("%s became %s", given, got.Baseline)
		}
	}
}

func TestAWrongFileIsRefusedWithItsPlace(t *testing.T) {
	for text, words := range map[string]string{
		"before: a\nbefor: b\n":                            `line 2: unknown field "befor"`,
		"crawl: many\n":                                    "line 1",
		"deadline: soon\n":                                 "duration",
		"after: https://${NOBODY}/\n":                      "after: the environment variable NOBODY is not set",
		"headers: {X: \"${NOBODY}\"}\n":                    "headers: X: the environment variable NOBODY",
		"sitemap: true\ncrawl: 5\n":                        "exclude each other",
		"before: a\nbaseline: b\n":                         "exclude each other",
		"fail_on: never\n":                                 "fail_on",
		"devices: [watch]\n":                               "devices",
		"a: [\n":                                           "line",
		"ignore: [" + strings.Repeat("a, ", 400_000) + "]": "at most",
	} {
		_, err := Read(write(t, text), lookup)
		if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.yaml"), lookup); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
}

// TestTheSchemaKnowsTheFile: each field is in the schema, and the schema accepts and refuses what the program does.
func TestTheSchemaKnowsTheFile(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("afterimage.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("afterimage.json")
	if err != nil {
		t.Fatal(err)
	}
	for text, valid := range map[string]bool{
		full: true, "paths_file: p.txt\nbaseline: b\n": true, "sitemap: true\n": true, "crawl: 9\n": true,
		"befor: a\n": false, "crawl: many\n": false, "deadline: soon\n": false, "fail_on: never\n": false, "devices: [watch]\n": false,
	} {
		encoded, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(encoded))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != valid {
			t.Errorf("%q: %v", text, err)
		}
	}
	var described struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(Schema, &described); err != nil {
		t.Fatal(err)
	}
	fields := reflect.TypeFor[File]()
	for i := range fields.NumField() {
		if name := fields.Field(i).Tag.Get("yaml"); described.Properties[name] == nil {
			t.Errorf("the schema has no %s", name)
		}
	}
	if len(described.Properties) != fields.NumField() {
		t.Errorf("the schema has %d fields, the file %d", len(described.Properties), fields.NumField())
	}
}
