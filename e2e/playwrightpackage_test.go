package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// basketSite has a page with a state that no address leads to, and one that never comes to rest.
type basketSite struct {
	after  atomic.Bool
	served atomic.Int64
}

func (s *basketSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.URL.Path == "/moving" {
		fmt.Fprint(w, `<h1 id="n">0</h1><script>setInterval(() => n.textContent++, 5)</script>`)
		return
	}
	price := "12.50"
	if s.after.Load() {
		price = "0.00"
	}
	fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Basket</title><body style="margin:0;font:16px sans-serif">
		<header style="background:#224466;color:#fff;padding:12px"><h1>Basket</h1></header>
		<main style="padding:12px"><p class="session">Session %d</p><button onclick="list.hidden = false">Add</button>
		<ul id="list" hidden><li>A kettle <span class="price">€ %s</span></li></ul></main>
		<div style="height:900px"></div><footer>Call us: 0800 000001</footer></body></html>`, s.served.Add(1), price)
}

// Each run starts browsers for every test and every attempt. Quick ones leave out the tests that take no screenshots, brief ones the
// phone too. Stored ones need no browser: two tests that have a screenshot already.
const (
	quick          = "--grep=a basket|a part"
	withoutBrowser = "--config=test/stored.config.ts"
)

var brief = []string{"--project=desktop", quick}

// TestThePlaywrightPackage runs tests that use the package of integrations/playwright, as others do: before and after a change,
// against a server that runs known documents only, and without one.
func TestThePlaywrightPackage(t *testing.T) {
	t.Parallel()
	shop := &basketSite{}
	host := pages(t, shop)
	s := lodge(t, "--documents-only")
	must[data[struct{ ID string }]](s, http.MethodPost, "/groups", map[string]any{"name": "Shop"})
	run := func(code int, words string, options map[string]any, args ...string) string {
		t.Helper()
		return s.playwrightPackage(host, code, words, options, args...)
	}
	online := map[string]any{"group": "Shop", "server": s.url, "token": s.token}
	pre := map[string]any{"group": "Shop", "server": s.url, "token": s.token, "pre": true}
	run(0, "3 of 3 screenshots", pre)
	dir := t.TempDir()
	local := map[string]any{"baseline": filepath.Join(dir, "baseline"), "output": filepath.Join(dir, "output")}
	run(0, "phone/basket/one article is new", local, quick)
	shop.after.Store(true)
	changed := run(1, "A price is now missing or zero.", online)
	if !strings.Contains(changed, "desktop/basket/one article") || !strings.Contains(changed, "phone/basket/one article") ||
		!strings.Contains(changed, "text changed from “€ 12.50” to “€ 0.00”") || !strings.Contains(changed, "1 equal, 2 alert.") {
		t.Errorf("after the change:\n%s", changed)
	}
	run(1, "desktop/basket/one article: ", local, brief...)
	if _, err := os.Stat(filepath.Join(dir, "output", "desktop", "desktop", "basket", "one article.png")); err != nil {
		t.Error(err)
	}
	run(0, "desktop/basket/one article was updated in", local, append(brief, "--update-snapshots=changed")...)
	run(0, "", local, append(brief, "--update-snapshots=none")...)
	run(1, "footer is not in", map[string]any{"baseline": dir}, withoutBrowser, "--update-snapshots=none")
	s.playwrightShards(run, online)
	other := map[string]any{"group": "None", "server": s.url, "token": s.token}
	run(1, `no group has the name or the id "None"`, other, withoutBrowser)
	run(1, "The program nowhere cannot be started", map[string]any{"group": "Shop", "binary": "nowhere"}, withoutBrowser)
	s.check()
}

// playwrightShards runs the tests in two shards: with the same build they fill one run, which the last of them reports, and a folder
// gets the screenshots of each.
func (s *service) playwrightShards(run func(int, string, map[string]any, ...string) string, online map[string]any) {
	s.t.Helper()
	build := maps.Clone(online)
	build["build"] = "4711"
	run(1, "--build is missing: with --shard, give all parts the same id", online, withoutBrowser, "--shard=1/2")
	run(0, "1 of 2 parts have been uploaded; the upload of the last part reports the result.", build, "--shard=2/2", quick)
	told := run(1, "1 equal, 2 alert.", build, "--shard=1/2", "--update-snapshots", quick)
	if !strings.Contains(told, "--update-snapshots does not update screenshots of a group") {
		s.t.Errorf("nothing is said of --update-snapshots:\n%s", told)
	}
	folder := s.t.TempDir()
	for _, shard := range []string{"--shard=1/2", "--shard=2/2"} {
		run(0, "is new in", map[string]any{"baseline": folder}, withoutBrowser, shard)
	}
	if kept := glob(s.t, filepath.Join(folder, "*", "*.png")); len(kept) != 2 {
		s.t.Errorf("the shards kept %q", kept)
	}
}

// playwrightPackage runs the tests of the package once, and expects an exit code and words.
func (s *service) playwrightPackage(host string, code int, words string, options map[string]any, args ...string) string {
	s.t.Helper()
	folder, err := filepath.Abs("../integrations/playwright")
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "dist", "index.js")); err != nil {
		s.t.Fatalf("the package of %s is not built: make test does that: %v", folder, err)
	}
	given, err := json.Marshal(options)
	if err != nil {
		s.t.Fatal(err)
	}
	runner := filepath.Join(folder, "node_modules", ".bin", "playwright")
	if !slices.Contains(args, withoutBrowser) {
		args = append([]string{"--config=test/playwright.config.ts"}, args...)
	}
	cmd := exec.CommandContext(s.t.Context(), runner, append([]string{"test"}, args...)...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "CHROMIUM="+findBrowser(s.t), "SHOP=http://"+host, "RESULTS="+s.t.TempDir(),
		"OPTIONS="+string(given), "AFTERIMAGE_BINARY="+binary, "GITHUB_RUN_ID=", "CI_PIPELINE_ID=", "CI=",
		"NODE_COMPILE_CACHE="+filepath.Join(filepath.Dir(binary), "node")) // Node compiles the runner of tests once
	is, out, told := called(s.t, cmd)
	if is != code || !strings.Contains(out+told, words) {
		shown := strings.ReplaceAll(string(given), s.token, "…")
		s.t.Errorf("%s %q: exit code %d, want %d and %q\n%s%s", shown, args, is, code, words, out, told)
	}
	return out + told
}
