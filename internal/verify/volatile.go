package verify

import (
	"regexp"
	"strings"
)

// volatile are the parts of a text that change by themselves, longest first: a text is the same when it is the same without
// them.
var volatile = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,           // UUID
	`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?`, // ISO 8601
	`\b[0-9a-f]*\d[0-9a-f]*[a-f][0-9a-f]*\b`,                                 // hexadecimal
	`[±+−-]?\d+([.,:/'’ \x{a0}\x{202f}-]\d+)*((st|nd|rd|th|mo|[smhdwy])\b)?`, // numbers, dates, times
	`[▲▼△▽↑↓↗↘]`,                                                             // trends
	`\b(` + strings.Join(volatileWords, "|") + `)\b\.?`,
}, "|"))

// volatileWords are those of dates and of spans of time in the languages that most pages are in.
var volatileWords = []string{
	"mon(day)?", "tue(s(day)?)?", "wed(nesday)?", "thu(r(s(day)?)?)?", "fri(day)?", "sat(urday)?", "sun(day)?",
	"jan(uary)?", "feb(ruary)?", "mar(ch)?", "apr(il)?", "may", "june?", "july?", "aug(ust)?", "sep(t(ember)?)?", "oct(ober)?", "nov(ember)?", "dec(ember)?",
	"montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember",
	"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "janvier", "février", "mars", "avril", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre",
	"lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
	"a\\.?m", "p\\.?m", "utc", "gmt", "c?est", "cet", "[ep][sd]t",
	"today", "yesterday", "tomorrow", "tonight", "just now", "now", "ago", "an?", "one", "few", "less than", "about", "moments?",
	"sec(ond)?s?", "min(ute)?s?", "hours?", "hrs?", "days?", "weeks?", "months?", "years?",
	"open(s|ed)?", "closed?s?", "until", "currently", "geöffnet", "geschlossen", "bis",
	"morning", "afternoon", "evening", "night", "abend", "nachmittag", "nacht",
	"secondes?", "heures?", "jours?", "semaines?", "mois", "ans?", "il y a", "hier", "hace", "segundos?", "minutos?", "horas?", "días?", "semanas?", "meses", "años?", "hoy", "ayer",
	"heute", "gestern", "morgen", "vor", "sekunden?", "minuten?", "stunden?", "tage?n?", "wochen?", "monate?n?", "jahre?n?",
}

// spaces between what was taken out.
var gaps = regexp.MustCompile(`(#[\s,.:/|()·•–-]*)+#?`)

// template is a text without what changes by itself.
func template(text string) string {
	text = volatile.ReplaceAllString(strings.ToLower(text), "#")
	text = gaps.ReplaceAllString(text, "# ")
	return strings.Join(strings.Fields(text), " ")
}

// onlyVolatile tells whether two texts differ only in what changes by itself.
func onlyVolatile(before, after string) bool {
	if before == "" || after == "" {
		return false
	}
	was, is := template(before), template(after)
	return singular(was) == singular(is)
}

// singular makes "# comments" and "# comment" one.
func singular(text string) string {
	words := strings.Fields(text)
	for i := 1; i < len(words); i++ {
		if words[i-1] == "#" {
			words[i] = strings.TrimSuffix(words[i], "s")
		}
	}
	return strings.Join(words, " ")
}

// money is an amount with its currency.
var money = regexp.MustCompile(`(?i)([$€£¥₹]|(^|[^/])\b(usd|eur|gbp|chf|jpy)\b)\s?\d|\d\s?([$€£¥₹]|(usd|eur|gbp|chf|jpy)\b)`)

// contact is a number that people call or pay to.
var contact = regexp.MustCompile(`(?i)\+\d[\d ()/-]{6,}|\(\d{2,5}\)[ -]?\d[\d -]{4,}|\b0\d{1,4} ?/ ?\d[\d ]{4,}|\b0\d{2,}[ /-]\d[\d -]{4,}|\b[a-z]{2}\d{2}( ?[0-9a-z]{4}){3,}|\S@\S|\b(account|konto|iban|bic|sort code|tel|phone|fax|call|bc1\w{8,}|0x[0-9a-f]{12,})\b`)

// nothingLeft is a count of nothing.
var nothingLeft = regexp.MustCompile(`(^|[^\d.,:])0+([.,]0+)?\s+\p{L}{2,}`)

// negative is a number below zero where that is no change in percent and no temperature.
var negative = regexp.MustCompile(`(^|\s)[-−]\d[\d.,]*\s*([^\d.,%°\s]|$)`)

// weighty tells whether a number in a text is one that has to be right.
func weighty(before, after string) bool {
	return money.MatchString(before) || money.MatchString(after) || contact.MatchString(before) || contact.MatchString(after) ||
		negative.MatchString(after) && !negative.MatchString(before) ||
		nothingLeft.MatchString(after) && !nothingLeft.MatchString(before)
}
