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

// TestTheSummaryCountsWhatTheFiguresCount: a reader compares the sentence with the figures beside it.
func TestTheSummaryCountsWhatTheFiguresCount(t *testing.T) {
	found := func(category Category, says string, regions ...int) Finding {
		return Finding{FoundChange: FoundChange{Category: category}, Description: says, Regions: regions}
	}
	tests := map[string]struct {
		v    Verification
		want string
	}{
		"several findings in a region": {Verification{Findings: []Finding{
			found(CategoryAllGood, "The date moved on.", 1), found(CategoryAlert, "The price changed.", 1),
			found(CategoryAlert, "The button is gone.", 2), found(CategoryAllGood, "A clock.", 3)}},
			"2 of 3 regions need attention. The price changed."},
		"a finding in two regions": {Verification{Findings: []Finding{found(CategoryAlert, "The footer is gone.", 1, 2)}},
			"2 of 2 regions need attention. The footer is gone."},
		"too small for a region": {Verification{Findings: []Finding{
			found(CategoryAllGood, "The date moved on.", 1), found(CategoryNotSure, "Unexplained: 3 px differ.")}},
			"1 region without a fault, 1 of 1 smaller change may need attention. Unexplained: 3 px differ."},
		"the console": {Verification{Console: &ConsoleVerdict{Category: CategoryAlert, Description: "A script fails."}},
			"1 of 1 change of the browser console needs attention. A script fails."},
		"beyond the limits": {Verification{LeftOut: 2, Unlisted: Unlisted{Count: 1, Pixels: 9}, Findings: []Finding{
			found(CategoryAllGood, "The date moved on.", 1)}},
			"1 region without a fault. The date moved on. 2 regions more were not looked at. 1 change more (9 px) are not listed."},
		"nothing": {Verification{}, "No change was found."},
	}
	for name, tt := range tests {
		if tt.v.Summarize(); tt.v.Summary != tt.want {
			t.Errorf("%s: %q, want %q", name, tt.v.Summary, tt.want)
		}
	}
}
