package vcd

import (
	"fmt"
	"math"
	"testing"
)

// TestTextOnEveryColorIsReadable holds the promise of Ink for a grid of all colours.
func TestTextOnEveryColorIsReadable(t *testing.T) {
	lowest := math.Inf(1)
	for r := 0; r <= 255; r += 5 {
		for g := 0; g <= 255; g += 5 {
			for b := 0; b <= 255; b += 5 {
				c := Color(fmt.Sprintf("#%02x%02x%02x", r, g, b))
				lowest = min(lowest, c.Contrast(c.Ink()))
			}
		}
	}
	if lowest < 4.58 {
		t.Errorf("some text has a contrast of only %.3f", lowest)
	}
}

func TestContrast(t *testing.T) {
	for _, c := range []struct {
		a, b Color
		want float64
	}{{Black, White, 21}, {"#777777", White, 4.48}, {"#336699", "#336699", 1}, {"#ff0000", White, 4.0}} {
		if got := c.a.Contrast(c.b); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%s on %s: %.3f, want %.2f", c.a, c.b, got, c.want)
		}
	}
	for c, want := range map[Color]Color{"#3050b5": White, "#ffd800": Black, "#ff0000": Black, "#000080": White} {
		if got := c.Ink(); got != want {
			t.Errorf("on %s: %s, want %s", c, got, want)
		}
	}
}

func TestColorsHaveOneForm(t *testing.T) {
	for _, bad := range []Color{"", "#fff", "#GGGGGG", "#FFFFFF", "red", "#1234567", "#12345", " #123456", "#123456;", "#123456\n"} {
		if bad.Valid() {
			t.Errorf("%q is taken for a colour", bad)
		}
	}
	if !Color("#12ab9f").Valid() {
		t.Error("a colour is refused")
	}
}
