package capture

import (
	"errors"
	"image"
	"maps"
	"math"
	"strings"
	"unicode"

	"afterimage/internal/page"
)

// Node types of the DOM standard.
const (
	elementNode = 1
	textNode    = 3
)

var errSnapshot = errors.New("the browser's DOM snapshot is not consistent")

// domSnapshot is the part of the answer to DOMSnapshot.captureSnapshot that we read. Rod's type decodes all of it,
// through pointers and values of any kind, which takes nearly twice as long.
type domSnapshot struct {
	Strings   []string           `json:"strings"`
	Documents []documentSnapshot `json:"documents"`
}

type documentSnapshot struct {
	DocumentURL int `json:"documentURL"`

	Nodes  *nodeTable   `json:"nodes"`
	Layout *layoutTable `json:"layout"`
}

// nodeTable has a row for each node; texts are indices into strings.
type nodeTable struct {
	ParentIndex    []int      `json:"parentIndex"`
	NodeType       []int      `json:"nodeType"`
	NodeName       []int      `json:"nodeName"`
	NodeValue      []int      `json:"nodeValue"`
	Attributes     [][]int    `json:"attributes"` // alternating names and values
	ShadowRootType *rareTexts `json:"shadowRootType"`
	InputValue     *rareTexts `json:"inputValue"`
	TextValue      *rareTexts `json:"textValue"`
	InputChecked   *rareNodes `json:"inputChecked"`
	OptionSelected *rareNodes `json:"optionSelected"`
	// Only of frames whose documents the browser has in the same process.
	ContentDocumentIndex *rareTexts `json:"contentDocumentIndex"`
}

// rareTexts are texts of some nodes.
type rareTexts struct {
	Index []int `json:"index"` // of the nodes
	Value []int `json:"value"`
}

// rareNodes are the nodes of which something holds.
type rareNodes struct {
	Index []int `json:"index"`
}

// layoutTable has a row for each box.
type layoutTable struct {
	NodeIndex []int       `json:"nodeIndex"`
	Bounds    [][]float64 `json:"bounds"` // x, y, width, height
	Text      []int       `json:"text"`
	Styles    [][]int     `json:"styles"`
	// Only where asked for: what a box holds, and the part of it that it shows.
	ScrollRects [][]float64 `json:"scrollRects"`
	ClientRects [][]float64 `json:"clientRects"`
}

// snapshot reads a document from the tables of DOMSnapshot.captureSnapshot, in which everything is an index. Its
// methods take the index of a node.
type snapshot struct {
	strings []string
	nodes   *nodeTable
	layout  *layoutTable
	boxes   []int  // a node's row in the layout, -1 for nodes that are not laid out
	address string // of the document
	all     *domSnapshot
	frames  map[int]int // by node: the document in it
}

// readSnapshot reads the main document; documents in frames have their own boxes. It checks what the methods rely on.
func readSnapshot(result *domSnapshot) (*snapshot, error) { return readDocument(result, 0) }

func readDocument(result *domSnapshot, number int) (*snapshot, error) {
	if result == nil || number < 0 || number >= len(result.Documents) {
		return nil, errSnapshot
	}
	document := &result.Documents[number]
	s := &snapshot{strings: result.Strings, nodes: document.Nodes, layout: document.Layout, all: result, frames: make(map[int]int)}
	if s.nodes == nil || s.layout == nil {
		return nil, errSnapshot
	}
	s.address = s.text(document.DocumentURL)
	n, rows := len(s.nodes.ParentIndex), len(s.layout.NodeIndex)
	if len(s.nodes.NodeType) != n || len(s.nodes.NodeName) != n || len(s.nodes.Attributes) != n ||
		len(s.layout.Bounds) != rows || len(s.layout.Text) != rows || len(s.layout.Styles) != rows {
		return nil, errSnapshot
	}
	s.boxes = make([]int, n)
	for node, parent := range s.nodes.ParentIndex {
		if parent >= node { // parents come first
			return nil, errSnapshot
		}
		s.boxes[node] = -1
	}
	for row, node := range s.layout.NodeIndex {
		if node < 0 || node >= n {
			return nil, errSnapshot
		}
		s.boxes[node] = row
	}
	s.readFrames(number)
	return s, nil
}

// readFrames notes the documents in frames of the one with a number: they come later.
func (s *snapshot) readFrames(number int) {
	in := s.nodes.ContentDocumentIndex
	if in == nil || len(in.Index) != len(in.Value) {
		return
	}
	for i, node := range in.Index {
		if in.Value[i] > number {
			s.frames[node] = in.Value[i]
		}
	}
}

