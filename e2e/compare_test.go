package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"afterimage/internal/compare/peerbench/shopsite"
)

// openShop serves the shop, or the preview of its next release, and returns its address.
func openShop(t *testing.T, preview bool) string {
	t.Helper()
	server := httptest.NewServer(&shopsite.Shop{Preview: preview})
	t.Cleanup(server.Close)
	return server.URL
}

// sitesCompared is a run of `afterimage compare`.
type sitesCompared struct {
	code           int
	stdout, stderr string
	report         sitesReport
	raw            string // the report but for its times
}

// sitesReport is what the tests read of report.json.
type sitesReport struct {
	Pages []struct {
		Path, Device, Verdict, Problem string
		Findings                       []struct{ Kind, Verdict, Host, Description string }
	}
	Changes []struct {
		ID, Kind, Verdict, Host, Description string
		Places                               []struct{ Path, Device string }
	}
}

// compareSites runs the program to its end. dir is the folder of the report, "" for none.
func compareSites(t *testing.T, dir string, args ...string) sitesCompared {
	t.Helper()
	if dir != "" {
		args = append(args, "--report", dir)
	}
	return finishComparison(t, dir, exec.CommandContext(t.Context(), binary, append([]string{"compare"}, args...)...))
}

func finishComparison(t *testing.T, dir string, cmd *exec.Cmd) sitesCompared {
	t.Helper()
	var out, told strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &told
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	c := sitesCompared{code: cmd.ProcessState.ExitCode(), stdout: out.String(), stderr: told.String()}
	if dir == "" {
		return c
	}
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if errors.Is(err, os.ErrNotExist) {
		return c
	}
	if err == nil {
		err = json.Unmarshal(text, &c.report)
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, `  "started"`) && !strings.HasPrefix(line, `  "seconds"`) {
			c.raw += line
		}
	}
	return c
}

// pathList writes a list of pages of the shop.
func pathList(t *testing.T, pages ...int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("# pages of the shop\n\n")
	for _, n := range pages {
		fmt.Fprintf(&text, "/p/%d\n", n)
	}
	name := filepath.Join(t.TempDir(), "paths.txt")
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestAPreviewIsComparedWithProduction compares two servers that differ in planted ways and in harmless ones. Every planted
// difference must be found and named, at most a fifth of the harmless ones may be alarmed, and a second run must say the same.
func TestAPreviewIsComparedWithProduction(t *testing.T) {
	t.Parallel()
	production, preview := openShop(t, false), openShop(t, true)
	pages, args := shopSample(), []string{"--devices", "desktop"}
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		pages, args = nil, nil
		for n := range shopsite.Pages {
			pages = append(pages, n)
		}
	}
	args = append(args, production, preview, "--paths", pathList(t, pages...), "--date", "2026-11-23T12:00:00Z")
	c := compareSites(t, t.TempDir(), args...)
	t.Logf("%s\n%s", c.stdout, c.stderr)
	if c.code != 1 {
		t.Errorf("exit code %d, want 1\n%s", c.code, c.stderr)
	}
	for _, d := range shopsite.Damages {
		if !c.names(d) {
			t.Errorf("the planted difference %q was not found or not named", d.Name)
		}
	}
	var loud []string
	habits := 0
	for _, n := range pages {
		habit, ok := shopsite.Habits[n]
		if !ok {
			continue
		}
		if habits++; c.alarms(fmt.Sprintf("/p/%d", n)) {
			loud = append(loud, habit.Name)
		}
	}
	if 5*len(loud) > habits {
		t.Errorf("%d of %d harmless differences were alarmed: %q", len(loud), habits, loud)
	}
	t.Logf("%d of %d harmless differences were alarmed: %q", len(loud), habits, loud)
}

