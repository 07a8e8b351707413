package scalar

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
	"afterimage/vcd/schedule"
)

var errNotNumber = errors.New("must be a non-negative integer")

// MarshalID writes an id.
func MarshalID(id vcd.ID) graphql.Marshaler { return graphql.MarshalID(string(id)) }

// UnmarshalID reads an id of any form. Arguments are read as text instead, for they may be no ids at all.
func UnmarshalID(raw any) (vcd.ID, error) {
	text, err := graphql.UnmarshalID(raw)
	return vcd.ID(text), err
}

// MarshalEventNumber writes the number of an event.
func MarshalEventNumber(n int64) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, strconv.FormatInt(n, 10)) })
}

// UnmarshalEventNumber reads the number of an event. Text is taken too, since some clients lose digits of large numbers.
func UnmarshalEventNumber(raw any) (int64, error) {
	n, err := wholeNumber(raw)
	if err != nil || n < 0 {
		return 0, errNotNumber
	}
	return n, nil
}

// MarshalScheduleDay writes a day as a number, or "last".
func MarshalScheduleDay(d schedule.Day) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		text := d.String()
		if d == schedule.LastDay {
			text = strconv.Quote(text)
		}
		_, _ = io.WriteString(w, text)
	})
}

// UnmarshalScheduleDay reads a number or "last". Anything else becomes 0, which is no day: the domain refuses it by the
// name of the field and its place in the list, which are not known here.
func UnmarshalScheduleDay(raw any) (schedule.Day, error) {
	if raw == schedule.LastDay.String() {
		return schedule.LastDay, nil
	}
	n, err := wholeNumber(raw)
	if err != nil || n < 0 || n > 31 {
		return 0, nil
	}
	return schedule.Day(n), nil
}

func wholeNumber(raw any) (int64, error) {
	switch value := raw.(type) {
	case int:
		return int64(value), nil
	case int64:
		return value, nil
	case json.Number:
		return value.Int64()
	case string:
		return strconv.ParseInt(value, 10, 64)
	}
	return 0, errNotNumber
}
