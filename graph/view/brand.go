package view

import (
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// Brand shows how public pages and reports look. Its logo is read when it is asked for.
type Brand struct {
	review.ShownBrand
	Inherited bool
}

// NewBrand shows b to an account.
func NewBrand(b review.ShownBrand, account vcd.ID) *Brand { return &Brand{b, b.Account != account} }

// Color is the colour; nil for none.
func (b *Brand) Color() *string { return colorText(b.Brand.Color) }

// TextColor is the colour of text on the colour; nil for none.
func (b *Brand) TextColor() *string {
	if b.Brand.Color == "" {
		return nil
	}
	return colorText(b.Brand.Color.Ink())
}

func colorText(c vcd.Color) *string {
	if c == "" {
		return nil
	}
	text := string(c)
	return &text
}
