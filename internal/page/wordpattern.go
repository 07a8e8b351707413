package page

import (
	"regexp"
	"strings"
	"unicode"
)

// WordPattern is a regular expression in which \b is the edge of a word in any alphabet: the \b of package regexp takes only ASCII
// letters for parts of words, so that it finds an edge within “März” and none behind “lunedì”. Case does not matter.
type WordPattern struct{ form *regexp.Regexp }

// CompileWords compiles an expression. Within a character class it may contain ASCII letters only; other letters are to be written as
// alternatives. It panics on an expression that is wrong.
func CompileWords(expression string) *WordPattern {
	return &WordPattern{regexp.MustCompile("(?i)" + spellEach(expression, func(spelled string) string { return "(?:" + spelled + ")" }))}
}

// MatchString reports whether a text contains a match.
func (p *WordPattern) MatchString(text string) bool { return p.form.MatchString(spell(text)) }

// ReplaceAllString replaces the matches in a text. What it returns has the letters beyond ASCII spelled out: it serves to be compared.
func (p *WordPattern) ReplaceAllString(text, with string) string {
	return p.form.ReplaceAllString(spell(text), with)
}

// FindAllString finds the matches in a text, with their letters beyond ASCII spelled out.
func (p *WordPattern) FindAllString(text string) []string {
	return p.form.FindAllString(spell(text), -1)
}

// ReplaceAllStringFunc replaces each match in a text by what a function makes of it. Both have the letters beyond ASCII spelled out.
func (p *WordPattern) ReplaceAllStringFunc(text string, with func(string) string) string {
	return p.form.ReplaceAllStringFunc(spell(text), with)
}

// FindAllSubmatchIndex finds the matches in a text whose letters beyond ASCII are spelled out, as [WordPattern.ReplaceAllString] returns
// it, in the form of [regexp.Regexp.FindAllStringSubmatchIndex].
func (p *WordPattern) FindAllSubmatchIndex(spelled string) [][]int {
	return p.form.FindAllStringSubmatchIndex(spelled, -1)
}

// spell writes each letter or mark beyond ASCII as an underscore and six letters between g and v, all of which are parts of words to
// package regexp and neither decimal nor hexadecimal digits. Capitals become small letters.
func spell(text string) string {
	return spellEach(text, func(spelled string) string { return spelled })
}

func spellEach(text string, wrap func(string) string) string {
	if strings.IndexFunc(text, foreign) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if foreign(r) {
			b.WriteString(wrap(spelling(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func foreign(r rune) bool { return r > unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsMark(r)) }

func spelling(r rune) string {
	r = unicode.ToLower(r)
	letters := []byte("_gggggg")
	for i := len(letters) - 1; i > 0; i, r = i-1, r>>4 {
		letters[i] += byte(r & 15)
	}
	return string(letters)
}
