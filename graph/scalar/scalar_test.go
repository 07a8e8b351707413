package scalar_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/schedule"
)

func spelled(ctx context.Context, t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	switch v := v.(type) {
	case graphql.ContextMarshaler:
		if err := v.MarshalGQLContext(ctx, &b); err != nil {
			t.Fatal(err)
		}
	case graphql.Marshaler:
		v.MarshalGQL(&b)
	default:
		t.Fatalf("%T cannot be spelled", v)
	}
	return b.String()
}

func TestTheTwoDialects(t *testing.T) {
	at := time.Date(2026, 3, 1, 14, 30, 0, 0, time.FixedZone("", 3600))
	for name, c := range map[string]struct {
		value         any
		graphql, rest string
	}{
		"enum":       {scalar.MarshalComparisonStatus(vcd.ComparisonFalsePositive), `"FALSE_POSITIVE"`, `"false_positive"`},
		"source":     {scalar.MarshalBatchSource(vcd.SourceAutoUpdate), `"AUTO_UPDATE"`, `"auto_update"`},
		"word":       {scalar.Word("post_save"), `"POST_SAVE"`, `"post_save"`},
		"time":       {scalar.MarshalDateTime(at), `"2026-03-01T13:30:00Z"`, `"2026-03-01 13:30:00"`},
		"day":        {scalar.MarshalScheduleDay(7), `7`, `7`},
		"last day":   {scalar.MarshalScheduleDay(schedule.LastDay), `"last"`, `"last"`},
		"number":     {scalar.MarshalEventNumber(1 << 40), `1099511627776`, `1099511627776`},
		"id":         {scalar.MarshalID("x"), `"x"`, `"x"`},
		"early year": {scalar.MarshalDateTime(at.Add(250 * time.Millisecond)), `"2026-03-01T13:30:00.25Z"`, `"2026-03-01 13:30:00"`},
	} {
		if got := spelled(t.Context(), t, c.value); got != c.graphql {
			t.Errorf("%s in GraphQL: %s, want %s", name, got, c.graphql)
		}
		if got := spelled(scalar.WithREST(t.Context()), t, c.value); got != c.rest {
			t.Errorf("%s in REST: %s, want %s", name, got, c.rest)
		}
	}
}

func TestEnumsReadBackWhatTheySpell(t *testing.T) {
	for _, status := range vcd.ComparisonStatuses {
		for _, ctx := range []context.Context{t.Context(), scalar.WithREST(t.Context())} {
			text := strings.Trim(spelled(ctx, t, scalar.MarshalComparisonStatus(status)), `"`)
			if got, err := scalar.UnmarshalComparisonStatus(ctx, text); err != nil || got != status {
				t.Errorf("%s read as %s, %v", text, got, err)
			}
		}
	}
	if _, err := scalar.UnmarshalDevice(t.Context(), 5); err == nil {
		t.Error("a number is no device")
	}
	var w scalar.Word
	if err := w.UnmarshalGQLContext(t.Context(), "DESC"); err != nil || w != "desc" {
		t.Errorf("got %q, %v", w, err)
	}
}

func TestDaysOfASchedule(t *testing.T) {
	for raw, want := range map[any]schedule.Day{
		int64(1): 1, 30: 30, "15": 15, json.Number("7"): 7, "last": schedule.LastDay,
		"Last": 0, "monday": 0, int64(-1): 0, "-1": 0, 32: 0, json.Number("1.5"): 0, true: 0,
	} {
		if got, err := scalar.UnmarshalScheduleDay(raw); err != nil || got != want {
			t.Errorf("%v: got %d, %v, want %d", raw, got, err, want)
		}
	}
}

func TestNumbersOfEvents(t *testing.T) {
	for raw, want := range map[any]int64{5: 5, int64(6): 6, "7": 7, json.Number("9007199254740993"): 9007199254740993, 0: 0} {
		if got, err := scalar.UnmarshalEventNumber(raw); err != nil || got != want {
			t.Errorf("%v: got %d, %v", raw, got, err)
		}
	}
	for _, raw := range []any{-1, "x", 1.5, json.Number("1e3"), "99999999999999999999", nil, true} {
		if got, err := scalar.UnmarshalEventNumber(raw); err == nil {
			t.Errorf("%v is taken for %d", raw, got)
		}
	}
}

func TestBoundsOfAPeriod(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	moment := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	for raw, want := range map[scalar.Date]struct{ from, to time.Time }{
		"2026-03-01": {day(1), day(2)}, "2026-02-28": {day(0), day(1)},
		"2026-03-01T10:30:00+01:00": {moment, moment},
	} {
		from, err := raw.From("from", time.UTC)
		to, err2 := raw.To("to", time.UTC)
		if err != nil || err2 != nil || !from.Equal(want.from) || !to.Equal(want.to) {
			t.Errorf("%s: %v to %v (%v, %v)", raw, from, to, err, err2)
		}
	}
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	spring := scalar.Date("2026-03-29") // of 23 hours
	if from, _ := spring.From("from", paris); !from.Equal(time.Date(2026, 3, 28, 23, 0, 0, 0, time.UTC)) {
		t.Errorf("the day begins at %v in Paris", from)
	}
	if to, _ := spring.To("to", paris); !to.Equal(time.Date(2026, 3, 29, 22, 0, 0, 0, time.UTC)) {
		t.Errorf("the day ends at %v in Paris", to)
	}
	var none *scalar.Date
	if at, err := none.From("from", time.UTC); at != nil || err != nil {
		t.Errorf("no bound: %v, %v", at, err)
	}
	for _, raw := range []scalar.Date{"", "yesterday", "2026-02-30", "2026-3-1", "2026-03-01 10:00:00"} {
		if _, err := raw.To("to", time.UTC); vcd.CodeOf(err) != vcd.CodeInvalid {
			t.Errorf("%q: %v", raw, err)
		}
	}
	if _, err := scalar.UnmarshalDate(5); err == nil {
		t.Error("a number is no date")
	}
}

func TestTimesAreReadInRFC3339(t *testing.T) {
	if at, err := scalar.UnmarshalDateTime(t.Context(), "2026-03-01T10:00:00+01:00"); err != nil || at.Hour() != 9 {
		t.Errorf("got %v, %v", at, err)
	}
	for _, raw := range []any{"2026-03-01", 5, nil, "2026-03-01 10:00:00"} {
		if at, err := scalar.UnmarshalDateTime(t.Context(), raw); err == nil {
			t.Errorf("%v is taken for %v", raw, at)
		}
	}
}
