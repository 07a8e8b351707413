package scalar

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
)

// MarshalScope writes what a token was made for.
func MarshalScope(v vcd.Scope) graphql.ContextMarshaler { return spell(v) }

// UnmarshalScope reads a scope of a token to be created.
func UnmarshalScope(_ context.Context, raw any) (vcd.Scope, error) { return read[vcd.Scope](raw) }

// MarshalRole writes what a user may do.
func MarshalRole(v vcd.Role) graphql.ContextMarshaler { return spell(v) }

// UnmarshalRole reads the role that a user is to get.
func UnmarshalRole(_ context.Context, raw any) (vcd.Role, error) { return read[vcd.Role](raw) }

// MarshalPermission writes what a caller may do.
func MarshalPermission(v vcd.Permission) graphql.ContextMarshaler { return spell(v) }

// UnmarshalPermission reads what a caller may do.
func UnmarshalPermission(_ context.Context, raw any) (vcd.Permission, error) {
	return read[vcd.Permission](raw)
}
