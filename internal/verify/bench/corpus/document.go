package main

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// document is a page that is edited.
type document struct {
	root    *html.Node
	touched []*html.Node // what edits changed; of what they took away, what was around it
	styled  []string     // selectors of the rules that edits added
	removed string       // the text of what the last edit took away
}

// selects reports whether one of the selectors of a rule, a tag or a class each, is that of an element.
func selects(selectors string, n *html.Node) bool {
	for selector := range strings.SplitSeq(selectors, ",") {
		class, isClass := strings.CutPrefix(selector, ".")
		if isClass && hasClass(n, class) || !isClass && n.Data == selector {
			return true
		}
	}
	return false
}

// whole reports whether everything that edits changed is still there: a later one may have taken it away.
func (d *document) whole() bool {
	for _, selectors := range d.styled {
		if d.first(func(n *html.Node) bool { return selects(selectors, n) }) == nil {
			return false
		}
	}
	for _, n := range d.touched {
		for n.Parent != nil {
			n = n.Parent
		}
		if n != d.root {
			return false
		}
	}
	return true
}

func (d *document) touch(nodes ...*html.Node) { d.touched = append(d.touched, nodes...) }

// words is all text in an element.
func words(n *html.Node) string {
	var b strings.Builder
	for t := range n.Descendants() {
		if t.Type == html.TextNode {
			b.WriteString(t.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// all are the elements of the body for which something holds, in document order.
func (d *document) all(holds func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for n := range d.root.Descendants() {
		if n.Type == html.ElementNode && holds(n) {
			found = append(found, n)
		}
	}
	return found
}

func (d *document) first(holds func(*html.Node) bool) *html.Node {
	if all := d.all(holds); len(all) > 0 {
		return all[0]
	}
	return nil
}

// middle is the one in the middle of a list, nil for none.
func middle(list []*html.Node) *html.Node {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)/2]
}

// textOf is the only text in an element, nil if it holds anything else.
func textOf(n *html.Node) *html.Node {
	if n.FirstChild != nil && n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode {
		return n.FirstChild
	}
	return nil
}

// texts are the elements of a tag with nothing but a text of some length.
func (d *document) texts(tag string, least int) []*html.Node {
	return d.all(func(n *html.Node) bool {
		text := textOf(n)
		return n.Data == tag && text != nil && len(strings.TrimSpace(text.Data)) >= least
	})
}

func (d *document) headings() []*html.Node {
	return d.all(func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5:
			return textOf(n) != nil
		}
		return false
	})
}

func (d *document) buttons() []*html.Node {
	return d.all(func(n *html.Node) bool { return (n.DataAtom == atom.Button || hasClass(n, "btn")) && textOf(n) != nil })
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	for word := range strings.FieldsSeq(attribute(n, "class")) {
		if word == class {
			return true
		}
	}
	return false
}

func (d *document) byClass(class string) []*html.Node {
	return d.all(func(n *html.Node) bool { return hasClass(n, class) })
}

// blocks are the larger parts of the page: sections, or rows of its grid.
func (d *document) blocks() []*html.Node {
	sections := d.all(func(n *html.Node) bool { return n.DataAtom == atom.Section && nextElement(n) != nil })
	if len(sections) > 1 {
		return sections
	}
	return d.all(func(n *html.Node) bool { return hasClass(n, "row") && nextElement(n) != nil })
}

func nextElement(n *html.Node) *html.Node {
	for n = n.NextSibling; n != nil; n = n.NextSibling {
		if n.Type == html.ElementNode && n.DataAtom != atom.Script && n.DataAtom != atom.Style {
			return n
		}
	}
	return nil
}

func (d *document) retell(list []*html.Node, tell func(string) string) bool {
	n := middle(list)
	if n == nil {
		return false
	}
	text := textOf(n)
	text.Data = tell(strings.TrimSpace(text.Data))
	d.touch(text)
	return true
}

func (d *document) remove(list []*html.Node) bool {
	n := middle(list)
	if n == nil {
		return false
	}
	d.touch(n.Parent)
	d.removed = words(n)
	n.Parent.RemoveChild(n)
	return true
}

// swap exchanges a block with the next element beside it.
func (d *document) swap() bool {
	n := middle(d.blocks())
	if n == nil {
		return false
	}
	next := nextElement(n)
	n.Parent.RemoveChild(next)
	n.Parent.InsertBefore(next, n)
	d.touch(n, next)
	return true
}

// otherPicture puts a plain drawing of the same size in the place of a picture.
func (d *document) otherPicture() bool {
	return d.pictureOf("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='300' height='300'>" +
		"<rect width='300' height='300' fill='%23c36'/></svg>")
}

// pictureOf gives a picture another address.
func (d *document) pictureOf(address string) bool {
	n := middle(d.all(func(n *html.Node) bool { return n.DataAtom == atom.Img && attribute(n, "src") != "" }))
	if n == nil || slices.Contains(d.touched, n) {
		return false
	}
	for i := range n.Attr {
		if n.Attr[i].Key == "src" {
			n.Attr[i].Val = address
		}
	}
	d.touch(n)
	return true
}

// menuEntry adds an entry to a navigation.
func (d *document) menuEntry() bool {
	entries := d.menuEntries()
	if len(entries) == 0 {
		return false
	}
	return d.double(entries[:1])
}

// menuEntries are the entries of navigations.
func (d *document) menuEntries() []*html.Node {
	return d.all(func(n *html.Node) bool {
		inNavigation := n.Parent != nil && n.Parent.Parent != nil && n.Parent.Parent.DataAtom == atom.Nav
		return n.DataAtom == atom.Li && (hasClass(n, "nav-item") || inNavigation)
	})
}

// double puts a copy of an element behind it, with a first text of its own.
func (d *document) double(list []*html.Node) bool {
	n := middle(list)
	if n == nil {
		return false
	}
	var b strings.Builder
	_ = html.Render(&b, n)
	added, err := html.ParseFragment(strings.NewReader(b.String()), n.Parent)
	if err != nil || len(added) == 0 {
		return false
	}
	for t := range added[0].Descendants() {
		if t.Type == html.TextNode && strings.TrimSpace(t.Data) != "" {
			t.Data = "One more of them"
			break
		}
	}
	n.Parent.InsertBefore(added[0], n.NextSibling)
	d.touch(added[0])
	return true
}

// listItems are the entries of lists outside of navigations.
func (d *document) listItems() []*html.Node {
	return d.all(func(n *html.Node) bool {
		return n.DataAtom == atom.Li && !hasClass(n, "nav-item") && n.Parent != nil && n.Parent.Parent != nil &&
			n.Parent.Parent.DataAtom != atom.Nav
	})
}

func (d *document) otherPlaceholder() bool {
	n := d.first(func(n *html.Node) bool { return n.DataAtom == atom.Input && attribute(n, "placeholder") != "" })
	if n == nil {
		return false
	}
	for i := range n.Attr {
		if n.Attr[i].Key == "placeholder" {
			n.Attr[i].Val = "Write here, please"
		}
	}
	d.touch(n)
	return true
}
