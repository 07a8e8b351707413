package demo

import (
	"strings"
	"testing"
)

func TestTableAlignsAndNamesTheReasons(t *testing.T) {
	var out strings.Builder
	Table(&out, []Row{
		{Name: "Über uns", Device: "desktop", Status: "new", DifferencePercent: 12.345, AlignedPercent: 3.2,
			Summary: "A notice appeared.", Before: "b", After: "a", Difference: "d", Review: "r"},
		{URL: "example.com/x", Device: "mobile", Status: "failed", Error: "The page redirects endlessly."},
	})
	want := `  Page           Device   Changed  In place  Status
  ─────────────  ───────  ───────  ────────  ──────
  Über uns       desktop   3.20 %   12.35 %  new
  example.com/x  mobile         –         –  failed

  Über uns, desktop: new
    A notice appeared.
    difference  d
    review      r

  example.com/x, mobile: failed
    The page redirects endlessly.
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

func TestProgressIsALineAQuarterWhereNobodyWatches(t *testing.T) {
	var out strings.Builder
	b := &bar{out: &out, title: "Working"}
	for done := range 9 {
		b.show(counts{Open: 8 - done, Done: done})
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 || lines[0] != "Working" || !strings.HasSuffix(lines[4], "8 of 8") {
		t.Errorf("printed:\n%s", out.String())
	}
}

func TestPagesAreFoundAgainWhateverTheirScheme(t *testing.T) {
	for _, url := range []string{"http://example.com/a/", "example.com/a", "https://example.com/a"} {
		if got := bare(url); got != "example.com/a" {
			t.Errorf("bare(%s) = %s", url, got)
		}
	}
}
