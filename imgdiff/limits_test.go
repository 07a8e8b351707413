package imgdiff

import (
	"errors"
	"image/color"
	"runtime"
	"testing"
	"time"
)

// TestRefusesCheaply: what is refused costs neither time nor memory.
func TestRefusesCheaply(t *testing.T) {
	for name, bad := range badFiles(t) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := spent(t)
		_, err := Compare(t.Context(), bad.data, append([]byte(nil), append(bad.data, 0)...), DefaultOptions())
		took := spent(t) - start
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 {
			t.Errorf("%s: %d bytes allocated before it was refused", name, allocated)
		}
		if took > 200*time.Millisecond {
			t.Errorf("%s: refused after %v of a processor", name, took)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	page := encode(t, newCanvas(9, 9, color.NRGBA{1, 2, 3, 255}))
	for _, o := range []Options{{Threshold: -0.1}, {Threshold: 1.1}, {MaxPixels: -1}} {
		if _, err := Compare(t.Context(), page, page, o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: error %v", o, err)
		}
		if _, err := CompareImages(t.Context(), nil, nil, o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v for images: error %v", o, err)
		}
	}
	if _, err := CompareImages(t.Context(), nil, newCanvas(1, 1, white).NRGBA, DefaultOptions()); !errors.Is(err, ErrFormat) {
		t.Errorf("no image: error %v", err)
	}
	if _, err := Compare(t.Context(), page, page, Options{MaxPixels: 80}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("81 pixels where 80 are allowed: error %v", err)
	}
	wide, tall := encode(t, newCanvas(400, 1, white)), encode(t, newCanvas(1, 400, white))
	if _, err := Compare(t.Context(), wide, tall, Options{MaxPixels: 10_000}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a union above the limit: error %v", err)
	}
}

// TestMemoryStaysFlat: comparisons leave nothing behind.
func TestMemoryStaysFlat(t *testing.T) {
	r := newRand(77)
	before, after := textPair(r)
	a, b := encode(t, before), encode(t, after)
	live := func(rounds int) uint64 {
		for range rounds {
			if _, err := Compare(t.Context(), a, b, DefaultOptions()); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.GC() // pools are emptied at the second
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	first := live(500)
	last := live(10_000)
	if last > first+1<<20 {
		t.Errorf("%d bytes live after 500 comparisons, %d after 10,000 more", first, last)
	}
}
