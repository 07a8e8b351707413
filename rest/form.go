package rest

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
)

// Faults of a form. The first is answered as malformed, the others as too large.
var (
	errFormEncoding = errors.New("the form is not valid application/x-www-form-urlencoded data")
	errTooDeep      = errors.New("the data is nested too deeply")
	errTooMany      = errors.New("the data holds too many values")
)

// parseForm reads URL-encoded pairs with PHP's nesting: a[b]=1 nests, a[]=1 appends, of equal names the last wins. It
// serves bodies and query strings alike.
//
// Source of the rules: "Variables From External Sources" in the PHP manual. Differences: names are not rewritten (PHP
// turns dots and spaces into underscores), and an unclosed bracket leaves the name as it stands.
func parseForm(encoded string) (values, error) {
	root := &formNode{}
	count := 0
	for pair := range strings.SplitSeq(encoded, "&") {
		if pair == "" {
			continue
		}
		if count++; count > maxValues {
			return nil, errTooMany
		}
		name, value, err := formPair(pair)
		if err != nil {
			return nil, err
		}
		path := formPath(name)
		if len(path) > maxDepth {
			return nil, errTooDeep
		}
		if path[0] != "" {
			root.set(path, value)
		}
	}
	return root.values(), nil
}

// formPair decodes one name=value. Bytes that are not UTF-8 become the replacement character, as JSON decoding does.
func formPair(pair string) (name, value string, err error) {
	rawName, rawValue, _ := strings.Cut(pair, "=")
	name, err = url.QueryUnescape(rawName)
	if err != nil {
		return "", "", errFormEncoding
	}
	value, err = url.QueryUnescape(rawValue)
	if err != nil {
		return "", "", errFormEncoding
	}
	return strings.ToValidUTF8(name, "\uFFFD"), strings.ToValidUTF8(value, "\uFFFD"), nil
}

// formPath splits a[b][] into a, b and an empty part, which means the next free index.
func formPath(name string) []string {
	open := strings.IndexByte(name, '[')
	if open < 0 {
		return []string{name}
	}
	path := []string{name[:open]}
	rest := name[open:]
	for strings.HasPrefix(rest, "[") {
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			break
		}
		path = append(path, rest[1:end])
		rest = rest[end+1:]
	}
	if len(path) == 1 {
		return []string{name}
	}
	return path
}

// formNode is a value under construction: a text, or children by key.
type formNode struct {
	text     string
	children map[string]*formNode
	next     int // the index that an empty key gets
}

func (n *formNode) set(path []string, text string) {
	if len(path) == 0 {
		n.text, n.children = text, nil
		return
	}
	if n.children == nil {
		n.children, n.next = map[string]*formNode{}, 0
	}
	key := path[0]
	if key == "" {
		key = strconv.Itoa(n.next)
	}
	if number, ok := listIndex(key); ok && number >= n.next && number < maxValues {
		n.next = number + 1
	}
	child, ok := n.children[key]
	if !ok {
		child = &formNode{}
		n.children[key] = child
	}
	child.set(path[1:], text)
}

func (n *formNode) values() values {
	out := make(values, len(n.children))
	for key, child := range n.children {
		if child.children == nil {
			out[key] = child.text
			continue
		}
		out[key] = child.values()
	}
	return out
}
