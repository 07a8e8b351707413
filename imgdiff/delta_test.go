package imgdiff

import (
	"math"
	"testing"
)

// TestWholeNumbersOrderBrightness: no two different colour differences have
// the same brightness, so that steps of brightness may be compared as whole
// numbers.
func TestWholeNumbersOrderBrightness(t *testing.T) {
	const most = 2 * 255 // the difference of two differences
	for r := -most; r <= most; r++ {
		for g := -most; g <= most; g++ {
			rest := -(r*yR8 + g*yG8)
			if rest%yB8 != 0 {
				continue
			}
			if b := rest / yB8; b >= -most && b <= most && (r != 0 || g != 0 || b != 0) {
				t.Fatalf("differences %d, %d, %d cancel", r, g, b)
			}
		}
	}
}

// TestToleranceIsSafe: colours within the tolerance never exceed the limit.
func TestToleranceIsSafe(t *testing.T) {
	r := newRand(5)
	for _, threshold := range []float64{0, 0.01, 0.05, 0.1, 0.3, 1} {
		limit := maxDelta * threshold * threshold
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
				delta := colorDelta(p|opaque, q|opaque)
				if bpp == 4 {
					delta = colorDeltaBlended(p, q, 4*r.IntN(10_000))
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
	if math.Abs(yiq(255, 255, 255)-32857.13) > 0.01 {
		t.Errorf("white against black is %v", yiq(255, 255, 255))
	}
}
