package vcd

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestCursorsRoundTrip(t *testing.T) {
	ids := RandomIDs{}
	rapid.Check(t, func(t *rapid.T) {
		c := Cursor{CreatedAt: time.UnixMicro(rapid.Int64Range(-62135596800000000, 253402300799999999).Draw(t, "at")).UTC(),
			ID: ids.NewID()}
		if got, ok := ParseCursor(c.In("list"), "list"); !ok || got != c {
			t.Fatalf("%v came back as %v, %v", c, got, ok)
		}
	})
}

func TestWhatIsNoCursorIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if c, ok := ParseCursor(text, "list"); ok && c.In("list") != text {
			t.Fatalf("%q was taken as %v", text, c)
		}
	})
}

func TestPageArguments(t *testing.T) {
	n := func(i int) *int { return &i }
	s := func(text string) *string { return &text }
	cursor := Cursor{CreatedAt: time.Unix(1, 0).UTC(), ID: RandomIDs{}.NewID()}
	for name, c := range map[string]struct {
		args PageArgs
		want Page
		bad  string // the invalid field
	}{
		"nothing":             {PageArgs{}, Page{Size: DefaultPageSize}, ""},
		"first":               {PageArgs{First: n(3)}, Page{Size: 3}, ""},
		"clamped":             {PageArgs{Size: n(1000), Number: n(2)}, Page{Size: MaxPageSize, Number: 2}, ""},
		"clamped elsewhere":   {PageArgs{Size: n(1001), Most: 1000}, Page{Size: 1000}, ""},
		"backward":            {PageArgs{Last: n(3), Before: s(cursor.In(""))}, Page{Size: 3, Backward: true, Before: &cursor}, ""},
		"zero":                {PageArgs{First: n(0)}, Page{}, "first"},
		"negative page":       {PageArgs{Number: n(-1)}, Page{}, "page"},
		"first and last":      {PageArgs{First: n(1), Last: n(1)}, Page{}, "last"},
		"size and first":      {PageArgs{Size: n(1), First: n(1)}, Page{}, "perPage"},
		"size and last":       {PageArgs{Size: n(1), Last: n(1)}, Page{}, "perPage"},
		"page and cursor":     {PageArgs{Number: n(1), After: s(cursor.In(""))}, Page{}, "page"},
		"another list":        {PageArgs{After: s(cursor.In("groups")), List: "urls"}, Page{}, "after"},
		"nonsense for cursor": {PageArgs{After: s("nonsense")}, Page{}, "after"},
	} {
		got, err := c.args.Page()
		if c.bad != "" {
			if e, ok := err.(*Error); !ok || e.Code != CodeInvalid || e.Fields[0].Path != c.bad { //nolint:errorlint // it is returned bare
				t.Errorf("%s: error %v, want one on %s", name, err, c.bad)
			}
			continue
		}
		same := got.Size == c.want.Size && got.Number == c.want.Number && got.Backward == c.want.Backward &&
			(got.Before == nil) == (c.want.Before == nil)
		if err != nil || !same {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, c.want)
		}
	}
}
