package devtools

import (
	"fmt"
	"slices"
	"strings"
)

// Fact is something in which two states of a page differ, with how many elements share it.
type Fact struct {
	Says     string
	Elements int
}

// Facts lists in what two states of a page differ: texts, pictures, what controls hold, what came and went, what stands in another order,
// and styles, of all elements that share the same change of style once.
func (p *Pair) Facts() []Fact {
	var facts []Fact
	was, is := p.Before.content.Elements, p.After.content.Elements
	add := func(format string, args ...any) { facts = append(facts, Fact{fmt.Sprintf(format, args...), 1}) }
	shared := make(map[string]int)
	for a, b := range p.toBefore {
		parent := is[a].Parent
		switch {
		case b < 0 && (parent < 0 || p.toBefore[parent] >= 0):
			add("%s came", is[a].name())
		case b < 0:
		default:
			for _, change := range is[a].differences(&was[b]) {
				add("%s %s", is[a].name(), change)
			}
			if says := p.ownStyles(a, b); says != "" {
				at, known := shared[says]
				if !known {
					at, shared[says] = len(facts), len(facts)
					facts = append(facts, Fact{says, 0})
				}
				facts[at].Elements++
			}
		}
	}
	for b, a := range p.toAfter {
		if parent := was[b].Parent; a < 0 && (parent < 0 || p.toAfter[parent] >= 0) {
			add("%s went", was[b].name())
		}
	}
	for a := range is {
		if p.shuffled(a) {
			add("%s has its parts in another order", is[a].name())
		}
	}
	return facts
}

func (e *Element) name() string {
	says := e.Tag
	if e.ID != "" {
		says += "#" + e.ID
	} else if first, _, _ := strings.Cut(e.Classes, " "); first != "" {
		says += "." + first
	}
	if e.All != "" {
		says += " “" + shorten(e.All, 40) + "”"
	}
	return says
}

