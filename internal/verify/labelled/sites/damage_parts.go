package sites

import (
	"strings"
	"unicode"
)

// What goes wrong in a part that varies anyway.

// texts are the nodes of a tree that have a text of their own.
func texts(n *node) []*node { return n.all(func(m *node) bool { return m.text != "" }) }

// entries are the nodes that stand several times below one parent; nil when the part is no list.
func entries(part *node) (parent *node, same []*node) {
	for _, holder := range part.all(func(m *node) bool { return len(m.kids) > 1 }) {
		counts := make(map[string][]*node)
		for _, kid := range holder.kids {
			counts[kid.tag+" "+kid.role] = append(counts[kid.tag+" "+kid.role], kid)
		}
		for _, kid := range holder.kids { // not the map itself, whose order is random
			if kids := counts[kid.tag+" "+kid.role]; len(kids) > len(same) {
				parent, same = holder, kids
			}
		}
	}
	if len(same) < 2 {
		return nil, nil
	}
	return parent, same
}

func (d *damaged) solid() bool { return len(texts(d.part)) > 0 || len(d.part.tagged("img", "svg")) > 0 }

func emptyPart(d *damaged) bool {
	ok := d.solid()
	d.part.kids, d.part.text = nil, ""
	return ok
}

func partWithError(d *damaged) bool {
	d.part.kids, d.part.text = []*node{words("p", "message", "", d.l.failed+".")}, ""
	return true
}

// digits replaces the runs of digits of a text.
func digits(text, with string) string {
	var b strings.Builder
	figures := false
	for _, r := range text {
		if unicode.IsDigit(r) {
			if !figures {
				b.WriteString(with)
			}
			figures = true
			continue
		}
		figures = false
		b.WriteRune(r)
	}
	return b.String()
}

func (d *damaged) eachFigure(with string) bool {
	changed := false
	for _, n := range texts(d.part) {
		if text := digits(n.text, with); text != n.text {
			n.text, changed = text, true
		}
	}
	return changed
}

func figuresThatAreNone(d *damaged) bool { return d.eachFigure("NaN") }

func wordsForNothing(d *damaged) bool {
	changed := false
	for i, n := range texts(d.part) {
		if i%2 == 0 {
			n.text, changed = []string{"undefined", "null"}[i/2%2], true
		}
	}
	return changed
}

func setSources(n *node, source string) bool {
	found := n.tagged("img")
	for _, image := range found {
		for i := range image.attributes {
			if i > 0 && image.attributes[i-1] == "src" {
				image.attributes[i] = source
			}
		}
	}
	return len(found) > 0
}

func brokenPictures(d *damaged) bool { return setSources(d.part, "/gone/picture.jpg") }

func tallPart(d *damaged) bool {
	d.part.restyle("padding-bottom:420px")
	return true
}

func coveredPart(d *damaged) bool {
	d.part.restyle("position:relative;min-height:60px")
	d.part.add(box("div", "", "position:absolute;left:0;top:0;right:0;bottom:0;background:#d4d4d8"))
	return true
}

func veil(d *damaged) bool {
	d.part.restyle("position:relative;min-height:60px")
	d.part.add(words("div", "layer", "position:absolute;left:0;top:0;width:100%;height:70%;background:#111;color:#fff;padding:10px",
		d.l.sentence(d.r, 1)))
	return true
}

func unfilledTemplate(d *damaged) bool {
	all := texts(d.part)
	for i, n := range all {
		n.text = []string{"{{ item.title }}", "{{ item.text }}", "{{ item.count }}"}[i%3]
	}
	return len(all) > 0
}

func objectsAsTexts(d *damaged) bool {
	all := texts(d.part)
	for _, n := range all {
		n.text = "[object Object]"
	}
	return len(all) > 0
}

func codeInTexts(d *damaged) bool {
	all := texts(d.part)
	for _, n := range all {
		n.text = "<span class=\"t\">" + n.text + "</span>"
	}
	return len(all) > 0
}

func stackedPart(d *damaged) bool {
	_, same := entries(d.part)
	for _, n := range same {
		n.restyle("margin-top:-34px;background:transparent")
	}
	return len(same) > 2
}

func invisibleTexts(d *damaged) bool {
	all := texts(d.part)
	for _, n := range all {
		n.restyle("color:#fbfbfb;background:#fff")
	}
	return len(all) > 0
}

func oneEntryLeft(d *damaged) bool {
	parent, same := entries(d.part)
	if len(same) < 3 {
		return false
	}
	for _, n := range same[1:] {
		parent.remove(n)
	}
	return true
}

func sameEntry(d *damaged) bool {
	_, same := entries(d.part)
	if len(same) < 3 || len(texts(same[0])) == 0 {
		return false
	}
	for _, n := range same[1:] {
		*n = *same[0].clone()
	}
	return true
}

func halfPart(d *damaged) bool {
	_, same := entries(d.part)
	if len(same) < 4 {
		return false
	}
	for _, n := range same[len(same)/2:] {
		n.kids, n.text = nil, ""
		n.restyle("min-height:20px")
	}
	return true
}

func priceOfNothing(d *damaged) bool {
	found := d.part.named("pick-amount", "rates-figure", "lot-bid")
	for _, n := range found {
		n.text = digits(n.text, "0")
	}
	return len(found) > 0
}

func unstyledPart(d *damaged) bool {
	styled := 0
	d.part.each(func(n *node) {
		if strings.Contains(n.style, "display:flex") || strings.Contains(n.style, "display:grid") || strings.Contains(n.style,
			"background") {
			styled++
		}
		n.style = ""
	})
	return styled > 0
}

func partGone(d *damaged) bool {
	d.body.remove(d.part)
	return d.solid()
}

func placeholdersOnly(d *damaged) bool {
	parts := texts(d.part)
	for _, n := range parts {
		n.text = ""
		n.restyle("display:block;height:16px;width:60%;background:#e5e7eb")
	}
	return len(parts) > 0
}

func outOfProportion(d *damaged) bool {
	found := d.part.tagged("img")
	for _, image := range found {
		image.restyle("width:100%;height:40px")
	}
	return len(found) > 0
}

func crowdedLetters(d *damaged) bool {
	found := d.part.all(func(n *node) bool { return len(n.text) > 12 })
	for _, n := range found {
		n.restyle("line-height:4px;width:80px;display:block;overflow-wrap:anywhere")
	}
	return len(found) > 0
}
