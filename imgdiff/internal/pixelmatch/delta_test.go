package pixelmatch

import "testing"

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
