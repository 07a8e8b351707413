package verify

import (
	"regexp"
	"slices"
	"strings"
)

// volatile matches the parts of a text that change by themselves, longest first: texts that are equal without them are
// considered equal.
var volatile = regexp.MustCompile(`(?i)` + strings.Join([]string{
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

// template is a text without the parts that change by themselves.
func template(text string) string {
	text = volatile.ReplaceAllString(strings.ToLower(text), "#")
	text = gaps.ReplaceAllString(text, "# ")
	return strings.Join(strings.Fields(text), " ")
}

// onlyVolatile reports whether two texts differ only in parts that change by themselves.
func onlyVolatile(before, after string) bool {
	if before == "" || after == "" {
		return false
	}
	was, is := template(before), template(after)
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

// money matches an amount with its currency.
var money = regexp.MustCompile(`(?i)([$€£¥₹]|(^|[^/])\b(usd|eur|gbp|chf|jpy)\b)\s?\d|\d\s?([$€£¥₹]|(usd|eur|gbp|chf|jpy)\b)`)

// contact matches a telephone or account number.
var contact = regexp.MustCompile(`(?i)\+\d[\d ()/-]{6,}|\(\d{2,5}\)[ -]?\d[\d -]{4,}|\b0\d{1,4} ?/ ?\d[\d ]{4,}|` +
	`\b0\d{2,}[ /-]\d[\d -]{4,}|\b[a-z]{2}\d{2}( ?[0-9a-z]{4}){3,}|\S@\S|` +
	`\b(iban|bic|tel|` + alternatives(func(l *language) []string { return l.contact }) + `|bc1\w{8,}|0x[0-9a-f]{12,})\b`)

// nothingLeft matches a count of zero.
var nothingLeft = regexp.MustCompile(`(^|[^\d.,:])0+([.,]0+)?\s+\p{L}{2,}`)

// negative matches a number below zero that is neither a change in percent nor a temperature.
var negative = regexp.MustCompile(`(^|\s)[-−]\d[\d.,]*\s*([^\d.,%°\s]|$)`)

// weighty reports whether a text contains a number that must be right.
func weighty(before, after string) bool {
	return money.MatchString(before) || money.MatchString(after) || contact.MatchString(before) || contact.MatchString(after) ||
		negative.MatchString(after) && !negative.MatchString(before) ||
		nothingLeft.MatchString(after) && !nothingLeft.MatchString(before)
}
