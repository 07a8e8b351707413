package vcd

import "testing"

// TestARunSaysHowManyChangesThereAre: a change that many pages show is one to look at.
func TestARunSaysHowManyChangesThereAre(t *testing.T) {
	for want, totals := range map[string]VerificationTotals{
		"12 comparisons: 7 without relevant changes, 2 with harmless changes only, 3 to review for 1 change.": {
			Comparisons: 12, Silenced: 2, Alarmed: 3, Changes: 1},
		"4 comparisons: 1 without relevant changes, 3 to review for 2 changes. Picture “Hedge” is gone.": {
			Comparisons: 4, Alarmed: 3, Changes: 2, Gravest: "Picture “Hedge” is gone."},
		"1 comparison: 0 without relevant changes, 1 to review. 1 page now completely blank.": {
			Comparisons: 1, Alarmed: 1, Blank: 1},
		"2 comparisons: 2 without relevant changes.":                                                       {Comparisons: 2},
		"2 comparisons: 2 without relevant changes. In 1 comparison, a part of the page was not captured.": {Comparisons: 2, Unseen: 1},
	} {
		if got := totals.Summary(0).Summary; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
