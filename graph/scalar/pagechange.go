package scalar

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
)

// MarshalPageChangeKind writes what of a page changed.
func MarshalPageChangeKind(v vcd.PageChangeKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalPageChangeKind reads what of a page changed.
func UnmarshalPageChangeKind(_ context.Context, raw any) (vcd.PageChangeKind, error) {
	return read[vcd.PageChangeKind](raw)
}

// MarshalSeverity writes how grave a change is.
func MarshalSeverity(v vcd.Severity) graphql.ContextMarshaler { return spell(v) }

// UnmarshalSeverity reads how grave a change is.
func UnmarshalSeverity(_ context.Context, raw any) (vcd.Severity, error) {
	return read[vcd.Severity](raw)
}

// MarshalWordRunKind writes what happened to words.
func MarshalWordRunKind(v vcd.WordRunKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalWordRunKind reads what happened to words.
func UnmarshalWordRunKind(_ context.Context, raw any) (vcd.WordRunKind, error) {
	return read[vcd.WordRunKind](raw)
}
