package scalar

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/internal/page"
)

// MarshalPageChangeKind writes what of a page changed.
func MarshalPageChangeKind(v page.ChangeKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalPageChangeKind reads what of a page changed.
func UnmarshalPageChangeKind(_ context.Context, raw any) (page.ChangeKind, error) {
	return read[page.ChangeKind](raw)
}

// MarshalSeverity writes the severity of a change.
func MarshalSeverity(v page.Severity) graphql.ContextMarshaler { return spell(v) }

// UnmarshalSeverity reads the severity of a change.
func UnmarshalSeverity(_ context.Context, raw any) (page.Severity, error) {
	return read[page.Severity](raw)
}

// MarshalWordRunKind writes what happened to words.
func MarshalWordRunKind(v page.WordRunKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalWordRunKind reads what happened to words.
func UnmarshalWordRunKind(_ context.Context, raw any) (page.WordRunKind, error) {
	return read[page.WordRunKind](raw)
}
