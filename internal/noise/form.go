package noise

import (
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"afterimage/internal/page"
)

// Form is the kind of value that a text is.
type Form string

// The forms. A fault is a text that stands for a missing or failed value; it is never quiet.
const (
	FormEmpty    Form = "empty"
	FormDate     Form = "date"
	FormTime     Form = "time"
	FormRelative Form = "relative_time" // "2 hours ago", "yesterday"
	FormPrice    Form = "price"
	FormCount    Form = "count" // a number with few words
	FormCode     Form = "code"  // letters and digits that a machine has mixed
	FormKey      Form = "key"   // names joined by dots or underscores, such as a program's name for a text
	FormText     Form = "text"
	FormFault    Form = "fault"
)

// mostWordsOfValue is the number of words up to which a text with a number in it is a value and not prose.
const mostWordsOfValue = 5

// longestFault is the length in bytes up to which a text is searched for signs of a fault: longer ones are prose.
const longestFault = 200

var (
	faults = regexp.MustCompile(`(?i)^\W*(undefined|null|nan|none|infinity|n/a)\W*$|\bundefined\b|` +
		`\[object |\{\{|\}\}|<%|\b(error|exception)\b|(?-i:\bNaN\b)`)
	money    = regexp.MustCompile(`(?i)[$€£¥₹]\s?\d|\d\s?[$€£¥₹]|\b(usd|eur|gbp|chf|jpy)\s?\d|\d\s?(usd|eur|gbp|chf|jpy)\b`)
	clock    = regexp.MustCompile(`\b\d{1,2}:\d{2}(:\d{2})?\b`)
	calendar = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./](\d{4}|\d{2})?(\W|$)`)
	figure   = regexp.MustCompile(`\d+([.,'’ \x{a0}\x{202f}]\d+)*`)
	relative = page.CompileWords(`\b(just now|today|yesterday|tomorrow|gerade eben|heute|gestern|morgen|` +
		`aujourd.hui|hier|hoy|ayer|oggi|ieri)\b`)
	spans = page.CompileWords(`\b(\d+|an?|one|few|eine?[mnr]?|une?|una?)\s*` +
		`(s|m|h|d|w|y|mo|sec(ond)?s?|min(ute)?s?|hours?|hrs?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tag(e|en)?|wochen?|` +
		`monat(e|en)?|jahr(e|en)?|secondes?|heures?|jours?|semaines?|mois|ans?|segundos?|minutos?|horas?|d(i|í)as?|semanas?|` +
		`second[oi]|minut[oi]|or[ae]|giorn[oi])\b`)
	key    = regexp.MustCompile(`^\W*([a-z][\w-]+([.:][a-z][\w-]*)*[.:][a-z][\w-]+|[a-z]+(_[a-z0-9]+)+|[A-Z]+([_.][A-Z0-9]+)+[A-Z])\W*$`)
	code   = regexp.MustCompile(`(?i)\b[0-9a-z]*([a-z][0-9]+[a-z]|[0-9][a-z]+[0-9])[0-9a-z_-]*\b`)
	months = page.CompileWords(`\b(jan|feb|f(e|é)v|m(a|ä)r|maa|avr|apr|abr|mai|may|mag|maj|jun|juin|jui|jul|lug|giu|aug|` +
		`ago|ao(u|û)|se[pt]|okt|oct|` +
		`ott|out|nov|de[czs]|d(e|é)c|dic|ene|gen)[a-z_]*\b`)
)

// FormOf tells what kind of value a text is.
func FormOf(text string) Form {
	text = strings.TrimSpace(text)
	words := len(strings.Fields(text))
	digits := strings.ContainsFunc(text, unicode.IsDigit)
	brief := words <= mostWordsOfValue
	switch {
	case !strings.ContainsFunc(text, shown):
		return FormEmpty
	case len(text) <= longestFault && faults.MatchString(text):
		return FormFault
	case words > 2*mostWordsOfValue:
		return FormText
	case words == 1 && key.MatchString(text):
		return FormKey
	case digits && money.MatchString(text):
		return FormPrice
	case brief && (relative.MatchString(text) || spans.MatchString(text)):
		return FormRelative
	case digits && (calendar.MatchString(text) || months.MatchString(text)):
		return FormDate
	case digits && clock.MatchString(text):
		return FormTime
	case digits && brief:
		return formOfNumber(text)
	}
	return FormText
}

// formOfNumber is the form of a short text with a number in it.
func formOfNumber(text string) Form {
	if code.MatchString(text) {
		return FormCode
	}
	return FormCount
}

// shown reports whether a character is more than punctuation.
func shown(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSymbol(r) }

// valued reports whether a form is that of a value in a fixed frame of words.
func (f Form) valued() bool {
	switch f {
	case FormDate, FormTime, FormRelative, FormCount:
		return true
	}
	return false
}

// mask is a text in lower case with its numbers masked: what stays when only a number changes.
func mask(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(figure.ReplaceAllString(text, "#"))), " ")
}

// amount is the first number in a text, without its fraction if it is that of a price; ok is false when there is none.
func amount(text string) (n int, ok bool) {
	whole := figure.FindString(text)
	if whole == "" {
		return 0, false
	}
	if i := strings.LastIndexAny(whole, ".,"); i >= 0 && len(whole)-i-1 != 3 {
		whole = whole[:i]
	}
	digits := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, whole)
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// hasZero reports whether one of the numbers in a text is zero.
func hasZero(text string) bool {
	for _, number := range figure.FindAllString(text, maxNumbers) {
		if strings.Trim(number, "0.,") == "" {
			return true
		}
	}
	return false
}

// maxNumbers limits the numbers of one text that are looked at.
const maxNumbers = 8

// hash is a hash of several strings that stays the same between processes.
func hash(parts ...string) uint32 {
	h := fnv.New32a()
	for _, part := range parts {
		_, _ = h.Write([]byte(part))
		_, _ = h.Write([]byte{0})
	}
	return h.Sum32()
}
