package report

import (
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/internal/compare"
)

// TestPagesNotSeenWholeAreNamed at the terminal, in the summary and for CI systems: none of them says equal and no more.
func TestPagesNotSeenWholeAreNamed(t *testing.T) {
	result := compare.Collect("https://example.com", "https://preview.example.com", "E/1", []compare.Pair{
		{Path: "/shop", Device: capture.Desktop, Unseen: "700 px of #strip are not shown"}, {Path: "/", Device: capture.Desktop},
	})
	var printed strings.Builder
	Print(&printed, result)
	for _, words := range []string{
		"/shop on desktop: equal, but not fully captured: 700 px of #strip are not shown", "2 equal (1 not fully captured).",
	} {
		if !strings.Contains(printed.String(), words) {
			t.Errorf("the terminal does not say %q:\n%s", words, printed.String())
		}
	}
	text := markdown(result, Run{FailOn: compare.FailOnUnsure}, nil)
	if !strings.Contains(text, "equal, but not fully captured: 700 px of") {
		t.Errorf("the summary is\n%s", text)
	}
	if document := documentOf(result, Run{FailOn: compare.FailOnUnsure}); document.Pages[0].Unseen == "" || document.Pages[1].Unseen != "" {
		t.Errorf("the pages are %+v", document.Pages)
	}
	if c := caseOf(&result.Pairs[0], compare.FailOnUnsure, false); c.Error != nil || !strings.Contains(c.Output, "but not fully captured") {
		t.Errorf("the case is %+v", c)
	}
	if c := caseOf(&result.Pairs[0], compare.FailOnUnsure, true); c.Error == nil {
		t.Errorf("where all is required the case is %+v", c)
	}
}
