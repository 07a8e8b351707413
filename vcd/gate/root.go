package gate

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// root is what may explain many changes of a page at once.
type root struct {
	kind    Kind
	name    string // tells it from others of its kind, on whatever page
	says    string // what is told of it: a file, the first line of an error, a kind of error
	because string // why a part did not load, or where an error comes from; "" for unknown
	own     bool   // of the site itself
	known   bool   // a part that loaded before
}

// maxSaid is how many bytes of a text of a page are told.
const maxSaid = 160

// said prepares a text of a page to be told.
func said(text string) string { return page.Ellipsis(page.CollapseSpace(vcd.Shown(text)), maxSaid) }

// rootsOf lists what may explain the changes of a page, of each kind in the order in which it was noticed. What rules silence is none.
func rootsOf(s *vcd.Suspect) []root {
	roots := append(errorTexts(s), changed(s)...)
	roots = append(roots, lostParts(s)...)
	for i := range s.Console.Added {
		e := &s.Console.Added[i]
		switch {
		case uncaught(*e):
			roots = append(roots, thrown(s, e))
		case e.Rule == nil && strings.HasPrefix(e.Text, mixedContent):
			roots = append(roots, mixed(e)...)
		}
	}
	return roots
}

// errorTexts are the kinds of error messages that the page shows, and did not show before.
func errorTexts(s *vcd.Suspect) []root {
	var roots []root
	if s.Verification == nil {
		return nil
	}
	for _, f := range s.Verification.Findings {
		if f.Error != "" {
			roots = append(roots, root{kind: ErrorText, name: f.Error, says: f.Error, own: true})
		}
	}
	return roots
}

// changed are the changes of a page beside its pixels that explain others.
func changed(s *vcd.Suspect) []root {
	var roots []root
	for _, c := range s.PageChanges {
		was, is := said(c.Before), said(c.After)
		switch {
		case c.Kind == page.ChangedTheme:
			roots = append(roots, root{kind: Theme, name: is, says: is + " instead of " + was, own: true})
		case c.Kind == page.ChangedLanguage && c.Severity == page.SeverityWarning:
			roots = append(roots, root{kind: Language, name: is, says: "“" + is + "” instead of “" + was + "”", own: true})
		case c.Kind == page.ChangedAddress && hostOf(c.Before) != hostOf(c.After):
			roots = append(roots, root{kind: Host, name: hostOf(c.After), own: true,
				says: said(hostOf(c.After)) + " instead of " + said(hostOf(c.Before))})
		}
	}
	return roots
}

// lostParts are the scripts and style sheets that do not load, and did load before or were not asked for.
func lostParts(s *vcd.Suspect) []root {
	fresh := map[string]bool{}
	for _, e := range s.Console.Added {
		if e.Rule == nil && strings.HasPrefix(e.Text, page.FailedLoadPrefix) {
			fresh[page.AddressPattern(e.URL)] = true
		}
	}
	gone := map[string]bool{}
	for _, a := range s.Gone {
		gone[page.AddressPattern(a.Before)] = true
	}
	var roots []root
	for _, f := range s.Failed {
		address := page.AddressPattern(f.URL)
		if !fresh[address] {
			continue
		}
		r := root{kind: Script, name: address, says: fileOf(f.URL), because: why(f), own: ownOf(s, f.URL), known: gone[address]}
		if f.Type == "Stylesheet" {
			r.kind = StyleSheet
		}
		roots = append(roots, r)
	}
	return roots
}

// why says why a part did not load; "" for unknown.
func why(f page.FailedRequest) string {
	if f.Status != 0 {
		return "HTTP status " + strconv.Itoa(f.Status)
	}
	return said(strings.TrimPrefix(f.Error, "net::"))
}

// thrown is an error of a script. The stack trace below its first line names the page.
func thrown(s *vcd.Suspect, e *vcd.DifferentEntry) root {
	text, _, _ := strings.Cut(strings.TrimSpace(e.Text), "\n")
	text, _, _ = strings.Cut(text, " at http")
	first := e.ConsoleEntry
	first.Text = page.Ellipsis(text, maxSaid)
	r := root{kind: ScriptError, name: first.Pattern().Text, own: e.URL == "" || ownOf(s, e.URL)}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "Uncaught "), "(in promise) ")
	r.says = said(text)
	if file := fileOf(e.URL); strings.HasSuffix(file, "js") { // others stand in the page
		r.because, r.name = file, r.name+" "+page.AddressPattern(e.URL)
	}
	return r
}

const mixedContent = "Mixed Content"

// mixed is the host from which a page with encryption wants something without: the browser names the page first.
func mixed(e *vcd.DifferentEntry) []root {
	addresses := page.WebAddresses(e.Text, 2)
	if len(addresses) < 2 {
		return nil
	}
	from := hostOf(addresses[1])
	return []root{{kind: MixedContent, name: from, says: said(from)}}
}

func hostOf(address string) string {
	u, err := url.Parse(strings.TrimRight(address, "'\".,"))
	if err != nil {
		return ""
	}
	return u.Host
}

// ownOf reports whether an address is one of the page's site.
func ownOf(s *vcd.Suspect, address string) bool {
	host, _, _ := strings.Cut(s.URLAddress, "/")
	site, err := url.Parse("//" + host)
	other, otherErr := url.Parse(address)
	return err == nil && otherErr == nil && page.SameSite(site.Hostname(), other.Hostname())
}

// fileOf is the name of the file at an address, or the address where it has none.
func fileOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || path.Base(u.Path) == "/" || path.Base(u.Path) == "." {
		return said(address)
	}
	return said(path.Base(u.Path))
}
