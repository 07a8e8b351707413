package vcd

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Limits of traces.
const (
	maxAssetChanges = 60
	maxMarkedRegion = 20  // the largest regions
	maxMarks        = 16  // of one region
	maxMark         = 80  // bytes of a class or an id
	maxMarkAddress  = 300 // bytes of an address
	maxAncestors    = 8   // of an element whose marks count for it
)

// Traces are what changed of a page that tells where a change comes from: they lead to what was updated.
type Traces struct {
	Assets  []AssetChange `json:"assets,omitempty"`
	Regions []RegionMarks `json:"regions,omitempty"`
}

// AssetChange is a script or style that is loaded from another address, or is new, or is not loaded any more.
type AssetChange struct {
	Kind   string `json:"kind"`   // see PageAsset
	Before string `json:"before"` // empty when it is new
	After  string `json:"after"`  // empty when it is gone
}

// RegionMarks are the classes, ids and addresses by which the elements of a changed region can be told, in lower case.
type RegionMarks struct {
	Region  int      `json:"region"`
	Marks   []string `json:"marks,omitempty"`   // classes, and ids with a # before them
	Sources []string `json:"sources,omitempty"` // addresses of what the elements show
}

// TracesOf finds the traces of a change between two visits of a page. It is nil when there are none. What is not known of a page
// leaves none.
func TracesOf(before, after *PageContent, regions []ChangedRegion) *Traces {
	t := &Traces{}
	if before != nil && after != nil && len(before.Assets) > 0 { // an older capture did not tell them
		t.Assets = compareAssets(before.Assets, after.Assets)
	}
	for _, r := range largest(regions) {
		m := RegionMarks{Region: r.ID}
		for _, page := range []*PageContent{after, before} {
			if page != nil {
				m.add(page, r.Box())
			}
		}
		if len(m.Marks)+len(m.Sources) > 0 {
			t.Regions = append(t.Regions, m)
		}
	}
	if len(t.Assets)+len(t.Regions) == 0 {
		return nil
	}
	return t
}

func largest(regions []ChangedRegion) []ChangedRegion {
	sorted := slices.SortedStableFunc(slices.Values(regions), func(a, b ChangedRegion) int { return cmp.Compare(b.Pixels, a.Pixels) })
	return sorted[:min(len(sorted), maxMarkedRegion)]
}

// compareAssets pairs assets that differ only in what changes from version to version: their query, and numbers and hashes in
// their names.
func compareAssets(before, after []PageAsset) []AssetChange {
	was, is := byPattern(before), byPattern(after)
	keys := slices.Sorted(maps.Keys(was))
	for key := range is {
		if _, both := was[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var changes []AssetChange
	for _, key := range keys {
		old, present := lacking(was[key], is[key]), lacking(is[key], was[key])
		for i := range max(len(old), len(present)) {
			c := AssetChange{}
			if i < len(old) {
				c.Kind, c.Before = old[i].Kind, ellipsis(old[i].URL, maxMarkAddress)
			}
			if i < len(present) {
				c.Kind, c.After = present[i].Kind, ellipsis(present[i].URL, maxMarkAddress)
			}
			if len(changes) < maxAssetChanges {
				changes = append(changes, c)
			}
		}
	}
	return changes
}

func byPattern(assets []PageAsset) map[string][]PageAsset {
	groups := make(map[string][]PageAsset)
	for _, a := range assets {
		key := a.Kind + " " + patternOfAddress(a.URL)
		groups[key] = append(groups[key], a)
	}
	return groups
}

// lacking are the assets that are not among the others.
func lacking(assets, others []PageAsset) []PageAsset {
	return slices.DeleteFunc(slices.Clone(assets), func(a PageAsset) bool { return slices.Contains(others, a) })
}

// add takes the marks of the smallest element that covers the box and of the ones around it, and of the largest within.
func (m *RegionMarks) add(page *PageContent, box Box) {
	around := page.covering(box)
	for range maxAncestors {
		if around == nil {
			break
		}
		m.take(around)
		around = page.parentOf(around)
	}
	if inside := page.largestIn(box); inside != nil {
		m.take(inside)
	}
}

func (p *PageContent) parentOf(e *PageElement) *PageElement {
	if e.Parent < 0 || e.Parent >= e.Number { // an ancestor comes first
		return nil
	}
	return &p.Elements[e.Parent]
}

// largestIn is the largest element of those of which most lies in the box, and at least a quarter of the box.
func (p *PageContent) largestIn(box Box) *PageElement {
	var found *PageElement
	for i := range p.Elements {
		e := &p.Elements[i]
		common, size := e.Box.common(box), e.Box.Width*e.Box.Height
		if 2*common > size && 4*common >= box.Width*box.Height && (found == nil || size > found.Box.Width*found.Box.Height) {
			found = e
		}
	}
	return found
}

// common is how many pixels two boxes share.
func (b Box) common(other Box) int {
	width := min(b.X+b.Width, other.X+other.Width) - max(b.X, other.X)
	height := min(b.Y+b.Height, other.Y+other.Height) - max(b.Y, other.Y)
	return max(0, width) * max(0, height)
}

func (m *RegionMarks) take(e *PageElement) {
	mark := func(word string) {
		if word = strings.ToLower(word); len(word) > 1 && len(word) <= maxMark && len(m.Marks) < maxMarks && !slices.Contains(m.Marks, word) {
			m.Marks = append(m.Marks, word)
		}
	}
	if last := e.Selector[strings.LastIndexAny(e.Selector, " >")+1:]; strings.HasPrefix(last, "#") {
		mark(last)
	}
	for _, class := range strings.Fields(e.Classes) {
		mark(class)
	}
	if source := ellipsis(e.Source, maxMarkAddress); source != "" && !strings.HasPrefix(source, "data:") && len(m.Sources) < maxMarks && !slices.Contains(m.Sources, source) {
		m.Sources = append(m.Sources, source)
	}
}
