package wording

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"afterimage/internal/page"
)

// A number, a time or a date varies on its own only where the words around it say so: a countdown, a counter, a relative time, the
// time of an update, a measurement with its trend, the mark of a build. An opening hour, a departure, a price, a limit, a stock, a
// release or the day of an event looks the same and is content. Of other numbers, earlier visits tell whether they change.

// moving reports whether two texts say of themselves that what differs between them varies on its own: the time that has passed, a
// count of visits or answers, the year of a copyright, the time of an update.
func moving(before, after string) bool {
	switch {
	case timePassed(before, after):
		return true
	case notice.MatchString(before) && notice.MatchString(after):
		return laterYear(before, after)
	case trend.MatchString(before) && trend.MatchString(after):
		return courses(before) && courses(after)
	}
	return counts(before) && counts(after) && !slumps(before, after) || now(before, after) || OnlyTechnical(before, after)
}

var (
	// notice matches a copyright with its years. An owner may stand between the sign and them, but no other sentence, and “(c)” is also
	// the third item of a list.
	notice = regexp.MustCompile(`(?i)(©[^.,;:!?|·()\d]{0,40}[.,]?\s*|\(c\)\s*|\bcopyright\W{0,4})` + years + `|` + years + `\s*©`)
	year   = regexp.MustCompile(`\b(19|20)\d\d\b`)
	// trend matches the arrow of a course that goes up and down.
	trend = regexp.MustCompile(`[▲▼△▽]`)
)

// years matches a year, or the first and the last of several.
const years = `\b(19|20)\d\d(\s*[–—,-]\s*(19|20)\d\d)*\b`

// laterYear reports whether two texts differ only in the last year of a copyright, which is the next one, and in what machines make.
func laterYear(before, after string) bool {
	was, is := year.FindAllString(notice.FindString(before), -1), year.FindAllString(notice.FindString(after), -1)
	last := len(was) - 1
	if last < 0 || len(is) != len(was) || !slices.Equal(was[:last], is[:last]) || Numeral(is[last]) != Numeral(was[last])+1 {
		return false
	}
	rest := func(text string) string {
		return technical.ReplaceAllString(strings.Replace(text, notice.FindString(text), "#", 1), "#")
	}
	return rest(before) == rest(after)
}

// Numeral is the number that the digits of a text make, 0 for none.
func Numeral(text string) int {
	n, _ := strconv.Atoi(digits.ReplaceAllString(text, ""))
	return n
}

// courses reports whether a text tells by how much something rose or fell: with a sign, in a share with decimals, or by numbers without
// a word. The same arrow stands before the height of a summit, and before what one saves.
func courses(text string) bool {
	if plain.MatchString(text) {
		return difference.MatchString(text)
	}
	return !wholeShare.MatchString(text)
}

var (
	// plain matches a word.
	plain = regexp.MustCompile(`\pL{2,}`)
	// difference matches by how much something rose or fell; wholeShare a share that stands for it, or for a rebate.
	difference = regexp.MustCompile(`\d[.,]\d+\s?%|[+−-]\s?\d[\d.,]*(\s?[^\s\d%]|\s*\)|\s*$)`)
	wholeShare = regexp.MustCompile(`^\P{N}*\d+\s?%\P{N}*$`)
)

// slumps reports whether a count of what visitors did is less than half of what it was. Such counts only grow; who is there at the
// moment may leave.
func slumps(before, after string) bool {
	was, is := amount(before), amount(after)
	return was >= fewest && 2*is < was && !present.MatchString(before)
}

// fewest is from how many on a count may not fall by half.
const fewest = 10

// present matches words for who is there at the moment.
var present = regexp.MustCompile(`(?i)\b(online|watching|viewing|now|currently|zurzeit)\b`)

// amount is the first number in a text, 0 for none.
func amount(text string) float64 {
	at := figure.FindStringIndex(text)
	if at == nil {
		return 0
	}
	n, _ := strconv.ParseFloat(digits.ReplaceAllString(text[at[0]:at[1]], ""), 64)
	switch text[at[1]-1] | 0x20 {
	case 'k':
		n *= 1_000
	case 'm':
		n *= 1_000_000
	}
	return n
}

var digits = regexp.MustCompile(`\D`)

