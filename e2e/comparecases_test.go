package e2e

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// oddSite is one side of a comparison: pages by their paths, with what is particular about the side.
type oddSite struct {
	after bool
	other func() string // address of the side before
}

func (s *oddSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	price, path := "19.50", r.URL.Path
	if s.after {
		price = "49.00"
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	body := `<h1>Tea house</h1><p>Open from nine to six, on Sundays from eleven.</p>`
	switch {
	case path == "/sitemap.xml":
		w.Header().Set("Content-Type", "application/xml")
		_, _ = io.WriteString(w, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"+
			"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"+
			"<!-- \xfcbersicht --><url><loc>/t\xe4ssen</loc></url><url><loc>/menu</loc></url><url><loc>/list</loc></url></urlset>")
		return
	case path == "/menu": // a file that its name does not tell
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, "%PDF-1.7 "+price)
		return
	case path == "/list":
		w.Header().Set("Content-Type", "text/csv")
		_, _ = io.WriteString(w, "tea,"+price)
		return
	case path == "/moved" && s.after:
		http.Redirect(w, r, s.other()+path, http.StatusMovedPermanently)
		return
	case path == "/script" && s.after:
		body = `<script>location.replace("` + s.other() + path + `")</script>`
	case path == "/refresh" && s.after:
		body = `<meta http-equiv="refresh" content="0; url=` + s.other() + path + `">`
	case path == "/challenge":
		body = `<h1>shop.test</h1><p>Verify you are human by completing the action below.</p>`
	case path == "/closed":
		body = `<h1>We'll be back soon</h1><p>Our site is down for maintenance.</p>`
	case path == "/parked":
		body = `<h1>shop.test</h1><p>This domain is for sale.</p>`
	case path == "/app":
		body += `<p id=p></p><script>const show = () => { p.textContent = location.hash.endsWith('/prices') ? 'Oolong € ` + price +
			`' : 'Welcome' }; addEventListener('hashchange', show); show()</script>`
	case path == "/faint":
		grey := map[bool]string{false: "e0", true: "dd"}[s.after]
		body += `<main style="height:400px;background:#` + grey + grey + grey + `"></main>`
	case path == "/covered":
		body += `<main style="height:400px;background:` + map[bool]string{false: "#fff", true: "#f8f8f8"}[s.after] +
			`"><div style="height:400px;background:#246">Above</div></main>`
	case path == "/ignored":
		body += `<p class="clock">` + price + `</p><x-card></x-card><x-safe></x-safe>
			<iframe srcdoc="<p class=clock>` + price + `</p>"></iframe>
			<script>document.querySelector('x-card').attachShadow({mode: 'open'}).innerHTML = '<b class=clock>` + price + `</b>';
			document.querySelector('x-safe').attachShadow({mode: 'closed'}).innerHTML = '<b class=clock>Noon</b>'</script>`
	}
	fmt.Fprint(w, "<!doctype html><title>Tea house</title>", body)
}

// openOddSites serves both sides.
func openOddSites(t *testing.T) (before, after *httptest.Server) {
	t.Helper()
	before = httptest.NewServer(&oddSite{})
	t.Cleanup(before.Close)
	after = httptest.NewServer(&oddSite{after: true, other: func() string { return before.URL }})
	t.Cleanup(after.Close)
	return before, after
}

