package vcd

import (
	"fmt"
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

func TestWhatChangedInTheConsole(t *testing.T) {
	entry := func(text string) ConsoleEntry {
		return ConsoleEntry{Text: text, Type: "log", URL: "https://example.test/a.js"}
	}
	for name, c := range map[string]struct {
		before, after []string
		change        ConsoleChange
		more, less    string
	}{
		"nothing":         {nil, nil, ConsoleUnchanged, "[]", "[]"},
		"the same":        {[]string{"a", "b"}, []string{"b", "a"}, ConsoleUnchanged, "[]", "[]"},
		"how often":       {[]string{"a"}, []string{"a", "a", "a"}, ConsoleUnchanged, "[]", "[]"},
		"new":             {[]string{"a"}, []string{"c", "a", "b", "c"}, ConsoleAdded, "[c b]", "[]"},
		"gone":            {[]string{"a", "b"}, []string{"b"}, ConsoleRemoved, "[]", "[a]"},
		"one for another": {[]string{"a"}, []string{"b"}, ConsoleMixed, "[b]", "[a]"},
	} {
		list := func(texts []string) (entries []ConsoleEntry) {
			for _, text := range texts {
				entries = append(entries, entry(text))
			}
			return entries
		}
		texts := func(entries []DifferentEntry) string {
			all := []string{}
			for _, e := range entries {
				all = append(all, e.Text)
			}
			return fmt.Sprint(all)
		}
		d := compareConsoles(list(c.before), list(c.after))
		if d.Change != c.change || texts(d.Added) != c.more || texts(d.Removed) != c.less {
			t.Errorf("%s: %+v", name, d)
		}
	}
	kinds := compareConsoles([]ConsoleEntry{{Text: "a", Type: "log"}}, []ConsoleEntry{{Text: "a", Type: "error"}})
	if kinds.Change != ConsoleMixed {
		t.Errorf("another kind is another entry: %+v", kinds)
	}
}

func TestConsolesAreComparedByWhatTheySay(t *testing.T) {
	same := ConsoleEntry{Text: "took 5 ms", Type: "log"}
	later := ConsoleEntry{Text: "took 7 ms", Type: "log"}
	boom := ConsoleEntry{Text: "boom 1", Type: "error"}
	for name, c := range map[string]struct {
		before, after  []ConsoleEntry
		change         ConsoleChange
		added, removed []ConsoleEntry
	}{
		"nothing":   {nil, nil, ConsoleUnchanged, nil, nil},
		"the same":  {[]ConsoleEntry{same, same}, []ConsoleEntry{later}, ConsoleUnchanged, nil, nil},
		"added":     {[]ConsoleEntry{same}, []ConsoleEntry{boom, later, boom}, ConsoleAdded, []ConsoleEntry{boom}, nil},
		"removed":   {[]ConsoleEntry{same, boom}, []ConsoleEntry{later}, ConsoleRemoved, nil, []ConsoleEntry{boom}},
		"mixed":     {[]ConsoleEntry{same}, []ConsoleEntry{boom}, ConsoleMixed, []ConsoleEntry{boom}, []ConsoleEntry{same}},
		"full":      {logs(100, "log"), []ConsoleEntry{{Text: "behind the end", Type: "log"}, boom}, ConsoleMixed, []ConsoleEntry{boom}, toEntries(compareConsoles(nil, logs(100, "log")).Added)},
		"bounded":   {nil, logs(150, "error"), ConsoleAdded, logs(150, "error")[:100], nil},
		"each once": {nil, []ConsoleEntry{same, later}, ConsoleAdded, []ConsoleEntry{same}, nil},
	} {
		d := compareConsoles(c.before, c.after)
		if d.Change != c.change {
			t.Errorf("%s: %s", name, d.Change)
		}
		if diff := cmp.Diff(c.added, toEntries(d.Added)); diff != "" {
			t.Errorf("%s, added: %s", name, diff)
		}
		if diff := cmp.Diff(c.removed, toEntries(d.Removed)); diff != "" {
			t.Errorf("%s, removed: %s", name, diff)
		}
	}
}

func toEntries(different []DifferentEntry) []ConsoleEntry {
	var entries []ConsoleEntry
	for _, d := range different {
		entries = append(entries, d.ConsoleEntry)
	}
	return entries
}

func TestRulesSilenceEntries(t *testing.T) {
	d := compareConsoles([]ConsoleEntry{{Text: "gone 1"}}, []ConsoleEntry{{Text: "ad 12"}, {Text: "boom"}, {Text: "ads 3"}})
	ad := &FeedbackRule{ID: "ad", Type: RuleConsole, ConsoleEntry: "ad 99"}
	rules := []*FeedbackRule{{ID: "visual", Type: RuleVisual}, ad, {ID: "second", Type: RuleConsole, ConsoleEntry: "ad 12"}}
	if got := fmt.Sprint(d.Silence(rules)); got != "map[ad:1]" || d.Change != ConsoleMixed || d.Silenced() != 1 || *d.Added[0].Rule != "ad" {
		t.Errorf("%s: %+v", got, d)
	}
	rest := []*FeedbackRule{{ID: "1", Type: RuleConsole, ConsoleEntry: "boom"}, {ID: "2", Type: RuleConsole, ConsoleEntry: "ads 3"}}
	if got := fmt.Sprint(d.Silence(rest)); got != "map[1:1 2:1]" || d.Change != ConsoleRemoved || d.Silenced() != 3 {
		t.Errorf("%s: %+v", got, d)
	}
	if d.Silence([]*FeedbackRule{{ID: "3", Type: RuleConsole, ConsoleEntry: "gone 2"}}); d.Change != ConsoleUnchanged {
		t.Errorf("all are silenced: %+v", d)
	}
}

func TestFailedRequestsAreInTheConsole(t *testing.T) {
	shot := &Screenshot{
		Console: []ConsoleEntry{{Text: failedLoadPrefix + "the server responded with a status of 404 (Not Found)", Type: "error", URL: "https://example.test/a.png"}},
		Manifest: []byte(`{"failed_requests": [
			{"url": "https://example.test/a.png", "type": "Image", "status": 404},
			{"url": "https://example.test/b.js", "type": "Script", "status": 503},
			{"url": "https://example.test/c.css", "type": "Stylesheet", "error": "net::ERR_CONNECTION_RESET"}]}`),
	}
	want := append(shot.Console[:1:1],
		ConsoleEntry{Text: "Failed to load resource: the server responded with a status of 503", Type: "error", URL: "https://example.test/b.js"},
		ConsoleEntry{Text: "Failed to load resource: net::ERR_CONNECTION_RESET", Type: "error", URL: "https://example.test/c.css"})
	if diff := cmp.Diff(want, shot.fullConsole()); diff != "" {
		t.Error(diff)
	}
	told := &Screenshot{Console: []ConsoleEntry{{Text: failedLoadPrefix + "the server responded with a status of 503 ()", Type: "error", URL: "https://example.test/b.js"}}}
	if d := compareConsoles(told.fullConsole(), want[1:2]); d.Change != ConsoleUnchanged {
		t.Errorf("the browser's word for it is another entry: %+v", d)
	}
	for _, broken := range []string{``, `{`, `{"failed_requests": 3}`} {
		shot.Manifest = []byte(broken)
		if got := shot.fullConsole(); len(got) != 1 {
			t.Errorf("%q: %v", broken, got)
		}
	}
}