// TestTheSameComparisonTwice: sites that only show what they are made of give the same report, byte for byte but for the times, and
// without a difference nothing is ever alarmed.
func TestTheSameComparisonTwice(t *testing.T) {
	t.Parallel()
	production, preview, twin := openShop(t, false), openShop(t, true), openShop(t, false)
	list := pathList(t, sized([]int{3, 16}, []int{3, 5, 7, 16, 18, 31, 35})...)
	run := func(after string) sitesCompared {
		cmd := exec.CommandContext(t.Context(), binary, "compare", production, after, "--paths", list,
			"--date", "2026-11-23T12:00:00Z", "--report", t.TempDir())
		summary := filepath.Join(t.TempDir(), "summary")
		cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+summary)
		c := finishComparison(t, cmd.Args[len(cmd.Args)-1], cmd)
		told, err := os.ReadFile(summary)
		if err != nil || !strings.HasPrefix(string(told), "## ") {
			t.Errorf("the job summary is %q (%v)", told, err)
		}
		return c
	}
	first, second := run(preview), run(preview)
	if first.code != 1 || first.raw != second.raw || first.raw == "" || first.stdout != second.stdout {
		t.Errorf("exit codes %d and %d:\n%s\n%s", first.code, second.code, first.raw, second.raw)
	}
	if !strings.Contains(first.stdout, "::error title=alert on /p/3") {
		t.Errorf("no annotation in\n%s", first.stdout)
	}
	if c := run(twin); c.code != 0 {
		t.Errorf("equal sites: exit code %d\n%s", c.code, c.stdout)
	}
}

// shopSample is every page with a planted difference and a few others.
func shopSample() []int {
	pages := []int{0, 1, 2, 10, 16, 18, 24, 36}
	for _, d := range shopsite.Damages {
		pages = append(pages, d.Pages...)
	}
	slices.Sort(pages)
	return pages
}

// names reports whether a planted difference is among the changes that somebody has to look at, and where it was planted.
func (c *sitesCompared) names(d shopsite.Damage) bool {
	for _, change := range c.report.Changes {
		var paths []string
		for _, place := range change.Places {
			paths = append(paths, place.Path)
		}
		if change.Host == "" && change.Verdict != "harmless" && d.NamedBy(change.Kind, change.Description, paths) {
			return true
		}
	}
	return false
}

// alarms reports whether a page shows anything that somebody has to look at, besides what all pages show.
func (c *sitesCompared) alarms(path string) bool {
	for _, change := range c.report.Changes {
		if change.Host != "" || change.Verdict == "harmless" || len(change.Places) > 10 {
			continue
		}
		for _, place := range change.Places {
			if place.Path == path {
				return true
			}
		}
	}
	return false
}

