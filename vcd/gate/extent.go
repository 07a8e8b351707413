package gate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"afterimage/vcd"
)

// maxRoots is how many roots of a kind are told apart.
const maxRoots = 20

// rootKey tells roots apart. Without a name it stands for all those of a kind that are too many.
type rootKey struct {
	kind Kind
	name string
}

// extent is on which pages of a run a root is.
type extent struct {
	root
	names []string // of the parts that are lost together
	pages map[string]bool
	under *extent // the root that explains it; nil for none
	key   rootKey // what it is told as
}

// extents are the roots of a run.
type extents struct {
	of    map[rootKey]*extent
	on    map[*vcd.Suspect][]*extent
	total int // pages that were compared, as far as they are considered
}

// gather finds on which pages the roots of a run are.
func gather(run Run) *extents {
	all := &extents{of: map[rootKey]*extent{}, on: map[*vcd.Suspect][]*extent{}}
	seen := map[string]bool{}
	for _, s := range run.Suspects {
		seen[s.URLAddress] = true
		if _, plain := fate(s); !plain {
			continue
		}
		for _, r := range rootsOf(s) {
			if e := all.add(r, s.URLAddress); !slices.Contains(all.on[s], e) {
				all.on[s] = append(all.on[s], e)
			}
		}
	}
	if all.total = max(run.Pages, len(seen)); run.More {
		all.total = len(seen) // nothing is known of the others
	}
	all.unite()
	all.limit()
	all.explain()
	return all
}

func (all *extents) add(r root, address string) *extent {
	key := rootKey{r.kind, r.name}
	e := all.of[key]
	if e == nil {
		e = &extent{root: r, names: []string{r.says}, pages: map[string]bool{}, key: key}
		all.of[key] = e
	}
	e.known = e.known || r.known
	e.pages[address] = true
	return e
}

// sorted are the roots, those on most pages first.
func (all *extents) sorted() []*extent {
	return slices.SortedFunc(maps.Values(all.of), func(a, b *extent) int {
		return cmp.Or(cmp.Compare(len(b.pages), len(a.pages)), cmp.Compare(a.kind, b.kind), strings.Compare(a.name, b.name))
	})
}

// unite makes one of the parts that are lost together: those on the same pages, of one kind.
func (all *extents) unite() {
	type alike struct {
		kind       Kind
		own, known bool
		pages      string
	}
	first := map[alike]*extent{}
	for _, e := range all.sorted() {
		if e.kind != StyleSheet && e.kind != Script {
			continue
		}
		key := alike{e.kind, e.own, e.known, strings.Join(slices.Sorted(maps.Keys(e.pages)), " ")}
		if one := first[key]; one != nil {
			one.names = append(one.names, e.says)
			e.key = one.key
		} else {
			first[key] = e
		}
	}
}

// limit tells only the first roots of each kind apart.
func (all *extents) limit() {
	told := map[Kind]map[rootKey]bool{}
	for _, e := range all.sorted() {
		if told[e.kind] == nil {
			told[e.kind] = map[rootKey]bool{}
		}
		if !told[e.kind][e.key] && len(told[e.kind]) == maxRoots {
			e.key.name = ""
			continue
		}
		told[e.kind][e.key] = true
	}
}

// explain puts errors of scripts below a script that is missing wherever they are.
func (all *extents) explain() {
	sorted := all.sorted()
	missing := slices.DeleteFunc(slices.Clone(sorted), func(e *extent) bool { return e.kind != Script })
	for _, e := range sorted {
		if e.kind == ScriptError {
			at := slices.IndexFunc(missing[:min(len(missing), maxRoots)], func(part *extent) bool { return covers(part.pages, e.pages) })
			if at >= 0 {
				e.under = missing[at]
			}
		}
	}
}

func covers(all, some map[string]bool) bool {
	for address := range some {
		if !all[address] {
			return false
		}
	}
	return true
}

// most reports whether a root is on most of the pages.
func (all *extents) most(e *extent) bool { return len(e.pages) >= 2 && 2*len(e.pages) >= all.total }

// decide is what is done for a root, on pages that need not be fine.
func (all *extents) decide(e *extent, rules *Rules) Decision {
	rule := rules.NotSure
	switch e.kind {
	case ErrorText:
		rule = rules.Alert
	case StyleSheet, Script, MixedContent:
		rule = rules.Part
	case ScriptError:
		rule = rules.Error
	}
	if rule != ByExtent {
		return rule
	}
	if e.own && (e.known || e.kind == ScriptError) && all.most(e) {
		return RollBack
	}
	return Ask
}
