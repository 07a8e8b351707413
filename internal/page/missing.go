package page

import (
	"fmt"
	"strconv"
	"strings"
)

// MissingKind is why a part of a page is not in its picture.
type MissingKind string

// The kinds.
const (
	MissingScrolled MissingKind = "scrolled" // content of an element that scrolls
	MissingCut      MissingKind = "cut"      // the page is larger than a picture can be
	MissingAside    MissingKind = "aside"    // far beside the page, where only scrolling sideways leads
	MissingHidden   MissingKind = "hidden"   // it was there when the page was scrolled and is not in the picture
	MissingFrame    MissingKind = "frame"    // what a frame holds beyond its window is unknown, or it did not load
	MissingGlyphs   MissingKind = "glyphs"   // no font has these characters
	MissingLoading  MissingKind = "loading"  // it was still loading
	MissingPlaying  MissingKind = "playing"  // it moves and could not be stopped
)

// MaxMissing is how many parts of a page are named at most.
const MaxMissing = 50

// Missing is a part of a page that a reader could see and its picture does not show.
type Missing struct {
	Kind    MissingKind `json:"kind"`
	Element string      `json:"element,omitempty"` // which one, briefly: "#terms", "div.main"
	Side    string      `json:"side,omitempty"`    // where it is from what is shown: below, right, left, above
	Pixels  int         `json:"pixels,omitempty"`  // rows or columns, by the side
	Text    string      `json:"text,omitempty"`    // what it is: characters, the beginning of a text, what was loading
	// Holds is what an element has out of sight, by which two visits are compared: its texts and pictures line by line, then checksums
	// of what had no room, of how they look and of the files they show. Empty if it cannot be read.
	Holds string `json:"holds,omitempty"`
}

// String is a clause such as "2,868 px of .main below what is shown".
func (m Missing) String() string {
	switch m.Kind {
	case MissingScrolled:
		return fmt.Sprintf("%s of %s are not shown", pixels(m.Pixels), m.Element)
	case MissingCut:
		return fmt.Sprintf("%s %s are cut off", pixels(m.Pixels), place(m.Side))
	case MissingAside:
		return fmt.Sprintf("%s %s are not shown", pixels(m.Pixels), place(m.Side))
	case MissingHidden:
		if m.name() == "" {
			return fmt.Sprintf("%s %s are visible only at some scroll positions, and not all of them are in the picture",
				pixels(m.Pixels), place(m.Side))
		}
		return fmt.Sprintf("%s is visible only at some scroll positions, and is not in the picture", m.name())
	case MissingFrame:
		if m.Text != "" {
			return fmt.Sprintf("%s did not load (%s)", m.Element, m.Text)
		}
		return fmt.Sprintf("the content of %s outside its visible area is unknown", m.Element)
	case MissingGlyphs:
		return fmt.Sprintf("no font has the characters %s", m.Text)
	case MissingPlaying:
		return fmt.Sprintf("the animation of %s could not be stopped", m.Element)
	case MissingLoading:
		return fmt.Sprintf("%s were still loading", m.Text)
	}
	return fmt.Sprintf("%s is not shown", m.name())
}

func (m Missing) name() string {
	if m.Text != "" {
		return strconv.Quote(m.Text)
	}
	return m.Element
}

func place(side string) string {
	switch side {
	case "left":
		return "to the left"
	case "right":
		return "to the right"
	case "above":
		return "above"
	}
	return "below"
}

// pixels is a number with commas between its thousands.
func pixels(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " px"
}

// maxClauses is how many parts of a page one sentence names.
const maxClauses = 3

// WhatIsMissing says it in one clause; "" for nothing.
func WhatIsMissing(parts []Missing) string {
	clauses := make([]string, 0, maxClauses+1)
	for i, m := range parts {
		if i == maxClauses {
			clauses = append(clauses, fmt.Sprintf("and %d more", len(parts)-i))
			break
		}
		clauses = append(clauses, m.String())
	}
	return strings.Join(clauses, ", ")
}

// WhatNoneShows says in one clause what two pictures of a page do not show; "" for nothing. What only one of them lacks cannot be
// compared either, and is told with the side that lacks it. What both elements hold out of sight is compared by its words and looks,
// and changes of it are told by [Compare].
func WhatNoneShows(before, after []Missing) string {
	_, before, after = pairOutOfSight(before, after)
	switch was, is := WhatIsMissing(before), WhatIsMissing(after); {
	case was == is:
		return is
	case is == "":
		return was + " (before)"
	case was == "":
		return is + " (after)"
	default:
		return is + "; before: " + was
	}
}
