package noise

import (
	"slices"

	"afterimage/internal/page"
)

// Pair is two visits of a page on one device, with no update between them as far as is known.
type Pair struct {
	Visit
	Before, After []page.Element
	// Repainted are the places of the later picture whose pixels differ, after rows have been aligned.
	Repainted []page.Box
	// Reported says what the comparison of the two reported about an element, by selector; those that it calls harmless are missing.
	Reported map[string]Report
}

// Report is how a change was reported.
type Report int

// The reports.
const (
	Unsure Report = iota + 1
	Alarm
)

const (
	maxRepainted = 200 // boxes that are looked at
	maxSpare     = 40  // parts beyond the bound until the most important ones are chosen
	// leastElements is the number of elements below which nothing is said about a page as a whole.
	leastElements = 6
	// strangeVisits is how many visits in a row must be strange before what was known is forgotten.
	strangeVisits = 2
	// placeSlack is how far a box may be off without having moved.
	placeSlack = 2
)

// Unchanged adds a pair of visits that were equal.
func (k *Knowledge) Unchanged(v Visit) {
	k.age(v)
	k.Strange = 0
}

// Observe adds a pair of visits. It learns nothing from a pair of which one visit is not like the other at all, and forgets
// everything after several such pairs.
func (k *Knowledge) Observe(in *Pair) {
	p := pair(newLayout(in.Before), newLayout(in.After))
	if len(in.Before)+len(in.After) >= leastElements && (p.strange() || k.missing(p.after)) {
		if k.Strange++; k.Strange >= strangeVisits {
			*k = Knowledge{Strange: k.Strange}
		}
		return
	}
	k.Unchanged(in.Visit)
	o := &observer{Knowledge: k, pairing: p, in: in, parts: make(map[int]*Part)}
	for _, part := range k.Parts {
		if b := p.before.find(part); b >= 0 {
			o.parts[b] = part
		} else if a := p.after.find(part); a >= 0 {
			o.parts[-1-a] = part
		}
	}
	o.changes()
	o.repaints()
	for key, part := range o.parts {
		o.follow(key, part)
	}
	k.trim(maxParts)
}

// missing reports whether most of the known parts that are always there are not.
func (k *Knowledge) missing(l *layout) bool {
	steady, gone := 0, 0
	for _, part := range k.Parts {
		if part.Presence != 0 {
			continue
		}
		steady++
		if l.find(part) < 0 {
			gone++
		}
	}
	return steady >= leastElements && 2*gone > steady
}

// observer adds one pair to the knowledge. Parts are known by their element in the earlier visit, or by -1 less that of the later
// one if they were not there before.
type observer struct {
	*Knowledge
	*pairing
	in    *Pair
	parts map[int]*Part
}

// part returns the part of an element, which is learned if it is new. It is nil for elements that cannot be recognised and
// beyond the bound.
func (o *observer) part(before, after int) *Part {
	key, l, i := before, o.before, before
	if before < 0 {
		key, l, i = -1-after, o.after, after
	}
	if known := o.parts[key]; known != nil {
		return known
	}
	if l.paths[i] == 0 || len(o.Parts) >= maxParts+maxSpare {
		return nil
	}
	e := &l.elements[i]
	p := &Part{Selector: e.Selector, Tag: e.Tag, Role: e.Role, Path: l.paths[i], Place: l.places[i], Of: len(l.byPath[l.paths[i]])}
	o.parts[key] = p
	o.Parts = append(o.Parts, p)
	return p
}

// changes notes the elements whose properties changed.
func (o *observer) changes() {
	for b, a := range o.toAfter {
		if a < 0 {
			o.came(b, -1)
			continue
		}
		if d := o.differ(b, a); d.any() {
			if p := o.part(b, a); p != nil {
				o.note(p, d)
				p.show(o.before, b, 2)
				p.show(o.after, a, 1)
			}
		}
	}
	for a, b := range o.toBefore {
		if b < 0 {
			o.came(-1, a)
		}
	}
}

// came notes an element that is in one of the visits only.
func (o *observer) came(before, after int) {
	l, i, in := o.before, before, Pairs(2)
	if before < 0 {
		l, i, in = o.after, after, 1
	}
	if p := o.part(before, after); p != nil {
		o.note(p, difference{presence: true})
		p.show(l, i, in)
		path := l.paths[i]
		p.Counts.add(measure(len(o.before.byPath[path])), 2, maxMeasures)
		p.Counts.add(measure(len(o.after.byPath[path])), 1, maxMeasures)
	}
}

