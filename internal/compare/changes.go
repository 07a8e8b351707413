package compare

import (
	"cmp"
	"slices"

	"afterimage/capture"
	"afterimage/vcd"
)

// Change is the same change on one or several pages and devices.
type Change struct {
	Fingerprint string
	OfElement   string // of the first place, see vcd.FoundChange
	Kind        vcd.ChangeKind
	Outcome     Outcome // the worst of its places
	Host        string  // see Finding
	Description string  // as at the first place
	Reason      string
	Element     string // selector; "" when it is not about an element
	Places      []Place
}

// Place is where a change is seen.
type Place struct {
	Pair    int // index in Result.Pairs
	Finding int // index in Pair.Findings
	Path    string
	Device  capture.Device
}

// Collect makes a result of pairs that somebody else compared.
func Collect(before, after, engine string, pairs []Pair) *Result {
	for i := range pairs {
		pairs[i].settle()
	}
	return &Result{Before: before, After: after, Engine: engine, Pairs: pairs, Changes: group(pairs)}
}

// group lists the distinct changes of all pairs: what has to be looked at first, then by gravity, by the number of places, and in
// the order of the pages.
func group(pairs []Pair) []Change {
	var changes []Change
	known := make(map[string]int)
	for p := range pairs {
		for n := range pairs[p].Findings {
			f := &pairs[p].Findings[n]
			at, ok := known[f.Fingerprint]
			if !ok {
				at = len(changes)
				known[f.Fingerprint] = at
				changes = append(changes, Change{
					Fingerprint: f.Fingerprint, OfElement: f.OfElement, Kind: f.Kind, Outcome: Harmless,
					Host: f.Host, Element: f.Selector(),
				})
			}
			changes[at].add(f, Place{p, n, pairs[p].Path, pairs[p].Device})
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(len(a.Host), 0)-cmp.Compare(len(b.Host), 0),
			cmp.Compare(slices.Index(Outcomes, b.Outcome), slices.Index(Outcomes, a.Outcome)),
			cmp.Compare(len(b.Places), len(a.Places)),
		)
	})
	return changes
}

// add adds a place. The words are those of the first place where the change is as grave as anywhere.
func (c *Change) add(f *Finding, place Place) {
	if o := OutcomeOf(f.Category); len(c.Places) == 0 || worse(c.Outcome, o) != c.Outcome {
		c.Outcome, c.Description, c.Reason = o, f.Description, f.Reason
		c.Places = slices.Insert(c.Places, 0, place)
		return
	}
	if f.Host == "" {
		c.Host = "" // it is a change wherever it is one
	}
	c.Places = append(c.Places, place)
}

// Matters reports whether somebody has to look at the change.
func (c *Change) Matters() bool { return c.Host == "" && c.Outcome != Harmless }
