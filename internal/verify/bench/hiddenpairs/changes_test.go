package hiddenpairs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"afterimage/internal/verify"
)

// label is what has to be told of one change.
type label struct {
	name  string
	class string          // of the changed part
	kinds []verify.Change // any of these is right
	words []string        // each must be in the description
}

func (l label) String() string { return l.name + " of " + l.class }

// tricks are the changes. Each changes one leaf and says what has to be told; nil when the leaf is not one for it.
var tricks = []struct {
	name string
	do   func(r *rand.Rand, d *document, p *part) *label
}{
	{"text", func(r *rand.Rand, _ *document, p *part) *label {
		if p.text == "" || strings.Contains(p.text, "€") {
			return nil
		}
		was := p.text
		p.text = strings.Replace(was, "of ", "made of ", 1)
		if p.text == was {
			p.text = pick(r, []string{"Reserve it today", "Write to us", "Only while stocks last", "Closed for the fair"})
		}
		return &label{kinds: []verify.Change{verify.TextChanged}, words: []string{start(was), start(p.text)}}
	}},
	{"price", func(r *rand.Rand, _ *document, p *part) *label {
		if !strings.Contains(p.text, "€") {
			return nil
		}
		was := p.text
		p.text = fmt.Sprintf("from €%d.%d0", 70+r.IntN(20), 1+r.IntN(9))
		return &label{kinds: []verify.Change{verify.TextChanged}, words: []string{was, p.text}}
	}},
	{"one character", func(_ *rand.Rand, _ *document, p *part) *label {
		if !strings.HasSuffix(p.text, ".") {
			return nil
		}
		was := p.text
		p.text = strings.TrimSuffix(was, ".") + "!"
		return &label{kinds: []verify.Change{verify.TextChanged}, words: []string{start(was)}}
	}},
	{"colour", func(_ *rand.Rand, _ *document, p *part) *label {
		if p.text == "" {
			return nil
		}
		p.style += ";color:#b00"
		return &label{kinds: []verify.Change{verify.StyleChanged}, words: []string{"text colour", "#bb0000"}}
	}},
	{"pale colour", func(_ *rand.Rand, _ *document, p *part) *label {
		if !strings.Contains(p.style, "color:#bbb") {
			return nil
		}
		p.style += ";color:#777"
		return &label{kinds: []verify.Change{verify.StyleChanged}, words: []string{"text colour", "#777777"}}
	}},
	{"background", func(_ *rand.Rand, _ *document, p *part) *label {
		if p.tag != "button" {
			return nil
		}
		p.style += ";background:#a52"
		return &label{kinds: []verify.Change{verify.StyleChanged}, words: []string{"background", "#aa5522"}}
	}},
	{"picture", func(r *rand.Rand, _ *document, p *part) *label {
		if p.tag != "img" {
			return nil
		}
		p.attributes = fmt.Sprintf("alt='' src=%q", drawing(41+r.IntN(9)))
		return &label{kinds: []verify.Change{verify.ImageReplaced}}
	}},
	{"gone", func(_ *rand.Rand, _ *document, p *part) *label {
		p.gone = true
		l := &label{kinds: []verify.Change{verify.Vanished}}
		if p.text != "" {
			l.words = []string{start(p.text)}
		}
		return l
	}},
	{"moved", func(_ *rand.Rand, _ *document, p *part) *label {
		if p.tag != "button" && p.tag != "h3" {
			return nil
		}
		p.style += ";position:relative;left:13px"
		return &label{kinds: []verify.Change{verify.Moved}}
	}},
	{"inserted beside", func(r *rand.Rand, d *document, p *part) *label {
		if p.tag != "p" {
			return nil
		}
		text := pick(r, []string{"Free delivery this week", "New opening on Saturday", "We are hiring joiners"})
		added := d.part("div", text, "padding:8px;background:#fd6;margin:4px 0")
		return insert(d, p, added, &label{class: added.class, kinds: []verify.Change{verify.Appeared}, words: []string{text}})
	}},
	{"dot upon", func(_ *rand.Rand, d *document, p *part) *label {
		if p.tag != "span" && p.tag != "a" {
			return nil
		}
		added := d.part("i", "", "position:absolute;width:7px;height:7px;background:#d00")
		return insert(d, p, added, &label{class: added.class, kinds: []verify.Change{verify.Appeared}})
	}},
}

// start is the beginning of a text, as far as descriptions quote it.
func start(text string) string { return text[:min(len(text), 35)] }

// insert puts a part behind another.
func insert(d *document, beside, added *part, l *label) *label {
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
	return l
}

// pair is a page before and after its changes.
type pair struct {
	name          string
	before, after string
	labels        []label
}

// newPair generates a pair with two to six changes; a third of them are next to each other.
func newPair(seed uint64) pair {
	build := func() (*document, *rand.Rand) {
		r := rand.New(rand.NewPCG(seed, 14))
		return newDocument(r), r
	}
	d, _ := build()
	p := pair{name: fmt.Sprintf("pair %d", seed), before: d.html()}
	changed, r := build()
	leaves := changed.leaves()
	next := r.IntN(len(leaves))
	touched := map[*part]bool{}
	for wanted := 2 + r.IntN(5); len(p.labels) < wanted; {
		if next = (next + 1) % len(leaves); r.IntN(3) > 0 {
			next = r.IntN(len(leaves))
		}
		leaf, trick := leaves[next], tricks[r.IntN(len(tricks))]
		if touched[leaf] {
			continue
		}
		if l := trick.do(r, changed, leaf); l != nil {
			l.name = trick.name
			if l.class == "" {
				l.class = leaf.class
			}
			p.labels = append(p.labels, *l)
			touched[leaf] = true
		}
	}
	p.after = changed.html()
	return p
}
