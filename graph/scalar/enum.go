package scalar

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// The domain keeps the values of enums in lower case, which is how the REST interface spells them too. In GraphQL they
// are upper case.

func spell[T ~string](value T) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(ctx context.Context, w io.Writer) error {
		text := string(value)
		if !IsREST(ctx) {
			text = strings.ToUpper(text)
		}
		_, err := io.WriteString(w, strconv.Quote(text))
		return err
	})
}

var errNotName = errors.New("must be a value of the enum")

// read takes a value that was checked against the schema's names.
func read[T ~string](raw any) (T, error) {
	text, ok := raw.(string)
	if !ok {
		return "", errNotName
	}
	return T(strings.ToLower(text)), nil
}

// Word is the value of an enum that the domain keeps as plain text.
type Word string

// MarshalGQLContext writes the word in the dialect of the context.
func (w Word) MarshalGQLContext(ctx context.Context, out io.Writer) error {
	return spell(w).MarshalGQLContext(ctx, out)
}

// UnmarshalGQLContext reads a word.
func (w *Word) UnmarshalGQLContext(_ context.Context, raw any) (err error) {
	*w, err = read[Word](raw)
	return err
}
