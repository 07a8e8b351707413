package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/vcd"
)

func site(t *testing.T, address string) Site {
	t.Helper()
	s, err := ParseSite(address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSites(t *testing.T) {
	for text, want := range map[string][3]string{ // its address, host and port, and that of the page /a?b=c
		"www.example.com":                 {"https://www.example.com", "www.example.com:443", "https://www.example.com/a?b=c"},
		"http://LOCALHOST:3000/":          {"http://localhost:3000/", "localhost:3000", "http://localhost:3000/a?b=c"},
		"http://example.com/app/":         {"http://example.com/app/", "example.com:80", "http://example.com/app/a?b=c"},
		"https://example.com/x?y=1#place": {"https://example.com/x?y=1#place", "example.com:443", "https://example.com/x/a?b=c"},
		"http://localhost:3000/#/about":   {"http://localhost:3000/#/about", "localhost:3000", "http://localhost:3000/a?b=c"},
		"http://[::1]:8080":               {"http://[::1]:8080", "[::1]:8080", "http://[::1]:8080/a?b=c"},
	} {
		s := site(t, text)
		if got := [3]string{s.String(), s.HostPort(), s.Address("/a?b=c")}; got != want {
			t.Errorf("%s: %q", text, got)
		}
		if s.Address("") != s.String() {
			t.Errorf("%s itself is %s", text, s.Address(""))
		}
		if path, ok := s.Path(s.Address("/a?b=c")); !ok || path != "/a?b=c" {
			t.Errorf("%s: the path is %q", text, path)
		}
	}
	for _, text := range []string{"", "ftp://example.com", "https://user:secret@example.com", "https://", "http://a b", "://",
		strings.Repeat("a", 3000)} {
		if s, err := ParseSite(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.40q is %v (%v)", text, s, err)
		}
	}
	app := site(t, "https://example.com/app")
	for _, foreign := range []string{"https://example.com/apple", "http://example.com/app/", "https://example.org/app/", "/app/", ":"} {
		if path, ok := app.Path(foreign); ok {
			t.Errorf("%s is %q below the site", foreign, path)
		}
	}
	if path, ok := app.PathOfAny("http://www.EXAMPLE.com/app/x"); !ok || path != "/x" {
		t.Errorf("with another scheme and www the path is %q", path)
	}
}

func TestAnAddressOfAPageIsPartedIntoFolderAndPath(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://example.com": {"https://example.com", "/"}, "https://example.com/en/": {"https://example.com/en/", "/"},
		"https://example.com/v1.2":         {"https://example.com/v1.2", "/"},
		"https://example.com/#/about":      {"https://example.com", "/#/about"},
		"https://example.com/en/#/about":   {"https://example.com/en", "/#/about"},
		"https://example.com/en/page.html": {"https://example.com/en", "/page.html"},
		"https://example.com/shop?page=2":  {"https://example.com", "/shop?page=2"},
		"https://example.com?page=2":       {"https://example.com", "/?page=2"},
	} {
		folder, path := site(t, address).Split()
		if got := [2]string{folder.String(), path}; got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

func TestListsOfPaths(t *testing.T) {
	before, after := site(t, "https://example.com"), site(t, "http://localhost:3000")
	got, err := ReadPaths(strings.NewReader("# comment\n\n/a\nb?c=d \nhttps://example.com/e#f\nhttp://localhost:3000\n/a\n"), before, after)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/a", "/b?c=d", "/e#f", "/"}, got); diff != "" {
		t.Error(diff)
	}
	for list, words := range map[string]string{
		"":                              "names no page",
		"# only\n":                      "names no page",
		"/a\n/b c\n":                    "line 2",
		"https://example.org/":          "belongs to neither site",
		"/" + strings.Repeat("a", 3000): "at most 2048",
		"/a\\b":                         "backslash",
		"/%zz":                          "is not a path",
		strings.Repeat("a", 70_000):     "cannot be read",
	} {
		if _, err := ReadPaths(strings.NewReader(list), before, after); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%.40q: %v", list, err)
		}
	}
	var many strings.Builder
	for n := range MaxPaths + 1 {
		fmt.Fprintf(&many, "/%d\n", n)
	}
	if _, err := ReadPaths(strings.NewReader(many.String()), before, after); err == nil || !strings.Contains(err.Error(), "5000") {
		t.Errorf("too many: %v", err)
	}
}

func TestWhatIsIgnored(t *testing.T) {
	var i Ignore
	for _, text := range []string{".ad, .news > li", "0,10,200,30", "mobile:5,5,9,9"} {
		if err := i.Add(text); err != nil {
			t.Fatal(err)
		}
	}
	if len(i.on(capture.Desktop)) != 1 || len(i.on(capture.Mobile)) != 2 || !slices.Equal(i.Selectors, []string{".ad, .news > li"}) {
		t.Errorf("%+v", i)
	}
	for _, text := range []string{"", "a{}", "1,2,0,4", strings.Repeat("a", 600)} {
		if err := i.Add(text); err == nil {
			t.Errorf("%.20q is ignored", text)
		}
	}
	for n := range 197 {
		if err := i.Add(fmt.Sprintf("#a%d", n)); err != nil {
			t.Fatal(err)
		}
	}
	if i.Add("#one-more") == nil {
		t.Error("too much is ignored")
	}
}

func TestAddressesAreTranslated(t *testing.T) {
	shop := newTranslator(site(t, "https://www.example.com"), site(t, "http://localhost:3000"))
	for text, want := range map[string]string{
		"see http://localhost:3000/a":          "see https://www.example.com/a",
		"HTTP://LOCALHOST:3000":                "https://www.example.com",
		"//localhost:3000/a.png":               "//www.example.com/a.png",
		"at localhost:3000, now":               "at www.example.com, now",
		"wss://localhost:3000/feed":            "https://www.example.com/feed",
		"next=http%3A%2F%2Flocalhost:3000%2Fa": "next=http%3A%2F%2Fwww.example.com%2Fa",
		"localhost:30001 and mylocalhost:3000": "localhost:30001 and mylocalhost:3000",
		"localhost":                            "localhost",
		"no address":                           "no address",
	} {
		if got := shop.text(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	bare := newTranslator(site(t, "https://example.com"), site(t, "http://preview"))
	if got := bare.text("a preview of http://preview/a"); got != "a preview of https://example.com/a" {
		t.Errorf("a host that is a word: %q", got)
	}
	sub := newTranslator(site(t, "https://www.example.com"), site(t, "https://example.com"))
	if got := sub.text("https://www.example.com/ https://cdn.example.com/"); got != "https://www.example.com/ https://cdn.example.com/" {
		t.Errorf("a host at the end of another: %q", got)
	}
	if !shop.same("https://www.example.com/a", "http://localhost:3000/a") || shop.same("same", "same") || shop.same("one", "other") {
		t.Error("texts that differ in the address only are not told")
	}
	was, is := "https://www.example.com/"+strings.Repeat("é", 90), "http://localhost:3000/"+strings.Repeat("é", 90)
	if !shop.same(was[:200], is[:200]) || !shop.same(was[:200], is[:198]) {
		t.Error("a text that was cut is taken for another")
	}
	long := strings.Repeat("All teas are picked by hand. ", 10)
	for _, pair := range [][2]string{
		{long + "€ 19.50", long + "€ 49.00"}, {long + "€ 19.50", long + "€ 9.50"}, {was + "19.50", is + "49.00"}, {was + " and more", is},
		{was + " € 1", is + " € 123"},
	} {
		if shop.same(pair[0], pair[1]) {
			t.Errorf("another end of a long text is taken for another address: %q, %q", pair[0], pair[1])
		}
	}
	v := shop.visit(&page.Visit{}, &page.Visit{FinalURL: "http://localhost:3000/a", Content: &page.Content{
		Canonical: "http://localhost:3000/a",
		Elements:  []page.Element{{Source: "http://localhost:3000/p.png", Text: "http://localhost:3000"}},
	}})
	e := v.Content.Elements[0]
	if v.FinalURL != "https://www.example.com/a" || v.Content.Canonical != v.FinalURL ||
		e.Source != "https://www.example.com/p.png" || e.Text != "http://localhost:3000" {
		t.Errorf("%+v %+v", v, v.Content)
	}
}

// pairWith is a compared pair with findings.
func pairWith(path string, findings ...Finding) Pair {
	for i := range findings {
		if findings[i].Fingerprint == "" {
			findings[i].Fingerprint = findings[i].Description
		}
	}
	return Pair{Path: path, Device: capture.Desktop, Pixels: 1, Findings: findings, compared: true}
}

func finding(kind, description string, category vcd.Category) Finding {
	return Finding{Finding: vcd.Finding{
		FoundChange: vcd.FoundChange{Kind: vcd.ChangeKind(kind), Category: category}, Description: description,
	}}
}

func banner(text string) Finding {
	f := finding("appeared", text, vcd.CategoryNotSure)
	f.wide, f.spoken, f.BoxAfter = true, text, &page.Box{Width: 1440, Height: 36}
	return f
}

func TestMarksOfTheEnvironmentAreSetApart(t *testing.T) {
	resized := finding("resized", "the page is larger", vcd.CategoryNotSure)
	resized.Before = &page.ElementIdentity{Box: page.Box{Width: 1440, Height: 800}}
	resized.After = &page.ElementIdentity{Box: page.Box{Width: 1440, Height: 836}}
	narrow := banner("Preview our new collection")
	narrow.wide = false
	pairs := []Pair{
		pairWith("/a", banner("Staging – do not order"), resized, finding("robots", "noindex", vcd.CategoryAlert)),
		pairWith("/b", banner("Staging – do not order"), narrow, finding("robots", "noindex", vcd.CategoryAlert)),
		{Path: "/c", Device: capture.Desktop, Findings: []Finding{finding("missing_page", "gone", vcd.CategoryAlert)}},
	}
	setApartMarks(pairs, site(t, "https://preview.example.com"))
	for i, f := range pairs[0].Findings {
		if f.Host == "" {
			t.Errorf("finding %d of the first page counts", i)
		}
	}
	if pairs[1].Findings[0].Host == "" || pairs[1].Findings[1].Host != "" || pairs[1].Findings[2].Host == "" {
		t.Errorf("of the second page count %+v", pairs[1].Findings)
	}
	pairs = append(pairs, pairWith("/d"))
	for i := range pairs {
		for k := range pairs[i].Findings {
			pairs[i].Findings[k].Host = ""
		}
	}
	setApartMarks(pairs, site(t, "https://preview.example.com"))
	if pairs[0].Findings[0].Host != "" || pairs[0].Findings[2].Host != "" {
		t.Error("what one page does not show is taken for the mark of an environment")
	}
	for titles, same := range map[[2]string]bool{
		{"Shop", "[Staging] Shop"}: true, {"Shop", "PREVIEW: Shop"}: true, {"Shop", "Shop (dev)"}: true,
		{"Shop", "Shopping"}: false, {"Shop", "[Staging]"}: false, {"Preview of the year", "Review of the year"}: false,
	} {
		if sameTitle(titles[0], titles[1]) != same {
			t.Errorf("%q: not %v", titles, same)
		}
	}
}

func TestEqualChangesAreOne(t *testing.T) {
	host := banner("Staging")
	host.Host = markSentence
	pairs := []Pair{
		pairWith("/a", finding("moved", "once", vcd.CategoryNotSure), finding("text_changed", "twice", vcd.CategoryNotSure), host),
		pairWith("/b", finding("text_changed", "twice", vcd.CategoryAlert), finding("text_changed", "harmless", vcd.CategoryAllGood)),
	}
	pairs[1].Findings[0].Reason = "graver"
	var got []string
	for _, c := range group(pairs) {
		got = append(got, fmt.Sprintf("%s %s %d %s %s", c.Description, c.Outcome, len(c.Places), c.Places[0].Path, c.Reason))
	}
	want := []string{"twice alert 2 /b graver", "once unsure 1 /a ", "harmless harmless 1 /b ", "Staging unsure 1 /a "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestExitCodes(t *testing.T) {
	host := finding("appeared", "banner", vcd.CategoryAlert)
	host.Host = markSentence
	for name, c := range map[string]struct {
		findings []Finding
		problem  string
		outcome  Outcome
		codes    [3]int // for alert, unsure, any
	}{
		"equal":    {nil, "", Equal, [3]int{0, 0, 0}},
		"host":     {[]Finding{host}, "", Harmless, [3]int{0, 0, 0}},
		"harmless": {[]Finding{finding("moved", "a", vcd.CategoryAllGood)}, "", Harmless, [3]int{0, 0, 1}},
		"unsure":   {[]Finding{finding("moved", "a", vcd.CategoryNotSure)}, "", Unsure, [3]int{0, 1, 1}},
		"alert":    {[]Finding{finding("moved", "a", vcd.CategoryAlert), host}, "", Alert, [3]int{1, 1, 1}},
		"failed":   {[]Finding{finding("moved", "a", vcd.CategoryAlert)}, "it did not answer", Failed, [3]int{2, 2, 2}},
	} {
		p := pairWith("/a", c.findings...)
		p.Problem, p.Pixels = c.problem, 0
		p.settle()
		r := &Result{Pairs: []Pair{pairWith("/"), p}}
		got := [3]int{r.ExitCode(FailOnAlert), r.ExitCode(FailOnUnsure), r.ExitCode(FailOnAny)}
		if p.Outcome != c.outcome || got != c.codes {
			t.Errorf("%s: %s, exit codes %v", name, p.Outcome, got)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	valid := func() *Options {
		return &Options{
			Before: site(t, "https://example.com"), After: site(t, "https://preview.example.com"), Paths: []string{"/"},
			Devices: []capture.Device{capture.Desktop}, Concurrency: 1, Deadline: capture.DefaultDeadline,
		}
	}
	if err := valid().Check(); err != nil {
		t.Fatal(err)
	}
	for words, spoil := range map[string]func(*Options){
		"no page":       func(o *Options) { o.Paths = nil },
		"several runs":  func(o *Options) { o.Paths = slices.Repeat([]string{"/"}, MaxPaths+1) },
		"--devices":     func(o *Options) { o.Devices = nil },
		"--max-percent": func(o *Options) { o.MaxPercent = 101 },
		"--concurrency": func(o *Options) { o.Concurrency = 0 },
		"--deadline":    func(o *Options) { o.Deadline = 1 },
		"--header":      func(o *Options) { o.Headers = []capture.Header{{Name: "a b"}} },
		"--cookie":      func(o *Options) { o.Cookies = []capture.Cookie{{Name: "a b"}} },
	} {
		o := valid()
		spoil(o)
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// TestWhatBothSidesSayIsNoChange: also where both name the site after.
func TestWhatBothSidesSayIsNoChange(t *testing.T) {
	r := &run{hosts: newTranslator(site(t, "http://localhost:3000"), site(t, "https://www.example.com"))}
	visit := func(address string, entries ...page.ConsoleEntry) *page.Visit {
		return &page.Visit{FinalURL: address, Status: 200, Console: entries, Content: &page.Content{
			Canonical: "https://www.example.com/a", Elements: []page.Element{{Source: "https://www.example.com/p.png"}},
		}}
	}
	said := page.ConsoleEntry{Text: "loading https://www.example.com/x failed", Type: "error", URL: "https://www.example.com/x.js"}
	before, after := visit("http://localhost:3000/a", said), visit("https://www.example.com/a", said)
	translated := r.hosts.visit(before, after)
	p := &Pair{Path: "/a"}
	p.judgePage(before, after, translated)
	r.judgeConsole(p, before, after)
	if len(p.Findings) > 0 || translated.Content.Elements[0].Source != "https://www.example.com/p.png" {
		t.Errorf("%+v, sources %+v", p.Findings, translated.Content.Elements)
	}
	after.Content.Canonical, after.Console[0].Text = "https://www.example.com/b", "Uncaught Error: gone"
	p.judgePage(before, after, r.hosts.visit(before, after))
	r.judgeConsole(p, before, after)
	if len(p.Findings) != 2 || p.Findings[0].Category != vcd.CategoryNotSure || p.Findings[1].Category != vcd.CategoryAlert {
		t.Errorf("%+v", p.Findings)
	}
}
