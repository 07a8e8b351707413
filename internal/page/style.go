package page

// Style is how an element is drawn: computed values by property, without those that are the initial ones. The values of its
// generated content stand beside its own, as far as they differ, with "::before " or "::after " before the name of the property.
//
// What the layout made of a property is not in it but in the element's box.
type Style map[string]string

// Value is the value of a property, "" for the initial one.
func (s Style) Value(property string) string { return s[property] }

// StyleOf is how an element is drawn; nil when that is unknown.
func (c *Content) StyleOf(e *Element) Style { return styleAt(c.Styles, e.Style) }

// StyleIn is how an element is drawn, by the styles of its page; nil when that is unknown.
func (e *Element) StyleIn(styles []Style) Style { return styleAt(styles, e.Style) }

func styleAt(styles []Style, number int) Style {
	if number < 1 || number > len(styles) {
		return nil
	}
	return styles[number-1]
}

// Place is a box whose sides may be fractions of a pixel, as the layout has it: before it is rounded, and not cut where the
// picture ends.
type Place struct{ X, Y, Width, Height float64 }

// Place is where the layout has the element.
func (e *Element) Place() Place {
	if at := e.Exact; at != [4]float64{} {
		return Place{at[0], at[1], at[2], at[3]}
	}
	return Place{float64(e.Box.X), float64(e.Box.Y), float64(e.Box.Width), float64(e.Box.Height)}
}
