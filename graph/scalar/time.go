package scalar

import (
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
)

var (
	errNotTime = errors.New("must be a time in RFC 3339")
	errNotDate = errors.New("must be a valid date")
)

// MarshalDateTime writes a moment in UTC.
func MarshalDateTime(t time.Time) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(ctx context.Context, w io.Writer) error {
		layout := time.RFC3339Nano
		if IsREST(ctx) {
			layout = time.DateTime
		}
		_, err := io.WriteString(w, strconv.Quote(t.UTC().Format(layout)))
		return err
	})
}

// UnmarshalDateTime reads a moment in RFC 3339.
func UnmarshalDateTime(_ context.Context, raw any) (time.Time, error) {
	text, ok := raw.(string)
	if !ok {
		return time.Time{}, errNotTime
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || !vcd.ValidTime(t) {
		return time.Time{}, errNotTime
	}
	return t.UTC(), nil
}

// MarshalScheduleTime writes a planned moment: for REST in Unix seconds.
func MarshalScheduleTime(t time.Time) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(ctx context.Context, w io.Writer) error {
		if IsREST(ctx) {
			_, err := io.WriteString(w, strconv.FormatInt(t.Unix(), 10))
			return err
		}
		return MarshalDateTime(t).MarshalGQLContext(ctx, w)
	})
}

// UnmarshalScheduleTime reads a planned moment in RFC 3339.
func UnmarshalScheduleTime(ctx context.Context, raw any) (time.Time, error) {
	return UnmarshalDateTime(ctx, raw)
}

// Date is a bound of a period as a client sent it: a day or a moment.
type Date string

// MarshalDate writes a date as it is.
func MarshalDate(d Date) graphql.Marshaler { return graphql.MarshalString(string(d)) }

// UnmarshalDate reads a date. Whether it is one is checked by From and To, which know the name of the field.
func UnmarshalDate(raw any) (Date, error) {
	text, ok := raw.(string)
	if !ok {
		return "", errNotDate
	}
	return Date(text), nil
}

// IsDay reports whether it is a day, whose beginning depends on a time zone. The nil pointer is none.
func (d *Date) IsDay() bool { return d != nil && len(*d) == len(time.DateOnly) }

// From is the moment at which a period begins; a day begins in the given zone. The nil pointer stands for no bound.
func (d *Date) From(field string, zone *time.Location) (*time.Time, error) {
	return d.bound(field, zone, 0)
}

// To is the moment before which a period ends: a day is included whole.
func (d *Date) To(field string, zone *time.Location) (*time.Time, error) {
	return d.bound(field, zone, 1)
}

func (d *Date) bound(field string, zone *time.Location, days int) (*time.Time, error) {
	if d == nil {
		return nil, nil
	}
	at, err := time.ParseInLocation(time.DateOnly, string(*d), zone)
	if err == nil {
		at = at.AddDate(0, 0, days)
	} else {
		at, err = time.Parse(time.RFC3339Nano, string(*d))
	}
	if err != nil || !vcd.ValidTime(at) {
		return nil, vcd.Invalid(field, "date", "The {field} field must be a valid date.")
	}
	at = at.UTC()
	return &at, nil
}
