package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Backgrounds of large parts whose colours differ by so little that a comparison of pixels does not count it.
const (
	leastLevels  = 3      // of 255, in one channel at least
	mostLevels   = 80     // from here on pixels count whatever the channel: such a background is covered by others
	leastFlat    = 10_000 // pixels
	mostRepaints = 20_000 // elements that are looked at
)

// CompareBackgrounds says which large parts of a page have a background in nearly, but not quite, the same colour; nil for none. It is for
// pages whose pictures differ although no pixel counts as changed.
func CompareBackgrounds(before, after *Visit) *Change {
	if before.Content == nil || after.Content == nil {
		return nil
	}
	was := make(map[string]*Element, len(before.Content.Elements))
	for i := range before.Content.Elements {
		e := &before.Content.Elements[i]
		was[e.Selector] = e
	}
	var largest *Element
	parts := 0
	for i := range after.Content.Elements[:min(len(after.Content.Elements), mostRepaints)] {
		e := &after.Content.Elements[i]
		old := was[e.Selector]
		if old == nil || old.Tag != e.Tag || area(e.Box) < leastFlat {
			continue
		}
		if by := levels(old.Background, e.Background); by < leastLevels || by >= mostLevels {
			continue
		}
		if parts++; largest == nil || area(e.Box) > area(largest.Box) {
			largest = e
		}
	}
	if largest == nil {
		return nil
	}
	c := &Change{Kind: ChangedAppearance, Before: was[largest.Selector].Background, After: largest.Background, Severity: SeverityWarning}
	and := ""
	if parts > 1 {
		and = " and of " + counted(parts-1, "other part", "other parts")
	}
	c.Sentence = fmt.Sprintf("The background of %s%s is %s instead of %s; no pixel differs enough to count.",
		Ellipsis(largest.Selector, maxPageTitle), and, c.After, c.Before)
	return c
}

const mostAppearances = 3 // changes that are told of a page

// Appearance is the change of a page of which only a stricter look at the pixels shows how its elements changed; nil for none.
// Each of the changes is a clause such as “text colour #333333 → #3c3c4a of p.lead”.
func Appearance(changes []string) *Change {
	if len(changes) == 0 {
		return nil
	}
	told := slices.Clone(changes[:min(len(changes), mostAppearances)])
	for i := range told {
		told[i] = Ellipsis(strings.TrimSuffix(told[i], "."), maxPageTitle)
	}
	sentence := strings.Join(told, "; ")
	if more := len(changes) - len(told); more > 0 {
		sentence += "; and " + counted(more, "more change", "more changes")
	}
	return &Change{Kind: ChangedAppearance, Severity: SeverityWarning, Sentence: sentence + ". No pixel differs enough to count."}
}

func area(b Box) int { return b.Width * b.Height }

// levels is by how much two opaque colours differ, in the channel in which they differ most; 0 if one is not opaque.
func levels(a, b string) int {
	was, wasErr := strconv.ParseUint(strings.TrimPrefix(a, "#"), 16, 24)
	is, isErr := strconv.ParseUint(strings.TrimPrefix(b, "#"), 16, 24)
	if wasErr != nil || isErr != nil || len(a) != len("#rrggbb") || len(b) != len("#rrggbb") {
		return 0
	}
	most := 0
	for shift := 0; shift <= 16; shift += 8 {
		d := int(was>>shift&0xff) - int(is>>shift&0xff)
		most = max(most, d, -d)
	}
	return most
}