// TestWhatComparisonsSayOfOddPages: a page that a side does not show is no equal page, a route is a page of its own, and what is to be
// ignored is ignored wherever it is.
func TestWhatComparisonsSayOfOddPages(t *testing.T) {
	t.Parallel()
	before, after := openOddSites(t)
	wants := map[string]string{
		"/": "equal ", "/app": "equal ", "/app#/": "equal ", "/app#/prices": "alert|unsure ", "/app#!/prices": "alert|unsure ",
		"/moved": "failed leads to another host", "/script": "failed leads to another host", "/refresh": "failed leads to another host",
		"/challenge": "failed a bot check", "/closed": "failed Both sides show a maintenance notice",
		"/parked": "failed Both sides show the page of a parked domain", "/ignored": "equal ",
		"/faint": "unsure ", "/covered": "equal ",
	}
	list := filepath.Join(t.TempDir(), "paths.txt")
	var paths []string
	for path := range wants {
		paths = append(paths, path)
	}
	if err := os.WriteFile(list, []byte(strings.Join(paths, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	css := filepath.Join(t.TempDir(), "group.css")
	if err := os.WriteFile(css, []byte(`.clock::before, .promo, main:hover { content: "" }`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := compareSites(t, filepath.Join(t.TempDir(), "report"), before.URL, after.URL, "--paths", list, "--devices", "desktop",
		"--ignore", ".clock", "--ignore", ".no-such", "--css", css)
	if c.code != 2 || len(c.report.Pages) != len(wants) {
		t.Fatalf("exit code %d, %d pages\n%s%s", c.code, len(c.report.Pages), c.stdout, c.stderr)
	}
	for _, p := range c.report.Pages {
		verdicts, words, _ := strings.Cut(wants[p.Path], " ")
		if !slices.Contains(strings.Split(verdicts, "|"), p.Verdict) || !strings.Contains(p.Problem, words) {
			t.Errorf("%s: %s, %q, want %s", p.Path, p.Verdict, p.Problem, wants[p.Path])
		}
	}
	for _, said := range []string{
		"--ignore .no-such: no page has such an element", "--ignore .clock: 6 elements", // in the document, a shadow tree and a frame
		"--ignore cannot select elements in closed shadow trees, which 1 page has",
		"--css .promo: no page has such an element",
	} {
		if !strings.Contains(c.stdout, said) {
			t.Errorf("it is not said that %s:\n%s", said, c.stdout)
		}
	}
	if strings.Contains(c.stdout, "--css .clock") {
		t.Errorf("selectors that have elements are named:\n%s", c.stdout)
	}
}

// TestListedFilesAreNoPages: what the sitemap of a site lists and turns out to be a file is left out, and named.
func TestListedFilesAreNoPages(t *testing.T) {
	t.Parallel()
	before, after := openOddSites(t)
	c := compareSites(t, filepath.Join(t.TempDir(), "report"), before.URL, after.URL, "--sitemap", "--devices", "desktop")
	if c.code != 0 || len(c.report.Pages) != 1 || c.report.Pages[0].Path != "/t%C3%A4ssen" ||
		!strings.Contains(c.stdout, "2 files listed by the site, but not pages, were skipped: /menu, /list") {
		t.Errorf("exit code %d, %+v\n%s%s", c.code, c.report.Pages, c.stdout, c.stderr)
	}
	if c := compareSites(t, "", before.URL+"/menu", after.URL+"/menu", "--devices", "desktop"); c.code != 2 {
		t.Errorf("a file that was asked for: exit code %d\n%s%s", c.code, c.stdout, c.stderr)
	}
	closed := filepath.Join(t.TempDir(), "paths.txt")
	if err := os.WriteFile(closed, []byte("/closed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stored := []string{before.URL, "--baseline", filepath.Join(t.TempDir(), "baseline"), "--devices", "desktop"}
	for _, step := range []struct {
		code  int
		words string
		args  []string
	}{
		{0, "1 picture, 1 of them new", []string{"--update", "--sitemap"}},
		{0, "1 equal", nil},
		{2, "/closed shows a maintenance notice (“We'll be back soon”) instead of the page", []string{"--update", "--paths", closed}},
		{0, "1 equal", nil},
	} {
		c := compareSites(t, "", append(step.args, stored...)...)
		if c.code != step.code || !strings.Contains(c.stdout+c.stderr, step.words) {
			t.Errorf("baseline, %q: exit code %d, want %d and %q\n%s%s", step.args, c.code, step.code, step.words, c.stdout, c.stderr)
		}
	}
}

// selfSigned is a key with a certificate that nobody has signed.
func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	certFile, keyFile, _ := certificate(t)
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// serveTLS serves with a certificate.
func serveTLS(t *testing.T, handler http.Handler, pair tls.Certificate) (address string) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshakes that are refused
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

// TestCertificatesOfNamedHosts: only they are accepted as they are.
func TestCertificatesOfNamedHosts(t *testing.T) {
	t.Parallel()
	pair := selfSigned(t)
	staging, other := serveTLS(t, &oddSite{}, pair), serveTLS(t, &oddSite{}, selfSigned(t))
	same := serveTLS(t, &oddSite{}, pair) // another port with the certificate of staging
	named := strings.TrimPrefix(staging, "https://")
	too := strings.TrimPrefix(same, "https://")
	plain, _ := openOddSites(t)
	const refused = "A TLS connection could not be established"
	for name, c := range map[string]struct {
		args  []string
		code  int
		words string
	}{
		"named":         {[]string{plain.URL, staging, "--insecure-tls", named}, 0, "1 equal"},
		"not named":     {[]string{plain.URL, staging}, 2, refused},
		"another named": {[]string{plain.URL, other, "--insecure-tls", named, "--allow-hosts", named}, 2, refused},
		"its neighbour": {[]string{plain.URL, same, "--insecure-tls", named, "--allow-hosts", named}, 2, refused},
		"both named":    {[]string{staging, same, "--insecure-tls", named, "--insecure-tls", too}, 0, "1 equal"},
		"refused host":  {[]string{plain.URL, other, "--insecure-tls", "127.0.0.2:443"}, 2, "--insecure-tls"},
		"a pattern":     {[]string{plain.URL, staging, "--insecure-tls", "*"}, 2, "does not name exactly one server"},
	} {
		got := compareSites(t, "", append(c.args, "--devices", "desktop")...)
		if got.code != c.code || !strings.Contains(got.stdout+got.stderr, c.words) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s%s", name, got.code, c.code, c.words, got.stdout, got.stderr)
		}
	}
}
