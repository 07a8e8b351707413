package rest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// outcome is what an operation left behind, and the request it answers.
type outcome struct {
	data      []byte            // the executor's result: the JSON object of the operation's root fields
	path      map[string]string // the request's path parameters
	variables map[string]any
	address   string // scheme, host and path of the request
	rawQuery  string
}

// reply is an HTTP answer with a JSON body, or with none when the body is nil.
type reply struct {
	status int
	body   []byte
}

// wrapper is a form of answers. It makes the answer out of an outcome, with the error errMissing or errNotJSON, and tells
// the interface's document what it will look like.
type wrapper struct {
	answer func(outcome) (reply, error)
	shape  func(*describer, *operation) shape
}

var (
	// wrapped answers {"data": …}. What the operation gives beside "data" goes into "meta".
	wrapped = wrapper{answerWrapped, shapeWrapped}
	// combined answers {"data": …} with what the operation gives beside "data" inside of it.
	combined = wrapper{answerCombined, shapeCombined}
	// bare answers the value of "data" without its wrapper.
	bare = wrapper{answerBare, shapeBare}
	// payload answers what a mutation's only root field holds.
	payload = wrapper{answerPayload, shapePayload}
	// list answers a page of a list: data, links, meta.
	list = wrapper{answerList, shapeList}
	// noContent answers nothing but success.
	noContent = wrapper{answerNoContent, shapeNoContent}
)

// errMissing says that an operation found nothing under the id in the path.
var errMissing = errors.New("the operation's result is null")

func answerWrapped(o outcome) (reply, error) {
	object, err := o.payload()
	if err != nil {
		return reply{}, err
	}
	data, err := dataOf(object)
	if err != nil {
		return reply{}, err
	}
	all, err := members(object)
	if err != nil || len(all) == 1 {
		return reply{http.StatusOK, []byte(object.Raw)}, err
	}
	meta := slices.DeleteFunc(all, func(m member) bool { return m.name == "data" })
	return reply{http.StatusOK, fmt.Appendf(nil, `{"data":%s,"meta":%s}`, data.Raw, joined(meta))}, nil
}

func answerCombined(o outcome) (reply, error) {
	object, err := o.payload()
	if err != nil {
		return reply{}, err
	}
	data, err := dataOf(object)
	if err != nil {
		return reply{}, err
	}
	inner, err := members(data)
	if err != nil {
		return reply{}, err
	}
	all, err := members(object)
	if err != nil {
		return reply{}, err
	}
	more := slices.DeleteFunc(all, func(m member) bool { return m.name == "data" })
	return reply{http.StatusOK, fmt.Appendf(nil, `{"data":%s}`, joined(append(inner, more...)))}, nil
}

// joined makes an object of members.
func joined(all []member) []byte {
	out := []byte{'{'}
	for i, m := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:%s", m.name, m.value.Raw)
	}
	return append(out, '}')
}

func answerBare(o outcome) (reply, error) {
	object, err := o.payload()
	if err != nil {
		return reply{}, err
	}
	value, err := dataOf(object)
	return reply{http.StatusOK, []byte(value.Raw)}, err
}

func answerPayload(o outcome) (reply, error) {
	object, err := o.payload()
	return reply{http.StatusOK, []byte(object.Raw)}, err
}

// message answers a text in which {name} stands for a parameter of the path or a number of the payload.
func message(text string) wrapper {
	answer := func(o outcome) (reply, error) {
		object, err := o.payload()
		if err != nil {
			return reply{}, err
		}
		all, err := members(object)
		if err != nil {
			return reply{}, err
		}
		var pairs []string
		for name, value := range o.path {
			pairs = append(pairs, "{"+name+"}", value)
		}
		for _, m := range all {
			pairs = append(pairs, "{"+m.name+"}", m.value.Raw)
		}
		body := append([]byte(`{"message":`), quoted(strings.NewReplacer(pairs...).Replace(text))...)
		return reply{http.StatusOK, append(body, '}')}, nil
	}
	return wrapper{answer, shapeMessage(text)}
}

func answerNoContent(outcome) (reply, error) { return reply{status: http.StatusNoContent}, nil }

// created answers like another wrapper with the status 201.
func created(inner wrapper) wrapper {
	return wrapper{
		answer: func(o outcome) (reply, error) {
			r, err := inner.answer(o)
			r.status = http.StatusCreated
			return r, err
		},
		shape: func(d *describer, op *operation) shape {
			s := inner.shape(d, op)
			s.status = http.StatusCreated
			return s
		},
	}
}

// payload is the object that the answer is taken from: the result itself where it has "data", else its only member.
func (o outcome) payload() (gjson.Result, error) {
	result, err := parse(o.data)
	if err != nil {
		return gjson.Result{}, err
	}
	all, err := members(result)
	switch {
	case err != nil:
		return gjson.Result{}, err
	case len(all) != 1 || all[0].name == "data":
		return result, nil
	case all[0].value.Type == gjson.Null:
		return gjson.Result{}, errMissing
	}
	return all[0].value, nil
}

// dataOf is the value of "data" in an object.
func dataOf(object gjson.Result) (gjson.Result, error) {
	all, err := members(object)
	if err != nil {
		return gjson.Result{}, err
	}
	for _, m := range all {
		if m.name == "data" && m.value.Type == gjson.Null {
			return gjson.Result{}, errMissing
		}
		if m.name == "data" {
			return m.value, nil
		}
	}
	return gjson.Result{}, errNotJSON
}

// listParts are the pieces of a list answer, cut out of the result.
type listParts struct {
	nodes, total gjson.Result
	extra        []member
}

// collect takes "nodes" and "total" wherever "data" and "list" lead to, and everything else for meta.
func (l *listParts) collect(object gjson.Result) error {
	if object.Type == gjson.Null {
		return errMissing
	}
	all, err := members(object)
	if err != nil {
		return err
	}
	for _, m := range all {
		switch m.name {
		case "data", "list":
			if err := l.collect(m.value); err != nil {
				return err
			}
		case "nodes":
			l.nodes = m.value
		case "total":
			l.total = m.value
		default:
			l.extra = append(l.extra, m)
		}
	}
	return nil
}

func answerList(o outcome) (reply, error) {
	result, err := parse(o.data)
	if err != nil {
		return reply{}, err
	}
	var parts listParts
	if err := parts.collect(result); err != nil {
		return reply{}, err
	}
	count, err := countItems(parts.nodes)
	if err != nil {
		return reply{}, err
	}
	total, err := strconv.ParseInt(parts.total.Raw, 10, 64)
	if err != nil {
		return reply{}, fmt.Errorf("%w: total: %w", errNotJSON, err)
	}
	number, _ := o.variables[pageVariable].(int64)
	size, _ := o.variables[perPageVariable].(int64)
	p := page{path: o.address, filters: filters(o.rawQuery), number: number, size: size, count: count, total: total}

	out := make([]byte, 0, len(o.data)+2048)
	out = append(append(out, `{"data":`...), parts.nodes.Raw...)
	out = p.appendLinks(append(out, `,"links":`...))
	out = p.appendMeta(append(out, `,"meta":`...))
	for _, m := range parts.extra {
		out = fmt.Appendf(out, `,%q:%s`, m.name, m.value.Raw)
	}
	return reply{http.StatusOK, append(out, "}}"...)}, nil
}
