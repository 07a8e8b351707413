package dom

import (
	"fmt"
	"math"
)

// Contrast is the contrast of an element's text with the nearest background behind it, 1 to 21; 0 when unknown.
func (t *Tree) Contrast(i int) float64 {
	e := t.Element(i)
	background := [3]float64{1, 1, 1}
	for up := i; up >= 0; up = t.Parent(up) {
		colour := t.Element(up).Background
		if rgb, ok := parseColour(colour); ok {
			background = rgb
			break
		}
		if colour != "" {
			return 0 // semi-transparent, or in another notation
		}
	}
	text, ok := parseColour(e.Color)
	if e.Color == "" && e.Font != "" {
		return 1 // the text is transparent
	}
	if !ok {
		return 0
	}
	light, dark := luminance(text), luminance(background)
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

// parseColour parses #rrggbb to values from 0 to 1.
func parseColour(s string) (rgb [3]float64, ok bool) {
	var r, g, b int
	if len(s) != len("#rrggbb") {
		return rgb, false
	}
	if n, err := fmt.Sscanf(s, "#%02x%02x%02x", &r, &g, &b); n != 3 || err != nil {
		return rgb, false
	}
	return [3]float64{float64(r) / 255, float64(g) / 255, float64(b) / 255}, true
}

// luminance is the relative luminance of an sRGB colour.
func luminance(rgb [3]float64) float64 {
	for i, c := range rgb {
		if c <= 0.04045 {
			rgb[i] = c / 12.92
		} else {
			rgb[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
}