// frameText is the visible text of the document in a frame and of those in its frames, up to about so many bytes; "" for a frame that
// the browser has in another process.
func (s *snapshot) frameText(node, most int) string {
	number, ok := s.frames[node]
	if !ok {
		return ""
	}
	inner, err := readDocument(s.all, number)
	if err != nil {
		return ""
	}
	var text strings.Builder
	for node, parent := range inner.nodes.ParentIndex {
		words := ""
		if _, frame := inner.frames[node]; frame && inner.style(node, 0) == "visible" {
			words = inner.frameText(node, most-text.Len())
		} else if parent >= 0 && inner.style(parent, 0) == "visible" {
			words = page.CollapseSpace(inner.rendered(node))
		}
		if text.Len() >= most {
			break
		}
		if words != "" {
			text.WriteString(words + " ")
		}
	}
	return strings.TrimSpace(text.String())
}

// graphicText is the visible text in a vector graphic, up to about so many bytes.
func (s *snapshot) graphicText(graphic, most int) string {
	var text strings.Builder
	inside := map[int]bool{graphic: true}
	for node := graphic + 1; node < len(s.nodes.ParentIndex) && inside[s.nodes.ParentIndex[node]] && text.Len() < most; node++ {
		inside[node] = true
		words := page.CollapseSpace(s.rendered(node))
		if parent := s.nodes.ParentIndex[node]; words != "" && s.style(parent, 0) == "visible" && s.style(parent, 1) != "0" {
			text.WriteString(words + " ")
		}
	}
	return strings.TrimSpace(text.String())
}

// move makes all boxes relative to the point at which the picture begins.
func (s *snapshot) move(origin image.Point) {
	if origin == (image.Point{}) {
		return
	}
	for _, b := range s.layout.Bounds {
		if len(b) == 4 {
			b[0], b[1] = b[0]-float64(origin.X), b[1]-float64(origin.Y)
		}
	}
}

// text is an entry of the table of strings; -1 stands for none.
func (s *snapshot) text(i int) string {
	if i < 0 || i >= len(s.strings) {
		return ""
	}
	return s.strings[i]
}

// tag is the element's name as in HTML source, "" for all other nodes. Pseudo-elements do not count as elements.
func (s *snapshot) tag(node int) string {
	name := s.text(s.nodes.NodeName[node])
	if s.nodes.NodeType[node] != elementNode || strings.HasPrefix(name, "::") {
		return ""
	}
	return strings.ToLower(name)
}

func (s *snapshot) attribute(node int, name string) string {
	pairs := s.nodes.Attributes[node]
	for i := 0; i+1 < len(pairs); i += 2 {
		if s.text(pairs[i]) == name {
			return s.text(pairs[i+1])
		}
	}
	return ""
}

// copied reports whether our script has made the element, as a copy of what is painted behind the page.
func (s *snapshot) copied(node int) bool {
	pairs := s.nodes.Attributes[node]
	for i := 0; i+1 < len(pairs); i += 2 {
		if s.text(pairs[i]) == copyMark {
			return true
		}
	}
	return false
}

// rendered is the text that a text node shows.
func (s *snapshot) rendered(node int) string {
	if row := s.boxes[node]; row >= 0 && s.nodes.NodeType[node] == textNode {
		return s.text(s.layout.Text[row])
	}
	return ""
}

// generated returns the texts that a pseudo-element, "::before" or "::after", adds to elements, by element. Signs and
// icons, which say nothing in words, are left out.
func (s *snapshot) generated(pseudo string) map[int]string {
	texts := make(map[int]string)
	for row, node := range s.layout.NodeIndex { // a row for each part of the text
		if s.text(s.nodes.NodeName[node]) == pseudo {
			texts[s.nodes.ParentIndex[node]] += s.text(s.layout.Text[row])
		}
	}
	signs := func(_ int, text string) bool {
		return !strings.ContainsFunc(text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
	}
	maps.DeleteFunc(texts, signs)
	return texts
}

// style is the n-th of the requested computed styles.
func (s *snapshot) style(node, n int) string {
	if row := s.boxes[node]; row >= 0 && n < len(s.layout.Styles[row]) {
		return s.text(s.layout.Styles[row][n])
	}
	return ""
}

// bounds is the node's border box in pixels, rounded outwards to whole ones.
func (s *snapshot) bounds(node int) image.Rectangle {
	row := s.boxes[node]
	if row < 0 || len(s.layout.Bounds[row]) != 4 {
		return image.Rectangle{}
	}
	b := s.layout.Bounds[row]
	whole := func(x float64) int { return int(max(-math.MaxInt32, min(x, math.MaxInt32))) }
	return image.Rect(whole(math.Floor(b[0])), whole(math.Floor(b[1])), whole(math.Ceil(b[0]+b[2])), whole(math.Ceil(b[1]+b[3])))
}

// shadowTrees returns the kind of the shadow tree for each node that is inside one. The snapshot has no nodes for the
// shadow roots: their children are children of the host.
func (s *snapshot) shadowTrees() map[int]string {
	kinds := make(map[int]string)
	if rare := s.nodes.ShadowRootType; rare != nil && len(rare.Index) == len(rare.Value) {
		for i, node := range rare.Index {
			kinds[node] = s.text(rare.Value[i])
		}
	}
	return kinds
}
