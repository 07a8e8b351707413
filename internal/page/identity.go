package page

import (
	"math"
	"strings"
	"unicode"
)

// Weights of what tells that two elements are the same one, and what share of them it takes. Selectors count steps of their
// path, since a banner that is inserted renumbers one step of every path below it; the text around an element tells it from
// others of its kind; the place counts across the page only, since what comes and goes above pushes everything down.
const (
	weightPath     = 2.0
	weightText     = 1.5
	weightContext  = 1.5
	weightPlace    = 0.5 // of each: left edge, width, height
	identicalShare = 0.85
	placeTolerance = 4   // pixels
	sizeTolerance  = 0.1 // of a size
)

// ElementIdentity is what an element is recognised by on a later visit.
type ElementIdentity struct {
	Selector string `json:"selector"`
	Tag      string `json:"tag"`
	Role     string `json:"role,omitempty"`
	Text     string `json:"text,omitempty"`
	Source   string `json:"source,omitempty"`  // address of what it shows
	Context  string `json:"context,omitempty"` // text around it
	Box      Box    `json:"box"`
}

// SameElement tells whether an element is one that was seen before, as far as can be told: perhaps on another page, further
// down, or with another text. With sameDevice its place counts too.
func SameElement(known, e *ElementIdentity, sameDevice bool) bool {
	if known == nil || e == nil || known.Tag != e.Tag || known.Role != e.Role || known.Selector == "" || e.Selector == "" {
		return false
	}
	got, most := weightPath*pathAgreement(known.Selector, e.Selector), weightPath
	if got == 0 {
		return false
	}
	// The text may be what changes: when it is another one, it counts neither way.
	if share := textAgreement(known.Text, e.Text); share > 0.5 {
		got += weightText * share * information(known.Text)
	}
	if known.Context != "" || e.Context != "" {
		got += weightContext * textAgreement(known.Context, e.Context)
		most += weightContext
	}
	if sameDevice {
		got += weightPlace * placeAgreement(known.Box, e.Box)
		most += 3 * weightPlace
	}
	return got >= identicalShare*most
}

// pathAgreement is the share of the steps of two selectors that are the same, number included; 0 when they lead through
// different tags, or begin at different ids.
func pathAgreement(a, b string) float64 {
	one, two := stepsOf(a), stepsOf(b)
	if len(one) != len(two) {
		return 0
	}
	same := 0
	for i := range one {
		if one[i] == two[i] {
			same++
		} else if unnumbered(one[i]) != unnumbered(two[i]) {
			return 0
		}
	}
	return float64(same) / float64(len(one))
}

// PathEnd is the end of the element's path, at most n steps of it, without the places among siblings: pages of one site share
// it.
func (e *ElementIdentity) PathEnd(n int) string {
	steps := stepsOf(e.Selector)
	steps = steps[max(0, len(steps)-n):]
	for i, step := range steps {
		steps[i] = unnumbered(step)
	}
	return strings.Join(steps, ">")
}

func stepsOf(selector string) []string {
	return strings.Split(strings.ReplaceAll(selector, " >>> ", " > "), " > ")
}

// unnumbered is a step of a selector without its place among its siblings.
func unnumbered(step string) string {
	tag, _, _ := strings.Cut(step, ":nth-of-type(")
	return tag
}

// textAgreement is the share of words that two texts have in common. Figures are all alike: they are what a clock, a price or
// a counter changes.
func textAgreement(a, b string) float64 {
	one, two := wordsOf(a), wordsOf(b)
	if len(one) == 0 && len(two) == 0 {
		return 1
	}
	both, all := 0, 0
	for word, n := range one {
		both += min(n, two[word])
		all += max(n, two[word])
	}
	for word, n := range two {
		if one[word] == 0 {
			all += n
		}
	}
	return float64(both) / float64(all)
}

func wordsOf(text string) map[string]int {
	words := map[string]int{}
	for _, word := range strings.Fields(text) {
		words[masked(word)]++
	}
	return words
}

// masked is a word in lower case with its figures made alike.
func masked(word string) string {
	var out strings.Builder
	figures := false
	for _, r := range word {
		if unicode.IsDigit(r) {
			if !figures {
				out.WriteByte('#')
			}
			figures = true
			continue
		}
		figures = false
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// informative is from how many letters on a text stands for itself.
const informative = 8

// information tells how far a text identifies its element, 0 to 1: a price hardly does, a sentence does.
func information(text string) float64 {
	return math.Min(1, float64(countLetters(text))/informative)
}

// placeAgreement counts what two boxes have in common across the page: left edge, width and height.
func placeAgreement(a, b Box) float64 {
	n := 0.0
	if distance(a.X, b.X) <= placeTolerance {
		n++
	}
	if closeSizes(a.Width, b.Width) {
		n++
	}
	if closeSizes(a.Height, b.Height) {
		n++
	}
	return n
}

// SameColumn tells whether two boxes have the same left edge and width, up to a tolerance.
func SameColumn(a, b Box) bool {
	return distance(a.X, b.X) <= placeTolerance && closeSizes(a.Width, b.Width)
}

func closeSizes(a, b int) bool {
	return float64(distance(a, b)) <= math.Max(placeTolerance, sizeTolerance*float64(max(a, b)))
}

func distance(a, b int) int { return max(a-b, b-a) }
