// Package labelled makes pairs of web pages, before and after a change of which it is known whether it is harmless. They
// measure how well changes are judged.
//
// A pair is one of four variants of a kind of change. The variants differ in the site (a shop, a newspaper, a company, a
// blog), in its words, colours and pictures, and in how its classes are named. The first kinds are divided into a development
// half and a held-out half by a hash of their names, so that nobody chose. Four more held-out sets were written one after the
// other; each was first measured with rules that nobody had made looking at it; see
// docs/measurements/verification-benchmark.md.
package labelled

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Variants is how many pairs each kind has.
const Variants = 4

// Set says what a kind is for.
type Set string

// The sets.
const (
	Development Set = "development" // rules are made looking at it
	HeldOut     Set = "held-out"    // the other half of the first kinds: closed until its totals had been told
	SecondSet   Set = "second held-out"
	ThirdSet    Set = "third held-out"
	FourthSet   Set = "fourth held-out"
	FifthSet    Set = "fifth held-out"
)

// Kind is a kind of change.
type Kind struct {
	Name    string
	Harmful bool
	Set     Set
	// Expect says what a description has to name; nil where several things happen at once.
	Expect *Expectation
	change func(*pair)
	late   bool // it came after the first kinds were divided, and belongs to none of their halves
}

// Expectation is the element that changed, and how.
type Expectation struct {
	Words   []string // the element has one of these words of our own in its class, or lies in one that has
	Changes []string // any of these
}

// Pair is one labelled pair of pages.
type Pair struct {
	Kind    *Kind
	Variant int
}

// Name names the pair in addresses and tables.
func (p Pair) Name() string { return fmt.Sprintf("%s-%d", p.Kind.Name, p.Variant) }

// Mobile tells whether the pair is captured as on a phone.
func (p Pair) Mobile() bool { return p.Variant == 1 }

// Pairs are all pairs, by kind.
func Pairs() []Pair {
	var pairs []Pair
	for _, k := range Kinds() {
		for variant := range Variants {
			pairs = append(pairs, Pair{k, variant})
		}
	}
	return pairs
}

// Kinds are all kinds, harmless ones first, by name. Of those that name no set every other one in the order of hashes is held
// out.
func Kinds() []*Kind {
	return append(sorted(slices.Clone(harmlessKinds), false), sorted(slices.Clone(harmfulKinds), true)...)
}

func sorted(list []Kind, harmful bool) []*Kind {
	var kinds, first []*Kind
	for i := range list {
		k := &list[i]
		k.Harmful = harmful
		kinds = append(kinds, k)
		if k.Set == "" {
			first = append(first, k)
		}
	}
	divide(first)
	slices.SortFunc(kinds, func(a, b *Kind) int { return cmp.Compare(a.Name, b.Name) })
	return kinds
}

// divide holds every other kind out.
func divide(kinds []*Kind) {
	slices.SortFunc(kinds, func(a, b *Kind) int { return cmp.Compare(a.digest(), b.digest()) })
	place := 0
	for _, k := range kinds {
		k.Set = Development
		if !k.late {
			if place%2 == 1 {
				k.Set = HeldOut
			}
			place++
		}
	}
}

func (k *Kind) digest() string {
	sum := sha256.Sum256([]byte("labelled pairs: " + k.Name))
	return hex.EncodeToString(sum[:])
}

// pair is a pair while it is made.
type pair struct {
	before, after *document
	variant       int
	r             *rand.Rand
	n             namer
}

// documents makes both pages of the pair.
func (p Pair) documents() (before, after *document) {
	sum := sha256.Sum256([]byte(p.Name()))
	r := rand.New(rand.NewChaCha8(sum)) //nolint:gosec // the same pages each time
	w := &pair{before: newDocument(sum, p.Variant), after: newDocument(sum, p.Variant), variant: p.Variant, r: r, n: namer(p.Variant)}
	p.Kind.change(w)
	return w.before, w.after
}

// both adds the same to both pages, or what differs by page.
func (p *pair) both(add func(d *document, after bool)) {
	add(p.before, false)
	add(p.after, true)
}

// beside puts a widget into both pages: into the side column where there is one, else between the sections.
func (p *pair) beside(class, before, after string) {
	p.before.widget(class, before)
	p.after.widget(class, after)
}

func index(after bool) int {
	if after {
		return 1
	}
	return 0
}
