// Package input converts client input to domain types. It validates only what the domain can no longer see afterwards; all
// other validation is the domain's.
package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// optional keeps the difference between absent and null.
func optional[T any](o graphql.Omittable[*T]) vcd.Optional[T] {
	value, set := o.ValueOK()
	return vcd.Optional[T]{Set: set, Value: value}
}

// optionalList is optional for lists, whose null is the nil slice.
func optionalList[S, T any](o graphql.Omittable[[]S], convert func(S) T) vcd.Optional[[]T] {
	items, set := o.ValueOK()
	if items == nil {
		return vcd.Optional[[]T]{Set: set}
	}
	return vcd.Some(convertAll(items, convert))
}

func convertAll[S, T any](items []S, convert func(S) T) []T {
	out := make([]T, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}

func same[T any](v T) T { return v }

func text(w scalar.Word) string { return string(w) }
