package imgdiff

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"afterimage/imgdiff/internal/pixelmatch"
)

// TestAlignsPairsThatBrokeIt: parts of real pages whose columns were divided at
// the right edge of the page, so that one column was the page itself, aligned
// again and again, and the other was empty.
func TestAlignsPairsThatBrokeIt(t *testing.T) {
	for _, name := range []string{"full-width-column", "empty-column"} {
		t.Run(name, func(t *testing.T) {
			before, after := readPair(t, name)
			var was, is runtime.MemStats
			runtime.ReadMemStats(&was)
			result, err := Compare(t.Context(), before, after, DefaultOptions())
			runtime.ReadMemStats(&is)
			if err != nil {
				t.Fatal(err)
			}
			if !result.Aligned || result.AlignedPercent > result.Percent {
				t.Errorf("aligned %v: %.2f %% of %.2f %% remain", result.Aligned, result.AlignedPercent, result.Percent)
			}
			for _, b := range result.Bands {
				if b.Rows <= 0 || b.X0 >= b.X1 {
					t.Errorf("a band of nothing: %+v", b)
				}
			}
			if allocated := is.TotalAlloc - was.TotalAlloc; allocated > 32<<20 {
				t.Errorf("%d bytes allocated", allocated)
			}
		})
	}
}

// readPair reads a pair of testdata.
func readPair(t *testing.T, name string) (before, after []byte) {
	t.Helper()
	var files [2][]byte
	for i, side := range []string{"before.png", "after.png"} {
		data, err := os.ReadFile(filepath.Join("testdata", "align", name, side))
		if err != nil {
			t.Fatal(err)
		}
		files[i] = data
	}
	return files[0], files[1]
}

// TestColumnsAreNeverEmpty: the edges of columns rise strictly, from the left edge of the
// page to the right.
func TestColumnsAreNeverEmpty(t *testing.T) {
	divided := 0
	for _, name := range []string{"full-width-column", "empty-column"} {
		before, after := readPair(t, name)
		e := newEffort(t.Context())
		a, err := decode(e, before, DefaultMaxPixels)
		if err != nil {
			t.Fatal(err)
		}
		b, err := decode(e, after, DefaultMaxPixels)
		if err != nil {
			t.Fatal(err)
		}
		e.limit = 1 << 40
		al := newAligner(newPair(e, a, b), newTolerance(pixelmatch.MaxDelta*DefaultThreshold*DefaultThreshold, a.bpp))
		whole := gap{span{0, a.height}, span{0, b.height}}
		al.finishBoth(whole)
		for top := 0; top+columnRows < min(a.height, b.height); top += 8 {
			for rows := columnRows; top+rows < min(a.height, b.height); rows += 16 {
				edges := al.columnEdges(gap{span{top, top + rows}, span{top, top + rows + 4*(rows&1)}})
				divided += len(edges) - 2
				for i := range edges[1:] {
					if edges[i] >= edges[i+1] {
						t.Fatalf("%s, rows %d to %d: edges %v", name, top, top+rows, edges)
					}
				}
				if edges[0] != 0 || edges[len(edges)-1] != a.width {
					t.Fatalf("%s, rows %d to %d: edges %v", name, top, top+rows, edges)
				}
			}
		}
	}
	if divided == 0 {
		t.Error("no columns at all")
	}
}
