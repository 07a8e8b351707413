package vcd

import "testing"

func TestTheGravestFinding(t *testing.T) {
	in := func(region int, category Category, confidence float64) Finding {
		return Finding{FoundChange: FoundChange{Category: category}, Regions: []int{region}, Confidence: confidence}
	}
	tests := map[string]struct {
		v    Verification
		want int // the region; 0 for none
	}{
		"nothing":  {Verification{Status: VerificationVerified}, 0},
		"all good": {Verification{Status: VerificationVerified, Findings: []Finding{in(1, CategoryAllGood, 1)}}, 0},
		"an alert among others": {Verification{Status: VerificationVerified,
			Findings: []Finding{in(1, CategoryNotSure, 1), in(2, CategoryAlert, 0), in(3, "", 0)}}, 2},
		"the more confident of two": {Verification{Status: VerificationFailed,
			Findings: []Finding{in(1, CategoryAlert, 0.6), in(2, CategoryAlert, 0.9)}}, 2},
		"of a comparison not judged": {Verification{Status: VerificationSkipped, Findings: []Finding{in(1, CategoryAlert, 1)}}, 0},
		"of a blank page": {Verification{Status: VerificationVerified, Issue: IssueAfterBlank,
			Findings: []Finding{in(1, CategoryAlert, 1)}}, 0},
	}
	for name, tt := range tests {
		got := 0
		if f := tt.v.Gravest(); f != nil {
			got = f.Regions[0]
		}
		if got != tt.want {
			t.Errorf("%s: region %d, want %d", name, got, tt.want)
		}
	}
}

// TestTheSummaryCountsChanges: a change is one, however many regions show it, and the gravest is told.
func TestTheSummaryCountsChanges(t *testing.T) {
	found := func(category Category, says string, regions ...int) Finding {
		return Finding{FoundChange: FoundChange{Category: category}, Description: says, Regions: regions}
	}
	tests := map[string]struct {
		v    Verification
		want string
	}{
		"several findings in a region": {Verification{Findings: []Finding{
			found(CategoryAllGood, "The date moved on.", 1), found(CategoryAlert, "The price changed.", 1),
			found(CategoryNotSure, "The button is red.", 2), found(CategoryAllGood, "A clock.", 3)}},
			"2 changes to review, 1 alert among them, and 2 harmless. The price changed."},
		"a finding in two regions": {Verification{Page: "Visit", Longer: 31,
			Findings: []Finding{found(CategoryAlert, "The footer is gone.", 1, 2)}},
			"1 change to review on Visit, an alert; the page is 31 px longer. The footer is gone."},
		"alerts only": {Verification{Longer: -9, Findings: []Finding{found(CategoryAlert, "The footer is gone.", 1),
			found(CategoryAlert, "The menu is gone.", 2)}},
			"2 changes to review, all of them alerts; the page is 9 px shorter. The footer is gone."},
		"too small for a region": {Verification{Findings: []Finding{
			found(CategoryAllGood, "The date moved on.", 1), found(CategoryNotSure, "Unexplained: 3 px differ.")}},
			"1 change to review, and 1 harmless. Unexplained: 3 px differ."},
		"the one that says most": {Verification{Findings: []Finding{
			found(CategoryNotSure, "Something moved."),
			{FoundChange: FoundChange{Category: CategoryNotSure}, Weight: 7, Description: "A price."}}},
			"2 changes to review. A price."},
		"the console": {Verification{Console: &ConsoleVerdict{Category: CategoryAlert, Description: "A script fails."}},
			"1 change of the browser console to review, an alert. A script fails."},
		"beyond the limits": {Verification{LeftOut: 2, Unlisted: Unlisted{Count: 1, Pixels: 9}, Findings: []Finding{
			found(CategoryAllGood, "The date moved on.", 1)}},
			"1 harmless change. The date moved on. 2 further regions not examined. 1 further change (9 px) not listed."},
		"nothing": {Verification{}, "No change was found."},
	}
	for name, tt := range tests {
		if tt.v.Summarize(); tt.v.Summary != tt.want {
			t.Errorf("%s: %q, want %q", name, tt.v.Summary, tt.want)
		}
	}
}
