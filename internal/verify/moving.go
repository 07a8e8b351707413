package verify

import (
	"regexp"
	"strings"

	"afterimage/internal/page"
)

// A number, a time or a date changes by itself only where the words around it say so: a countdown, a counter, a relative time, the
// time of an update, a measurement with its trend, the mark of a build. An opening hour, a departure, a price, a limit, a stock, a
// release or the day of an event looks the same and is content. Of other numbers, earlier visits tell whether they change.

// moving reports whether two texts say of themselves that what differs between them changes by itself: the time that has passed, a
// count of visits or answers, the year of a copyright, the time of an update.
func moving(before, after string) bool {
	switch {
	case relative.MatchString(spanless(before)) && relative.MatchString(spanless(after)) && untimed(before) == untimed(after):
		return true
	case copyright.MatchString(before) && copyright.MatchString(after):
		return year.ReplaceAllString(before, "#") == year.ReplaceAllString(after, "#")
	case trend.MatchString(before) && trend.MatchString(after):
		return true
	}
	return counts(before) && counts(after) || tellsNow(before) && tellsNow(after) || onlyTechnical(before, after)
}

var (
	// relative matches a relative time in a text without its spans.
	relative  = page.CompileWords(`(^|[\W\d])(` + alternatives(func(l *language) []string { return l.ago }) + `)([\W\d]|$)`)
	copyright = regexp.MustCompile(`(?i)©|\(c\)|\bcopyright\b`)
	year      = regexp.MustCompile(`\b(19|20)\d\d\b`)
	// trend matches the arrow of a course that goes up and down.
	trend = regexp.MustCompile(`[▲▼△▽]`)
)

// untimed is a text without its relative times. Other numbers stay: “open today until 20:00” is not so by itself.
func untimed(text string) string {
	return strings.Join(strings.Fields(relative.ReplaceAllString(spanless(strings.ToLower(text)), " ")), " ")
}

// counter is what a count of visits or answers consists of besides its number.
var (
	countedWords = page.CompileWords(`\b(` + alternatives(func(l *language) []string { return l.counted }) + `)\b`)
	figure       = regexp.MustCompile(`[\d#][\d.,’' \x{a0}\x{202f}]*[km]?\+?`)
	liked        = regexp.MustCompile(`[❤♥♡↻⟳👍👎👁💬]️?`)
	filler       = regexp.MustCompile(`(?i)(^|\P{L})(people|are|is|now|right|this|currently|so far|and|by|personen|zurzeit)(\P{L}|$)|` +
		`[[:punct:]·•–—|]`)
)

// counts reports whether a text is a count of what visitors do, and nothing else: “1,204 views”, “3 comments · 12 likes”. A number in a
// sentence is not.
func counts(text string) bool {
	if !countedWords.MatchString(text) && !liked.MatchString(text) || !strings.ContainsAny(text, "0123456789") {
		return false
	}
	return onlyOf(text, func(rest string) string {
		rest = liked.ReplaceAllString(countedWords.ReplaceAllString(rest, " "), " ")
		return figure.ReplaceAllString(rest, " ")
	})
}

// onlyOf reports whether nothing of a text is left but filling words once something is removed.
func onlyOf(text string, without func(string) string) bool {
	rest := without(text)
	for filler.MatchString(rest) { // a match takes the space that the next one begins with
		rest = filler.ReplaceAllString(rest, " ")
	}
	return strings.TrimSpace(rest) == ""
}

// span matches a span of time: "3 hours", "an hour".
var span = page.CompileWords(`(\d+|\ban?( few)?|\bone|\bein(e[rmn]?)?|\bune?|\buna?)\s?(` +
	alternatives(func(l *language) []string { return l.spans }) + `)\b\.?`)

// spanless is a text with # in place of each span of time.
func spanless(text string) string { return span.ReplaceAllString(text, "#") }

// timeOfDay matches a time; wholeDate matches a date that has its weekday or its year.
var (
	timeOfDay = regexp.MustCompile(`(?i)\b\d{1,2}[:.h]\d{2}([:.]\d{2})?(\s?[ap]\.?m\b\.?)?`)
	wholeDate = func() *page.WordPattern {
		word := `\b(` + alternatives(func(l *language) []string { return l.dates }) + `)\b\.?`
		day := `(\d{1,2}(st|nd|rd|th)?\.?)`
		return page.CompileWords(strings.Join([]string{
			word + `,?\s+` + day + `\s+(de |of )?` + word + `(\s+\d{4})?`, // weekday, day, month
			word + `,?\s+` + word + `\s+` + day + `(,?\s+\d{4})?`,         // weekday, month, day
			day + `\s+(de |of )?` + word + `\s+\d{4}`,
			word + `\s+` + day + `,?\s+\d{4}`,
			`\d{4}-\d{2}-\d{2}`,
			`\d{1,2}[./]\d{1,2}[./]\d{2,4}`,
		}, "|"))
	}()
	// nowWords say that a time or a date is that of now.
	nowWords  = page.CompileWords(`(^|\b)(` + alternatives(func(l *language) []string { return l.updated }) + `)(\b|$)`)
	zoneWords = regexp.MustCompile(`(?i)(^|\P{L})(` + strings.Join(timeZones, "|") + `|uhr)(\P{L}|$)`)
)

// tellsNow reports whether a text says what time or day it is, or when something was updated, and nothing else.
func tellsNow(text string) bool {
	if !nowWords.MatchString(text) || !timeOfDay.MatchString(text) && !wholeDate.MatchString(text) {
		return false
	}
	return onlyOf(text, func(rest string) string {
		rest = timeOfDay.ReplaceAllString(wholeDate.ReplaceAllString(rest, " "), " ")
		return zoneWords.ReplaceAllString(nowWords.ReplaceAllString(rest, " "), " ")
	})
}

// technical matches what machines make: identifiers, time stamps, and the marks of a build or a request.
var technical = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`[0-9a-f]{8}-[0-9a-f-]{13,}`,
	`\d{4}-\d{2}-\d{2}t\d{2}:\d{2}\S*`,
	`\b(build|commit|revision|session|request|trace)\s*[#:]?\s*[0-9a-f-]{3,}\b`,
	`\bref\s*[#:]?\s*[0-9a-f-]*([0-9][a-f]|[a-f][0-9])[0-9a-f-]{3,}\b`,
}, "|"))

// onlyTechnical reports whether two texts differ only in what machines make.
func onlyTechnical(before, after string) bool {
	was, is := technical.ReplaceAllString(before, "#"), technical.ReplaceAllString(after, "#")
	return was == is && before != after
}
