package imports

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"afterimage/internal/compare/settings"
)

const backstopFile = `{
  "id": "shop",
  "viewports": [{"label": "phone", "width": 320, "height": 480}, {"label": "desktop", "width": 1280, "height": 800}],
  "scenarios": [
    {"label": "Home", "url": "https://preview.example.com/", "referenceUrl": "https://www.example.com/", "delay": 500,
     "hideSelectors": [".ads"], "removeSelectors": ["#chat", ".ads"], "misMatchThreshold": 0.1, "clickSelector": "", "selectors": []},
    {"label": "Shop", "url": "https://preview.example.com/shop?page=2", "misMatchThreshold": 0.5, "hoverSelector": ".menu", "delay": 0},
    {"label": "Blog", "url": "https://blog.example.org/"}
  ]
}`

const percyFile = `
- /relative
- https://example.com/a
- name: B
  url: https://example.com/b
  waitForTimeout: 100
`

const percyConfiguration = `version: 2
snapshot:
  widths: [375, 1280]
  percyCSS: ".ad { display: none }"
discovery:
  authorization: {username: a, password: b}
`

const watchesFile = `{"watching": {"1f": {"url": "https://example.com/news", "title": "News"}, "2e": {"url": "https://example.com/"}}}`

const sitemapText = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://example.com/a </loc></url><url><loc>https://example.com/b</loc></url></urlset>`

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		paths []string
		left  []string // words of each sentence
	}{
		"backstop": {backstopFile, []string{"/", "/shop?page=2"}, []string{
			`"phone" of 320 × 480`, `"desktop" of 1280 × 800`, "the smallest applies", "ignored on all pages",
			"delay is not imported (set by 1 of", "hoverSelector is not", "1 page of other sites",
		}},
		"percy":         {percyFile, []string{"/a", "/b"}, []string{"waitForTimeout is not", `"/relative" is not the address`}},
		"percy as JSON": {`{"snapshots": [{"name": "A", "url": "https://example.com/a"}]}`, []string{"/a"}, nil},
		"percy's configuration": {percyConfiguration, nil, []string{
			"discovery.authorization is not", "snapshot.percyCSS is not", "width 375 becomes the device mobile",
			"width 1280 becomes the device desktop", "names no pages",
		}},
		"argos": {argosText(`"https://example.com/a?b=1"`, 375, ""), []string{"/a?b=1"}, []string{
			"viewport of 375 × 667 pixels becomes the device mobile", "before a screenshot",
		}},
		"changedetection": {watchesFile, []string{"/", "/news"}, []string{"Intervals, filters"}},
		"sitemap":         {sitemapText, []string{"/a", "/b"}, nil},
		"list":            {"# pages\n\nexample.com/a\nhttps://example.com/b\nexample.com/a\n", []string{"/a", "/b"}, nil},
	} {
		imported, err := forCompare(c.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(imported.Settings.Paths, c.paths) {
			t.Errorf("%s: paths %q, want %q", name, imported.Settings.Paths, c.paths)
		}
		if len(imported.Left) != len(c.left) {
			t.Errorf("%s: %d sentences, want %d: %q", name, len(imported.Left), len(c.left), imported.Left)
			continue
		}
		for i, words := range c.left {
			if !strings.Contains(imported.Left[i], words) {
				t.Errorf("%s: %q, want %q", name, imported.Left[i], words)
			}
		}
	}
}

func forCompare(text string) (*Imported, error) {
	imported, err := Read([]byte(text), "")
	if err == nil {
		err = imported.ForCompare()
	}
	return imported, err
}

// TestTheResultIsAFileOfSettings that compare reads.
func TestTheResultIsAFileOfSettings(t *testing.T) {
	imported, err := forCompare(backstopFile)
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(imported.Settings)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), settings.DefaultName)
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := settings.Read(name, os.LookupEnv)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if file.Before != "https://www.example.com" || file.After != "https://preview.example.com" || *file.MaxPercent != 0.1 ||
		!slices.Equal(file.Ignore, []string{".ads", "#chat"}) || !slices.Equal(file.Devices, []string{"mobile", "desktop"}) {
		t.Errorf("read %+v from\n%s", file, text)
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "contains no page",
		`{"scenarios": [`:               "cannot be read as backstop",
		`{"scenarios": 5}`:              "cannot be read as backstop",
		"<sitemapindex></sitemapindex>": "instead of <urlset>",
		"<urlset>":                      "cannot be read as sitemap",
		strings.Repeat("a", MaxSize+1):  "more than 16 MiB",
		strings.Repeat("[", 1<<20):      "nested more than",
		strings.Repeat("- ", 1<<20):     "nested more than",
		"module.exports = {}":           "afterimage import -",
		"export default {}\n":           "afterimage import -",
	} {
		if _, err := forCompare(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// TestAddressesOfAllSitesAreKept for a group of a server, which is not bound to one site.
func TestAddressesOfAllSitesAreKept(t *testing.T) {
	imported, err := Read([]byte(backstopFile), "")
	if err != nil || len(imported.Addresses) != 3 || imported.Addresses[2] != "https://blog.example.org/" {
		t.Errorf("addresses are %q, %v", imported.Addresses, err)
	}
}
