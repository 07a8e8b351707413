package verify

import (
	"strings"
	"unicode"
)

// shape is the form of a text, without what it says.
type shape struct {
	form                            string // letters as a, runs of digits as 9, other characters as they are; runs once
	runes, words                    int
	digits, capitals, signs         float64         // shares of the characters
	code                            float64         // share of braces, angle brackets, slashes and underscores
	known                           map[string]bool // its words, in lower case
	nothing, ends, starts, repeated bool            // a value that is none; ends like a sentence; starts with a capital; says a word twice
}

// maxShaped limits the characters of a text that are looked at.
const maxShaped = 600

// nothings are what programs write for a value that is none.
var nothings = map[string]bool{"nan": true, "undefined": true, "null": true, "none": true, "infinity": true, "true": true, "false": true,
	"[object": true, "object]": true, "nil": true, "n/a": true, "--": true}

func shapeOf(text string) shape {
	s := shape{known: make(map[string]bool)}
	var form strings.Builder
	last := rune(0)
	for _, r := range text {
		if s.runes++; s.runes > maxShaped {
			break
		}
		kind := r
		switch {
		case unicode.IsDigit(r):
			kind = '9'
			s.digits++
		case unicode.IsLetter(r):
			kind = 'a'
			if unicode.IsUpper(r) {
				s.capitals++
			}
		case unicode.IsSpace(r):
			kind = ' '
		default:
			s.signs++
			if strings.ContainsRune("{}<>[]/_=\"\\|", r) {
				s.code++
			}
		}
		if kind != last {
			form.WriteRune(kind)
		}
		last = kind
	}
	if s.form = form.String(); len(s.form) > maxQuoted {
		s.form = "prose" // the form of a long text is that it is long
	}
	if n := float64(s.runes); n > 0 {
		s.digits, s.capitals, s.signs, s.code = s.digits/n, s.capitals/n, s.signs/n, s.code/n
	}
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if s.words++; s.words > maxShaped {
			break
		}
		s.nothing = s.nothing || nothings[strings.Trim(word, ".,:;()%")]
		s.repeated = s.repeated || len(word) > 3 && s.known[word]
		s.known[word] = true
	}
	trimmed := strings.TrimSpace(text)
	s.ends = strings.HasSuffix(trimmed, ".")
	for _, r := range trimmed {
		s.starts = unicode.IsUpper(r)
		break
	}
	return s
}

// shared is the share of words that two texts have in common.
func (s *shape) shared(other *shape) float64 {
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
