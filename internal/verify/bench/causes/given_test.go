package causes

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// given are pages in testdata, each with one edit, and what has to be said of it.
var given = map[string]Case{
	"banner":              {Most: 1, Words: []string{"is new"}},
	"card-radius":         {Most: 1, Words: []string{"3 cards", "corner radius 0 → 22px"}},
	"card-shadow":         {Most: 1, Words: []string{"3 cards", "shadow none"}},
	"field-border":        {Most: 1, Words: []string{"border width 1px → 2px"}},
	"one-line-more":       {Most: 1},
	"one-variable":        {Most: 2, Words: []string{"elements"}},
	"placeholder":         {Most: 1},
	"root-font-size":      {Most: 1, Words: []string{"Text is larger everywhere: 16px → 16.8px"}},
	"sections-swapped":    {Most: 1, Words: []string{"now comes before"}},
	"static-testimonials": {Most: 1},
}

// TestGivenPagesAreToldOnce: of pages that were told wrongly once, the edit is one entry, on a wide or narrow screen.
func TestGivenPagesAreToldOnce(t *testing.T) {
	before, after := make(map[string]string), make(map[string]string)
	for name := range given {
		before["/"+name], after["/"+name] = read(t, name, "before.html"), read(t, name, "after.html")
	}
	studio, err := Open(t.Context(), 2, Pages(before), Pages(after))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := studio.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, name := range slices.Sorted(maps.Keys(given)) {
		c := given[name]
		c.Not = falsehoods
		for _, device := range screens(i) {
			j, err := studio.Judge(t.Context(), "/"+name, device)
			if err != nil {
				t.Fatal(err)
			}
			if problem := c.problem(j); problem != "" || j.Changed == 0 {
				t.Errorf("%s on %s: %s (%d pixels differ):\n  %s", name, device, problem, j.Changed, j.Told())
			}
			t.Logf("%s on %s:\n  %s", name, device, j.Told())
		}
	}
}

func read(t *testing.T, name, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
