package vcd

import "testing"

// TestARunSaysHowManyChangesThereAre: a change that many pages show is one to look at.
func TestARunSaysHowManyChangesThereAre(t *testing.T) {
	for want, totals := range map[string]VerificationTotals{
		"12 comparisons: 7 without a change that counts, 2 with harmless changes only, 3 to be looked at for 1 change.": {
			Comparisons: 12, Silenced: 2, Alarmed: 3, Changes: 1},
		"1 comparison: 0 without a change that counts, 1 to be looked at. 1 page now completely blank.": {
			Comparisons: 1, Alarmed: 1, Blank: 1},
		"2 comparisons: 2 without a change that counts.": {Comparisons: 2},
	} {
		if got := totals.Summary(0).Summary; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
