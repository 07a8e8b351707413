package rest

import (
	"bytes"
	"errors"
)

// The executor's JSON is cut, never decoded: the answer's bytes are the executor's.

// member is one name and value of a JSON object, as bytes of the object.
type member struct {
	name  string // without quotes; names are aliases, so they hold no escapes
	value []byte
}

var errNotJSON = errors.New("the executor's result is not the JSON that its operation promises")

// members cuts an object into its members, in order.
func members(object []byte) ([]member, error) {
	s := scanner{text: object}
	if !s.take('{') {
		return nil, errNotJSON
	}
	var out []member
	for !s.take('}') {
		if len(out) > 0 && !s.take(',') {
			return nil, errNotJSON
		}
		name, ok := s.value()
		if !ok || name[0] != '"' || !s.take(':') {
			return nil, errNotJSON
		}
		value, ok := s.value()
		if !ok {
			return nil, errNotJSON
		}
		out = append(out, member{string(name[1 : len(name)-1]), value})
	}
	return out, nil
}

// countItems tells how many items a list has.
func countItems(list []byte) (int64, error) {
	s := scanner{text: list}
	if !s.take('[') {
		return 0, errNotJSON
	}
	var count int64
	for !s.take(']') {
		if count > 0 && !s.take(',') {
			return 0, errNotJSON
		}
		if _, ok := s.value(); !ok {
			return 0, errNotJSON
		}
		count++
	}
	return count, nil
}

func isNull(value []byte) bool { return string(bytes.TrimSpace(value)) == "null" }

// scanner walks over JSON that is known to be well formed; on anything else it stops early and never runs over the end.
type scanner struct {
	text []byte
	at   int
}

func (s *scanner) skipSpace() {
	for s.at < len(s.text) && bytes.IndexByte([]byte(" \t\r\n"), s.text[s.at]) >= 0 {
		s.at++
	}
}

// take steps over one punctuation mark if it is next.
func (s *scanner) take(mark byte) bool {
	s.skipSpace()
	if s.at < len(s.text) && s.text[s.at] == mark {
		s.at++
		return true
	}
	return false
}

// value steps over one value and returns its bytes.
func (s *scanner) value() ([]byte, bool) {
	s.skipSpace()
	start := s.at
	if s.at == len(s.text) {
		return nil, false
	}
	switch s.text[s.at] {
	case '"':
		ok := s.stringEnd()
		return s.text[start:s.at], ok
	case '{', '[':
		ok := s.compositeEnd()
		return s.text[start:s.at], ok
	}
	for s.at < len(s.text) && bytes.IndexByte([]byte(" \t\r\n,:]}"), s.text[s.at]) < 0 {
		s.at++
	}
	return s.text[start:s.at], s.at > start
}

// stringEnd steps behind the closing quote of the string that begins here.
func (s *scanner) stringEnd() bool {
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return true
		}
	}
	s.at = len(s.text)
	return false
}

// compositeEnd steps behind the bracket that closes the object or list that begins here.
func (s *scanner) compositeEnd() bool {
	depth := 0
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			if !s.stringEnd() {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return true
		}
	}
	return false
}
