package verify

import (
	"regexp"
	"strings"
)

// errorSign is a format in which servers and frameworks print errors.
type errorSign struct {
	what string
	form *regexp.Regexp
}

func sign(what string, forms ...string) errorSign {
	return errorSign{what, regexp.MustCompile(`(?i)` + strings.Join(forms, "|"))}
}

// errorSigns are specific enough not to occur in prose. They are searched for in text that is new on the page.
var errorSigns = []errorSign{
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

// newError returns the index of the error sign that the text after shows and the text before did not; -1 for none.
func newError(before, after string) int {
	if after == "" {
		return -1
	}
	for i, s := range errorSigns {
		if s.form.MatchString(after) && !s.form.MatchString(before) {
			return i
		}
	}
	return -1
}

// ErrorText is what kind of error message a finding was ruled to show, as in "a PHP error"; "" for none.
func (r *Ruling) ErrorText() string {
	if r.Code == CodeError {
		for i := range errorSigns {
			if strings.Contains(r.Reason, errorSigns[i].what) {
				return errorSigns[i].what
			}
		}
	}
	return ""
}

// free reports whether a text shows no sign of an error. It is asked once for each text: most are those of findings and lines
// of the page, too.
func (v *view) free(text string) bool {
	known, about := v.factsOf("", text)
	return known.free.once(func(_, text string) bool { return newError("", text) < 0 }, about)
}
