package vcd

import (
	"fmt"
	"strings"
	"testing"

	"afterimage/internal/page"
)

func TestWhatChangedInTheConsole(t *testing.T) {
	entry := func(text string) page.ConsoleEntry {
		return page.ConsoleEntry{Text: text, Type: "log", URL: "https://example.test/a.js"}
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
		list := func(texts []string) (entries []page.ConsoleEntry) {
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
		d := NewConsoleDifference(list(c.before), list(c.after))
		if d.Change != c.change || texts(d.Added) != c.more || texts(d.Removed) != c.less {
			t.Errorf("%s: %+v", name, d)
		}
	}
	kinds := NewConsoleDifference([]page.ConsoleEntry{{Text: "a", Type: "log"}}, []page.ConsoleEntry{{Text: "a", Type: "error"}})
	if kinds.Change != ConsoleMixed {
		t.Errorf("another kind is another entry: %+v", kinds)
	}
}

func TestRulesSilenceEntries(t *testing.T) {
	d := NewConsoleDifference([]page.ConsoleEntry{{Text: "gone 1"}}, []page.ConsoleEntry{{Text: "ad 12"}, {Text: "boom"}, {Text: "ads 3"}})
	ad := &FeedbackRule{ID: "ad", Type: RuleConsole, ConsoleEntry: "ad 99"}
	rules := []*FeedbackRule{{ID: "visual", Type: RuleVisual}, ad, {ID: "second", Type: RuleConsole, ConsoleEntry: "ad 12"}}
	if got := fmt.Sprint(d.Silence(rules)); got != "map[ad:1]" || d.Change != ConsoleMixed || d.Silenced() != 1 ||
		*d.Added[0].Rule != "ad" {
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

func TestARuleOfTheConsoleMatchesWhatSaysTheSame(t *testing.T) {
	source := "https://example.test/a.js?ver=1"
	long := strings.Repeat("Ω", 400) + strings.Repeat(" 12", 400)
	for name, c := range map[string]struct {
		rule  FeedbackRule
		entry page.ConsoleEntry
		want  bool
	}{
		"same": {FeedbackRule{Type: RuleConsole, ConsoleEntry: "took 5 ms"}, page.ConsoleEntry{Text: "took 7 ms",
			URL: "https://example.test/x"}, true},
		"any type": {FeedbackRule{Type: RuleConsole, ConsoleEntry: "took 5 ms"}, page.ConsoleEntry{Text: "took 7 ms",
			Type: "error"}, true},
		"with placeholder": {FeedbackRule{Type: RuleConsole, ConsoleEntry: "took {n} ms"}, page.ConsoleEntry{Text: "took 7 ms"}, true},
		"of the source": {FeedbackRule{Type: RuleConsole, ConsoleEntry: "a", ConsoleSource: &source},
			page.ConsoleEntry{Text: "a", URL: "https://example.test/a.js?ver=2"}, true},
		"of another": {FeedbackRule{Type: RuleConsole, ConsoleEntry: "a", ConsoleSource: &source},
			page.ConsoleEntry{Text: "a", URL: "https://example.test/b.js"}, false},
		"a part": {FeedbackRule{Type: RuleConsole, ConsoleEntry: "took"}, page.ConsoleEntry{Text: "took 7 ms"}, false},
		"cut": {FeedbackRule{Type: RuleConsole, ConsoleEntry: string([]rune(long)[:500])},
			page.ConsoleEntry{Text: long}, true},
		"cut, another": {FeedbackRule{Type: RuleConsole, ConsoleEntry: string([]rune(long)[:500])},
			page.ConsoleEntry{Text: "Ψ" + long}, false},
		"visual": {FeedbackRule{Type: RuleVisual}, page.ConsoleEntry{}, false},
	} {
		if got := c.rule.MatchesConsole(c.entry); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