func shorten(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// differences lists in what an element differs from the one that it was, but for styles.
func (e *Element) differences(was *Element) []string {
	var found []string
	add := func(what, before, after string) {
		if before != after {
			found = append(found, what+" “"+shorten(before, 40)+"” → “"+shorten(after, 40)+"”")
		}
	}
	add("text", was.Text, e.Text)
	add("value", was.Value, e.Value)
	add("placeholder", was.Placeholder, e.Placeholder)
	add("source", pathOf(was.Source), pathOf(e.Source))
	add("ticked", fmt.Sprint(was.Checked), fmt.Sprint(e.Checked))
	add("disabled", fmt.Sprint(was.Disabled), fmt.Sprint(e.Disabled))
	return found
}

// pathOf is an address without the host: the two states are served by two of them.
func pathOf(address string) string {
	if _, rest, found := strings.Cut(address, "://"); found {
		if _, path, found := strings.Cut(rest, "/"); found {
			return path
		}
	}
	return address
}

// ownStyles words the styles of an element that differ, without those that follow from what is around it or from the layout.
func (p *Pair) ownStyles(a, b int) string {
	var changed []string
	is, was := &p.After.content.Elements[a], &p.Before.content.Elements[b]
	for _, property := range properties {
		before, after := p.Before.style(b, property), p.After.style(a, property)
		if before == after || sameStyle(property, before, after) || !p.drawn(property, a, b) || p.takenOver(property, a, b, before, after) {
			continue
		}
		changed = append(changed, property+" "+shorten(before, 60)+" → "+shorten(after, 60))
	}
	for _, box := range [][3]any{{"::before", was.Before, is.Before}, {"::after", was.After, is.After}} {
		before, after := p.generated(p.Before, box[1].(int)), p.generated(p.After, box[2].(int))
		if before != after {
			changed = append(changed, box[0].(string)+" "+shorten(before, 20)+" → "+shorten(after, 20))
		}
	}
	return strings.Join(changed, "; ")
}

// generated is all that is known of generated content.
func (p *Pair) generated(page *Page, style int) string {
	if style < 0 {
		return "none"
	}
	return hostless(strings.Join(page.content.Styles[style][1:], " "))
}

// sameStyle reports whether two values differ only in the host of an address.
func sameStyle(property, before, after string) bool {
	if property == "grid-template-columns" {
		return len(strings.Fields(before)) == len(strings.Fields(after))
	}
	return strings.Contains(before, "://127.0.0.1") && hostless(before) == hostless(after)
}

func hostless(value string) string {
	var b strings.Builder
	for {
		at := strings.Index(value, "http://127.0.0.1:")
		if at < 0 {
			return b.String() + value
		}
		b.WriteString(value[:at])
		value = strings.TrimLeft(value[at+len("http://127.0.0.1:"):], "0123456789")
	}
}

// drawings are the elements of pictures in lines.
var drawings = map[string]bool{"svg": true, "path": true, "circle": true, "rect": true, "line": true, "polygon": true, "polyline": true,
	"text": true, "g": true, "use": true, "ellipse": true}

// drawn reports whether a property of an element can be seen in one of its states.
func (p *Pair) drawn(property string, a, b int) bool {
	either := func(other, not string) bool { return p.Before.style(b, other) != not || p.After.style(a, other) != not }
	words := p.After.content.Elements[a].All != "" || p.Before.content.Elements[b].All != ""
	side := func(suffix string) (string, bool) {
		name, found := strings.CutSuffix(property, suffix)
		return name, found && strings.HasPrefix(name, "border-")
	}
	if name, ok := side("-color"); ok {
		return either(name+"-width", "0px")
	}
	if name, ok := side("-style"); ok {
		return either(name+"-width", "0px")
	}
	switch property {
	case "outline-color", "outline-width", "outline-style":
		return either("outline-style", "none")
	case "background-size", "background-position", "background-repeat":
		return either("background-image", "none")
	case "text-decoration-color", "text-decoration-thickness", "text-underline-offset":
		return either("text-decoration-line", "none")
	case "list-style-type", "list-style-image":
		return p.After.style(a, "display") == "list-item" || p.Before.style(b, "display") == "list-item"
	case "color", "font-family", "font-weight", "font-style", "letter-spacing", "word-spacing", "text-transform", "text-align",
		"text-indent", "text-shadow", "white-space", "text-decoration-line", "text-overflow", "hyphens", "font-size", "line-height",
		"-webkit-text-fill-color", "direction", "vertical-align":
		return words
	case "fill", "stroke", "stroke-width":
		return drawings[p.After.content.Elements[a].Tag]
	case "inset", "z-index", "position":
		return property == "position" || p.After.style(a, "position") == "relative" && property == "inset"
	}
	return true
}

// takenOver reports whether a change of style follows from one of what is around the element, or from the layout.
func (p *Pair) takenOver(property string, a, b int, before, after string) bool {
	if property == "-webkit-text-fill-color" && before == p.Before.style(b, "color") && after == p.After.style(a, "color") {
		return true
	}
	if strings.HasSuffix(property, "-color") && property != "background-color" && before == p.Before.style(b, "color") &&
		after == p.After.style(a, "color") {
		return true // that of the text
	}
	parentAfter, parentBefore := p.After.content.Elements[a].Parent, p.Before.content.Elements[b].Parent
	if inherited[property] && parentAfter >= 0 && parentBefore >= 0 &&
		p.Before.style(parentBefore, property) == before && p.After.style(parentAfter, property) == after {
		return true
	}
	switch property { // what the layout makes of them
	case "margin", "padding", "transform", "inset", "border-radius":
		if parentAfter >= 0 && parentBefore >= 0 && property == "margin" {
			return p.After.content.Elements[parentAfter].Box[2] != p.Before.content.Elements[parentBefore].Box[2]
		}
		is, was := p.After.content.Elements[a].Box, p.Before.content.Elements[b].Box
		return property == "transform" && (is[2] != was[2] || is[3] != was[3])
	}
	return false
}

// shuffled reports whether the children of an element are in another order.
func (p *Pair) shuffled(a int) bool {
	var order []int
	for _, child := range p.children[1][a] {
		if b := p.toBefore[child]; b >= 0 && p.Before.content.Elements[b].Parent == p.toBefore[a] {
			order = append(order, b)
		}
	}
	return !slices.IsSorted(order)
}
