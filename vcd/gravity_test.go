package vcd

import (
	"slices"
	"testing"
)

func TestTheGravestComparisonComesFirst(t *testing.T) {
	judged := func(percent float64, category Category) *Comparison {
		c := &Comparison{Verification: &Verification{Status: VerificationVerified,
			Findings: []Finding{{FoundChange: FoundChange{Category: CategoryAllGood}}, {FoundChange: FoundChange{Category: category}}}}}
		c.Difference.Percent, c.Difference.AlignedPercent = percent, percent
		return c
	}
	plain := func(percent float64) *Comparison {
		c := &Comparison{}
		c.Difference.Percent, c.Difference.AlignedPercent = percent, percent
		return c
	}
	alarm := plain(0)
	alarm.PageAlarm = true
	blank := judged(30, CategoryAllGood)
	blank.Verification.Issue = IssueAfterBlank
	console := judged(2, CategoryAllGood)
	console.Verification.Console = &ConsoleVerdict{Category: CategoryAlert}
	leftOut := judged(3, CategoryAllGood)
	leftOut.Verification.LeftOut = 1
	unlisted := judged(1, CategoryNotSure)
	unlisted.Verification.Unlisted = Unlisted{Count: 1, Category: CategoryAlert}
	want := []*Comparison{blank, judged(7, CategoryAlert), console, unlisted, alarm, judged(60, CategoryNotSure), plain(50), leftOut,
		judged(90, CategoryAllGood)}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, GravestFirst)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("number %d is %s of %v %%, want %s of %v %%", i+1, got[i].Gravity(), got[i].JudgedPercent(), want[i].Gravity(),
				want[i].JudgedPercent())
		}
	}
}
