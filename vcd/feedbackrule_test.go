package vcd

import (
	"testing"

	"afterimage/internal/page"
)

// TestRulesGoByTheElement: a change that is one for review wherever it is found is silenced only where a rule knows its element, also by
// rules that former versions stored, whose fingerprints were made of elements.
func TestRulesGoByTheElement(t *testing.T) {
	link := func(selector string) *page.ElementIdentity {
		return &page.ElementIdentity{Selector: "html > body > " + selector, Tag: "a", Role: "link", Text: "Timetable of the summer"}
	}
	rule := func(c FoundChange) *FeedbackRule {
		c.Kind, c.Category = "style_changed", CategoryNotSure
		return &FeedbackRule{ID: "rule", Type: RuleVisual, Device: Desktop,
			Region: &RuleRegion{Changes: []FoundChange{c}, Category: CategoryNotSure}}
	}
	header, footer := link("header > a"), link("footer > p > a")
	change := FoundChange{Kind: "style_changed", Category: CategoryNotSure, Fingerprint: "everywhere", OfElement: "in the header"}
	shared := &Cause{Elements: 2}
	both := []*page.ElementIdentity{header, footer}
	for name, c := range map[string]struct {
		rules    []*FeedbackRule
		found    Finding
		silenced bool
	}{
		"a rule of the past": {[]*FeedbackRule{rule(FoundChange{Fingerprint: "in the header"})}, Finding{FoundChange: change}, true},
		"a rule of today": {[]*FeedbackRule{rule(FoundChange{Fingerprint: "everywhere", OfElement: "in the header"})},
			Finding{FoundChange: change}, true},
		"of another element": {[]*FeedbackRule{rule(FoundChange{Fingerprint: "everywhere", OfElement: "in the footer"})},
			Finding{FoundChange: change}, false},
		"of one of two": {[]*FeedbackRule{rule(FoundChange{After: header, Fingerprint: "other"})},
			Finding{FoundChange: FoundChange{Kind: "style_changed", After: header, Fingerprint: "x"}, Cause: shared, Members: both}, false},
		"of each of two": {[]*FeedbackRule{rule(FoundChange{After: header, Fingerprint: "other"}),
			rule(FoundChange{After: footer, Fingerprint: "third"})},
			Finding{FoundChange: FoundChange{Kind: "style_changed", After: header, Fingerprint: "x"}, Cause: shared, Members: both}, true},
		"of the first of many": {[]*FeedbackRule{rule(FoundChange{After: header, Fingerprint: "other"})},
			Finding{FoundChange: FoundChange{Kind: "style_changed", After: header, Fingerprint: "x"}, Cause: &Cause{Elements: 90}}, false},
	} {
		c.found.Category, c.found.Ruled = CategoryNotSure, CategoryNotSure
		judged := PassOver(&Comparison{Device: Desktop}, []Finding{c.found}, c.rules)
		if got := judged[0].RuleID != nil; got != c.silenced {
			t.Errorf("%s: silenced is %v", name, got)
		}
	}
}
