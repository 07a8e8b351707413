package wording

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"afterimage/internal/page"
)

// Relative times pass: “3 minutes ago” grows, “2 days left” shrinks. What else stands in the text may not change with them.

var (
	// relative matches a relative time in a text without its spans; remaining matches one that becomes less.
	relative  = relativeTimes(func(l *language) []string { return slices.Concat(l.ago, l.left) })
	remaining = relativeTimes(func(l *language) []string { return l.left })
	// span matches a span of time: "3 hours", "an hour".
	span = page.CompileWords(`(\d+|\ban?( few)?|\bone|\bein(e[rmn]?)?|\bune?|\buna?)\s?(` +
		alternatives(func(l *language) []string { return l.spans }) + `)\b\.?`)
)

func relativeTimes(of func(*language) []string) *page.WordPattern {
	return page.CompileWords(`(?:^|[\W\d])(` + alternatives(of) + `)(?:[\W\d]|$)`)
}

// spanless is a text with # in place of each span of time.
func spanless(text string) string { return span.ReplaceAllString(text, "#") }

// TellsAge reports whether a text says how long ago something was, or how long it will take.
func TellsAge(text string) bool { return relative.MatchString(spanless(text)) }

// timePassed reports whether two texts differ in relative times only, and these as time passes.
func timePassed(before, after string) bool {
	was, is := timesIn(before), timesIn(after)
	if !was.relative || !is.relative || was.rest != is.rest {
		return false
	}
	switch {
	case was.remaining && is.remaining: // a deadline that was put off
		return is.seconds <= was.seconds
	case is.seconds >= aYear && is.seconds > was.seconds+betweenVisits: // “opened 3 years ago” does not become 13 years
		return false
	case was.seconds >= aYear && is.seconds >= aYear: // “founded 150 years ago”
		return is.seconds >= was.seconds
	case daytime.MatchString(before): // “Good morning tours” greets nobody
		return strings.IndexFunc(was.rest, unicode.IsLetter) != 0
	}
	return true
}

// betweenVisits is more than passes between two visits, in seconds.
const betweenVisits = 1.5 * aYear

// daytime matches a greeting that the time of day chooses.
var daytime = regexp.MustCompile(`(?i)^\s*(good|guten?|bonjour|bonsoir)\b`)

// times are the relative times of a text.
type times struct {
	relative, remaining bool
	rest                string  // the text without them; other spans and numbers stay: “open today until 20:00” is not so by itself
	seconds             float64 // the first span among them; 0 for none
}

func timesIn(text string) times {
	var spans []string
	marked := span.ReplaceAllStringFunc(strings.ReplaceAll(strings.ToLower(text), "#", " "), func(found string) string {
		spans = append(spans, found)
		return "#"
	})
	t := times{remaining: remaining.MatchString(marked)}
	var rest strings.Builder
	n, from := 0, 0
	copyTo := func(end int) {
		for ; from < end; from++ {
			if marked[from] != '#' {
				rest.WriteByte(marked[from])
				continue
			}
			rest.WriteString(spans[n])
			n++
		}
	}
	for _, at := range relative.FindAllSubmatchIndex(marked) {
		t.relative = true
		copyTo(at[2])
		for ; from < at[3]; from++ {
			if marked[from] != '#' {
				continue
			}
			if t.seconds == 0 {
				t.seconds = secondsOf(spans[n])
			}
			n++
		}
		rest.WriteByte(' ')
	}
	copyTo(len(marked))
	t.rest = strings.Join(strings.Fields(rest.String()), " ")
	return t
}

const (
	aDay  = 86_400.0
	aYear = 365 * aDay
)

// units are the lengths of units of time, in seconds, by how their names begin once they are spelled as [page.WordPattern] does.
var units = []struct {
	begins  string
	seconds float64
}{
	{"mo", 30 * aDay}, {"maan", 30 * aDay}, {"mes", 30 * aDay}, {"mie", 30 * aDay}, {"min", 60}, {"m", 60},
	{"sem", 7 * aDay}, {"set", 7 * aDay}, {"st", 3600}, {"s", 1},
	{"w", 7 * aDay}, {"ty", 7 * aDay}, {"ta", aDay}, {"d", aDay}, {"jo", aDay}, {"gi", aDay},
	{"h", 3600}, {"o", 3600}, {"u", 3600}, {"go", 3600}, {"y", aYear}, {"j", aYear}, {"a", aYear}, {"l", aYear},
}

var leadingNumber = regexp.MustCompile(`^\d+`)

// secondsOf is how long a span of time is.
func secondsOf(text string) float64 {
	n, unit := 1.0, text
	if digits := leadingNumber.FindString(text); digits != "" {
		n, _ = strconv.ParseFloat(digits, 64)
		unit = text[len(digits):]
	} else if _, name, ok := strings.Cut(text, " "); ok {
		unit = name
	}
	unit = strings.TrimSpace(unit)
	for i := range units {
		if strings.HasPrefix(unit, units[i].begins) {
			return n * units[i].seconds
		}
	}
	return n
}
