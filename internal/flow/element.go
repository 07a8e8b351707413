package flow

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Element says by what an element is found: the first alternative that finds one counts.
type Element []Locator

// Locator is one way to find an element. Of Role with Name, Text, Label, Placeholder, TestID and CSS, exactly one is given. Words are
// compared without regard to case and white space; an element with exactly these words comes before one that only contains them.
type Locator struct {
	Role        string `json:"role,omitempty"`
	Name        string `json:"name,omitempty"` // what assistive technology calls an element of that role; "" for any
	Text        string `json:"text,omitempty"`
	Label       string `json:"label,omitempty"` // of a field
	Placeholder string `json:"placeholder,omitempty"`
	TestID      string `json:"testid,omitempty"` // the attribute data-testid, data-test-id, data-test, data-cy or data-qa
	CSS         string `json:"css,omitempty"`
	Exact       bool   `json:"exact,omitempty"` // words must be the same, in case too
	Nth         int    `json:"nth,omitempty"`   // of several, counted from 1; 0 where there must be only one
}

// AnyRole is the role of any element that has the name.
const AnyRole = "any"

// String is how people are told of it: button “Buy”.
func (l Locator) String() string {
	var text string
	switch {
	case l.Role == AnyRole:
		text = "element " + quoted(l.Name)
	case l.Role != "" && l.Name != "":
		text = l.Role + " " + quoted(l.Name)
	case l.Role != "":
		text = l.Role
	case l.Text != "":
		text = "text " + quoted(l.Text)
	case l.Label != "":
		text = "field " + quoted(l.Label)
	case l.Placeholder != "":
		text = "field with placeholder " + quoted(l.Placeholder)
	case l.TestID != "":
		text = "test id " + quoted(l.TestID)
	default:
		text = l.CSS
	}
	if l.Nth > 0 {
		text += fmt.Sprintf(" (number %d)", l.Nth)
	}
	return text
}

// String names all alternatives.
func (e Element) String() string {
	names := make([]string, len(e))
	for i, l := range e {
		names[i] = l.String()
	}
	return strings.Join(names, " or ")
}

// check says what is wrong with it; nil for nothing.
func (l Locator) check() error {
	switch {
	case l.ways() != 1:
		return errors.New("needs exactly one of role, text, label, placeholder, testid and css; list several alternatives as items")
	case l.Role == AnyRole && l.Name == "":
		return errors.New("has the role any, which needs a name")
	case l.Name != "" && l.Role == "":
		return errors.New("has a name but no role: add role, such as button or link")
	case !plainWord.MatchString(l.Role + "a"):
		return fmt.Errorf("has the role %q: give a word such as button or link", l.Role)
	case l.Nth < 0 || l.Nth > maxNth:
		return fmt.Errorf("has nth %d; 1 to %d are supported", l.Nth, maxNth)
	}
	for _, words := range []string{l.Name, l.Text, l.Label, l.Placeholder, l.TestID, l.CSS} {
		if len(words) > maxWords || words != "" && !legible(words) {
			return fmt.Errorf("must have text of 1 to %d bytes", maxWords)
		}
	}
	return nil
}

var plainWord = regexp.MustCompile(`^[a-z]{1,50}$`)

// legible reports whether a text has something in it and survives being written to a file.
func legible(text string) bool {
	unwritten := func(c rune) bool {
		return unicode.IsControl(c) && c != '\n' && c != '\t' || strings.ContainsRune("\u2028\u2029\ufeff", c)
	}
	return strings.TrimSpace(text) != "" && utf8.ValidString(text) && !strings.ContainsFunc(text, unwritten)
}

// ways are the fields by which an element can be found.
func (l Locator) ways() int {
	n := 0
	for _, way := range []string{l.Role, l.Text, l.Label, l.Placeholder, l.TestID, l.CSS} {
		if way != "" {
			n++
		}
	}
	return n
}

func quoted(text string) string { return "“" + text + "”" }
