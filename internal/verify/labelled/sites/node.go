package sites

import (
	"html"
	"slices"
	"strings"
)

// node is an element of a page. Its role is what it is to the generator; how the markup names it is up to the dialect.
type node struct {
	tag, role, style, text string
	attributes             []string // name, value, name, value …
	kids                   []*node
}

func box(tag, role, style string, kids ...*node) *node {
	return &node{tag: tag, role: role, style: style, kids: kids}
}

func words(tag, role, style, text string) *node {
	return &node{tag: tag, role: role, style: style, text: text}
}

func (n *node) with(attributes ...string) *node {
	n.attributes = append(n.attributes, attributes...)
	return n
}

func (n *node) add(kids ...*node) *node {
	n.kids = append(n.kids, kids...)
	return n
}

// restyle appends declarations: the last one of a property counts.
func (n *node) restyle(declarations string) { n.style += ";" + declarations }

// each visits the node and its descendants in document order.
func (n *node) each(visit func(*node)) {
	visit(n)
	for _, kid := range n.kids {
		kid.each(visit)
	}
}

// all lists the descendants for which the test holds.
func (n *node) all(test func(*node) bool) []*node {
	var found []*node
	n.each(func(m *node) {
		if test(m) {
			found = append(found, m)
		}
	})
	return found
}

// named lists the descendants of one of the roles.
func (n *node) named(roles ...string) []*node {
	return n.all(func(m *node) bool { return slices.Contains(roles, m.role) })
}

// tagged lists the descendants with one of the tags.
func (n *node) tagged(tags ...string) []*node {
	return n.all(func(m *node) bool { return slices.Contains(tags, m.tag) })
}

// parentOf is the node that holds another one directly; nil when none does.
func (n *node) parentOf(kid *node) *node {
	for _, m := range n.all(func(m *node) bool { return slices.Contains(m.kids, kid) }) {
		return m
	}
	return nil
}

// remove takes a node out of the tree.
func (n *node) remove(kid *node) {
	if parent := n.parentOf(kid); parent != nil {
		parent.kids = slices.DeleteFunc(parent.kids, func(m *node) bool { return m == kid })
	}
}

func (n *node) clone() *node {
	copied := *n
	copied.attributes = slices.Clone(n.attributes)
	copied.kids = make([]*node, len(n.kids))
	for i, kid := range n.kids {
		copied.kids[i] = kid.clone()
	}
	return &copied
}

// empty are the elements without an end tag.
var empty = map[string]bool{"img": true, "input": true, "br": true, "hr": true, "circle": true, "rect": true, "path": true}

// write renders the node as HTML.
func (n *node) write(b *strings.Builder, d dialect) {
	b.WriteString("<" + n.tag)
	if class := d.class(n.role); class != "" {
		b.WriteString(` class="` + class + `"`)
	}
	if n.style != "" {
		b.WriteString(` style="` + html.EscapeString(n.style) + `"`)
	}
	for i := 0; i+1 < len(n.attributes); i += 2 {
		b.WriteString(" " + n.attributes[i] + `="` + html.EscapeString(n.attributes[i+1]) + `"`)
	}
	b.WriteString(">")
	if empty[n.tag] {
		return
	}
	b.WriteString(html.EscapeString(n.text))
	for _, kid := range n.kids {
		kid.write(b, d)
	}
	b.WriteString("</" + n.tag + ">")
}
