// Package settings reads afterimage.yaml, which holds what a team would otherwise repeat on every command line.
package settings

import (
	_ "embed" // for the schema below
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"afterimage/internal/yamltext"
)

// Schema is the JSON schema of the file (draft 2020-12).
//
//go:embed schema.json
var Schema []byte

// DefaultName is the file that is read from the current folder when none is named.
const DefaultName = "afterimage.yaml"

// maxSize is the size of the file in bytes.
const maxSize = 1 << 20

// File is what the file says. A field that it leaves out is zero.
type File struct {
	Before      string            `yaml:"before"`
	After       string            `yaml:"after"`
	Baseline    string            `yaml:"baseline"`
	Paths       []string          `yaml:"paths"`
	PathsFile   string            `yaml:"paths_file"` // relative to the file, like all names of files
	Sitemap     bool              `yaml:"sitemap"`
	Crawl       int               `yaml:"crawl"`
	Storybook   bool              `yaml:"storybook"`
	Devices     []string          `yaml:"devices"`
	Report      string            `yaml:"report"`
	PicturesURL string            `yaml:"pictures_url"`
	FailOn      string            `yaml:"fail_on"`
	MaxPercent  *float64          `yaml:"max_percent"`
	Ignore      []string          `yaml:"ignore"`
	CSS         []string          `yaml:"css"`
	JS          []string          `yaml:"js"`
	Headers     map[string]string `yaml:"headers"`
	Cookies     map[string]string `yaml:"cookies"`
	BasicAuth   string            `yaml:"basic_auth"`
	KeepConsent bool              `yaml:"keep_consent"`
	Concurrency int               `yaml:"concurrency"`
	Deadline    time.Duration     `yaml:"deadline"`
	Date        time.Time         `yaml:"date"`
	AllowHosts  []string          `yaml:"allow_hosts"`
	InsecureTLS []string          `yaml:"insecure_tls"`
}

// Read reads a file. A field that it does not know, a value of another kind and a variable that is not set are errors that name
// the place.
func Read(name string, lookup func(string) (string, bool)) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxSize {
		return nil, fmt.Errorf("%s has %d bytes; at most %d are supported", name, info.Size(), maxSize)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f := new(File)
	if err := yamltext.Decode(text, f, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := expand(reflect.ValueOf(f).Elem(), lookup); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.locate(filepath.Dir(name))
	return f, nil
}

// check refuses what the types of the fields let through.
func (f *File) check() error {
	sources := 0
	for _, given := range []bool{len(f.Paths) > 0, f.PathsFile != "", f.Sitemap, f.Crawl != 0, f.Storybook} {
		if given {
			sources++
		}
	}
	if sources > 1 {
		return errors.New("paths, paths_file, sitemap, crawl and storybook exclude each other: keep one of them")
	}
	if f.Before != "" && f.Baseline != "" {
		return errors.New("before and baseline exclude each other: keep one of them")
	}
	switch f.FailOn {
	case "", "alert", "unsure", "any":
	default:
		return fmt.Errorf("fail_on must be alert, unsure or any, not %q", f.FailOn)
	}
	for _, d := range f.Devices {
		if d != "desktop" && d != "mobile" {
			return fmt.Errorf("devices must be desktop, mobile or both, not %q", d)
		}
	}
	return nil
}

// locate makes names of files relative to a folder absolute or relative to the current one. A baseline may have a URL.
func (f *File) locate(folder string) {
	at := func(name string) string {
		if name == "" || filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(folder, name)
	}
	f.PathsFile, f.Report = at(f.PathsFile), at(f.Report)
	if !strings.Contains(f.Baseline, "://") {
		f.Baseline = at(f.Baseline)
	}
	for _, names := range [][]string{f.CSS, f.JS} {
		for i := range names {
			names[i] = at(names[i])
		}
	}
}

// variable is ${NAME} in a text.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// expand replaces variables in all texts, after they were read: what a variable holds is no YAML.
func expand(v reflect.Value, lookup func(string) (string, bool)) error {
	switch v.Kind() {
	case reflect.String:
		text, err := expanded(v.String(), lookup)
		v.SetString(text)
		return err
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return nil
		}
		for i := range v.NumField() {
			if err := expand(v.Field(i), lookup); err != nil {
				return fmt.Errorf("%s: %w", v.Type().Field(i).Tag.Get("yaml"), err)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := expand(v.Index(i), lookup); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			text, err := expanded(v.MapIndex(key).String(), lookup)
			if err != nil {
				return fmt.Errorf("%s: %w", key.String(), err)
			}
			v.SetMapIndex(key, reflect.ValueOf(text))
		}
	default:
	}
	return nil
}

func expanded(text string, lookup func(string) (string, bool)) (string, error) {
	var missing error
	text = variable.ReplaceAllStringFunc(text, func(found string) string {
		name := variable.FindStringSubmatch(found)[1]
		value, ok := lookup(name)
		if !ok && missing == nil {
			missing = fmt.Errorf("the environment variable %s is not set", name)
		}
		return value
	})
	return text, missing
}
