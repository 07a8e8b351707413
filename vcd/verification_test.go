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
