// Package imports makes afterimage.yaml of what other tools know of a site. What it cannot take over it says in sentences.
package imports

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"afterimage/internal/compare"
	"afterimage/vcd"
)

// MaxSize is the size of a file to import, in bytes.
const MaxSize = 16 << 20

// Formats are what can be imported.
var Formats = []string{"backstop", "percy", "changedetection", "argos", "sitemap", "list"}

// Settings are the fields of afterimage.yaml that an import fills in.
type Settings struct {
	Before     string   `yaml:"before,omitempty"`
	After      string   `yaml:"after,omitempty"`
	Paths      []string `yaml:"paths,omitempty"`
	Devices    []string `yaml:"devices,omitempty"`
	MaxPercent float64  `yaml:"max_percent,omitempty"`
	Ignore     []string `yaml:"ignore,omitempty"`
}

// Imported is the result of an import.
type Imported struct {
	Addresses []string // of all pages that the file names, as it writes them
	Settings  Settings
	Left      []string // what could not be taken over, a sentence each

	configured bool // the file is a configuration that need not name pages
}

// Read reads a file of a format; "" detects it.
func Read(text []byte, format string) (*Imported, error) {
	switch {
	case len(text) > MaxSize:
		return nil, fmt.Errorf("the file has more than %d MiB", MaxSize>>20)
	case program.Match(text):
		return nil, errors.New("the file is a program: print the configuration that it creates and import that, for example with " +
			`node -p "JSON.stringify(require('./backstop.config.js'))" | afterimage import -`)
	case format == "":
		format = detect(text)
	}
	into := new(Imported)
	if err := into.read(text, format); err != nil {
		return nil, fmt.Errorf("the file cannot be read as %s: %w", format, err)
	}
	return into, nil
}

// program matches what a configuration written in JavaScript or TypeScript has.
var program = regexp.MustCompile(`(?m)^\s*(module\.exports\s*=|export\s+default\b)`)

func (i *Imported) read(text []byte, format string) (err error) {
	switch format {
	case "backstop":
		i.Addresses, err = i.backstop(text)
	case "percy":
		i.Addresses, err = i.percy(text)
	case "changedetection":
		i.Addresses, err = i.changedetection(text)
	case "argos":
		err = i.argos(text)
	case "sitemap":
		i.Addresses, err = sitemapFile(text)
	default:
		i.Addresses = list(text)
	}
	return err
}

// detect tells formats apart by what only they have.
func detect(text []byte) string {
	switch start := bytes.TrimSpace(text); {
	case bytes.HasPrefix(start, []byte("<")):
		return "sitemap"
	case bytes.Contains(text, []byte("scenarios")):
		return "backstop"
	case bytes.HasPrefix(start, []byte("{")) && bytes.Contains(text, argosFields):
		return "argos"
	case bytes.HasPrefix(start, []byte("{")) && !percyFields.Match(text):
		return "changedetection"
	case bytes.ContainsAny(start[:min(len(start), 1)], "{[-") || percyFields.Match(text):
		return "percy"
	}
	return "list"
}

// percyFields matches fields that only files for Percy have.
var percyFields = regexp.MustCompile(`(?m)^\s*"?(snapshots?|discovery)"?\s*:|[{,]\s*"(snapshots?|discovery)"\s*:`)

// ForCompare makes settings for a comparison of the pages of one site: that of the first address. It says what it leaves out.
func (i *Imported) ForCompare() error {
	var pages compare.Pages
	var site compare.Site
	others := 0
	for _, address := range i.Addresses {
		home := siteOf(address)
		if home == "" {
			i.leave("%q is not the address of a page.", address)
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
			i.leave("%q is skipped: %v.", address, err)
			continue
		}
		if err := pages.Add(path); err != nil {
			return err
		}
	}
	if others > 0 {
		i.leave("%s of other sites than %s: import those separately.", vcd.Plural(others, "page"), site)
	}
	if i.Settings.Paths = pages.List(); len(i.Settings.Paths) == 0 {
		if i.configured {
			i.leave("The file names no pages: add paths, sitemap or crawl.")
			return nil
		}
		return errors.New("the file contains no page with an address such as https://www.example.com/shop")
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

// siteOf is the scheme and host of an address; "" without a host.
func siteOf(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
