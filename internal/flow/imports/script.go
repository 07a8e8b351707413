package imports

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// call is one link of a chain such as page.getByText('Buy').click(): a name, and arguments if it is called.
type call struct {
	name string
	args []value
}

// value is an argument: a text, a pattern, a number or word, an object, or another chain.
type value struct {
	text    *string
	pattern *string // of a regular expression, with its flags as (?i)
	word    string  // a number, true, false, null
	object  map[string]value
	chain   []call
}

// maxNested bounds values in each other.
const maxNested = 20

var errScript = errors.New("it cannot be parsed")

// scanner reads one statement of JavaScript, as far as codegen writes it.
type scanner struct {
	text  string
	depth int
}

// parse reads a chain and what ends a statement.
func parse(statement string) ([]call, error) {
	s := &scanner{text: statement}
	chain, err := s.chain()
	if err != nil {
		return nil, err
	}
	s.space()
	if rest := strings.TrimSuffix(s.text, ";"); rest != "" && !strings.HasPrefix(strings.TrimSpace(rest), "//") {
		return nil, errScript
	}
	return chain, nil
}

func (s *scanner) space() { s.text = strings.TrimLeft(s.text, " \t") }

// next takes a character if it is the next one.
func (s *scanner) next(c string) bool {
	s.space()
	rest, found := strings.CutPrefix(s.text, c)
	s.text = rest
	return found
}

var name = regexp.MustCompile(`^[A-Za-z_$][\w$]*`)

func (s *scanner) chain() ([]call, error) {
	var chain []call
	for {
		s.space()
		word := name.FindString(s.text)
		if word == "" {
			return nil, errScript
		}
		s.text = s.text[len(word):]
		link := call{name: word}
		if s.next("(") {
			var err error
			if link.args, err = s.values(")"); err != nil {
				return nil, err
			}
		}
		chain = append(chain, link)
		if !s.next(".") {
			return chain, nil
		}
	}
}

// values reads arguments up to the character that ends them.
func (s *scanner) values(end string) ([]value, error) {
	if s.depth++; s.depth > maxNested {
		return nil, errScript
	}
	defer func() { s.depth-- }()
	var list []value
	for !s.next(end) {
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if !s.next(",") && !strings.HasPrefix(s.text, end) {
			return nil, errScript
		}
	}
	return list, nil
}

var word = regexp.MustCompile(`^(-?\d+(\.\d+)?|true|false|null|undefined)\b`)

func (s *scanner) value() (value, error) {
	s.space()
	if s.text == "" {
		return value{}, errScript
	}
	switch c := s.text[0]; c {
	case '\'', '"', '`':
		text, err := s.literal(c)
		return value{text: &text}, err
	case '/':
		return s.regexp()
	case '{':
		return s.object()
	}
	if found := word.FindString(s.text); found != "" {
		s.text = s.text[len(found):]
		return value{word: found}, nil
	}
	chain, err := s.chain()
	return value{chain: chain}, err
}

// literal reads a text in quotes. One with a variable in it is not understood.
func (s *scanner) literal(quote byte) (string, error) {
	var b strings.Builder
	for i := 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == quote:
			s.text = s.text[i+1:]
			return b.String(), nil
		case c == '$' && quote == '`' && strings.HasPrefix(s.text[i:], "${"):
			return "", fmt.Errorf("a text with a variable: %w", errScript)
		case c == '\\' && i+1 < len(s.text):
			read, size := escape(s.text[i+1:])
			if size == 0 {
				return "", errScript
			}
			b.WriteString(read)
			i += size
		default:
			b.WriteByte(c)
		}
	}
	return "", errScript
}

// escape reads what follows a backslash, and how long it is; 0 if it is not understood.
func escape(text string) (string, int) {
	digits := 0
	switch text[0] {
	case 'n':
		return "\n", 1
	case 't':
		return "\t", 1
	case 'r':
		return "\r", 1
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	default:
		_, size := utf8.DecodeRuneInString(text)
		return text[:size], size
	}
	if len(text) <= digits {
		return "", 0
	}
	code, err := strconv.ParseUint(text[1:1+digits], 16, 32)
	if err != nil {
		return "", 0
	}
	return string(rune(code)), 1 + digits
}

// regexp reads a regular expression. One that Go does not understand is an error.
func (s *scanner) regexp() (value, error) {
	class := false
	for i := 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			pattern := strings.ReplaceAll(s.text[1:i], `\/`, "/")
			s.text = s.text[i+1:]
			flags := name.FindString(s.text)
			s.text = s.text[len(flags):]
			if strings.Contains(flags, "i") {
				pattern = "(?i)" + pattern
			}
			if _, err := regexp.Compile(pattern); err != nil {
				return value{}, errors.New("its regular expression is not supported")
			}
			return value{pattern: &pattern}, nil
		}
	}
	return value{}, errScript
}

func (s *scanner) object() (value, error) {
	if s.depth++; s.depth > maxNested {
		return value{}, errScript
	}
	defer func() { s.depth-- }()
	s.next("{")
	fields := make(map[string]value)
	for !s.next("}") {
		s.space()
		key := name.FindString(s.text)
		if key == "" {
			return value{}, errScript
		}
		s.text = s.text[len(key):]
		if !s.next(":") {
			return value{}, errScript
		}
		v, err := s.value()
		if err != nil {
			return value{}, err
		}
		fields[key] = v
		if !s.next(",") && !strings.HasPrefix(s.text, "}") {
			return value{}, errScript
		}
	}
	return value{object: fields}, nil
}
