package page

import (
	"math"
	"strings"
	"unicode"
)

// Weights of the features by which two elements are matched, and the share of them that a match takes. Selectors are
// compared by the steps of their paths, since an inserted banner renumbers one step of every path below it; the
// surrounding text distinguishes an element from similar ones; only the horizontal place counts, since content that
// comes and goes above moves everything down.
const (
	weightPath     = 2.0
	weightText     = 1.5
	weightContext  = 1.5
	weightPlace    = 0.5 // for each of left edge, width and height
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
	Context  string `json:"context,omitempty"` // surrounding text
	Box      Box    `json:"box"`
}

// SameElement reports whether an element is, as far as can be determined, one that was seen before: perhaps on another
// page, further down, or with another text. With sameDevice its place counts, too.
func SameElement(known, e *ElementIdentity, sameDevice bool) bool {
	if known == nil || e == nil || known.Tag != e.Tag || known.Role != e.Role || known.Selector == "" || e.Selector == "" {
		return false
	}
	got, most := weightPath*pathAgreement(known.Selector, e.Selector), weightPath
	if got == 0 {
		return false
	}
	// The text itself may have changed: when it is different, it counts neither for nor against a match.
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

// pathAgreement is the share of the steps that two selectors have in common, including their numbers; 0 when they lead
// through different tags or start at different ids.
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

// PathEnd is the end of the element's path, at most n steps, without the positions among siblings: pages of one site
// share it.
func (e *ElementIdentity) PathEnd(n int) string { return PathEnd(e.Selector, n) }

// PathEnd is [ElementIdentity.PathEnd] of a selector.
func PathEnd(selector string, n int) string {
	steps := stepsOf(selector)
	steps = steps[max(0, len(steps)-n):]
	for i, step := range steps {
		steps[i] = unnumbered(step)
	}
	return strings.Join(steps, ">")
}

func stepsOf(selector string) []string {
	return strings.Split(strings.ReplaceAll(selector, " >>> ", " > "), " > ")
}

// unnumbered is a step of a selector without its position among siblings.
func unnumbered(step string) string {
	tag, _, _ := strings.Cut(step, ":nth-of-type(")
	return tag
}

// textAgreement is the share of words that two texts have in common. All digits are treated as equal: clocks, prices
// and counters change them.
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

// masked returns a word in lower case with its digits masked.
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

// informative is the length in letters from which a text identifies its element by itself.
const informative = 8

// information is how well a text identifies its element, 0 to 1: a price hardly does, a sentence does.
func information(text string) float64 {
	return math.Min(1, float64(countLetters(text))/informative)
}

// placeAgreement scores what two boxes have in common: left edge, width and height.
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

// SameColumn reports whether two boxes have the same left edge and width, within a tolerance.
func SameColumn(a, b Box) bool {
	return distance(a.X, b.X) <= placeTolerance && closeSizes(a.Width, b.Width)
}

func closeSizes(a, b int) bool {
	return float64(distance(a, b)) <= math.Max(placeTolerance, sizeTolerance*float64(max(a, b)))
}

func distance(a, b int) int { return max(a-b, b-a) }
