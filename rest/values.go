package rest

import (
	"cmp"
	"slices"
	"strconv"
)

// values is what a request carries, by name, before its types are known. A value is a string, a bool, a json.Number,
// nil, a values or a []any of these. Lists from forms may be a values with the indices for keys, as PHP has them.
type values = map[string]any

// Limits of what a request may carry, beside the size of its body.
const (
	maxDepth  = 32      // levels of nesting in JSON
	maxValues = 200_000 // values in all, at any level
	maxItems  = 50_000  // items of one list
)

// element is an item of a list with the index under which the client sent it.
type element struct {
	index string
	value any
}

// elements reads a value as a list: a list, or a map whose keys are all indices, which PHP makes of a list with holes.
func elements(value any) ([]element, bool) {
	switch list := value.(type) {
	case []any:
		out := make([]element, len(list))
		for i, item := range list {
			out[i] = element{strconv.Itoa(i), item}
		}
		return out, true
	case values:
		return indexedElements(list)
	}
	return nil, false
}

func indexedElements(list values) ([]element, bool) {
	type numbered struct {
		element
		number int
	}
	ordered := make([]numbered, 0, len(list))
	for key, item := range list {
		number, ok := listIndex(key)
		if !ok {
			return nil, false
		}
		ordered = append(ordered, numbered{element{key, item}, number})
	}
	slices.SortFunc(ordered, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	out := make([]element, len(ordered))
	for i, item := range ordered {
		out[i] = item.element
	}
	return out, true
}

// listIndex reads a key as PHP decides whether it is an index: decimal without sign or leading zero.
func listIndex(key string) (int, bool) {
	number, err := strconv.Atoi(key)
	return number, err == nil && number >= 0 && strconv.Itoa(number) == key
}
