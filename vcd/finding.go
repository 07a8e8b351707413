package vcd

import (
	"cmp"
	"slices"

	"afterimage/internal/page"
)

// Finding is one change of one element, with the verdict on it.
type Finding struct {
	FoundChange
	Description string `json:"description"`
	// BoxBefore and BoxAfter are where it is in each picture; nil where it is not.
	BoxBefore *page.Box `json:"box_before,omitempty"`
	BoxAfter  *page.Box `json:"box_after,omitempty"`
	Regions   []int     `json:"regions"` // ids of the changed regions in which it lies; none when it is too small for one
	Weight    float64   `json:"weight"`  // how much it says about a region, among findings of the same category
	Ruled     Category  `json:"ruled"`   // the category before feedback rules
	Judge     Judge     `json:"judge"`
	Reason    string    `json:"reason"`
	// Confidence is that of the verdict, 0 to 1.
	Confidence float64 `json:"confidence"`
	// Certain reports that no model may lower the category.
	Certain bool `json:"certain,omitempty"`
	RuleID  *ID  `json:"rule,omitempty"` // the feedback rule that matched it
	// Error is what kind of error message it shows, as in "a PHP error"; empty for none.
	Error string `json:"error,omitempty"`

	// Members are the elements of a change that a few share, at most MaxMembers; none when it is that of one, or of more.
	Members      []*page.ElementIdentity `json:"members,omitempty"`
	Cause        *Cause                  `json:"cause,omitempty"`        // nil when the change is that of one element
	Consequences *Consequences           `json:"consequences,omitempty"` // nil when nothing follows from it, or when that is not known
}

// MaxMembers is of how many elements that share a change each is identified: feedback rules made of some of them may know all.
const MaxMembers = 24

// Cause is what several elements have in common that changed alike.
type Cause struct {
	Elements int         `json:"elements"`           // how many changed so
	Touched  int         `json:"touched,omitempty"`  // how many look different by it, with those that inherit it
	Variable string      `json:"variable,omitempty"` // the custom property that has the changed value; "" for none
	Places   []*page.Box `json:"places,omitempty"`   // where they are in the after image; at most 50
}

// Consequences are what follows from a change and is therefore no change of its own.
type Consequences struct {
	Moved   int    `json:"moved,omitempty"`   // elements that stand elsewhere
	Resized int    `json:"resized,omitempty"` // elements that have another size
	Words   string `json:"words"`             // as in "41 elements moved down by 31 px"
}

// Unlisted counts the changes of a comparison beyond those that are listed as findings.
type Unlisted struct {
	Count    int
	Pixels   int      // changed pixels of those known by their pixels only
	Category Category // the worst verdict on them; empty when there are none
}

// RegionVerdict is the verdict on a changed region: that on the gravest of its findings.
type RegionVerdict struct {
	RegionID int
	*Finding
	Findings []*Finding // all of the region, the deciding one first
}

// Regions are the verdicts on changed regions, by id.
func (v *Verification) Regions() []RegionVerdict { return regionsOf(v.Judged()) }

func regionsOf(findings []Finding) []RegionVerdict {
	within := map[int][]*Finding{}
	for i := range findings {
		for _, region := range findings[i].Regions {
			within[region] = append(within[region], &findings[i])
		}
	}
	regions := make([]RegionVerdict, 0, len(within))
	for id, found := range within {
		slices.SortStableFunc(found, byGravity)
		regions = append(regions, RegionVerdict{RegionID: id, Finding: found[0], Findings: found})
	}
	slices.SortFunc(regions, func(a, b RegionVerdict) int { return cmp.Compare(a.RegionID, b.RegionID) })
	return regions
}

// byGravity orders findings by category, the worst first, then by weight, and then by how much of the picture they take.
func byGravity(a, b *Finding) int {
	if a.Category != b.Category {
		if a.Category.Worse(b.Category) == a.Category {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(b.area(), a.area()))
}

// area is that of the larger of its boxes.
func (f *Finding) area() int {
	most := 0
	for _, box := range []*page.Box{f.BoxBefore, f.BoxAfter} {
		if box != nil {
			most = max(most, box.Width*box.Height)
		}
	}
	return most
}

// FindingsIn are the findings in a region, the deciding one first; none when it was not examined.
func (c *Comparison) FindingsIn(region int) []*Finding {
	if c.Verification == nil {
		return nil
	}
	for _, r := range regionsOf(c.Verification.Findings) {
		if r.RegionID == region {
			return r.Findings
		}
	}
	return nil
}
