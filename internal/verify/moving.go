package verify

import (
	"regexp"
	"strings"

	"afterimage/internal/page"
)

// A number, a time or a date changes by itself only where the words around it or its own form say so: a clock, a
// countdown, a counter, a relative time, the date of today, a measurement with its trend, the mark of a build. A price,
// a limit, a stock, or the day of an event looks the same and is content.

// moving reports whether two texts that differ only in volatile parts say that these change by themselves.
func moving(before, after string) bool {
	for _, form := range movingForms {
		if form.MatchString(before) && form.MatchString(after) {
			return true
		}
	}
	return relative.MatchString(spanless(before)) && relative.MatchString(spanless(after)) || alone(before, after,
		timeOfDay) || alone(before, after, wholeDate) || onlyTechnical(before, after)
}

// relative matches a relative time in a text without its spans.
var relative = page.CompileWords(`(^|[\W\d])(` + alternatives(func(l *language) []string { return l.ago }) + `)([\W\d]|$)`)

var movingForms = []*regexp.Regexp{
	// A counter.
	regexp.MustCompile(`(?i)[\d#][km+]?\+?[)\s]*(` + alternatives(func(l *language) []string { return l.counted }) + `)(\P{L}|$)`),
	regexp.MustCompile(`(?i)(^|\P{L})(` + alternatives(func(l *language) []string { return l.counted }) + `)( number| no\.?)?[\s:(]+\d`),
	regexp.MustCompile(`[❤♥♡↻⟳👍👎👁💬]️?\s?\d`),
	// An age in short, a minute of a match.
	regexp.MustCompile(`^\s*\d{1,3}([smhdwy]|mo|\s?[’'′])\s*$`),
	regexp.MustCompile(`(?i)©|\(c\)|\bcopyright\b`),
	// A change in percent, a temperature.
	regexp.MustCompile(`[▲▼△▽↑↓↗↘]|[+±−-]\s?\d+([.,]\d+)?\s?%|-?\d\s?°`),
}

// span matches a span of time: "3 hours", "an hour".
var span = page.CompileWords(`(\d+|\ban?( few)?|\bone|\bein(e[rmn]?)?|\bune?|\buna?)\s?(` +
	alternatives(func(l *language) []string { return l.spans }) + `)\b\.?`)

// spanless is a text with # in place of each span of time.
func spanless(text string) string { return span.ReplaceAllString(text, "#") }

// timeOfDay matches a time; wholeDate matches a date that has its weekday or its year.
var (
	timeOfDay = regexp.MustCompile(`(?i)\b\d{1,2}[:.h]\d{2}([:.]\d{2})?(\s?[ap]\.?m\b\.?)?`)
	wholeDate = func() *regexp.Regexp {
		word := `(` + alternatives(func(l *language) []string { return l.dates }) + `)\.?`
		day := `(\d{1,2}(st|nd|rd|th)?\.?)`
		return regexp.MustCompile(`(?i)` + strings.Join([]string{
			word + `,?\s+` + day + `\s+(de |of )?` + word + `(\s+\d{4})?`, // weekday, day, month
			word + `,?\s+` + word + `\s+` + day + `(,?\s+\d{4})?`,         // weekday, month, day
			day + `\s+(de |of )?` + word + `\s+\d{4}`,
			word + `\s+` + day + `,?\s+\d{4}`,
			`\d{4}-\d{2}-\d{2}`,
			`\d{1,2}[./]\d{1,2}[./]\d{2,4}`,
		}, "|"))
	}()
	// nowWords are what may stand beside the time or the date of now.
	nowWords = regexp.MustCompile(`(?i)(^|\P{L})(` + alternatives(func(l *language) []string { return l.updated },
		timeZones...) + `)(\P{L}|$)|[[:punct:]·•–—|]`)
)

// alone reports whether both texts have the form, and nothing else but words that go with the time or date of now.
func alone(before, after string, form *regexp.Regexp) bool {
	for _, text := range []string{before, after} {
		if !form.MatchString(text) {
			return false
		}
		rest := timeOfDay.ReplaceAllString(wholeDate.ReplaceAllString(text, " "), " ")
		for nowWords.MatchString(rest) { // a match takes the space that the next one begins with
			rest = nowWords.ReplaceAllString(rest, " ")
		}
		if strings.TrimSpace(rest) != "" {
			return false
		}
	}
	return true
}

// technical matches what machines make: identifiers, time stamps and versions.
var technical = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`[0-9a-f]{8}-[0-9a-f-]{13,}`,
	`\d{4}-\d{2}-\d{2}t\d{2}:\d{2}\S*`,
	`\b[0-9a-f]*(\d[0-9a-f]*[a-f]|[a-f][0-9a-f]*\d)[0-9a-f]*\b`,
	`\bv?\d+\.\d+\.\d+\b`,
	`\b(build|ver\.?|version|rev(ision)?|release|ref|session|node|server|request)\s*[#:]?\s*[\w.-]+`,
}, "|"))

// onlyTechnical reports whether two texts differ only in what machines make.
func onlyTechnical(before, after string) bool {
	was, is := technical.ReplaceAllString(before, "#"), technical.ReplaceAllString(after, "#")
	return was == is && before != after
}
