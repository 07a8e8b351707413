package imgdiff

// What still counts as a blank page.
const (
	// blankLevels is how far a channel may lie from the first pixel's:
	// compression or dithering noise, invisible to a person.
	blankLevels = 3
	// blankSpecks is how many pixels may lie further away. Any legible
	// glyph has more.
	blankSpecks = 8
)

// Blank tells whether an encoded picture is completely blank: one colour, up
// to noise of 3 levels a channel and 8 stray pixels. Errors unwrap to
// ErrFormat, ErrCorrupt or ErrTooLarge.
func Blank(data []byte) (bool, error) {
	p, err := decode(data, DefaultMaxPixels)
	if err != nil {
		return false, err
	}
	return isBlank(p), nil
}

// isBlank is Blank for a decoded picture.
func isBlank(p *picture) bool {
	first := p.row(0)[:p.bpp]
	specks := 0
	for y := range p.height {
		row := p.row(y)
		for x := 0; x < p.width*p.bpp; x += p.bpp {
			if !near(first, row[x:x+p.bpp]) {
				specks++
				if specks > blankSpecks {
					return false
				}
			}
		}
	}
	return true
}

// near tells whether every channel of two pixels is within blankLevels.
func near(a, b []byte) bool {
	for i := range b {
		if d := int(a[i]) - int(b[i]); d > blankLevels || d < -blankLevels {
			return false
		}
	}
	return true
}
