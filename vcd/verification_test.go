package vcd

import "testing"

func TestTheGravestFinding(t *testing.T) {
	tests := map[string]struct {
		v    Verification
		want int // the region; 0 for none
	}{
		"nothing": {Verification{Status: VerificationVerified}, 0},
		"all good": {Verification{Status: VerificationVerified,
			Findings: []Finding{{RegionID: 1, Category: CategoryAllGood}}}, 0},
		"an alert among others": {Verification{Status: VerificationVerified,
			Findings: []Finding{{RegionID: 1, Category: CategoryNotSure, Confidence: 1}, {RegionID: 2, Category: CategoryAlert},
				{RegionID: 3}}}, 2},
		"the more confident of two": {Verification{Status: VerificationFailed,
			Findings: []Finding{{RegionID: 1, Category: CategoryAlert, Confidence: 0.6}, {RegionID: 2, Category: CategoryAlert,
				Confidence: 0.9}}}, 2},
		"of a comparison not judged": {Verification{Status: VerificationSkipped,
			Findings: []Finding{{RegionID: 1, Category: CategoryAlert}}}, 0},
		"of a blank page": {Verification{Status: VerificationVerified, Issue: IssueAfterBlank,
			Findings: []Finding{{RegionID: 1, Category: CategoryAlert}}}, 0},
	}
	for name, tt := range tests {
		got := 0
		if f := tt.v.Gravest(); f != nil {
			got = f.RegionID
		}
		if got != tt.want {
			t.Errorf("%s: region %d, want %d", name, got, tt.want)
		}
	}
}
