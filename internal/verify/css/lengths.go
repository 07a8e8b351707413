package css

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// ExchangedLength is the length that gave way to another on some sides of an element, if that is all that changed: a rule for what has a
// different padding on some side gives it the same new one on the others. It is empty otherwise.
func ExchangedLength(changes []Change) Change {
	if len(changes) != 1 {
		return Change{}
	}
	c := changes[0]
	switch c.Property {
	case "padding", "margin", "border-width":
	default:
		return Change{}
	}
	var exchanged Change
	was, is := Sides(c.Before), Sides(c.After)
	for i := range was {
		one := Change{c.Property, lengthOf(was[i]), lengthOf(is[i])}
		switch {
		case was[i] == is[i]:
		case exchanged != (Change{}) && exchanged != one:
			return Change{}
		default:
			exchanged = one
		}
	}
	return exchanged
}

func lengthOf(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) + "px" }

// Sides reads the lengths at the four sides of a box: top, right, bottom, left.
func Sides(value string) [4]float64 {
	words := strings.Fields(value)
	var n [4]float64
	for i := range n {
		switch len(words) {
		case 1:
			n[i] = Pixels(words[0])
		case 2:
			n[i] = Pixels(words[i%2])
		case 3:
			n[i] = Pixels(words[[4]int{0, 1, 2, 1}[i]])
		case 4:
			n[i] = Pixels(words[i])
		}
	}
	return n
}

// Pixels is a length in pixels, 0 for anything else.
func Pixels(value string) float64 {
	number, ok := strings.CutSuffix(strings.TrimSuffix(value, ","), "px")
	if !ok {
		return 0
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) {
		return 0
	}
	return n
}

// Growth is by what factor the size of the text grew, 1 for none.
func Growth(changes []Change) float64 {
	for _, c := range changes {
		if c.Property == "font-size" {
			if was, is := Pixels(c.Before), Pixels(c.After); was > 0 && is > 0 {
				return is / was
			}
		}
	}
	return 1
}

// Scales reports whether all lengths of a change grew by one of some factors, up to rounding.
func (c Change) Scales(by ...float64) bool {
	was, is := lengthWords(c.Before), lengthWords(c.After)
	if len(was) != len(is) || len(was) == 0 {
		return false
	}
	for i := range was {
		from, to := Pixels(was[i]), Pixels(is[i])
		grew := func(by float64) bool {
			return by != 1 && from != 0 && math.Abs(to-from*by) <= 0.6+0.01*math.Abs(to)
		}
		if was[i] != is[i] && !slices.ContainsFunc(by, grew) {
			return false
		}
	}
	return true
}

// lengthWords are the parts of a value, those of sums and transformations among them. How far these move something is in pixels.
func lengthWords(value string) []string {
	words := strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ',' || r == '(' || r == ')' })
	const moves = 5 // the word of a matrix, after its name and what turns and scales, from which on it moves
	if len(words) == moves+2 && words[0] == "matrix" {
		words[moves], words[moves+1] = words[moves]+"px", words[moves+1]+"px"
	}
	return words
}

// OfSize reports whether a change is one of the size of the text.
func (c Change) OfSize() bool { return c.Property == "font-size" }

// textLengths are properties that move nothing, whose lengths may be given in sizes of the text.
var textLengths = []string{"border-radius", "box-shadow", "text-shadow", "background-size", "background-position", "outline-width",
	"text-underline-offset"}

// FollowsText reports whether lengths grew as the text of the element or of the root did.
func (c Change) FollowsText(own, root float64) bool {
	name := Bare(c.Property)
	lengths := c.Is(OfLayout) || slices.Contains(textLengths, name)
	return name != "font-size" && lengths && (c.Scales(own) || c.Scales(root))
}

// SetsApart reports whether a change is one of what sets neighbours apart: distances, lines and corners, and generated content.
func (c Change) SetsApart() bool {
	switch c.Property {
	case "margin", "padding", "border-width", "border-style", "border-color", "border-radius":
		return true
	}
	return Bare(c.Property) != c.Property
}
