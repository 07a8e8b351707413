package rest

import (
	"errors"

	"github.com/tidwall/gjson"
)

// The executor's JSON is cut, never decoded: the answer's bytes are the executor's.

var errNotJSON = errors.New("the executor's result is not the JSON that its operation promises")

// parse reads well-formed JSON; gjson itself makes something of anything.
func parse(text []byte) (gjson.Result, error) {
	if !gjson.ValidBytes(text) {
		return gjson.Result{}, errNotJSON
	}
	return gjson.ParseBytes(text), nil
}

// member is one name and value of a JSON object.
type member struct {
	name  string
	value gjson.Result
}

// members cuts an object into its members, in order; a name that occurs twice has two.
func members(object gjson.Result) ([]member, error) {
	if !object.IsObject() {
		return nil, errNotJSON
	}
	var out []member
	object.ForEach(func(name, value gjson.Result) bool {
		out = append(out, member{name.String(), value})
		return true
	})
	return out, nil
}

// countItems tells how many items a list has.
func countItems(list gjson.Result) (int64, error) {
	if !list.IsArray() {
		return 0, errNotJSON
	}
	var count int64
	list.ForEach(func(_, _ gjson.Result) bool {
		count++
		return true
	})
	return count, nil
}
