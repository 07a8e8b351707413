package culprit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// Limits of traces.
const (
	maxAssetChanges = 60
	maxMarkedRegion = 20  // the largest regions only
	maxMarks        = 16  // per region
	maxMark         = 80  // bytes of a class or an id
	maxMarkAddress  = 300 // bytes of an address
	maxAncestors    = 8   // of an element, whose marks count for it
)

// Trace finds the traces of a change between two visits of a page; nil when there are none. Missing page data leaves no
// traces.
func Trace(before, after *page.Content, regions []vcd.ChangedRegion) *vcd.Traces {
	t := &vcd.Traces{}
	if before != nil && after != nil && len(before.Assets) > 0 { // older captures did not record assets
		t.Assets = compareAssets(before.Assets, after.Assets)
	}
	for _, r := range largest(regions) {
		m := vcd.RegionMarks{Region: r.ID}
		for _, content := range []*page.Content{after, before} {
			if content != nil {
				addMarks(&m, content, r.Box())
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

func largest(regions []vcd.ChangedRegion) []vcd.ChangedRegion {
	sorted := slices.SortedStableFunc(slices.Values(regions), func(a, b vcd.ChangedRegion) int { return cmp.Compare(b.Pixels, a.Pixels) })
	return sorted[:min(len(sorted), maxMarkedRegion)]
}

// compareAssets pairs assets that differ only in what changes between versions: the query, and numbers and hashes in file
// names.
func compareAssets(before, after []page.Asset) []vcd.AssetChange {
	was, is := byPattern(before), byPattern(after)
	keys := slices.Sorted(maps.Keys(was))
	for key := range is {
		if _, both := was[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var changes []vcd.AssetChange
	for _, key := range keys {
		old, present := lacking(was[key], is[key]), lacking(is[key], was[key])
		for i := range max(len(old), len(present)) {
			c := vcd.AssetChange{}
			if i < len(old) {
				c.Kind, c.Before = old[i].Kind, page.Ellipsis(old[i].URL, maxMarkAddress)
			}
			if i < len(present) {
				c.Kind, c.After = present[i].Kind, page.Ellipsis(present[i].URL, maxMarkAddress)
			}
			if len(changes) < maxAssetChanges {
				changes = append(changes, c)
			}
		}
	}
	return changes
}

func byPattern(assets []page.Asset) map[string][]page.Asset {
	groups := make(map[string][]page.Asset)
	for _, a := range assets {
		key := a.Kind + " " + page.AddressPattern(a.URL)
		groups[key] = append(groups[key], a)
	}
	return groups
}

// lacking returns the assets that are not among the others.
func lacking(assets, others []page.Asset) []page.Asset {
	return slices.DeleteFunc(slices.Clone(assets), func(a page.Asset) bool { return slices.Contains(others, a) })
}

// addMarks collects the marks of the smallest element that covers the box, its ancestors, and the largest elements inside it.
func addMarks(m *vcd.RegionMarks, content *page.Content, box page.Box) {
	around := content.Covering(box)
	for range maxAncestors {
		if around == nil {
			break
		}
		takeMarks(m, around)
		around = content.ParentOf(around)
	}
	if inside := content.LargestIn(box); inside != nil {
		takeMarks(m, inside)
	}
}

func takeMarks(m *vcd.RegionMarks, e *page.Element) {
	mark := func(word string) {
		if word = strings.ToLower(word); len(word) > 1 && len(word) <= maxMark && len(m.Marks) < maxMarks &&
			!slices.Contains(m.Marks, word) {
			m.Marks = append(m.Marks, word)
		}
	}
	if last := e.Selector[strings.LastIndexAny(e.Selector, " >")+1:]; strings.HasPrefix(last, "#") {
		mark(last)
	}
	for _, class := range strings.Fields(e.Classes) {
		mark(class)
	}
	if source := page.Ellipsis(e.Source, maxMarkAddress); source != "" && !strings.HasPrefix(source, "data:") &&
		len(m.Sources) < maxMarks && !slices.Contains(m.Sources, source) {
		m.Sources = append(m.Sources, source)
	}
}
