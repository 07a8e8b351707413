package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"afterimage/internal/verify/labelled"
)

// TestSmallForm captures one pair of a few kinds and judges them: what `make bench-verify` does with all of them.
func TestSmallForm(t *testing.T) {
	chosen := map[string]bool{
		"countdown-0": true, "advertisement-2": true, "shuffled products-3": true, "consent banner-1": true,
		"fatal PHP error-0": true, "broken picture-3": true, "unstyled page-0": true, "price of nothing-2": true,
	}
	// What only a history or a probe can tell from content that somebody changed.
	unsure := map[string]bool{"countdown-0": true, "advertisement-2": true, "shuffled products-3": true}
	var pairs []labelled.Pair
	for _, p := range labelled.Pairs() {
		if chosen[p.Name()] {
			pairs = append(pairs, p)
		}
	}
	if len(pairs) != len(chosen) {
		t.Fatalf("%d pairs of %d", len(pairs), len(chosen))
	}
	studio, err := newStudio(t.Context(), 1, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := studio.judgeAll(t.Context(), pairs)
	if cerr := studio.close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	for i := range outcomes {
		o := &outcomes[i]
		if o.result.Harmless() == (o.pair.Kind.Harmful || unsure[o.pair.Name()]) {
			t.Errorf("%s is judged %+v", o.pair.Name(), o.result)
		}
		if o.pair.Kind.Expect != nil && !o.namedRightly() {
			t.Errorf("%s is named %+v", o.pair.Name(), o.result.Verdicts)
		}
		kept, err := studio.known(t.Context(), o.pair) // the browser has ended: it comes from the folder
		if err != nil || len(kept.Regions) != len(o.known.Regions) {
			t.Errorf("%s is kept as %+v (%v)", o.pair.Name(), kept, err)
		}
	}
	document := filepath.Join(t.TempDir(), "report.md")
	if err := os.WriteFile(document, []byte("# Title\n"+marksBegin+"old\n"+marksEnd+"tail\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := replaceTables(document, tables(outcomes)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(document)
	if err != nil || strings.Contains(string(text), "old") || !strings.Contains(string(text), "| fatal PHP error | harmful | 1 | 1 |") ||
		!strings.HasSuffix(string(text), "tail\n") {
		t.Errorf("%s (%v)", text, err)
	}
	if replaceTables(filepath.Join(t.TempDir(), "none.md"), "") == nil {
		t.Error("a document that is not there was written")
	}
}
