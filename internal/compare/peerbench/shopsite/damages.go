package shopsite

import (
	"fmt"
	"slices"
	"strings"
)

// Damage is a difference that a comparison has to find.
type Damage struct {
	Name  string
	Kind  string // of the change by which it is reported, "" for any
	Words string // in its description
	Pages []int  // where it was planted, none for all
}

// Damages are the planted differences of the preview.
var Damages = []Damage{
	{"price", "", "0.00", []int{3}},
	{"picture that does not load", "", "Picture", []int{5}},
	{"section gone", "vanished", "Related", []int{7}},
	{"promise of delivery", "text_changed", "10 days", []int{9}},
	{"colour of the button", "style_changed", "Add to basket", []int{11}},
	{"error of the server", "", "Fatal error", []int{13}},
	{"link gone", "vanished", "Returns", []int{15}},
	{"other picture", "image_replaced", "Picture", []int{17}},
	{"form field gone", "vanished", "Mail", []int{19}},
	{"missing page", "missing_page", "404", []int{21}},
	{"script error", "console", "totals is not defined", []int{23}},
	{"phone number", "text_changed", "0800 000002", nil},
}

// everywhere is from how many places on a change is one of all pages.
const everywhere = 10

// NamedBy reports whether a change of a report names the damage: by its words, its kind, and the paths where it was found. Changes
// that nobody has to look at name none.
func (d *Damage) NamedBy(kind, description string, paths []string) bool {
	switch {
	case !strings.Contains(description, d.Words), d.Kind != "" && kind != d.Kind:
		return false
	case len(d.Pages) == 0:
		return len(paths) > everywhere
	}
	return slices.Contains(paths, fmt.Sprintf("/p/%d", d.Pages[0]))
}

// has reports whether a page has a planted difference.
func (s *Shop) has(page int, name string) bool {
	for _, d := range Damages {
		if d.Name == name {
			return s.Preview && (len(d.Pages) == 0 && !s.Quiet || slices.Contains(d.Pages, page))
		}
	}
	panic("no planted difference " + name)
}

// or is the one text with a planted difference and the other without.
func (s *Shop) or(page int, name, with, without string) string {
	if s.has(page, name) {
		return with
	}
	return without
}
