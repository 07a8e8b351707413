package vcd

import (
	"math"
	"regexp"
	"strconv"
)

// MaxLogoBytes is the largest size of a logo, as it is sent and as it is stored.
const MaxLogoBytes = 512 << 10

// Brand is how an account wants its public pages and reports to look. The zero Brand is Afterimage's own look.
type Brand struct {
	Color Color // of the header and of buttons; empty for Afterimage's own
	Logo  *Logo // nil for none
}

// Empty reports whether nothing of the look was chosen.
func (b *Brand) Empty() bool { return b.Color == "" && b.Logo == nil }

// Logo is a picture as a PNG file.
type Logo struct {
	Width, Height int    // pixels
	Content       []byte // nil where only the size is read
}

// Color is a colour as #rrggbb, in lower case.
type Color string

// The colours of text on a colour.
const (
	Black Color = "#000000"
	White Color = "#ffffff"
)

var colorForm = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// Valid reports whether c has the form of a colour.
func (c Color) Valid() bool { return colorForm.MatchString(string(c)) }

// Ink is the colour of text that is readable on c: black or white, whichever has the higher contrast. That contrast is at least
// 4.58 : 1 for every colour, and so above the 4.5 : 1 that WCAG 2.2 asks of text (criterion 1.4.3).
func (c Color) Ink() Color {
	if c.Contrast(White) >= c.Contrast(Black) {
		return White
	}
	return Black
}

// Contrast is the contrast ratio of two valid colours by WCAG 2.2: from 1 for equal ones to 21 for black and white.
func (c Color) Contrast(other Color) float64 {
	a, b := c.luminance(), other.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// luminance is the relative luminance of a valid colour by WCAG 2.2.
func (c Color) luminance() float64 {
	linear := func(at int) float64 {
		n, _ := strconv.ParseUint(string(c[at:at+2]), 16, 8) // valid colours have only digits there
		s := float64(n) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(1) + 0.7152*linear(3) + 0.0722*linear(5)
}