// TestAComparisonThatCannotBeMade ends with exit code 2 and one sentence that names the side or the flag, and the remedy.
func TestAComparisonThatCannotBeMade(t *testing.T) {
	t.Parallel()
	own := openShop(t, false)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	expired := httptest.NewUnstartedServer(http.NotFoundHandler())
	expired.Config.ErrorLog = log.New(io.Discard, "", 0)
	expired.StartTLS() // with a certificate of nobody whom the browser trusts
	t.Cleanup(expired.Close)
	walled := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/login" {
			http.Redirect(w, r, "/login", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Sign in</title><input type="password">`)
	}))
	t.Cleanup(walled.Close)
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="preview"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(closed.Close)
	half := pathList(t, 0, 1, 97, 98)
	for name, c := range map[string]struct {
		args  []string
		words string
	}{
		"unreachable preview":   {[]string{own, gone.URL, "--paths", half}, gone.URL + " cannot be captured: The server did not accept"},
		"untrusted certificate": {[]string{own, expired.URL}, "cannot be captured: A TLS connection could not be established."},
		"password wanted":       {[]string{own, closed.URL}, "--basic-auth"},
		"login wall":            {[]string{own + "/p/0", walled.URL + "/p/0"}, "where visitors sign in. Give access with --cookie"},
		"half of the paths": {
			[]string{own, openShop(t, false), "--paths", half},
			"Both sides answer with an error (HTTP status 404 and 404). Check the path.",
		},
		"no such list":     {[]string{own, gone.URL, "--paths", "/no/such/list"}, "no such file"},
		"no site":          {[]string{own, "ftp://example.com"}, "AFTER: the scheme"},
		"no selector":      {[]string{own + "/p/0", own + "/p/1", "--ignore", "a["}, `--ignore: "a[" is neither a CSS selector`},
		"no header":        {[]string{own, gone.URL, "--header", "X-Key"}, "--header"},
		"no flag":          {[]string{own, gone.URL, "--fail-on", "never"}, "--fail-on"},
		"no sitemap":       {[]string{own, gone.URL, "--sitemap"}, "--sitemap"},
		"nothing to crawl": {[]string{gone.URL, own, "--crawl", "5"}, "--crawl"},
		"one side":         {[]string{own, own}, "both sides are"},
	} {
		got := compareSites(t, "", append(c.args, "--devices", "desktop")...)
		if got.code != 2 || !strings.Contains(got.stderr+got.stdout, c.words) {
			t.Errorf("%s: exit code %d, want 2 and %q\n%s%s", name, got.code, c.words, got.stdout, got.stderr)
		}
	}
}

// TestAnInterruptedComparisonTellsNothing: Ctrl-C ends it soon, with a sentence and without a report.
func TestAnInterruptedComparisonTellsNothing(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	var once sync.Once
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		once.Do(func() { close(begun) })
		<-r.Context().Done()
	}))
	t.Cleanup(slow.Close)
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), binary, "compare", slow.URL+"/a", slow.URL+"/b", "--report", dir)
	interrupted := make(chan error, 1)
	go func() {
		<-begun
		interrupted <- cmd.Process.Signal(os.Interrupt)
	}()
	c := finishComparison(t, dir, cmd)
	if err := <-interrupted; err != nil {
		t.Fatal(err)
	}
	// Before the sentence a busy machine may warn of a browser that was too slow to let go of its page.
	said := strings.Split(strings.TrimSpace(c.stderr), "\n")
	if c.code != 2 || !strings.Contains(said[len(said)-1], "interrupted") || strings.Count(c.stderr, "afterimage: ") != 1 {
		t.Errorf("exit code %d\n%s", c.code, c.stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "report.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a report: %v", err)
	}
}

// TestAReportThatDoesNotFit: a full disk ends a comparison with a sentence.
func TestAReportThatDoesNotFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	disk := newSmallDisk(t, dir)
	if disk.dir == "" {
		t.Log("this machine does not let a test mount a disk")
	}
	free := disk.fill()
	defer free()
	c := compareSites(t, dir, openShop(t, false)+"/p/3", openShop(t, true)+"/p/3", "--devices", "desktop")
	if disk.dir != "" && (c.code != 2 || !strings.Contains(c.stderr, "the report cannot be written to "+dir+": no space left on device")) {
		t.Errorf("exit code %d\n%s", c.code, c.stderr)
	}
}

// TestAReportOpensFromDisk: the page of a report is one file. It shows the changes, and both sides of a page, without a network.
func TestAReportOpensFromDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	production, preview := openShop(t, false), openShop(t, true)
	compareSites(t, dir, production, preview, "--paths", pathList(t, 3, 7), "--devices", "desktop")
	alone := filepath.Join(t.TempDir(), "report.html")
	if err := os.Rename(filepath.Join(dir, "index.html"), alone); err != nil {
		t.Fatal(err)
	}
	b := browse(t)
	b.open("file://" + alone)
	b.reads("A price is now missing or zero.")
	b.until(`[...document.querySelectorAll('.crops img')].length >= 4`)
	b.picture("compare-report")
	b.click(`.places a[href^="#page/0/"]`)
	b.until(`document.querySelector('#viewer [aria-current]').innerText.includes('€ 0.00')`)
	b.until(`[...document.querySelectorAll('#viewer img')].length >= 2 &&
		[...document.querySelectorAll('#viewer img')].every((image) => image.complete && image.naturalWidth === 1440)`)
	b.picture("compare-report-page")
	b.click(`.facts a[href="#page/1"]`)
	b.reads("/p/7")
	b.click(`.facts a[href="#"]`)
	b.reads("Also found")
	names := `performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith('data:'))`
	if loaded := evaluate[[]string](b, names); len(loaded) > 0 {
		t.Errorf("the report loads %q", loaded)
	}
}
