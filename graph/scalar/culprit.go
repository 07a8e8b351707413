package scalar

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
)

// MarshalPackageKind writes what of a site was updated.
func MarshalPackageKind(v vcd.PackageKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalPackageKind reads what of a site was updated.
func UnmarshalPackageKind(_ context.Context, raw any) (vcd.PackageKind, error) {
	return read[vcd.PackageKind](raw)
}

// MarshalEvidenceKind writes what speaks for a cause.
func MarshalEvidenceKind(v vcd.EvidenceKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalEvidenceKind reads what speaks for a cause.
func UnmarshalEvidenceKind(_ context.Context, raw any) (vcd.EvidenceKind, error) {
	return read[vcd.EvidenceKind](raw)
}
