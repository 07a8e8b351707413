package vcd

import (
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Validation collects all problems of an input, so that a client learns of them at once.
type Validation struct {
	fields []FieldError
}

// Add records a problem with a field: the rule that it breaks and a message in which {field} stands for its name.
func (v *Validation) Add(path, rule, message string) {
	v.fields = append(v.fields, FieldError{Path: path, Rule: rule, Message: message})
}

// Check records the problem unless ok.
func (v *Validation) Check(ok bool, path, rule, message string) {
	if !ok {
		v.Add(path, rule, message)
	}
}

// Problems returns the problems recorded so far.
func (v *Validation) Problems() []FieldError { return v.fields }

// Err returns a CodeInvalid error with all problems, or nil.
func (v *Validation) Err() error {
	if len(v.fields) == 0 {
		return nil
	}
	return &Error{Code: CodeInvalid, Fields: v.fields}
}

// Text checks a string's length in characters and rejects characters that a database cannot store.
func (v *Validation) Text(path, s string, limit int) {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		v.Add(path, "string", "The {field} field must be a valid string.")
		return
	}
	if utf8.RuneCountInString(s) > limit {
		v.Add(path, "max", fmt.Sprintf("The {field} field must not be greater than %d characters.", limit))
	}
}

// Required checks that a text is not empty and at most limit characters long.
func (v *Validation) Required(path, s string, limit int) {
	if strings.TrimSpace(s) == "" {
		v.Add(path, "required", "The {field} field is required.")
		return
	}
	v.Text(path, s, limit)
}

// OptionalText is Text for a nullable field.
func (v *Validation) OptionalText(path string, s *string, limit int) {
	if s != nil {
		v.Text(path, *s, limit)
	}
}

// CheckSearch rejects search texts that no address, title or name can contain.
func CheckSearch(s *string) error {
	v := &Validation{}
	v.OptionalText("search", s, MaxAddressLength)
	return v.Err()
}

// Between checks that low <= n <= high.
func (v *Validation) Between(path string, n, low, high int) {
	v.Check(n >= low && n <= high, path, "between", fmt.Sprintf("The {field} field must be between %d and %d.", low, high))
}

// NotNegative checks that n is 0 or more.
func (v *Validation) NotNegative(path string, n int) {
	v.Check(n >= 0, path, "min", "The {field} field must be at least 0.")
}

func (v *Validation) cursor(path string, s *string, list string) *Cursor {
	if s == nil {
		return nil
	}
	c, ok := ParseCursor(*s, list)
	if !ok {
		v.Add(path, "cursor", "The {field} field must be a cursor of this list, with the same filter and order.")
		return nil
	}
	return &c
}

// Email checks a bare address, as in owner@example.com.
func (v *Validation) Email(path, s string) {
	a, err := mail.ParseAddress(s)
	ok := err == nil && a.Address == s && len(s) <= 254
	v.Check(ok, path, "email", "The {field} field must be a valid email address.")
}

// Indexed returns the dotted path of a list item, or of a field of that item.
func Indexed(list string, i int, field ...string) string {
	return strings.Join(append([]string{list, strconv.Itoa(i)}, field...), ".")
}

// OneOf checks membership in a closed set.
func OneOf[T comparable](v *Validation, path string, value T, allowed ...T) {
	v.Check(slices.Contains(allowed, value), path, "in", "The selected {field} is invalid.")
}

// Optional is a field of a change that may be absent (leave unchanged), null (clear) or a value.
type Optional[T any] struct {
	Set   bool
	Value *T // nil with Set means null
}

// Some returns a present value.
func Some[T any](v T) Optional[T] { return Optional[T]{Set: true, Value: &v} }

// Null returns a present null.
func Null[T any]() Optional[T] { return Optional[T]{Set: true} }

// Assign stores the value in a field that cannot be null: null and absent leave it unchanged.
func Assign[T any](field *T, o Optional[T]) {
	if o.Set && o.Value != nil {
		*field = *o.Value
	}
}

// AssignNullable stores the value, or nil for null, in a nullable field.
func AssignNullable[T any](field **T, o Optional[T]) {
	if o.Set {
		*field = o.Value
	}
}

// AssignList stores a list; null clears it.
func AssignList[T any](field *[]T, o Optional[[]T]) {
	switch {
	case !o.Set:
	case o.Value == nil:
		*field = nil
	default:
		*field = *o.Value
	}
}
