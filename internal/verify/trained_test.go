package verify

import (
	"image"
	"strings"
	"testing"

	"afterimage/internal/page"
)

// TestTheTrainedJudgeFits: the stored weights are of the features that the code has, and features have names of their own.
func TestTheTrainedJudgeFits(t *testing.T) {
	judge, err := BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	if judge.Harmless <= 0 || judge.Harmless >= 0.5 {
		t.Errorf("it decides up to %v", judge.Harmless)
	}
	known := make(map[string]bool)
	for _, f := range features {
		if known[f.name] || f.of == nil {
			t.Errorf("the feature %q is there twice, or not at all", f.name)
		}
		known[f.name] = true
	}
}

// TestTheTrainedJudge: a slide in a part without any telling name is harmless with a sentence; a number that does not say that
// it changes, or a control, is never called harmless by likeness alone.
func TestTheTrainedJudge(t *testing.T) {
	for _, test := range []struct{ before, after, role string }{
		{"Maximum speed 120", "Maximum speed 12", "paragraph"}, {"12 in stock", "3 in stock", "listitem"}, {"Order", "Cancel", "button"},
	} {
		s := &scene{view: &view{}, Finding: &Finding{Change: TextChanged, Before: test.before, After: test.after, at: -1,
			Element: &page.Element{Role: test.role}}}
		if !s.content() {
			t.Errorf("%q to %q is no content", test.before, test.after)
		}
	}
	judge, err := BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	before, after := withElements(append(section(100, "x1", "Our rooms"), picture(140, "/a.jpg"))...),
		withElements(append(section(100, "x1", "Our rooms"), picture(140, "/b.jpg"))...)
	found, err := Undecideds(t.Context(), &Pair{Before: before, After: after, Regions: []Region{region(1, 100, 150, 500, 290)}})
	if err != nil || len(found) != 1 || len(found[0].Values) != len(features) || found[0].Box != image.Rect(100, 140, 500, 290) {
		t.Fatalf("%+v (%v)", found, err)
	}
	if p := judge.Model.Probability(found[0].Values); p <= 0 || p >= 1 {
		t.Errorf("the probability is %v", p)
	}
	if text := judge.reasons(found[0].Values); text == "" || strings.Contains(text, "  ") {
		t.Errorf("the reasons are %q", text)
	}
	if text := judge.reasons(make([]float32, len(features))); text != "all of it together" {
		t.Errorf("the reasons of nothing are %q", text)
	}
}
