package hiddenpairs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"afterimage/internal/verify"
)

// Label is what has to be told of one change.
type Label struct {
	Name  string
	Class string          // of the changed part
	Kinds []verify.Change // any of these is right
	Words []string        // each must be in the description
	// Unseen reports that no pixel shows the change: nobody has to be told of it.
	Unseen bool
	// Harmful reports that the change must not be called harmless, although its part always changes.
	Harmful bool
}

func (l Label) String() string { return l.Name + " of " + l.Class }

// trick is a kind of change. It changes one leaf and says what has to be told; nil when the leaf is not one for it.
type trick struct {
	name string
	do   func(r *rand.Rand, d *document, p *part) *Label
}

// tricks are the changes.
var tricks = []trick{
	{"text", otherText}, {"price", otherPrice}, {"one character", otherCharacter},
	{"colour", textColour}, {"pale colour", paleColour}, {"background", background}, {"faint colour", faintColour},
	{"picture", otherPicture}, {"drawing", otherDrawing}, {"generated text", otherGenerated},
	{"gone", gone}, {"moved", moved}, {"inserted beside", insertedBeside}, {"dot upon", dotUpon}, {"band above", bandAbove},
	{"nested", nestedChange}, {"part that turns", turned}, {"error in a part that turns", turnedToError},
}

func otherText(r *rand.Rand, d *document, p *part) *Label {
	if p.text == "" || strings.Contains(p.text, "€") || d.turns(p) {
		return nil
	}
	was := p.text
	p.text = strings.Replace(was, "of ", "made of ", 1)
	if p.text == was {
		p.text = pick(r, []string{"Reserve it today", "Write to us", "Only while stocks last", "Closed for the fair"})
	}
	return &Label{Kinds: []verify.Change{verify.TextChanged}, Words: []string{start(was), start(p.text)}}
}

func otherPrice(r *rand.Rand, _ *document, p *part) *Label {
	if !strings.Contains(p.text, "€") {
		return nil
	}
	was := p.text
	p.text = fmt.Sprintf("from €%d.%d0", 70+r.IntN(20), 1+r.IntN(9))
	return &Label{Kinds: []verify.Change{verify.TextChanged}, Words: []string{was, p.text}}
}

func otherCharacter(_ *rand.Rand, d *document, p *part) *Label {
	if !strings.HasSuffix(p.text, ".") || d.turns(p) {
		return nil
	}
	was := p.text
	p.text = strings.TrimSuffix(was, ".") + "!"
	return &Label{Kinds: []verify.Change{verify.TextChanged}, Words: []string{start(was)}}
}

func textColour(_ *rand.Rand, d *document, p *part) *Label {
	if p.text == "" || d.turns(p) {
		return nil
	}
	p.style += ";color:#b00"
	return &Label{Kinds: []verify.Change{verify.StyleChanged}, Words: []string{"text colour", "#bb0000"}}
}

func paleColour(_ *rand.Rand, _ *document, p *part) *Label {
	if !strings.Contains(p.style, "color:#bbb") {
		return nil
	}
	p.style += ";color:#777"
	return &Label{Kinds: []verify.Change{verify.StyleChanged}, Words: []string{"text colour", "#777777"}}
}

func background(_ *rand.Rand, _ *document, p *part) *Label {
	if p.tag != "button" {
		return nil
	}
	p.style += ";background:#a52"
	return &Label{Kinds: []verify.Change{verify.StyleChanged}, Words: []string{"background", "#aa5522"}}
}

// faintColour is a change that a comparison does not count as one: its pixels differ too little.
func faintColour(_ *rand.Rand, _ *document, p *part) *Label {
	if !strings.Contains(p.style, "background:#f4f4f0") {
		return nil
	}
	p.style += ";background:#eceae8"
	return &Label{Kinds: []verify.Change{verify.StyleChanged}, Words: []string{"background", "#eceae8"}}
}

func otherPicture(r *rand.Rand, _ *document, p *part) *Label {
	if p.tag != "img" {
		return nil
	}
	p.attributes = fmt.Sprintf("alt='' src=%q", drawing(41+r.IntN(9)))
	return &Label{Kinds: []verify.Change{verify.ImageReplaced}}
}

func otherDrawing(r *rand.Rand, _ *document, p *part) *Label {
	if p.script == "" {
		return nil
	}
	p.script = chartOf(r)
	return &Label{Kinds: []verify.Change{verify.Repainted, verify.ImageReplaced}}
}

