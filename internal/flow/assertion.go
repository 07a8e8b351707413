package flow

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Looked is what an assertion looks at.
type Looked string

// What assertions look at.
const (
	LookText    Looked = "text"    // the words of an element, or of the whole page
	LookAddress Looked = "address" // of the page
	LookCount   Looked = "count"   // how many elements there are to be seen
	LookValue   Looked = "value"   // of a field
	LookVisible Looked = "visible" // whether an element is to be seen: true or false
)

// Operator is how what is there is compared with what is expected.
type Operator string

// The operators.
const (
	Equals   Operator = "equals"
	Contains Operator = "contains"
	Matches  Operator = "matches" // a regular expression in the syntax of RE2
	AtLeast  Operator = "at_least"
	AtMost   Operator = "at_most"
)

// operators are those that make sense for what is looked at.
var operators = map[Looked][]Operator{
	LookText:    {Equals, Contains, Matches},
	LookAddress: {Equals, Contains, Matches},
	LookCount:   {Equals, AtLeast, AtMost},
	LookValue:   {Equals, Contains, Matches},
	LookVisible: {Equals},
}

// Assertion is what has to hold for a flow to go on.
type Assertion struct {
	Look     Looked
	Operator Operator
	Expected string
}

// Holds compares. White space counts as one space.
func (a Assertion) Holds(actual string) bool {
	switch a.Operator {
	case Equals:
		return a.subject(actual) == collapse(a.Expected)
	case Contains:
		return strings.Contains(collapse(actual), collapse(a.Expected))
	case Matches:
		pattern, err := regexp.Compile(a.Expected)
		return err == nil && pattern.MatchString(collapse(actual))
	case AtLeast, AtMost:
		got, err := strconv.Atoi(actual)
		want, wrong := strconv.Atoi(a.Expected)
		return err == nil && wrong == nil && (a.Operator == AtLeast && got >= want || a.Operator == AtMost && got <= want)
	}
	return false
}

func (a Assertion) subject(actual string) string {
	if a.Look == LookAddress {
		return Comparable(actual, a.Expected)
	}
	return collapse(actual)
}

// String is how people are told of it.
func (a Assertion) String() string {
	words := map[Operator]string{AtLeast: "at least", AtMost: "at most"}[a.Operator]
	if words == "" {
		words = string(a.Operator)
	}
	return fmt.Sprintf("%s %s %s", a.Look, words, quoted(a.Expected))
}

// Comparable is the part of an address that is to be compared with an expected one: path and query for one that begins with a slash.
func Comparable(address, expected string) string {
	if !strings.HasPrefix(expected, "/") {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	path := u.EscapedPath()
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path
}

// Reached reports whether a page has an awaited address, in which * stands for anything.
func Reached(address, awaited string) bool {
	parts := strings.Split(awaited, "*")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	pattern, err := regexp.Compile("^" + strings.Join(parts, ".*") + "$")
	return err == nil && pattern.MatchString(Comparable(address, awaited))
}

func collapse(text string) string { return strings.Join(strings.Fields(text), " ") }
