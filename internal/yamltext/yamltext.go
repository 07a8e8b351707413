// Package yamltext reads YAML and JSON files that somebody else wrote, in time and memory that their size bounds.
package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// What the decoder has no limit for, and takes time by the square of.
const (
	MaxDepth = 200    // lists and objects in each other
	maxEmpty = 10_000 // items of lists without a value
)

// Decode reads a text. Errors are one line and name the line of the text where it is known.
func Decode(text []byte, into any, options ...yaml.DecodeOption) error {
	if err := check(text); err != nil {
		return err
	}
	return oneLine(yaml.UnmarshalWithOptions(text, into, options...))
}

// Parse returns the tree of a text that holds one document, with the line of each node; nil for an empty text. Errors are like those
// of [Decode].
func Parse(text []byte) (ast.Node, error) {
	if err := check(text); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(text, 0)
	switch {
	case err != nil:
		return nil, oneLine(err)
	case len(file.Docs) > 1:
		return nil, errors.New("the text has several documents: keep one of them")
	case len(file.Docs) == 0:
		return nil, nil
	}
	return file.Docs[0].Body, nil
}

func oneLine(err error) error {
	var wrong yaml.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.GetToken() != nil:
		return fmt.Errorf("line %d: %s", wrong.GetToken().Position.Line, wrong.GetMessage())
	}
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}

// check refuses what would take long. What looks like a bracket or an item counts even within a text.
func check(text []byte) error {
	if err := checkBrackets(text); err != nil {
		return err
	}
	empty := 0
	for line := range bytes.Lines(text) {
		if bytes.Count(line, []byte("- "))+bytes.Count(line, []byte("? ")) > MaxDepth {
			return errDeep
		}
		if bytes.HasSuffix(bytes.TrimSpace(line), []byte("-")) {
			empty++
		}
	}
	if empty > maxEmpty {
		return fmt.Errorf("more than %d items of lists are empty", maxEmpty)
	}
	return nil
}

// checkBrackets counts brackets that are open. Of those that close, some may be part of a text or a comment: where that could make
// the count too small, the tokens decide.
func checkBrackets(text []byte) error {
	depth, opened := 0, 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
			opened++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		if depth > MaxDepth {
			return errDeep
		}
	}
	if opened <= MaxDepth {
		return nil
	}
	depth = 0
	for _, t := range lexer.Tokenize(string(text)) {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth = max(depth-1, 0)
		}
		if depth > MaxDepth {
			return errDeep
		}
	}
	return nil
}

var errDeep = fmt.Errorf("lists and objects are nested more than %d times", MaxDepth)
