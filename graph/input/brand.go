package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd/review"
)

// Brand is what a client sends to change how its public pages and reports look.
type Brand struct {
	Logo, Color graphql.Omittable[*string]
}

// Change is the change of the brand.
func (in *Brand) Change() review.BrandChange {
	return review.BrandChange{Logo: optional(in.Logo), Color: optional(in.Color)}
}
