package review

import (
	"strings"
	"testing"

	"afterimage/vcd"
)

// TestARuleSaysWhatItDoesNotCover: of a region with many changes a rule takes the gravest, which come first, and says how many others
// there are.
func TestARuleSaysWhatItDoesNotCover(t *testing.T) {
	found := []*vcd.Finding{{Description: "A notice appeared.", Ruled: vcd.CategoryNotSure}}
	for len(found) < maxRuleChanges+3 {
		found = append(found, &vcd.Finding{Description: strings.Repeat("long ", 99), Ruled: vcd.CategoryAllGood})
	}
	for n, want := range map[int]string{
		1: "A notice appeared.", 2: "A notice appeared. And 1 other change of the region.",
		maxRuleChanges:     "A notice appeared. And 7 other changes of the region.",
		maxRuleChanges + 1: "A notice appeared. And 7 other changes of the region. Not covered: 1 less severe change of it.",
		maxRuleChanges + 3: "A notice appeared. And 7 other changes of the region. Not covered: 3 less severe changes of it.",
	} {
		changes, worst, says := changesOf(found[:n])
		if len(changes) != min(n, maxRuleChanges) || worst != vcd.CategoryNotSure || says != want {
			t.Errorf("of %d findings: %d changes, %s, %q", n, len(changes), worst, says)
		}
	}
	if _, _, says := changesOf(found[1:]); len(says) > maxRuleDescription+len("…") || !strings.HasSuffix(says, "of it.") {
		t.Errorf("a long description: %d bytes, %q", len(says), says)
	}
}
