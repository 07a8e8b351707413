package page

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func (d WordDifference) String() string {
	var out strings.Builder
	for _, r := range d.Runs {
		fmt.Fprintf(&out, "%s(%s) ", map[WordRunKind]string{WordsKept: "", WordsRemoved: "-", WordsAdded: "+"}[r.Kind], r.Text)
	}
	return fmt.Sprintf("%s+%d-%d%t", out.String(), d.Added, d.Removed, d.LeftOut)
}

func TestWordsThatChangedAreToldWithTheirNeighbours(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"equal": {"a b", "a\n b", "+0-0false"},
		"one word": {"one two three four five six seven", "one two three four 5 six seven",
			"(one two three four) -(five) +(5) (six seven) +1-1false"},
		"added":        {"", "hello world", "+(hello world) +2-0false"},
		"removed":      {"hello world", "", "-(hello world) +0-2false"},
		"at the start": {"b c d e f g", "a b c d e f g", "+(a) (b c d e) +1-0false"},
		"two places": {"a 1 2 3 4 5 6 7 8 9 b", "x 1 2 3 4 5 6 7 8 9 y",
			"-(a) +(x) (1 2 3 4 … 6 7 8 9) -(b) +(y) +2-2false"},
		"mixed up": {"a b c", "c b a", "-(a b) (c) +(b a) +2-2false"},
	} {
		if got := compareWords(c.before, c.after).String(); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestEditsLeadFromOneTextToTheOther(t *testing.T) {
	words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 40)
	rapid.Check(t, func(t *rapid.T) {
		was, is := words.Draw(t, "was"), words.Draw(t, "is")
		var back, forth []string
		for _, r := range wordEdits(was, is) {
			if r.kind != WordsAdded {
				back = append(back, r.words...)
			}
			if r.kind != WordsRemoved {
				forth = append(forth, r.words...)
			}
		}
		if fmt.Sprint(back) != fmt.Sprint(was) || fmt.Sprint(forth) != fmt.Sprint(is) {
			t.Fatalf("%v → %v: %v and %v", was, is, back, forth)
		}
	})
}

func TestAWordDifferenceIsBounded(t *testing.T) {
	var before, after strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&before, "word%d ", i)
		fmt.Fprintf(&after, "Wörter%d ", i*(i%7))
	}
	d := compareWords(before.String(), after.String())
	if d.Added != 30_000 || d.Removed != 30_000 || len(d.Runs) != 2 || len(d.Runs[0].Text) > maxWordRunText ||
		!strings.HasSuffix(d.Runs[1].Text, "…") {
		t.Errorf("%+v", d)
	}
	many := compareWords(strings.Repeat("a b c d e f g h i j k l m ", 100), strings.Repeat("A b c d e f g h i j k l m ", 100))
	if size := len(many.String()); !many.LeftOut || many.Added != 100 || size > maxWordText {
		t.Errorf("%d bytes: %s", size, many)
	}
}

func BenchmarkComparingLongTexts(b *testing.B) {
	before := strings.Repeat("some words of a long text that is read on a page ", 4000)
	after := strings.ReplaceAll(before, "long text that is read on a page some words of", "long text which is read on a page some words of")
	for b.Loop() {
		compareWords(before, after)
	}
}
