package scalar

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd/culprit"
)

// MarshalPackageKind writes what of a site was updated.
func MarshalPackageKind(v culprit.PackageKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalPackageKind reads what of a site was updated.
func UnmarshalPackageKind(_ context.Context, raw any) (culprit.PackageKind, error) {
	return read[culprit.PackageKind](raw)
}

// MarshalEvidenceKind writes a kind of evidence for a cause.
func MarshalEvidenceKind(v culprit.Kind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalEvidenceKind reads a kind of evidence for a cause.
func UnmarshalEvidenceKind(_ context.Context, raw any) (culprit.Kind, error) {
	return read[culprit.Kind](raw)
}
