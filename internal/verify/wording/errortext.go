package wording

import (
	"regexp"
	"strings"
)

// ErrorSign is a format in which servers and frameworks print errors.
type ErrorSign struct {
	Kind string // the kind of error, as in "a PHP error"
	form *regexp.Regexp
}

func sign(what string, forms ...string) ErrorSign {
	return ErrorSign{what, regexp.MustCompile(`(?i)` + strings.Join(forms, "|"))}
}

// errorSigns are specific enough not to occur in prose. They are searched for in text that is new on the page.
var errorSigns = []ErrorSign{
	sign("a PHP error",
		`(fatal|parse|recoverable) error\s*:`, `\b(warning|notice|deprecated)\s*:\s.{1,300}\bon line \d+`,
		`there has been a critical error on (this|your) website`, `stack trace:\s*#0`, `call to (undefined|a member) (function|method)`,
		`uncaught (error|exception|typeerror)`,
	),
	sign("a database error",
		`error establishing a database connection`, `sqlstate\[`, `you have an error in your sql syntax`, `\bora-\d{5}\b`,
		`mysql(i)?(_\w+\(\)| server has gone away)`, `could not connect to (the )?(database|server)`,
		`(database|db) (connection )?error`, `too many connections`, `relation "[^"]+" does not exist`,
	),
	sign("an error page",
		`\b(internal server error|bad gateway|service (temporarily )?unavailable|gateway time-?out)\b`,
		`\b(404 not found|403 forbidden|page not found|not found on this server)\b`,
		`^\W*(fatal|critical|unhandled|unexpected|system) (error|exception)\b`,
		`^(error )?(404|500|502|503|504)$`, `\bhttp (error )?[45]\d\d\b`, `this page (isn.t working|could not be found|does not exist)`,
		`application error`, `the requested url .{1,200}was not found`,
	),
	sign("a stack trace",
		`\b(type|reference|syntax|range|name|key|value|index|attribute|nomethod)error\b`, `cannot read propert(y|ies) of`,
		`traceback \(most recent call last\)`, `\bat [\w$.<>]+ ?\([^()]+:\d+(:\d+)?\)`, `\.(java|py|rb|cs|js|ts|php|go):\d+`,
		`\b(null ?pointer|nullreference|runtime|illegal\w+)exception\b`, `goroutine \d+ \[running\]`, `^panic: `,
	),
	sign("a broken template",
		`\{\{[^{}]{0,80}\}\}`, `\{%[^{}]{0,80}%\}`, `<%=?[^<>]{0,80}%>`, `\[object object\]`, `^(undefined|nan|null)$`,
		`[:$€£] ?(undefined|nan|null)\b`, `\bundefined (undefined|index|variable)\b`, `\[/?[a-z][\w-]{2,40}( [\w-]+="?[^\]]{0,120})?\]`,
		`\b(translation missing|missing translation)\b`,
		`%[sd]\b.*%[sd]\b`, `\bliquid error\b`,
	),
	sign("a missing value", `\bundefined\b`, `(?-i:\bNaN\b)`),
	sign("a message that something failed", alternatives(func(l *language) []string { return l.failures })),
	sign("a placeholder date",
		`\b1970-01-01\b`, `\b0?1[./]0?1[./]1970\b`, `\b(`+alternatives(func(l *language) []string { return l.firstDay })+`) 1970\b`,
		`\b0000-00-00\b`, `\b30\.11\.-0001\b`, `\b5\d years ago\b`,
	),
	sign("broken characters", `\x{fffd}`, `Ã[\x{80}-\x{bf}]`, `â€[\x{80}-\x{201d}]?`),
	sign("spam", `\b(viagra|cialis|casino bonus|payday loans?|replica watches|essay writing service)\b`, `\bhacked by\b`),
	sign("a maintenance notice",
		`(briefly |temporarily )?(unavailable|down|offline|closed) for (scheduled )?maintenance`, `under maintenance`,
		`be back (soon|shortly)`,
	),
	sign("a suspension notice",
		`account (has been )?suspended`, `domain (is for sale|has expired|is parked)`, `buy this domain`, `bandwidth limit exceeded`,
	),
}

// NewError returns the sign of an error that the text after shows and the text before did not; nil for none.
func NewError(before, after string) *ErrorSign {
	if after == "" {
		return nil
	}
	for i := range errorSigns {
		if s := &errorSigns[i]; s.In(after) && !s.In(before) {
			return s
		}
	}
	return nil
}

// In reports whether a text shows the sign.
func (s *ErrorSign) In(text string) bool { return s.form.MatchString(text) }

// ErrorNamed is the kind of error that a sentence names, as in "a PHP error"; "" for none.
func ErrorNamed(sentence string) string {
	for i := range errorSigns {
		if strings.Contains(sentence, errorSigns[i].Kind) {
			return errorSigns[i].Kind
		}
	}
	return ""
}
