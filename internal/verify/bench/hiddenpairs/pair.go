package hiddenpairs

import (
	"fmt"
	"math/rand/v2"
)

// Pair is a page before and after its changes.
type Pair struct {
	Name          string
	Before, After string // HTML
	Labels        []Label
	Turning       string // class of the part that always changes
}

// New generates a pair with two to six changes; a third of them are next to each other. Equal seeds give equal pairs.
func New(seed uint64) *Pair {
	build := func() (*document, *rand.Rand) {
		r := rand.New(rand.NewPCG(seed, 14)) //nolint:gosec // the same pages each time
		return newDocument(r), r
	}
	d, _ := build()
	p := &Pair{Name: fmt.Sprintf("pair %d", seed), Before: d.html(), Turning: d.turning.children[0].class}
	changed, r := build()
	leaves := changed.leaves()
	next := r.IntN(len(leaves))
	touched := map[*part]bool{}
	for wanted := 2 + r.IntN(5); len(p.Labels) < wanted; {
		if next = (next + 1) % len(leaves); r.IntN(3) > 0 {
			next = r.IntN(len(leaves))
		}
		chosen := tricks[r.IntN(len(tricks))]
		for i := range leaves { // the next one that it can be done to
			leaf := leaves[(next+i)%len(leaves)]
			if touched[leaf] {
				continue
			}
			if l := chosen.do(r, changed, leaf); l != nil {
				touched[leaf] = l.Class == ""
				p.Labels = append(p.Labels, l.named(chosen.name, leaf))
				break
			}
		}
	}
	p.After = changed.html()
	return p
}

// named completes the label of a change that was made to a leaf, or beside it.
func (l *Label) named(name string, leaf *part) Label {
	l.Name = name
	if l.Class == "" {
		l.Class, l.Unseen = leaf.class, leaf.unseen
	}
	return *l
}
