package verify

import "strconv"

// exchangedLength is the length that gave way to another on some sides of an element, if that is all that changed: a rule for what has a
// different padding on some side gives it the same new one on the others. It is empty otherwise.
func (f *Finding) exchangedLength() styleChange {
	if len(f.styles) != 1 {
		return styleChange{}
	}
	c := f.styles[0]
	switch c.property {
	case "padding", "margin", "border-width":
	default:
		return styleChange{}
	}
	var exchanged styleChange
	was, is := sidesOf(c.before), sidesOf(c.after)
	for i := range was {
		one := styleChange{c.property, lengthOf(was[i]), lengthOf(is[i])}
		switch {
		case was[i] == is[i]:
		case exchanged != (styleChange{}) && exchanged != one:
			return styleChange{}
		default:
			exchanged = one
		}
	}
	return exchanged
}

func lengthOf(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) + "px" }
