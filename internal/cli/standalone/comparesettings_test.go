package standalone

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// TestSettingsFillInWhatNoFlagSays parses a command line as the program does, in a folder with an afterimage.yaml.
func TestSettingsFillInWhatNoFlagSays(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("BRANCH", "new-price")
	settings := `{before: "https://www.example.com", after: "https://${BRANCH}.example.com", crawl: 7, fail_on: alert, max_percent: 2,
		devices: [mobile], ignore: [.ad], headers: {B: "2", A: "1"}, deadline: 9s, css: [style.css]}`
	if err := os.WriteFile("afterimage.yaml", []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(args ...string) *Compare {
		t.Helper()
		var c Compare
		parser := kong.Must(&c, kong.DefaultEnvars("AFTERIMAGE"), kong.Vars{"userAgentSuffix": UserAgentSuffix})
		if _, err := parser.Parse(args); err != nil {
			t.Fatal(err)
		}
		if err := c.readSettings(); err != nil {
			t.Fatal(err)
		}
		return &c
	}
	c := read()
	if c.After != "https://new-price.example.com" || c.Crawl != 7 || c.FailOn != "alert" || *c.MaxPercent != 2 ||
		c.Deadline != 9*time.Second || !slices.Equal(c.Devices, []string{"mobile"}) || !slices.Equal(c.Header, []string{"A: 1", "B: 2"}) ||
		c.CSS[0] != "style.css" {
		t.Errorf("without flags: %+v", c)
	}
	c = read("a.test", "b.test", "--sitemap", "--fail-on=any", "--max-percent=0", "--devices=desktop,mobile", "--ignore=.b",
		"--deadline=3s")
	if c.Before != "a.test" || c.After != "b.test" || c.Crawl != 0 || !c.Sitemap || c.FailOn != "any" || *c.MaxPercent != 0 ||
		len(c.Devices) != 2 || !slices.Equal(c.Ignore, []string{".ad", ".b"}) || c.Deadline != 3*time.Second {
		t.Errorf("with flags: %+v", c)
	}
	if c = read("c.test", "--baseline=base"); c.Before != "" || c.After != "c.test" {
		t.Errorf("with a baseline: %+v", c)
	}
	if err := os.Rename("afterimage.yaml", "other.yaml"); err != nil {
		t.Fatal(err)
	}
	if c = read(); c.Before != "" || c.FailOn != "unsure" || len(c.Devices) != 0 || c.Concurrency < 1 || c.Deadline != 45*time.Second {
		t.Errorf("without a file: %+v", c)
	}
	if c = read("--config", "other.yaml"); c.Crawl != 7 {
		t.Errorf("with a file of another name: %+v", c)
	}
	missing := &Compare{Config: filepath.Join(t.TempDir(), "none.yaml")}
	if err := missing.readSettings(); err == nil || !strings.Contains(err.Error(), "--config") {
		t.Errorf("a file that is not there: %v", err)
	}
}
