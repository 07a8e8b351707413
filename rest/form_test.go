package rest

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A small body must not become large in memory: every level of every name is a map.
func TestNestedFormsStaySmall(t *testing.T) {
	const most = 120 << 20 // bytes allocated for 8 MiB of form
	for name, c := range map[string]struct {
		pair string
		want error
	}{
		"far too deep":        {"a" + strings.Repeat("[]", 31), errFormTooDeep},
		"one endless name":    {"a" + strings.Repeat("[]", 4<<20), errFormTooDeep},
		"as deep as may be":   {"a" + strings.Repeat("[]", maxFormDepth-1), errTooMany},
		"flat":                {"a", errTooMany},
		"each other's places": {"a[b]&a", errTooMany},
	} {
		body := strings.Repeat(c.pair+"&", max((8<<20)/(len(c.pair)+1), 1))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := parseForm(body)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > most {
			t.Errorf("%s: %d MB allocated", name, allocated>>20)
		}
	}
}

// A body of parts says what the same form says URL-encoded; files and broken bodies are refused.
func TestMultipartIsAForm(t *testing.T) {
	part := func(disposition, text string) string {
		return "--x\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + text + "\r\n"
	}
	for name, c := range map[string]struct {
		body string
		want values
		err  error
	}{
		"nested": {part(`name="a[b][]"`, "1") + part(`name="a[b][]"`, "é") + "--x--",
			values{"a": values{"b": values{"0": "1", "1": "é"}}}, nil},
		"empty":    {"--x--", values{}, nil},
		"no file":  {part(`name="a"; filename=""`, ""), nil, errMultipart},
		"file":     {part(`name="a"; filename="a.txt"`, "b") + "--x--", nil, errFile},
		"cut off":  {part(`name="a"`, "b"), nil, errMultipart},
		"too deep": {part(`name="a`+strings.Repeat("[]", maxFormDepth)+`"`, "b") + "--x--", nil, errFormTooDeep},
		"too many": {strings.Repeat(part(`name="a"`, ""), maxValues+1) + "--x--", nil, errTooMany},
		"no parts": {"a=b", nil, errMultipart},
	} {
		got, err := parseMultipart([]byte(c.body), "x")
		if !errors.Is(err, c.err) || !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := parseMultipart([]byte("--x--"), ""); !errors.Is(err, errMultipart) {
		t.Errorf("no boundary: %v", err)
	}
}

func TestValuesOfFormsCountAtEveryLevel(t *testing.T) {
	f := form{left: 5}
	for i, path := range [][]string{{"a", "b", "c"}, {"a", "b", "c"}, {""}} {
		if err := f.set(path, "x"); err != nil {
			t.Fatalf("pair %d: %v", i, err)
		}
	}
	if err := f.set([]string{"a"}, "x"); !errors.Is(err, errTooMany) {
		t.Fatalf("got %v", err)
	}
}