func (o *observer) note(p *Part, d difference) {
	for _, property := range []struct {
		changed bool
		in      *Pairs
	}{{d.text, &p.Text}, {d.picture, &p.Picture}, {d.size, &p.Size}, {d.style, &p.Style}, {d.presence, &p.Presence}} {
		if property.changed {
			*property.in |= 1
		}
	}
	switch o.in.Reported[p.Selector] {
	case Alarm:
		p.Alert |= 1
	case Unsure:
		p.Loud |= 1
	}
	p.LastChange = o.in.At
}

// repaints notes the elements of which only pixels changed.
func (o *observer) repaints() {
	for _, box := range o.in.Repainted[:min(len(o.in.Repainted), maxRepainted)] {
		a := o.after.covering(box)
		if a < 0 || o.toBefore[a] < 0 || o.explained(box) {
			continue
		}
		if p := o.part(o.toBefore[a], a); p != nil {
			o.note(p, difference{picture: true})
			p.show(o.before, o.toBefore[a], 2)
			p.show(o.after, a, 1)
		}
	}
}

// explained reports whether a part that changed in another property covers a repainted place.
func (o *observer) explained(box page.Box) bool {
	for key, p := range o.parts {
		if p.changed()&1 == 0 {
			continue
		}
		l, i := o.before, key
		if key < 0 {
			l, i = o.after, -1-key
		} else if a := o.toAfter[key]; a >= 0 {
			l, i = o.after, a
		}
		if around(l.elements[i].Box, placeSlack).Covers(box) {
			return true
		}
	}
	return false
}

// follow notes what a part is recognised by in the later visit.
func (o *observer) follow(key int, p *Part) {
	a := -1 - key
	if key >= 0 {
		a = o.toAfter[key]
	}
	if a < 0 {
		return
	}
	e := &o.after.elements[a]
	p.Tag, p.Role = e.Tag, e.Role
	p.Selector, p.Path, p.Place, p.Of = e.Selector, o.after.paths[a], o.after.places[a], len(o.after.byPath[o.after.paths[a]])
}

func around(b page.Box, by int) page.Box {
	return page.Box{X: b.X - by, Y: b.Y - by, Width: b.Width + 2*by, Height: b.Height + 2*by}
}

// show notes what a part looked like in a visit.
func (p *Part) show(l *layout, i int, in Pairs) {
	e := &l.elements[i]
	p.showText(l, i, in)
	if e.Source != "" {
		p.Sources.add(hash(e.Source), in, maxValues)
		p.Shapes.add(shapeOf(e.Source), in, maxForms)
	}
	p.Styles.add(styleOf(e), in, maxForms)
	p.Looks.add(lookOf(e), in, maxForms)
	if size, ok := fontSize(e); ok {
		p.FontSizes.add(measure(size), in, maxMeasures)
	}
	p.Lefts.add(measure(e.Box.X), in, maxMeasures)
	p.Tops.add(measure(l.top(i)), in, maxMeasures)
	p.Widths.add(measure(e.Box.Width), in, maxMeasures)
	p.Heights.add(measure(e.Box.Height), in, maxMeasures)
}

func (p *Part) showText(l *layout, i int, in Pairs) {
	text := l.elements[i].Text
	f := FormOf(text)
	if n := slices.IndexFunc(p.Forms, func(known form) bool { return known.Form == f }); n >= 0 {
		p.Forms[n].In |= in
	} else {
		p.Forms = append(p.Forms, form{f, in})
	}
	if f == FormEmpty {
		return
	}
	p.Texts.add(hash(text), in, maxValues)
	p.Masks.add(hash(mask(text)), in, maxForms)
	p.Lengths.add(measure(len(text)), in, maxMeasures)
	if n, ok := amount(text); ok {
		p.Numbers.add(measure(n), in, maxMeasures)
	}
	if hasZero(text) {
		p.Zeros.add(hash(mask(text)), in, maxForms)
	}
	if f == FormPrice {
		p.showItem(item{l.beside(i), hash(text), in})
	}
}

func (p *Part) showItem(x item) {
	if x.Beside == 0 {
		return
	}
	for i := range p.Items {
		if p.Items[i].Beside == x.Beside && p.Items[i].Value == x.Value {
			p.Items[i].In |= x.In
			return
		}
	}
	p.Items = append(p.Items, x)
	if len(p.Items) > maxValues {
		p.Items = p.Items[1:]
	}
}

// measureZero is the value of a measure of 0: places may be negative.
const measureZero = 1 << 20

// measure is a size, a place or a number as a value.
func measure(n int) uint32 {
	return uint32(min(max(n, -measureZero), 1<<30) + measureZero)
}
