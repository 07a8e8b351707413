// Package view presents domain objects under the schema's names. A view wraps the object and adds derived fields; it makes
// no decisions and no queries.
package view

import (
	"strings"

	"afterimage/vcd"
)

// Links makes the addresses that open without a token. Base is the scheme and host that clients reach the server by.
type Links struct {
	Base string
}

// Image is the address of a picture; nil for none.
func (l Links) Image(img *vcd.Image) *string { return l.image(img, ".png") }

// Preview is the address of a small form of a picture; nil for none.
func (l Links) Preview(img *vcd.Image) *string { return l.image(img, "_compressed.jpeg") }

// Mask is the address of a comparison's changed pixels alone; nil for pictures that are no mask.
func (l Links) Mask(img *vcd.Image) *string {
	if img == nil || img.Over == "" {
		return nil
	}
	return l.image(img, "_mask.png")
}

func (l Links) image(img *vcd.Image, ending string) *string {
	if img == nil {
		return nil
	}
	link := l.base() + "/images/" + img.Token + ending
	return &link
}

// Comparison is the address of a comparison's public page.
func (l Links) Comparison(token string) string { return l.base() + "/c/" + token }

// Batch is the address of a batch's public page.
func (l Links) Batch(token string) string { return l.base() + "/b/" + token }

func (l Links) base() string { return strings.TrimSuffix(l.Base, "/") }

// Node is a thing that can be looked up by its id alone.
type Node interface {
	isNode()
}

func (*Account) isNode()      {}
func (*Subaccount) isNode()   {}
func (*Group) isNode()        {}
func (*URL) isNode()          {}
func (*Website) isNode()      {}
func (*FeedbackRule) isNode() {}
func (*Webhook) isNode()      {}
func (*Delivery) isNode()     {}
func (*URLImport) isNode()    {}
func (*Mail) isNode()         {}
func (*Batch) isNode()        {}
func (*QueueEntry) isNode()   {}
func (*Screenshot) isNode()   {}
func (*Comparison) isNode()   {}

// nonEmpty is nil for the empty text.
func nonEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func domainOf(address string) string { return (&vcd.URL{Address: address}).Domain() }
