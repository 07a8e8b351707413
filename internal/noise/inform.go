package noise

import (
	"slices"

	"afterimage/internal/page"
)

// Whether a part shows what lies within its form.

// textKnown reports whether the part, or one of its kind, has shown the text before, or another date, time or number in the same
// words. The price of an item that is known is known by itself only.
func (j *look) textKnown() bool {
	f := FormOf(j.e.Text)
	switch {
	case f == FormFault:
		return false
	case f == FormPrice && j.contradicted():
		return false
	case f.valued() && j.hasForm(f) && j.Masks.without(j.excluded).has(hash(mask(j.e.Text))):
		return j.plausible(countReach)
	}
	return f == FormEmpty && j.hasForm(FormEmpty) || f != FormEmpty && j.family.texts[hash(j.e.Text)]
}

// contradicted reports whether the part has shown another price for the same item, and never more than one.
func (j *look) contradicted() bool {
	beside := j.layout.beside(j.at)
	prices := j.family.prices[beside]
	return beside != 0 && len(prices) == 1 && !prices[hash(j.e.Text)]
}

func (j *look) hasForm(f Form) bool {
	return slices.ContainsFunc(j.Forms, func(x form) bool { return x.Form == f && x.In&^j.excluded != 0 })
}

// textInForm reports whether a text that the part has not shown is like those that it has.
func (j *look) textInForm(was *page.Element) bool {
	f := FormOf(j.e.Text)
	if j.Mark == MarkVarying && len(j.Forms) == 0 && f != FormFault && f != FormEmpty {
		return f == FormOf(was.Text)
	}
	free := len(j.Masks.without(j.excluded)) >= freeMasks
	switch f {
	case FormEmpty, FormFault:
		return false
	case FormPrice:
		return j.hasForm(f) && !j.contradicted() && j.plausible(priceReach)
	case FormDate, FormTime, FormRelative:
		return j.hasForm(f) || free && j.long() && j.hasForm(FormText)
	case FormCount:
		return j.countInForm(free)
	case FormCode, FormKey:
		return j.hasForm(f) && j.long()
	}
	return j.hasForm(FormText) && j.long()
}

// countInForm reports whether a count stands in words that the part has shown, or the part shows any text, and this is one.
func (j *look) countInForm(free bool) bool {
	inWords := free || j.Masks.without(j.excluded).has(hash(mask(j.e.Text)))
	return j.hasForm(FormCount) && inWords && j.plausible(countReach) || free && j.long() && (j.hasForm(FormText) || j.hasForm(FormCode))
}

// long reports whether the text is about as long as those that the part has shown.
func (j *look) long() bool {
	seen := j.Lengths.without(j.excluded)
	if len(seen) == 0 {
		return false
	}
	least, most := seen.reach()
	least, most = least-measureZero, most-measureZero
	n := len(j.e.Text)
	return 3*n >= least && n <= most+most*lengthPart/100+sizeSlack
}

// plausible reports whether the number in the text is of about the size of those that the part has shown.
func (j *look) plausible(factor int) bool {
	n, ok := amount(j.e.Text)
	seen := j.Numbers.without(j.excluded)
	if !ok || len(seen) == 0 {
		return true
	}
	if form := FormOf(j.e.Text); form != FormPrice && form != FormCount {
		return true
	}
	least, most := seen.reach()
	least, most = least-measureZero, most-measureZero
	if n == 0 {
		return least <= 0 || j.family.zeros[hash(mask(j.e.Text))]
	}
	return n*factor >= least && n <= max(most, 1)*factor
}

// pictureInForm reports whether a picture that the part has not shown has an address like those that it has.
func (j *look) pictureInForm(was *page.Element) bool {
	if j.Mark == MarkVarying && len(j.Shapes) == 0 {
		return j.e.Source != "" && shapeOf(j.e.Source) == shapeOf(was.Source)
	}
	return j.e.Source != "" && j.Shapes.without(j.excluded).has(shapeOf(j.e.Source))
}

// styleInForm reports whether the colours and the font are those that the part, or one of its kind, has had, and the size of the
// font is like its sizes.
func (j *look) styleInForm() bool {
	size, known := fontSize(j.e)
	return known && j.family.looks[lookOf(j.e)] && within(j.family.fontSizes, size, sizePart, 0)
}
