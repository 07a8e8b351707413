package vcd

import (
	"slices"
	"strings"
	"testing"
)

// TestRulesForUpdatesAreChecked: each problem names its field, and the usual rules have none.
func TestRulesForUpdatesAreChecked(t *testing.T) {
	many := slices.Repeat([]string{"cart"}, 51)
	for name, test := range map[string]struct {
		change func(*GateRules)
		want   string // the first field with a problem
	}{
		"the usual":        {func(*GateRules) {}, ""},
		"no pages":         {func(r *GateRules) { r.MustBeFine = nil }, ""},
		"extent of alerts": {func(r *GateRules) { r.Alert = GateByExtent }, "gateRules.alert"},
		"unknown":          {func(r *GateRules) { r.ScriptErrors = "keep" }, "gateRules.scriptErrors"},
		"ignored":          {func(r *GateRules) { r.NotSure, r.FailedResources = GateIgnore, GateIgnore }, ""},
		"a path, a URL":    {func(r *GateRules) { r.MustBeFine = []string{" /Shop/* ", "https://example.com/a?b=1"} }, ""},
		"many pages":       {func(r *GateRules) { r.MustBeFine = many }, "gateRules.mustBeFine"},
		"nothing":          {func(r *GateRules) { r.MustBeFine = []string{"cart", " "} }, "gateRules.mustBeFine.1"},
		"a long one":       {func(r *GateRules) { r.MustBeFine = []string{strings.Repeat("a", 201)} }, "gateRules.mustBeFine.0"},
		"stars":            {func(r *GateRules) { r.MustBeFine = []string{"******"} }, "gateRules.mustBeFine.0"},
		"two words":        {func(r *GateRules) { r.MustBeFine = []string{"my cart"} }, "gateRules.mustBeFine.0"},
		"a control":        {func(r *GateRules) { r.MustBeFine = []string{"my\u202ecart"} }, "gateRules.mustBeFine.0"},
	} {
		rules, v, got := DefaultGateRules(), &Validation{}, ""
		test.change(&rules)
		rules.Check(v, "gateRules")
		if problems := v.Problems(); len(problems) > 0 {
			got = problems[0].Path
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	if got := (GateRules{MustBeFine: []string{" HTTPS://Example.com/A "}}).Tidy().MustBeFine[0]; got != "example.com/a" {
		t.Errorf("%q", got)
	}
}
