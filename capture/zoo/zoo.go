// Package zoo is a site of small moving pages that make two screenshots of the same page differ, or a screenshot
// incomplete. Tests of the capture pipeline and benchmarks against other tools capture it.
//
// Each [Page] declares what it shows and what a correct screenshot of it has: required and forbidden colours.
// Everything is made here: the pages are templates in the folder pages, pictures, animations and the font are generated, and
// whatever comes late from the network comes from [Site].
package zoo

import (
	"fmt"
	"image"
	"image/color"
	"slices"
)

// Kind tells what can be asked of two pictures of a page.
type Kind string

// The kinds.
const (
	// Steady pages come to the same picture each time, if the tool has time in its hand.
	Steady Kind = "steady"
	// Restless pages go on changing by the clock or by chance. Pictures differ, but only where the page can be seen to change.
	Restless Kind = "restless"
	// Dealt pages are other at every load and hold still then. Nothing within one load tells where the next will differ.
	Dealt Kind = "dealt"
)

// Page is one page of the zoo. Its address is the site's with the name as path.
type Page struct {
	Name  string
	Shows string // what moves, in a few words
	Kind  Kind
	Has   []Sentinel   // must be in the picture
	Gone  []color.RGBA // must not be in the picture: loaders, placeholders, first frames
}

// Sentinel is a colour that a complete picture of the page has. Pixels count only when they have exactly this colour.
type Sentinel struct {
	Colour color.RGBA
	Least  int // pixels
	Most   int // pixels; 0 = any number. More would be a box that was stretched or painted twice
}

// The palette of all pages. No other colour of any page is one of them.
var (
	content = color.RGBA{11, 122, 75, 255}  // what the page is about
	second  = color.RGBA{194, 87, 26, 255}  // what comes beside or after it
	third   = color.RGBA{36, 88, 184, 255}  // a further part
	last    = color.RGBA{138, 31, 111, 255} // the foot of a long page
	mover   = color.RGBA{212, 160, 23, 255} // what moves for ever
	loader  = color.RGBA{230, 25, 75, 255}  // what a complete picture does not show
)

var colours = map[string]color.RGBA{
	"content": content, "second": second, "third": third, "last": last, "mover": mover, "loader": loader,
}

// has is a sentinel with at least so many pixels.
func has(c color.RGBA, least int) Sentinel { return Sentinel{Colour: c, Least: least} }

// exactly is a sentinel whose pixels are known.
func exactly(c color.RGBA, pixels int) Sentinel {
	return Sentinel{Colour: c, Least: pixels, Most: pixels}
}

// gone makes the list of what must not be there readable in the tables.
func gone(c ...color.RGBA) []color.RGBA { return c }

// Pages are all pages, family by family.
func Pages() []Page {
	return slices.Concat(stylePages, imagePages, mediaPages, scriptPages, loadingPages, scrollPages, layoutPages, framePages, restlessPages)
}

// Find returns the page of a name.
func Find(name string) (Page, error) {
	all := Pages()
	i := slices.IndexFunc(all, func(p Page) bool { return p.Name == name })
	if i < 0 {
		return Page{}, fmt.Errorf("the zoo has no page %q", name)
	}
	return all[i], nil
}

// Faults says what is wrong with a picture of the page: sentinels that are missing, what should be gone. None is good.
func (p Page) Faults(picture *image.RGBA) []string {
	counts := count(picture)
	var faults []string
	for _, s := range p.Has {
		switch n := counts[s.Colour]; {
		case n < s.Least:
			faults = append(faults, fmt.Sprintf("%s has %d pixels, want at least %d", colourName(s.Colour), n, s.Least))
		case s.Most > 0 && n > s.Most:
			faults = append(faults, fmt.Sprintf("%s has %d pixels, want at most %d", colourName(s.Colour), n, s.Most))
		}
	}
	for _, c := range p.Gone {
		if n := counts[c]; n > 0 {
			faults = append(faults, fmt.Sprintf("%s is left over with %d pixels", colourName(c), n))
		}
	}
	return faults
}

func colourName(c color.RGBA) string {
	for name, known := range colours {
		if known == c {
			return name
		}
	}
	return hex(c)
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
