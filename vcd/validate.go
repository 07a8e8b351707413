package vcd

import (
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// validation collects what is wrong with an input, so that a client learns all of it at once.
type validation struct {
	fields []FieldError
}

func (v *validation) add(path, rule, message string) {
	v.fields = append(v.fields, FieldError{Path: path, Rule: rule, Message: message})
}

func (v *validation) check(ok bool, path, rule, message string) {
	if !ok {
		v.add(path, rule, message)
	}
}

// problems are what is wrong so far.
func (v *validation) problems() []FieldError { return v.fields }

func (v *validation) err() error {
	if len(v.fields) == 0 {
		return nil
	}
	return &Error{Code: CodeInvalid, Fields: v.fields}
}

// text checks a string's length in characters and that it holds nothing a database cannot keep.
func (v *validation) text(path, s string, limit int) {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		v.add(path, "string", "The {field} field must be a valid string.")
		return
	}
	if utf8.RuneCountInString(s) > limit {
		v.add(path, "max", fmt.Sprintf("The {field} field must not be greater than %d characters.", limit))
	}
}

func (v *validation) required(path, s string, limit int) {
	if strings.TrimSpace(s) == "" {
		v.add(path, "required", "The {field} field is required.")
		return
	}
	v.text(path, s, limit)
}

func (v *validation) optionalText(path string, s *string, limit int) {
	if s != nil {
		v.text(path, *s, limit)
	}
}

// checkSearch refuses what no address, title or name can hold.
func checkSearch(s *string) error {
	v := &validation{}
	v.optionalText("search", s, maxAddressLength)
	return v.err()
}

func (v *validation) between(path string, n, low, high int) {
	v.check(n >= low && n <= high, path, "between", fmt.Sprintf("The {field} field must be between %d and %d.", low, high))
}

func (v *validation) notNegative(path string, n int) {
	v.check(n >= 0, path, "min", "The {field} field must be at least 0.")
}

func (v *validation) cursor(path string, s *string) *Cursor {
	if s == nil {
		return nil
	}
	c, ok := ParseCursor(*s)
	if !ok {
		v.add(path, "cursor", "The {field} field must be a cursor of this list.")
		return nil
	}
	return &c
}

func (v *validation) email(path, s string) {
	a, err := mail.ParseAddress(s)
	ok := err == nil && a.Address == s && len(s) <= 254
	v.check(ok, path, "email", "The {field} field must be a valid email address.")
}

// indexed is the dotted path of an item in a list, or of a field of that item.
func indexed(list string, i int, field ...string) string {
	return strings.Join(append([]string{list, strconv.Itoa(i)}, field...), ".")
}

// oneOf checks membership in a closed set.
func oneOf[T comparable](v *validation, path string, value T, allowed ...T) {
	v.check(slices.Contains(allowed, value), path, "in", "The selected {field} is invalid.")
}
