package scalar

import (
	"errors"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

var errNUL = errors.New("must not contain NUL characters")

// MarshalString writes a text.
func MarshalString(text string) graphql.Marshaler { return graphql.MarshalString(text) }

// UnmarshalString reads a text. NUL is refused before anybody sees it: PostgreSQL keeps none, and it would be dropped on the
// way there, so that a search for it would find everything.
func UnmarshalString(raw any) (string, error) {
	text, err := graphql.UnmarshalString(raw)
	if err == nil && strings.ContainsRune(text, 0) {
		return "", errNUL
	}
	return text, err
}