func otherGenerated(r *rand.Rand, _ *document, p *part) *Label {
	if p.generated == "" {
		return nil
	}
	was := p.generated
	p.generated = ", " + pick(r, []string{"sold out", "in two weeks", "to order"})
	return &Label{Kinds: []verify.Change{verify.TextChanged}, Words: []string{was, p.generated}}
}

func gone(_ *rand.Rand, d *document, p *part) *Label {
	if d.turns(p) {
		return nil
	}
	p.gone = true
	l := &Label{Kinds: []verify.Change{verify.Vanished}}
	if p.text != "" {
		l.Words = []string{start(p.text)}
	}
	return l
}

func moved(_ *rand.Rand, _ *document, p *part) *Label {
	if p.tag != "button" && p.tag != "h3" {
		return nil
	}
	p.style += ";position:relative;left:13px"
	return &Label{Kinds: []verify.Change{verify.Moved}}
}

func insertedBeside(r *rand.Rand, d *document, p *part) *Label {
	if p.tag != "p" || p.unseen || strings.Contains(p.style, "width:300px") || d.turns(p) {
		return nil
	}
	text := pick(r, []string{"Free delivery this week", "New opening on Saturday", "We are hiring joiners"})
	added := d.part("div", text, "padding:8px;background:#fd6;margin:4px 0")
	d.insert(p, added)
	return &Label{Class: added.class, Kinds: []verify.Change{verify.Appeared}, Words: []string{text}}
}

func dotUpon(_ *rand.Rand, d *document, p *part) *Label {
	if p.tag != "span" && p.tag != "a" || p.unseen {
		return nil
	}
	added := d.part("i", "", "position:absolute;width:7px;height:7px;background:#d00")
	d.insert(p, added)
	return &Label{Class: added.class, Kinds: []verify.Change{verify.Appeared}}
}

// bandAbove inserts rows at the top of the page: every other change is behind a shift then.
func bandAbove(r *rand.Rand, d *document, _ *part) *Label {
	if slices.ContainsFunc(d.parts, func(p *part) bool { return p.tag == "aside" }) {
		return nil
	}
	text := pick(r, []string{"The workshop is closed in May", "Open house this Sunday"})
	added := d.part("aside", text, fmt.Sprintf("padding:%dpx 20px;background:#264;color:#fff", 8+r.IntN(60)))
	d.parts = slices.Insert(d.parts, 0, added)
	return &Label{Class: added.class, Kinds: []verify.Change{verify.Appeared}, Words: []string{text}}
}

// nestedChange changes what is around a leaf, which may change as well.
func nestedChange(_ *rand.Rand, d *document, p *part) *Label {
	box := d.around(p)
	if box == nil || box.tag != "article" && box.tag != "section" || strings.Contains(box.style, "#cdf") || d.turns(p) {
		return nil
	}
	box.style += ";background:#cdf"
	return &Label{Class: box.class, Kinds: []verify.Change{verify.StyleChanged}, Words: []string{"background", "#ccddff"}}
}

// turned changes a part as it always does.
func turned(r *rand.Rand, d *document, p *part) *Label {
	if !d.turns(p) {
		return nil
	}
	was := p.text
	p.text = sentence(r)
	if p.text == was {
		return nil
	}
	return &Label{Kinds: []verify.Change{verify.TextChanged}, Words: []string{start(was)}}
}

// turnedToError shows an error in a part that always changes.
func turnedToError(_ *rand.Rand, d *document, p *part) *Label {
	if !d.turns(p) {
		return nil
	}
	was := p.text
	p.text = "Error: could not load the next entry"
	return &Label{Kinds: []verify.Change{verify.TextChanged}, Words: []string{start(was), start(p.text)}, Harmful: true}
}

// turns reports whether a leaf lies in the part that always changes.
func (d *document) turns(p *part) bool { return slices.Contains(d.turning.children, p) }

// start is the beginning of a text, as far as descriptions quote it.
func start(text string) string { return text[:min(len(text), 35)] }

// insert puts a part behind another.
func (d *document) insert(beside, added *part) {
	var within func(list []*part) []*part
	within = func(list []*part) []*part {
		if i := slices.Index(list, beside); i >= 0 {
			return slices.Insert(list, i+1, added)
		}
		for _, p := range list {
			p.children = within(p.children)
		}
		return list
	}
	d.parts = within(d.parts)
}
