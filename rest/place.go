package rest

import (
	"strconv"
	"strings"
)

// places are the indices under which the client sent the items of its lists, by the list's dotted name, where these are
// not simply 0, 1, 2 …: the executor gets lists without holes, and names its items by their order.
type places map[string][]string

// note keeps the indices of a list.
func (p *places) note(list string, sent []string) {
	for i, index := range sent {
		if index == strconv.Itoa(i) {
			continue
		}
		if *p == nil {
			*p = places{}
		}
		(*p)[list] = sent
		return
	}
}

// sent is a field's dotted name with the indices that the client sent.
func (p places) sent(field string) string {
	if len(p) == 0 {
		return field
	}
	parts := strings.Split(field, ".")
	for i := 1; i < len(parts); i++ {
		indices := p[strings.Join(parts[:i], ".")]
		if place, ok := listIndex(parts[i]); ok && place < len(indices) {
			parts[i] = indices[place]
		}
	}
	return strings.Join(parts, ".")
}
