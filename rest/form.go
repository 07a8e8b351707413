package rest

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/url"
	"strconv"
	"strings"
)

// Faults of a form. The first is answered as malformed, the others as too large.
var (
	errFormEncoding = errors.New("the form is not valid application/x-www-form-urlencoded data")
	errMultipart    = errors.New("the form is not valid multipart/form-data")
	errFile         = errors.New("the form contains a file")
	errFormTooDeep  = errors.New("the form is nested too deeply")
	errTooDeep      = errors.New("the data is nested too deeply")
	errTooMany      = errors.New("the data holds too many values")
)

// maxFormDepth is how many keys a name may have. A form needs five characters for a level that costs a map, so it gets
// far fewer levels than JSON does.
const maxFormDepth = 8

// parseForm reads URL-encoded pairs with PHP's nesting: a[b]=1 nests, a[]=1 appends, of equal names the last wins. It
// serves bodies and query strings alike.
//
// Source of the rules: "Variables From External Sources" in the PHP manual. Differences: names are not rewritten (PHP
// turns dots and spaces into underscores), and an unclosed bracket leaves the name as it stands.
func parseForm(encoded string) (values, error) {
	f := form{left: maxValues}
	for pair := range strings.SplitSeq(encoded, "&") {
		if pair == "" {
			continue
		}
		name, value, err := formPair(pair)
		if err != nil {
			return nil, err
		}
		if err := f.add(name, value); err != nil {
			return nil, err
		}
	}
	return f.root.values(), nil
}

// parseMultipart reads the parts of a multipart/form-data body (RFC 7578) with the same nesting of names. The part of a file
// that was not chosen, which browsers send without name and content, is an empty text.
func parseMultipart(raw []byte, boundary string) (values, error) {
	if boundary == "" {
		return nil, errMultipart
	}
	f := form{left: maxValues}
	ended := bytes.Contains(raw, []byte("--"+boundary+"--"))
	for reader := multipart.NewReader(bytes.NewReader(raw), boundary); ; {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) && ended {
			return f.root.values(), nil
		}
		if err != nil {
			return nil, errMultipart
		}
		text, err := io.ReadAll(part)
		switch {
		case err != nil:
			return nil, errMultipart
		case part.FileName() != "":
			return nil, errFile
		}
		if err := f.add(utf8Text(part.FormName()), utf8Text(string(text))); err != nil {
			return nil, err
		}
	}
}

// utf8Text replaces bytes that are not UTF-8, as JSON decoding does.
func utf8Text(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// formPair decodes one name=value.
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
	return utf8Text(name), utf8Text(value), nil
}

// formPath splits a[b][] into a, b and an empty part, which means the next free index. Of a name that is too deep it
// returns enough parts to tell.
func formPath(name string) []string {
	open := strings.IndexByte(name, '[')
	if open < 0 {
		return []string{name}
	}
	path := []string{name[:open]}
	rest := name[open:]
	for strings.HasPrefix(rest, "[") && len(path) <= maxFormDepth {
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

// form is a form under construction. Values at every level count, as those of JSON do: a name with many keys makes a
// map for each.
type form struct {
	root formNode
	left int // values that may still be made
}

// formNode is a value under construction: a text, or children by key.
type formNode struct {
	text     string
	children map[string]*formNode
	next     int // the index that an empty key gets
}

// add puts a text at the place that a name says.
func (f *form) add(name, text string) error {
	path := formPath(name)
	if len(path) > maxFormDepth {
		return errFormTooDeep
	}
	return f.set(path, text)
}

// set puts a text at the end of a path. A name without a beginning is ignored.
func (f *form) set(path []string, text string) error {
	f.left-- // for the text, also where it takes the place of another
	node := &f.root
	for level, key := range path {
		if level == 0 && key == "" {
			return f.err()
		}
		child, made := node.child(key)
		if made && level < len(path)-1 {
			f.left--
		}
		if err := f.err(); err != nil {
			return err
		}
		node = child
	}
	node.text, node.children = text, nil
	return nil
}

func (f *form) err() error {
	if f.left < 0 {
		return errTooMany
	}
	return nil
}

// child is the child of a key, made where there is none.
func (n *formNode) child(key string) (child *formNode, made bool) {
	if n.children == nil {
		n.children, n.next = map[string]*formNode{}, 0
	}
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
	return child, !ok
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