// counter is what a count of visits or answers consists of besides its number.
var (
	countedWords = page.CompileWords(`\b(` + alternatives(func(l *language) []string { return l.counted }) + `)\b`)
	figure       = regexp.MustCompile(`[\d#][\d.,’' \x{a0}\x{202f}]*[kKmM]?\+?`)
	liked        = regexp.MustCompile(`[❤♥♡↻⟳👍👎👁💬]️?`)
	clock        = regexp.MustCompile(`\d[:h]\d\d`)
	filler       = regexp.MustCompile(`(?i)(^|\P{L})(people|are|is|now|right|this|currently|so far|and|by|personen|zurzeit)(\P{L}|$)|` +
		`[[:punct:]·•–—|]`)
)

// counts reports whether a text is a count of what visitors do, and nothing else: “1,204 views”, “3 comments · 12 likes”. A number in a
// sentence is not, nor is one without such a word of its own: “4.8 · 120 reviews”, “online 9–18”.
func counts(text string) bool {
	counted := len(countedWords.FindAllString(text)) + len(liked.FindAllString(text, -1))
	if figures := len(figure.FindAllString(text, -1)); figures == 0 || figures > counted || strings.Contains(text, "%") ||
		clock.MatchString(text) || wholeDate.MatchString(text) {
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
	nowWords = page.CompileWords(`(^|\b)(` + alternatives(func(l *language) []string { return l.updated }) + `)(\b|$)`)
	// joint matches what joins a date and a time.
	joint = page.CompileWords(`(^|\s)(at|um|à|a las|alle|om)(\s|$)`)
	// todayWords are those of them that also stand before the time of an event.
	todayWords = page.CompileWords(`\b(today( is)?|heute( ist)?|oggi|vandaag|dzisiaj)\b`)
	zoneWords  = regexp.MustCompile(`(?i)(^|\P{L})(` + strings.Join(timeZones, "|") + `|uhr)(\P{L}|$)`)
)

// now reports whether two texts say what time or day it is. What is on today at eight may be put off to nine.
func now(before, after string) bool {
	if !tellsNow(before) || !tellsNow(after) {
		return false
	}
	was, is := todayWords.ReplaceAllString(before, " "), todayWords.ReplaceAllString(after, " ")
	return nowWords.MatchString(was) && nowWords.MatchString(is) || !slices.Equal(wholeDate.FindAllString(was), wholeDate.FindAllString(is))
}

// tellsNow reports whether a text says what time or day it is, or when something was updated, and nothing else.
func tellsNow(text string) bool {
	if !nowWords.MatchString(text) || !timeOfDay.MatchString(text) && !wholeDate.MatchString(text) {
		return false
	}
	return onlyOf(text, func(rest string) string {
		rest = timeOfDay.ReplaceAllString(wholeDate.ReplaceAllString(rest, " "), " ")
		return joint.ReplaceAllString(zoneWords.ReplaceAllString(nowWords.ReplaceAllString(rest, " "), " "), " ")
	})
}

// technical matches what machines make: identifiers, time stamps, and the marks of a build or a request.
var technical = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`,
	stamped,
	`\b(build|commit)\s*[#:]?\s*[0-9a-f-]{3,}\b`,
	`\b(revision|session|request|trace)\s*[#:]?\s*[0-9a-f-]*([0-9][a-f]|[a-f][0-9])[0-9a-f-]{3,}\b`,
	`\bref\s*[#:]?\s*[0-9a-f-]*([0-9][a-f]|[a-f][0-9])[0-9a-f-]{7,}\b`, // a shorter one may be that of an advertised job
}, "|"))

// stamped matches a time stamp to the second.
const stamped = `\d{4}-\d{2}-\d{2}t\d{2}:\d{2}:\d{2}\S*`

var (
	// built matches how many of something are made, or a key: neither varies on its own.
	built = regexp.MustCompile(`(?i)\b(build|commit)\s+\d+\s+\pL{3,}|\b(key|licen[cs]e|serial|voucher|code)\b`)
	stamp = regexp.MustCompile(`(?i)` + stamped)
	// made are words for what a machine did at the time of a stamp.
	made = regexp.MustCompile(`(?i)\b(generated|rendered|created|served|built|compiled|cached|timestamp|time|server|page|at|on|` +
		`build|commit)\b`)
)

// marksTime reports whether a text says when a machine made something, and nothing else.
func marksTime(text string) bool {
	return onlyOf(text, func(rest string) string {
		rest = made.ReplaceAllString(technical.ReplaceAllString(rest, " "), " ")
		return nowWords.ReplaceAllString(rest, " ")
	})
}

// OnlyTechnical reports whether two texts differ only in what machines make.
func OnlyTechnical(before, after string) bool {
	was, is := technical.ReplaceAllString(before, "#"), technical.ReplaceAllString(after, "#")
	return was == is && before != after && !built.MatchString(before) && (!stamp.MatchString(before) || marksTime(before))
}
