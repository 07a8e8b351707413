package vcd

import "cmp"

// Gravity is the worst verdict on anything that a comparison shows. A page that became blank and an alarm beside the pixels are
// alerts; what nobody judged is not sure.
func (c *Comparison) Gravity() Category {
	v := c.Verification
	switch {
	case c.alarmsAnyway() || v != nil && v.Issue == IssueAfterBlank:
		return CategoryAlert
	case v == nil || len(v.Judged()) == 0:
		return CategoryNotSure
	}
	worst := CategoryAllGood
	for _, f := range v.Judged() {
		worst = worst.Worse(f.Category)
	}
	if v.Unlisted.Count > 0 {
		worst = worst.Worse(v.Unlisted.Category)
	}
	if v.LeftOut > 0 {
		worst = worst.Worse(CategoryNotSure)
	}
	if v.Console != nil {
		worst = worst.Worse(v.Console.Category)
	}
	return worst
}

// GravestFirst orders comparisons by gravity, and equally grave ones by the percentage that is judged.
func GravestFirst(a, b *Comparison) int {
	if is, other := a.Gravity(), b.Gravity(); is != other {
		if is.Worse(other) == is {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.JudgedPercent(), a.JudgedPercent())
}
