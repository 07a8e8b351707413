package causes

import (
	"encoding/json"
	"os"
	"testing"

	"afterimage/capture"
	"afterimage/internal/findings"
	"afterimage/vcd"
)

// rulesOfThePast are feedback rules as former versions stored them, one for each change that they found on the sample site, when each
// element with another colour was a change and fingerprints were made of elements.
func rulesOfThePast(t *testing.T) map[string][]*vcd.FeedbackRule {
	t.Helper()
	text, err := os.ReadFile("testdata/accepted.json")
	if err != nil {
		t.Fatal(err)
	}
	var stored []struct {
		Path    string
		Device  vcd.Device
		Changes []vcd.FoundChange
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		t.Fatal(err)
	}
	rules := make(map[string][]*vcd.FeedbackRule)
	for _, s := range stored {
		for _, c := range s.Changes {
			at := s.Path + " on " + string(s.Device)
			rules[at] = append(rules[at], &vcd.FeedbackRule{
				ID: "rule", Type: vcd.RuleVisual, Device: s.Device, Description: at,
				Region: &vcd.RuleRegion{Changes: []vcd.FoundChange{c}, Category: c.Category},
			})
		}
	}
	return rules
}

// wantAccepted wants all that is found on a page to be silenced by the rules that were made of it in the past; and that what several
// elements share is not silenced by a rule for one of them.
func wantAccepted(t *testing.T, at string, device capture.Device, j *Judged, rules []*vcd.FeedbackRule) {
	t.Helper()
	comparison := &vcd.Comparison{Device: vcd.Device(device)}
	found := findings.Of(j.Pair, j.Result)
	for _, f := range vcd.PassOver(comparison, found, rules) {
		if f.Category != vcd.CategoryAllGood {
			t.Errorf("%s was accepted in the past, and is not any more: %s", at, f.Description)
		}
	}
	for _, rule := range rules {
		for i, f := range vcd.PassOver(comparison, found, []*vcd.FeedbackRule{rule}) {
			if f.RuleID != nil && len(f.Members) > 1 {
				t.Errorf("%s: a rule for one element of %d silences all: %s", at, len(f.Members), found[i].Description)
			}
		}
	}
}
