package wording

import (
	"strings"
	"unicode"
)

// Shape is the form of a text, without what it says.
type Shape struct {
	Form                            string // letters as a, runs of digits as 9, other characters as they are; runs once
	Runes, Words                    int
	Digits, Capitals, Signs         float64         // shares of the characters
	Code                            float64         // share of braces, angle brackets, slashes and underscores
	known                           map[string]bool // its words, in lower case
	Nothing, Ends, Starts, Repeated bool            // a value that is none; ends like a sentence; starts with a capital; says a word twice
}

// maxShaped limits the characters of a text that are looked at.
const maxShaped = 600

// nothings are what programs write for a value that is none.
var nothings = map[string]bool{"nan": true, "undefined": true, "null": true, "none": true, "infinity": true, "true": true, "false": true,
	"[object": true, "object]": true, "nil": true, "n/a": true, "--": true}

// ShapeOf reads the form of a text.
func ShapeOf(text string) Shape {
	s := Shape{known: make(map[string]bool)}
	var form strings.Builder
	last := rune(0)
	for _, r := range text {
		if s.Runes++; s.Runes > maxShaped {
			break
		}
		kind := r
		switch {
		case unicode.IsDigit(r):
			kind = '9'
			s.Digits++
		case unicode.IsLetter(r):
			kind = 'a'
			if unicode.IsUpper(r) {
				s.Capitals++
			}
		case unicode.IsSpace(r):
			kind = ' '
		default:
			s.Signs++
			if strings.ContainsRune("{}<>[]/_=\"\\|", r) {
				s.Code++
			}
		}
		if kind != last {
			form.WriteRune(kind)
		}
		last = kind
	}
	if s.Form = form.String(); len(s.Form) > MaxQuoted {
		s.Form = "prose" // the form of a long text is that it is long
	}
	if n := float64(s.Runes); n > 0 {
		s.Digits, s.Capitals, s.Signs, s.Code = s.Digits/n, s.Capitals/n, s.Signs/n, s.Code/n
	}
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if s.Words++; s.Words > maxShaped {
			break
		}
		s.Nothing = s.Nothing || nothings[strings.Trim(word, ".,:;()%")]
		s.Repeated = s.Repeated || len(word) > 3 && s.known[word]
		s.known[word] = true
	}
	trimmed := strings.TrimSpace(text)
	s.Ends = strings.HasSuffix(trimmed, ".")
	for _, r := range trimmed {
		s.Starts = unicode.IsUpper(r)
		break
	}
	return s
}

// Shared is the share of words that two texts have in common.
func (s *Shape) Shared(other *Shape) float64 {
	if len(s.known) == 0 && len(other.known) == 0 {
		return 1
	}
	both := 0
	for word := range s.known {
		if other.known[word] {
			both++
		}
	}
	return float64(both) / float64(len(s.known)+len(other.known)-both)
}
