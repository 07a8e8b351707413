// Package sites generates web sites that vary by themselves, each page with a part that differs from visit to visit, for
// training the judge of package verify and for measuring it.
//
// A page is a [Template] (structure, markup, language) with the part of a [Kind]. It can be visited any number of times with
// nothing deployed in between: visits 0 to 13 are its history, visit 14 is the page before and visit 15 the page after. After
// a [Damage] visit 15 shows what somebody has to see, inside the varying part or elsewhere on the page. Templates, kinds and
// damages are divided into training, validation and a held-out set, and no pair mixes them: what was learned from one cannot
// be recognised in another.
package sites

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Split says what a template, kind or damage is used for.
type Split string

// The splits.
const (
	Train      Split = "training"
	Validation Split = "validation"
	HeldOut    Split = "held-out sites" // opened twice; what it shows is known now
	Unseen     Split = "unseen sites"   // written after the rules had been mended on the others
)

// The visits that are compared, and how many come before them.
const (
	History = 14
	Before  = 14
	After   = 15
	// Last is the last visit that can be made. Those beyond After are for probes.
	Last = 18
)

// Page is a page of a site.
type Page struct {
	Template *Template
	Kind     *Kind
	Mobile   bool
}

// Pair is a page before and after; without damage it is harmless.
type Pair struct {
	Page
	Damage *Damage
}

// Name identifies what is on the page, as in "bakery.gauge".
func (p Page) Name() string { return dashed(p.Template.Name) + "." + dashed(p.Kind.Name) }

// Key identifies the page on its device, as in "bakery.gauge.mobile".
func (p Page) Key() string {
	if p.Mobile {
		return p.Name() + ".mobile"
	}
	return p.Name()
}

// Name identifies the pair, as in "bakery.gauge.empty-part".
func (p Pair) Name() string {
	return p.Page.Name() + "." + p.Damage.Label()
}

// Key identifies the pair on its device.
func (p Pair) Key() string { return p.Page.Key() + "." + p.Damage.Label() }

// Recalled reports whether earlier visits of the page are measured: of the unseen sites two pages of each kind, one a mobile one.
func (p Page) Recalled() bool {
	if p.Template.Split != Unseen {
		return true
	}
	of := slices.DeleteFunc(Pages(Unseen), func(other Page) bool { return other.Kind != p.Kind })
	return p == of[0] || p == of[3]
}

// Harmful reports whether somebody has to look.
func (p Pair) Harmful() bool { return p.Damage != nil }

func dashed(name string) string { return strings.ReplaceAll(name, " ", "-") }

// perKind is how many templates of its split a kind is put into; each is a page.
var perKind = map[Split]int{Train: 4, Validation: 3, HeldOut: 3, Unseen: 3}

// Pages are the pages of a split, by kind.
func Pages(split Split) []Page {
	templates := slices.DeleteFunc(slices.Clone(Templates), func(t *Template) bool { return t.Split != split })
	var pages []Page
	for _, k := range Kinds {
		if k.Split != split {
			continue
		}
		for i := range min(perKind[split], len(templates)) {
			t := templates[(int(hash(k.Name)%97)+i*5)%len(templates)]
			p := Page{Template: t, Kind: k}
			if slices.ContainsFunc(pages, func(other Page) bool { return other.Name() == p.Name() }) {
				continue
			}
			if split == Unseen { // these on both devices
				pages = append(pages, p, Page{t, k, true})
				continue
			}
			p.Mobile = hash(p.Name())%3 == 0
			pages = append(pages, p)
		}
	}
	return pages
}

// perPage is how many damages of either place a page of a split is put to.
var perPage = map[Split]int{Train: 1, Validation: 2, HeldOut: 1, Unseen: 1}

// Pairs are the pairs of a split: of each page the next visit, and visits with damages inside its varying part and elsewhere.
// Each damage is used about equally often.
func Pairs(split Split) []Pair {
	used := make(map[*Damage]int)
	var pairs []Pair
	for _, p := range Pages(split) {
		pairs = append(pairs, Pair{p, nil})
		for _, inside := range []bool{true, false} {
			taken := 0
			for _, d := range byUse(split, inside, used, p.Name()) {
				if taken < perPage[split] && (Pair{p, d}).possible() {
					pairs = append(pairs, Pair{p, d})
					used[d]++
					taken++
				}
			}
		}
	}
	return pairs
}

// byUse lists the damages of a split, those used least first; among equals a hash with the page decides.
func byUse(split Split, inside bool, used map[*Damage]int, page string) []*Damage {
	damages := slices.DeleteFunc(slices.Clone(Damages), func(d *Damage) bool { return d.Split != split || d.Inside != inside })
	slices.SortFunc(damages, func(a, b *Damage) int {
		return cmp.Or(cmp.Compare(used[a], used[b]), cmp.Compare(hash(page+a.Name), hash(page+b.Name)))
	})
	return damages
}

// possible reports whether the page has what the damage needs. A damage inside an overlay is none: it may as well be absent.
func (p Pair) possible() bool {
	if p.Damage.Inside && p.Kind.overlay {
		return false
	}
	s, body, part := p.Page.build(After)
	before := render(s, body, p.Template.dialect)
	ok := p.Damage.apply(&damaged{site: s, r: newRand(hash(p.Name())), body: body, part: part})
	return ok && render(s, body, p.Template.dialect) != before
}

// HTML is a visit of a page, with or without damage.
func (p Page) HTML(visit int, d *Damage) string {
	s, body, part := p.build(visit)
	if d != nil {
		d.apply(&damaged{site: s, r: newRand(hash(Pair{p, d}.Name())), body: body, part: part})
	}
	return render(s, body, p.Template.dialect)
}

// build makes the tree of a visit.
func (p Page) build(visit int) (s *site, body, part *node) {
	seed := hash(p.Name())
	s = &site{l: p.Template.language, r: newRand(seed), seed: seed % 400_000, gridMin: p.Template.gridMin}
	s.accent = pick(s.r, accents)
	part = p.Kind.vary(&varying{site: s, r: newRand(seed + 1), v: newRand(hash(fmt.Sprint(p.Name(), visit))), visit: visit})
	if !p.Kind.overlay {
		s.part = part
	}
	body = box("body", "", "font-family:"+p.Template.font, p.Template.build(s)...)
	if p.Kind.overlay && part != nil {
		body.add(part)
	}
	return s, body, part
}

func render(s *site, body *node, d dialect) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang=%q><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`+
		`<title>%s</title><link rel="icon" href="data:,">`+
		`<style>*{box-sizing:border-box}body{margin:0;font:16px/1.5 sans-serif}</style></head>`,
		s.l.code, s.l.menu[0])
	body.write(&b, d)
	b.WriteString("</html>")
	return b.String()
}
