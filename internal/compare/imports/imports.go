// Package imports makes afterimage.yaml of what other tools know of a site. What it cannot take over it says in sentences.
package imports

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/goccy/go-yaml"

	"afterimage/internal/compare"
)

// MaxSize is the size of a file to import, in bytes.
const MaxSize = 16 << 20

// Formats are what can be imported.
var Formats = []string{"backstop", "percy", "changedetection", "sitemap", "list"}

// Settings are the fields of afterimage.yaml that an import fills in.
type Settings struct {
	Before     string   `yaml:"before"`
	After      string   `yaml:"after,omitempty"`
	Paths      []string `yaml:"paths"`
	Devices    []string `yaml:"devices,omitempty"`
	MaxPercent float64  `yaml:"max_percent,omitempty"`
	Ignore     []string `yaml:"ignore,omitempty"`
}

// Imported is the result of an import.
type Imported struct {
	Settings Settings
	Left     []string // what could not be taken over, a sentence each
}

// Read reads a file of a format; "" detects it.
func Read(text []byte, format string) (*Imported, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("the file has more than %d MiB", MaxSize>>20)
	}
	if format == "" {
		format = detect(text)
	}
	into := new(Imported)
	var addresses []string
	var err error
	switch format {
	case "backstop":
		addresses, err = into.backstop(text)
	case "percy":
		addresses, err = into.percy(text)
	case "changedetection":
		addresses, err = into.changedetection(text)
	case "sitemap":
		addresses, err = sitemapFile(text)
	default:
		addresses = list(text)
	}
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read as %s: %w", format, err)
	}
	return into, into.pages(addresses)
}

// detect tells formats apart by what only they have.
func detect(text []byte) string {
	switch start := bytes.TrimSpace(text); {
	case bytes.HasPrefix(start, []byte("<")):
		return "sitemap"
	case bytes.Contains(text, []byte("scenarios")):
		return "backstop"
	case bytes.HasPrefix(start, []byte("{")) && !bytes.Contains(text, []byte("snapshots")):
		return "changedetection"
	case bytes.ContainsAny(start[:min(len(start), 1)], "{[-") || bytes.Contains(text, []byte("snapshots:")):
		return "percy"
	}
	return "list"
}

// pages takes the pages of the site that the first address belongs to.
func (i *Imported) pages(addresses []string) error {
	var pages compare.Pages
	var site compare.Site
	others := 0
	for _, address := range addresses {
		home := siteOf(address)
		if home == "" {
			i.leave("%q is no address of a page.", address)
			continue
		}
		if site == (compare.Site{}) {
			first, err := compare.ParseSite(home)
			if err != nil {
				return err
			}
			site, i.Settings.Before = first, cmp.Or(i.Settings.Before, home)
		}
		path, ok := site.Path(address)
		if !ok {
			others++
			continue
		}
		if err := compare.CheckPath(path); err != nil {
			i.leave("%q is left out: %v.", address, err)
			continue
		}
		if err := pages.Add(path); err != nil {
			return err
		}
	}
	if others > 0 {
		i.leave("%d pages belong to other sites than %s: import them into files of their own.", others, site)
	}
	if i.Settings.Paths = pages.List(); len(i.Settings.Paths) == 0 {
		return errors.New("the file names no page with an address such as https://www.example.com/shop")
	}
	return nil
}

// maxLeft limits what is said.
const maxLeft = 100

func (i *Imported) leave(format string, args ...any) {
	if len(i.Left) < maxLeft {
		i.Left = append(i.Left, fmt.Sprintf(format, args...))
	}
}

// list reads an address a line.
func list(text []byte) (addresses []string) {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			if !strings.Contains(line, "://") {
				line = "https://" + line
			}
			addresses = append(addresses, line)
		}
	}
	return addresses
}

// sitemapFile reads a sitemap that was saved to a file.
func sitemapFile(text []byte) ([]string, error) {
	var file struct {
		XMLName xml.Name
		Pages   []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	if file.XMLName.Local != "urlset" {
		return nil, fmt.Errorf("its root is <%s> instead of <urlset>; of an index, import the files that it names, or use --sitemap",
			file.XMLName.Local)
	}
	addresses := make([]string, len(file.Pages))
	for n, p := range file.Pages {
		addresses[n] = strings.TrimSpace(p.Loc)
	}
	return addresses, nil
}

// maxDepth is how deeply lists and objects may be nested, as far as it shows without reading them: the decoder has no limit.
const maxDepth = 1000

func deep(text []byte) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth > maxDepth {
			return true
		}
	}
	for line := range bytes.Lines(text) {
		if bytes.Count(line, []byte("- "))+bytes.Count(line, []byte("? ")) > maxDepth {
			return true
		}
	}
	return false
}

// decode reads JSON or YAML.
func decode(text []byte, into any) error {
	if deep(text) {
		return fmt.Errorf("lists and objects are nested more than %d times", maxDepth)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		return errors.New(strings.Join(strings.Fields(yaml.FormatError(err, false, false)), " "))
	}
	return nil
}

// siteOf is the scheme and host of an address; "" without a host.
func siteOf(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
