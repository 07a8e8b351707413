package wording

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Facts remember what is known of pairs of texts. Rules and features ask the same questions about them, and each answer takes
// several regular expressions. The zero value knows nothing yet.
type Facts struct{ known map[textPair]*textFacts }

type textPair struct{ before, after string }

type textFacts struct{ numbers, moves, weighs, free answer }

// answer is that of a question which is asked once.
type answer int8

const (
	unasked answer = iota
	no
	affirmed
)

func (a *answer) once(ask func(before, after string) bool, about textPair) bool {
	if *a == unasked {
		if *a = no; ask(about.before, about.after) {
			*a = affirmed
		}
	}
	return *a == affirmed
}

func (f *Facts) of(before, after string) (*textFacts, textPair) {
	about := textPair{before, after}
	if f.known == nil {
		f.known = make(map[textPair]*textFacts)
	}
	known := f.known[about]
	if known == nil {
		known = &textFacts{}
		f.known[about] = known
	}
	return known, about
}

// OnlyNumbers is [OnlyVolatile], asked once for two texts.
func (f *Facts) OnlyNumbers(before, after string) bool {
	known, about := f.of(before, after)
	return known.numbers.once(OnlyVolatile, about)
}

// Moves is [moving], asked once for two texts.
func (f *Facts) Moves(before, after string) bool {
	known, about := f.of(before, after)
	return known.moves.once(moving, about)
}

// Weighs is [Weighty], asked once for two texts.
func (f *Facts) Weighs(before, after string) bool {
	known, about := f.of(before, after)
	return known.weighs.once(Weighty, about)
}

// ErrorFree reports whether a text shows no sign of an error. It is asked once for each text: most are those of findings and lines
// of the page, too.
func (f *Facts) ErrorFree(text string) bool {
	known, about := f.of("", text)
	return known.free.once(func(_, text string) bool { return NewError("", text) == nil }, about)
}

// OtherWords reports that two texts differ in words that are neither dates nor times, which is cheaper to see than that they
// differ in nothing else.
func OtherWords(before, after string) bool {
	was, is := plainWords(before), plainWords(after)
	for _, sides := range [][2]map[string]bool{{was, is}, {is, was}} {
		for word := range sides[0] {
			if !sides[1][word] && !volatileParts[word] && !volatileWord.MatchString(word) {
				return true
			}
		}
	}
	return false
}

// plainWords are the words of a text that consist of letters, without the s of a plural.
func plainWords(text string) map[string]bool {
	found := make(map[string]bool)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 && word != "" {
			found[strings.TrimSuffix(word, "s")] = true
		}
	}
	return found
}

// volatileWord matches a word that may vary on its own; volatileParts are the words of expressions of several.
var (
	volatileWord = regexp.MustCompile(`(?i)^(` +
		alternatives(func(l *language) []string { return slices.Concat(l.dates, l.times) }, timeZones...) + `|\P{Latin}+)s?$`)
	volatileParts = func() map[string]bool {
		parts := make(map[string]bool)
		for i := range languages {
			for _, expression := range slices.Concat(languages[i].dates, languages[i].times) {
				for _, part := range strings.FieldsFunc(expression, func(r rune) bool { return !unicode.IsLetter(r) }) {
					parts[strings.TrimSuffix(part, "s")] = true
				}
			}
		}
		return parts
	}()
)
