package wording

import (
	"regexp"
	"slices"
	"strings"

	"afterimage/internal/page"
)

// volatile matches the parts of a text that vary on their own, longest first: texts that are equal without them are
// considered equal.
var volatile = page.CompileWords(strings.Join([]string{
	`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,           // UUID
	`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?`, // ISO 8601
	`\b[0-9a-f]*\d[0-9a-f]*[a-f][0-9a-f]*\b`,                                 // hexadecimal
	`[±+−-]?\d+([.,:/'’ \x{a0}\x{202f}-]\d+)*((st|nd|rd|th|mo|[smhdwy])\b)?`, // numbers, dates, times
	`[▲▼△▽↑↓↗↘]`,                                                             // trends
	`\b(` + alternatives(func(l *language) []string { return slices.Concat(l.dates, l.times) }, timeZones...) + `)\b\.?`,
}, "|"))

// timeZones also contains a.m. and p.m.; both are the same in all languages.
var timeZones = []string{`a\.?m`, `p\.?m`, "utc", "gmt", "c?est", "cet", "[ep][sd]t"}

// gaps matches the spaces between removed parts.
var gaps = regexp.MustCompile(`(#[\s,.:/|()·•–-]*)+#?`)

// Template is a text without the parts that vary on their own, to be compared with others.
func Template(text string) string {
	text = volatile.ReplaceAllString(strings.ToLower(text), "#")
	text = gaps.ReplaceAllString(text, "# ")
	return strings.Join(strings.Fields(text), " ")
}

// OnlyVolatile reports whether two texts differ only in parts that may vary on their own. Whether they do is a matter
// of what else the texts say, see [moving].
func OnlyVolatile(before, after string) bool {
	if before == "" || after == "" || OtherWords(before, after) {
		return false
	}
	was, is := Template(before), Template(after)
	return singular(was) == singular(is)
}

// singular makes "# comments" and "# comment" equal.
func singular(text string) string {
	words := strings.Fields(text)
	for i := 1; i < len(words); i++ {
		if words[i-1] == "#" {
			words[i] = strings.TrimSuffix(words[i], "s")
		}
	}
	return strings.Join(words, " ")
}
