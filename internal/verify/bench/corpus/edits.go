package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// edit changes one thing of a document; it reports false when the document has no such thing.
type edit struct {
	name string
	do   func(d *document) bool
}

// edits are the kinds of single edits.
var edits = []edit{
	{"word", func(d *document) bool {
		return d.retell(d.texts("p", 40), func(s string) string { return strings.Replace(s, " ", " newly ", 1) })
	}},
	{"paragraph", func(d *document) bool {
		return d.retell(d.texts("p", 40), func(s string) string {
			return s + " " + strings.Repeat("There is more to say of it than fits here. ", 4)
		})
	}},
	{"heading", func(d *document) bool {
		return d.retell(d.headings(), func(string) string { return "Quite another heading" })
	}},
	{"button", func(d *document) bool { return d.retell(d.buttons(), func(string) string { return "Do it now" }) }},
	{"picture", (*document).otherPicture},
	{"menu", (*document).menuEntry},
	{"card less", func(d *document) bool { return d.remove(d.byClass("card")) }},
	{"section less", func(d *document) bool { return d.remove(d.blocks()) }},
	{"sections swapped", (*document).swap},
	{"strip", func(d *document) bool {
		body := d.first(func(n *html.Node) bool { return n.DataAtom == atom.Body })
		if body == nil {
			return false
		}
		strip := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div, Attr: []html.Attribute{
			{Key: "style", Val: "background:#7a1f3d;color:#fff;padding:14px;text-align:center"}}}
		strip.AppendChild(&html.Node{Type: html.TextNode, Data: "The office is closed on Friday."})
		body.InsertBefore(strip, body.FirstChild)
		return true
	}},
	{"link colour", style("a{color:#b0006d!important}")},
	{"heading font", style("h1,h2,h3,h4,h5,h6{font-family:serif!important}")},
	{"root size", style("html{font-size:106%!important}")},
	{"button padding", style(".btn{padding:14px 22px!important}")},
	{"corners", style(".card,.btn{border-radius:14px!important}")},
	{"shadow", style(".card{box-shadow:0 8px 20px rgba(0,0,0,.45)!important}")},
	{"background", style("footer{background:#f3e6c9!important}")},
	{"letter spacing", style("p{letter-spacing:.6px!important}")},
	{"line height", style("p{line-height:2!important}")},
	{"faded pictures", style("img{opacity:.6!important}")},
	{"card border", style(".card{border:2px solid #2255cc!important}")},
	{"gradient", style("footer,.footer{background:linear-gradient(#fff,#cde)!important}")},
	{"heading weight", style("h1,h2,h3,h4,h5{font-weight:300!important}")},
	{"text case", style(".btn,button{text-transform:lowercase!important}")},
	{"underlined", style("a{text-decoration:underline!important}")},
	{"narrower", style("img{max-width:60%!important}")},
	{"card more", func(d *document) bool { return d.double(d.byClass("card")) }},
	{"entry less", func(d *document) bool { return d.remove(d.listItems()) }},
	{"cell", func(d *document) bool { return d.retell(d.texts("td", 1), func(string) string { return "1,234.50" }) }},
	{"placeholder", (*document).otherPlaceholder},
	{"field border", style("input,textarea,select{border-color:#c33!important;border-width:2px!important}")},
	{"missing picture", func(d *document) bool { return d.pictureOf("missing.png") }},
	{"menu less", func(d *document) bool { return d.remove(d.menuEntries()) }},
	{"colour variable", style("html{--bs-primary:#a8480f!important;--primary:#a8480f!important;--r-main-color:#a8480f!important}")},
}

// style adds a rule for elements that the page has.
func style(css string) func(*document) bool {
	selectors, _, _ := strings.Cut(css, "{")
	return func(d *document) bool {
		head := d.first(func(n *html.Node) bool { return n.DataAtom == atom.Head })
		styled := d.first(func(n *html.Node) bool { return selects(selectors, n) })
		if head == nil || styled == nil {
			return false
		}
		sheet := &html.Node{Type: html.ElementNode, Data: "style", DataAtom: atom.Style}
		sheet.AppendChild(&html.Node{Type: html.TextNode, Data: css})
		head.AppendChild(sheet)
		d.styled = append(d.styled, selectors)
		return true
	}
}

// do makes an edit of a document.
func (d *document) do(name string) bool {
	d.removed = ""
	at := slices.IndexFunc(edits, func(e edit) bool { return e.name == name })
	return at >= 0 && edits[at].do(d)
}

// open reads a page of a folder.
func open(dir, page string) (*document, error) {
	file, err := http.Dir(dir).Open(page)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	root, err := html.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", page, err)
	}
	return &document{root: root}, nil
}

// edited serves the files of a folder. Pages are written by the same parser on both sides, and in the later state with the edits that the
// address asks for.
func edited(dir string, files http.Handler, later bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		names := r.URL.Query()["edit"]
		if len(names) == 0 || !strings.HasSuffix(r.URL.Path, ".html") {
			files.ServeHTTP(w, r)
			return
		}
		d, err := open(dir, r.URL.Path)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		for _, name := range names {
			if later {
				d.do(name)
			}
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = html.Render(w, d.root)
	})
}
