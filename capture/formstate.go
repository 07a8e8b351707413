package capture

import (
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"afterimage/internal/page"
)

// formStates is what people, or scripts in their place, have put into the controls of a page.
type formStates struct {
	*snapshot
	values  map[int]string
	checked map[int]bool
	options map[int][]int // the chosen ones, by list
	long    longTexts
	lists   longTexts
}

func newFormStates(s *snapshot) *formStates {
	f := &formStates{snapshot: s, values: make(map[int]string), checked: marked(s.nodes.InputChecked),
		options: make(map[int][]int)}
	for _, rare := range []*rareTexts{s.nodes.InputValue, s.nodes.TextValue} {
		if rare == nil || len(rare.Index) != len(rare.Value) {
			continue
		}
		for i, node := range rare.Index {
			f.values[node] = s.text(rare.Value[i])
		}
	}
	if s.nodes.OptionSelected != nil {
		for _, node := range s.nodes.OptionSelected.Index {
			if node >= 0 && node < len(s.boxes) {
				f.choose(node)
			}
		}
	}
	return f
}

// choose records a chosen option with its list, which may be two levels up.
func (f *formStates) choose(option int) {
	for up, levels := f.nodes.ParentIndex[option], 0; up >= 0 && levels < 2; up, levels = f.nodes.ParentIndex[up], levels+1 {
		if f.tag(up) == "select" {
			f.options[up] = append(f.options[up], option)
			return
		}
	}
}

func marked(nodes *rareNodes) map[int]bool {
	found := make(map[int]bool)
	if nodes != nil {
		for _, node := range nodes.Index {
			found[node] = true
		}
	}
	return found
}

// silentInputs hold what nobody sees or nobody else may know.
var silentInputs = map[string]bool{"password": true, "hidden": true, "file": true, "checkbox": true, "radio": true, "image": true}

// fill adds the state of a control to its element.
func (f *formStates) fill(node int, e *page.Element) {
	switch e.Tag {
	case "input":
		if kind := strings.ToLower(f.attribute(node, "type")); !silentInputs[kind] {
			e.Value = f.long.cut(page.CollapseSpace(f.values[node]), 0)
		}
		e.Checked = f.checked[node]
		e.Hint = f.hint(node, e.Text)
	case "textarea":
		e.Value = f.long.cut(page.CollapseSpace(f.values[node]), 0)
		e.Hint = f.hint(node, e.Text)
	case "select":
		e.Value, e.Options = f.chosenIn(node), f.optionsIn(node)
	case "button":
	default:
		return
	}
	e.Disabled = f.has(node, "disabled")
}

// hint is the placeholder of an empty field, unless that is its text.
func (f *formStates) hint(node int, text string) string {
	if f.values[node] != "" {
		return ""
	}
	hint := cut(f.attribute(node, "placeholder"), maxElementText)
	if hint == text {
		return ""
	}
	return hint
}

// chosenIn is the words of the chosen options of a list.
func (f *formStates) chosenIn(list int) string {
	var words []string
	for _, option := range f.options[list] {
		words = append(words, f.wordsIn(option))
	}
	return cut(strings.Join(words, ", "), maxElementText)
}

// optionsIn are the entries of a list that shows only the chosen one, see [page.Element]; "" for one that shows others.
func (f *formStates) optionsIn(list int) string {
	var lines []string
	for node := list + 1; node < len(f.nodes.ParentIndex) && f.nodes.ParentIndex[node] >= list; node++ {
		tag := f.tag(node)
		if tag != "option" && tag != "optgroup" {
			continue
		}
		if f.boxes[node] >= 0 {
			return ""
		}
		line := page.CollapseSpace(f.wordsIn(node))
		if tag == "optgroup" {
			line += ":"
		}
		if f.has(node, "disabled") {
			line += " (disabled)"
		}
		lines = append(lines, line)
	}
	return f.kept(lines)
}

// kept are lines as long as there is room for them, and then a checksum of all.
func (f *formStates) kept(lines []string) string {
	all := strings.Join(lines, "\n")
	kept := f.lists.cut(all, 0)
	if len(kept) < len(all) {
		kept = fmt.Sprintf("%s\n… %08x", kept[:max(0, strings.LastIndexByte(kept, '\n'))], crc32.ChecksumIEEE([]byte(all)))
	}
	return kept
}

