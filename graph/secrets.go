package graph

import (
	"context"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// isSecret reports whether a field's value lets its holder act or forge: such fields are named alike.
func isSecret(field string) bool {
	return strings.HasSuffix(field, "Secret") || field == "plainText" || field == "apiToken"
}

// ShowsSecret reports whether a document selects a secret. Its response must not be compressed: see NoTransform.
func ShowsSecret(doc *ast.QueryDocument) bool {
	for _, operation := range doc.Operations {
		if selectsSecret(operation.SelectionSet) {
			return true
		}
	}
	for _, fragment := range doc.Fragments {
		if selectsSecret(fragment.SelectionSet) {
			return true
		}
	}
	return false
}

func selectsSecret(selections ast.SelectionSet) bool {
	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			if isSecret(selection.Name) || selectsSecret(selection.SelectionSet) {
				return true
			}
		case *ast.InlineFragment:
			if selectsSecret(selection.SelectionSet) {
				return true
			}
		}
	}
	return false
}

// NoTransform forbids intermediaries to change a response, for example by compressing it: next to content chosen by
// the requester, the length of a compressed response leaks the secret in it.
func NoTransform(header http.Header) { header.Set("Cache-Control", "no-store, no-transform") }

type headerKey struct{}

// withHeader notes the header of the answer, for what is known only when the operation was read.
func withHeader(ctx context.Context, header http.Header) context.Context {
	return context.WithValue(ctx, headerKey{}, header)
}

func guardSecrets(ctx context.Context, doc *ast.QueryDocument) {
	if header, ok := ctx.Value(headerKey{}).(http.Header); ok && ShowsSecret(doc) {
		NoTransform(header)
	}
}
