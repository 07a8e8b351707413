package vcd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joiners join letters of some scripts, and parts of emoji: names need them although nobody sees them.
const joiners = "\u200c\u200d"

// blanks are letters and symbols that are shown as nothing.
const blanks = "\u115f\u1160\u2800\u3164\uffa0"

// Hidden reports whether people cannot see a character, or whether it changes the order or the lines in which others are shown.
// With such characters, a name looks like another one. It is the rule for all names, whoever chooses them.
func Hidden(r rune) bool {
	switch {
	case strings.ContainsRune(joiners, r), unicode.Is(unicode.Prepended_Concatenation_Mark, r): // the latter are signs of numbers
		return false
	case strings.ContainsRune(blanks, r):
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}

// Name checks a name: it is not empty, at most limit characters long, and has no Hidden characters.
func (v *Validation) Name(path, s string, limit int) {
	if strings.Trim(strings.TrimSpace(s), joiners) == "" {
		s = ""
	}
	before := len(v.fields)
	if v.Required(path, s, limit); len(v.fields) == before {
		v.Check(!strings.ContainsFunc(s, Hidden), path, "printable", "The {field} field must contain only visible characters.")
	}
}

// OptionalName is Name for a field that may be null or empty.
func (v *Validation) OptionalName(path string, s *string, limit int) {
	if s != nil && *s != "" {
		v.Name(path, *s, limit)
	}
}

// Shown is a text from a page or a program, which nobody can be asked to correct, as it is kept to be shown as a name: without
// Hidden characters.
func Shown(s string) string {
	if !strings.ContainsFunc(s, Hidden) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r == 0: // which no database stores
			return utf8.RuneError
		case Hidden(r):
			return -1
		}
		return r
	}, s)
}

// ShownText is Shown for texts of several lines.
func ShownText(s string) string {
	return strings.Map(func(r rune) rune {
		if Hidden(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// ShownOptional is Shown for a text that may be null.
func ShownOptional(s *string) *string {
	if s == nil {
		return nil
	}
	shown := Shown(*s)
	return &shown
}

// maxPageName is the length of a page's name in a sentence, in characters.
const maxPageName = 60

// separators stand between the name of a page and that of its site in titles.
var separators = []string{" | ", " – ", " — ", " - ", " · ", " « ", " » "}

// NameOfPage is what a page is called in a sentence: its title without the name of the site, or its address if it has no title.
func NameOfPage(title, address string) string {
	name := strings.Join(strings.Fields(Shown(title)), " ")
	for _, separator := range separators {
		if first, _, found := strings.Cut(name, separator); found && strings.TrimSpace(first) != "" {
			name = strings.TrimSpace(first)
		}
	}
	if name == "" {
		name = address
	}
	if characters := []rune(name); len(characters) > maxPageName {
		name = string(characters[:maxPageName-1]) + "…"
	}
	return name
}