// wordsIn is the text directly in a node that is not drawn as such.
func (f *formStates) wordsIn(node int) string {
	if label := f.attribute(node, "label"); label != "" {
		return label
	}
	var text strings.Builder
	for child := node + 1; child < len(f.nodes.ParentIndex) && f.nodes.ParentIndex[child] >= node; child++ {
		if f.nodes.ParentIndex[child] == node && f.nodes.NodeType[child] == textNode {
			text.WriteString(f.text(f.nodeValue(child)) + " ")
		}
	}
	return page.CollapseSpace(text.String())
}

func (f *formStates) nodeValue(node int) int {
	if node < len(f.nodes.NodeValue) {
		return f.nodes.NodeValue[node]
	}
	return -1
}

// has reports whether a node has an attribute, of whatever value.
func (f *formStates) has(node int, name string) bool {
	pairs := f.nodes.Attributes[node]
	for i := 0; i+1 < len(pairs); i += 2 {
		if f.text(pairs[i]) == name {
			return true
		}
	}
	return false
}

// closed collects what only a click shows: the other panels of tabs, the part of a page that a button opens. It is kept with the element
// around it that is to be seen, for comparison by its words. Those of a details element are among the texts of the page.
type closed struct {
	*outline
	controlled map[string]bool  // identifiers of what buttons open
	until      int              // the first node after the part that was read last
	lines      map[int][]string // by the node of the part
}

// ignoredMark is set by our script on elements that are to be ignored and have no box that it could hide.
const ignoredMark = "data-afterimage-ignored"

func newClosed(o *outline) *closed {
	c := &closed{outline: o, controlled: make(map[string]bool), lines: make(map[int][]string)}
	for node, pairs := range o.nodes.Attributes {
		if len(pairs) == 0 || o.boxes[node] < 0 {
			continue
		}
		opens := o.attribute(node, "role") == "tab" || o.attribute(node, "aria-expanded") == "false"
		if ids := o.attribute(node, "aria-controls"); ids != "" && opens {
			for id := range strings.FieldsSeq(ids) {
				c.controlled[id] = true
			}
		}
	}
	return c
}

// read keeps the words of a part that is closed.
func (c *closed) read(node int) {
	if node < c.until || len(c.nodes.Attributes[node]) == 0 || c.visible(node) || !c.is(node) {
		return
	}
	c.until = c.end(node)
	if lines := c.wordsIn(node); len(lines) > 0 {
		c.lines[node] = lines
	}
}

// is reports whether a node that is not to be seen is a part that a click shows.
func (c *closed) is(node int) bool {
	return c.attribute(node, "role") == "tabpanel" || c.controlled[c.attribute(node, "id")] ||
		slices.Contains(strings.Fields(c.attribute(node, "class")), "tab-pane")
}

// end is the first node that is not in another one.
func (c *closed) end(node int) int {
	end := node + 1
	for end < len(c.nodes.ParentIndex) && c.nodes.ParentIndex[end] >= node {
		end++
	}
	return end
}

var wordless = map[string]bool{
	"script": true, "style": true, "template": true, "noscript": true, "select": true, "textarea": true, "svg": true, "iframe": true,
	"object": true, "canvas": true,
}

// wordsIn are the texts in a node that are not to be ignored.
func (c *closed) wordsIn(part int) (lines []string) {
	for node := part; node < c.until; node++ {
		if wordless[c.tag(node)] || c.forms.has(node, ignoredMark) || c.shadows[node] == "user-agent" {
			node = c.end(node) - 1
			continue
		}
		if c.nodes.NodeType[node] == textNode {
			if words := page.CollapseSpace(c.text(c.forms.nodeValue(node))); words != "" {
				lines = append(lines, words)
			}
		}
	}
	return lines
}

// place is the number of the nearest element in the list that contains a part; -1 for none, or if it is in something that is hidden itself.
func (c *closed) place(part int) int {
	for node := c.nodes.ParentIndex[part]; node >= 0; node = c.nodes.ParentIndex[node] {
		if place, ok := c.listed[node]; ok {
			return place
		}
		if c.tag(node) != "" && !c.visible(node) {
			return -1
		}
	}
	return -1
}

// fill adds the words to the elements that have none of another part of the page.
func (c *closed) fill(elements []page.Element) {
	lines := make(map[int][]string)
	for _, part := range slices.Sorted(maps.Keys(c.lines)) {
		if place := c.place(part); place >= 0 {
			lines[place] = append(lines[place], c.lines[part]...)
		}
	}
	for _, place := range slices.Sorted(maps.Keys(lines)) {
		if e := &elements[place]; e.Options == "" {
			e.Options = c.forms.kept(lines[place])
		}
	}
}
