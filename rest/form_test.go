package rest

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// A small body must not become large in memory: every level of every name is a map.
func TestNestedFormsStaySmall(t *testing.T) {
	const most = 100 << 20 // bytes allocated for 4 MiB of form
	for name, c := range map[string]struct {
		pair string
		want error
	}{
		"far too deep":        {"a" + strings.Repeat("[]", 31), errFormTooDeep},
		"one endless name":    {"a" + strings.Repeat("[]", 2<<20), errFormTooDeep},
		"as deep as may be":   {"a" + strings.Repeat("[]", maxFormDepth-1), errTooMany},
		"flat":                {"a", errTooMany},
		"each other's places": {"a[b]&a", errTooMany},
	} {
		body := strings.Repeat(c.pair+"&", max((4<<20)/(len(c.pair)+1), 1))
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
