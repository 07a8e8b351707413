package flow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// reader reads the tree of a definition and keeps the first error.
type reader struct{ err error }

// fail records an error with its place.
func (r *reader) fail(line int, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
	}
}

// object is a mapping of which each field is taken once; what is left in the end is unknown.
type object struct {
	*reader
	line   int
	known  []string // fields that were asked for
	fields map[string]ast.Node
	lines  map[string]int
	order  []string
}

// object reads a mapping; one that is not is an error and has no fields.
func (r *reader) object(node ast.Node, what string) *object {
	o := &object{reader: r, line: lineOf(node), fields: map[string]ast.Node{}, lines: map[string]int{}}
	var pairs []*ast.MappingValueNode
	switch node := node.(type) {
	case *ast.MappingNode:
		pairs = node.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{node}
	default:
		r.fail(o.line, "%s must be an object with fields, not %s", what, kindOf(node))
	}
	for _, pair := range pairs {
		name, plain := plainText(pair.Key)
		line := lineOf(pair.Key)
		switch {
		case !plain:
			r.fail(line, "%s: the name of a field must be text, not %s", what, kindOf(pair.Key))
		case o.fields[name] != nil:
			r.fail(line, "the field %q is given twice: remove one of them", name)
		default:
			o.fields[name], o.lines[name], o.order = pair.Value, line, append(o.order, name)
		}
	}
	return o
}

// take returns a field and removes it; nil when there is none.
func (o *object) take(name string) ast.Node {
	o.known = append(o.known, name)
	node := o.fields[name]
	delete(o.fields, name)
	if _, null := node.(*ast.NullNode); null {
		o.fail(o.lines[name], "%s has no value: give it one or remove it", name)
	}
	return node
}

// close refuses what was not taken.
func (o *object) close(what string) {
	for _, name := range o.order {
		if o.fields[name] == nil {
			continue
		}
		slices.Sort(o.known)
		o.fail(o.lines[name], "%s has no field %q; its fields are %s", what, name, strings.Join(slices.Compact(o.known), ", "))
	}
}

// text takes a field that is a text of at most so many bytes; "" when there is none.
func (o *object) text(name string, most int) string {
	node := o.take(name)
	if node == nil {
		return ""
	}
	text, plain := plainText(node)
	switch {
	case !plain:
		o.fail(o.lines[name], "%s must be text, not %s", name, kindOf(node))
	case len(text) > most:
		o.fail(o.lines[name], "%s has %d bytes; at most %d are supported", name, len(text), most)
	case strings.ContainsRune(text, 0):
		o.fail(o.lines[name], "%s contains the character 0: remove it", name)
	case strings.TrimSpace(text) == "" && name != "value" && name != "equals":
		o.fail(o.lines[name], "%s is empty: give it a value or remove it", name)
	}
	return text
}

// flag takes a field that is true or false.
func (o *object) flag(name string, otherwise bool) bool {
	node := o.take(name)
	if node == nil {
		return otherwise
	}
	value, ok := node.(*ast.BoolNode)
	if !ok {
		o.fail(o.lines[name], "%s must be true or false, not %s", name, kindOf(node))
		return otherwise
	}
	return value.Value
}

// duration takes a field such as 30s, within limits; 0 when there is none.
func (o *object) duration(name string, most time.Duration) time.Duration {
	text := o.text(name, maxName)
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second || d > most {
		o.fail(o.lines[name], "%s must be a time from 1s to %s, such as 30s, not %q", name, most, text)
	}
	return d
}

// number takes a field that counts from 1; 0 when there is none.
func (o *object) number(name string, most int) int {
	text := o.text(name, maxName)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		o.fail(o.lines[name], "%s must be a number from 1 to %d, not %q", name, most, text)
	}
	return n
}

// list takes a field that is a text or a list of at most so many.
func (o *object) list(name string, items, most int) []string {
	node := o.take(name)
	if node == nil {
		return nil
	}
	nodes := []ast.Node{node}
	if several, ok := node.(*ast.SequenceNode); ok {
		nodes = several.Values
	}
	if len(nodes) == 0 || len(nodes) > items {
		o.fail(o.lines[name], "%s has %d items; 1 to %d are supported", name, len(nodes), items)
		return nil
	}
	texts := make([]string, len(nodes))
	for i, node := range nodes {
		text, plain := plainText(node)
		if !plain || strings.TrimSpace(text) == "" || len(text) > most || strings.ContainsRune(text, 0) {
			o.fail(lineOf(node), "%s: each item must be text of 1 to %d bytes", name, most)
		}
		texts[i] = text
	}
	return texts
}

// plainText is the text of a scalar as it was written. Numbers and booleans are texts, too.
func plainText(node ast.Node) (string, bool) {
	switch node := node.(type) {
	case *ast.StringNode:
		return node.Value, true
	case *ast.LiteralNode:
		return node.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return node.GetToken().Value, true
	}
	return "", false
}

// kindOf names what was found in place of something else. Aliases are not followed: a few lines of them stand for any number.
func kindOf(node ast.Node) string {
	switch node.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "an object"
	case *ast.SequenceNode:
		return "a list"
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return "an anchor or alias, which is not supported: write out what it stands for"
	case *ast.TagNode:
		return "a tagged value: remove the tag"
	}
	if text, plain := plainText(node); plain {
		if len(text) > 40 {
			text = strings.ToValidUTF8(text[:40], "") + "…"
		}
		return strconv.Quote(text)
	}
	return "something else"
}

func lineOf(node ast.Node) int {
	if node == nil || node.GetToken() == nil || node.GetToken().Position == nil {
		return 1
	}
	if pair, ok := node.(*ast.MappingValueNode); ok {
		return lineOf(pair.Key)
	}
	if whole, ok := node.(*ast.MappingNode); ok && len(whole.Values) > 0 {
		return lineOf(whole.Values[0].Key)
	}
	return node.GetToken().Position.Line
}
