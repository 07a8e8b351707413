package page

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func logs(n int, kind string) []ConsoleEntry {
	entries := make([]ConsoleEntry, n)
	for i := range entries {
		entries[i] = ConsoleEntry{Text: "line " + string(rune('a'+i%26)) + string(rune('a'+i/26)), Type: kind}
	}
	return entries
}

func TestConsolesAreComparedByWhatTheySay(t *testing.T) {
	same := ConsoleEntry{Text: "took 5 ms", Type: "log"}
	later := ConsoleEntry{Text: "took 7 ms", Type: "log"}
	boom := ConsoleEntry{Text: "boom 1", Type: "error"}
	for name, c := range map[string]struct {
		before, after  []ConsoleEntry
		added, removed []ConsoleEntry
	}{
		"nothing":  {nil, nil, nil, nil},
		"the same": {[]ConsoleEntry{same, same}, []ConsoleEntry{later}, nil, nil},
		"added":    {[]ConsoleEntry{same}, []ConsoleEntry{boom, later, boom}, []ConsoleEntry{boom}, nil},
		"removed":  {[]ConsoleEntry{same, boom}, []ConsoleEntry{later}, nil, []ConsoleEntry{boom}},
		"mixed":    {[]ConsoleEntry{same}, []ConsoleEntry{boom}, []ConsoleEntry{boom}, []ConsoleEntry{same}},
		"full": {logs(100, "log"), []ConsoleEntry{{Text: "behind the end", Type: "log"}, boom}, []ConsoleEntry{boom},
			logs(100, "log")},
		"bounded":   {nil, logs(150, "error"), logs(150, "error")[:100], nil},
		"each once": {nil, []ConsoleEntry{same, later}, []ConsoleEntry{same}, nil},
	} {
		added, removed := CompareConsoles(c.before, c.after)
		if diff := cmp.Diff(c.added, added); diff != "" {
			t.Errorf("%s, added: %s", name, diff)
		}
		if diff := cmp.Diff(c.removed, removed); diff != "" {
			t.Errorf("%s, removed: %s", name, diff)
		}
	}
}

func TestFailedRequestsAreInTheConsole(t *testing.T) {
	visit := &Visit{
		Console: []ConsoleEntry{{Text: FailedLoadPrefix + "the server responded with a status of 404 (Not Found)", Type: "error",
			URL: "https://example.test/a.png"}},
		Manifest: Manifest{FailedRequests: []FailedRequest{
			{URL: "https://example.test/a.png", Type: "Image", Status: 404},
			{URL: "https://example.test/b.js", Type: "Script", Status: 503},
			{URL: "https://example.test/c.css", Type: "Stylesheet", Error: "net::ERR_CONNECTION_RESET"},
		}},
	}
	want := append(visit.Console[:1:1],
		ConsoleEntry{Text: "Failed to load resource: the server responded with a status of 503", Type: "error",
			URL: "https://example.test/b.js"},
		ConsoleEntry{Text: "Failed to load resource: net::ERR_CONNECTION_RESET", Type: "error", URL: "https://example.test/c.css"})
	if diff := cmp.Diff(want, visit.FullConsole()); diff != "" {
		t.Error(diff)
	}
	told := &Visit{Console: []ConsoleEntry{{Text: FailedLoadPrefix + "the server responded with a status of 503 ()", Type: "error",
		URL: "https://example.test/b.js"}}}
	if added, removed := CompareConsoles(told.FullConsole(), want[1:2]); len(added)+len(removed) > 0 {
		t.Errorf("the browser's word for it is another entry: %+v, %+v", added, removed)
	}
}

func BenchmarkComparingFullConsoles(b *testing.B) {
	before, after := make([]ConsoleEntry, MaxConsoleEntries), make([]ConsoleEntry, MaxConsoleEntries)
	for i := range before {
		text := strings.Repeat("word 12 https://example.test/app.3f2a1b9c.js?ver=1 ", 40)[:2000]
		before[i] = ConsoleEntry{Text: strings.Repeat("a", i) + text, Type: ConsoleError}
		after[i] = ConsoleEntry{Text: strings.Repeat("b", i) + text, Type: ConsoleError}
	}
	for b.Loop() {
		CompareConsoles(before, after)
	}
}
