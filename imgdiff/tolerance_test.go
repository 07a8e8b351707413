package imgdiff

import (
	"math"
	"testing"

	"afterimage/imgdiff/internal/pixelmatch"
)

// TestToleranceIsSafe: colours within the tolerance never exceed the limit.
func TestToleranceIsSafe(t *testing.T) {
	r := newRand(5)
	for _, threshold := range []float64{0, 0.01, 0.05, 0.1, 0.3, 1} {
		limit := pixelmatch.MaxDelta * threshold * threshold
		for _, bpp := range []int{3, 4} {
			within := newTolerance(limit, bpp)
			passed := 0
			for range 200_000 {
				a := r.Uint64()
				var b uint64
				for shift := 0; shift < 64; shift += 8 {
					level := int(a>>shift&0xff) + r.IntN(61) - 30
					b |= uint64(min(max(level, 0), 255)) << shift
				}
				if !within.holds(a, b) {
					continue
				}
				passed++
				p, q := uint32(a), uint32(b)
				delta := pixelmatch.Delta(p|pixelmatch.Opaque, q|pixelmatch.Opaque)
				if bpp == 4 {
					delta = pixelmatch.DeltaBlended(p, q, 4*r.IntN(10_000))
				}
				if delta > limit {
					t.Fatalf("threshold %v: %08x and %08x pass though they differ by %v", threshold, p, q, delta)
				}
			}
			if threshold >= 0.1 && passed == 0 {
				t.Errorf("threshold %v: nothing passes", threshold)
			}
		}
	}
	if math.Abs(pixelmatch.YIQ(255, 255, 255)-32857.13) > 0.01 {
		t.Errorf("white against black is %v", pixelmatch.YIQ(255, 255, 255))
	}
}
