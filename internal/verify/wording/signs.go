package wording

import (
	"regexp"

	"afterimage/internal/page"
)

// LoadingSigns match texts of placeholders.
var LoadingSigns = page.CompileWords(`^\W*(` + alternatives(func(l *language) []string { return l.loading }) + `)\b`)

// OverlaySigns match texts of boxes upon the page that ask for consent or a subscription.
var OverlaySigns = []*page.WordPattern{
	page.CompileWords(`\b(` + alternatives(func(l *language) []string { return l.consent }) + `)\b`),
	page.CompileWords(`\b(` + alternatives(func(l *language) []string { return l.subscribe }) + `)\b`),
}

// TimeUnit matches a unit of time, or the colon between two numbers.
var TimeUnit = regexp.MustCompile(`(?i)^\s*(:|` + alternatives(func(l *language) []string { return l.spans }) + `)\.?\s*$`)

// Salutation matches a greeting by name. Without a comma, what follows may be a place or a season.
var Salutation = regexp.MustCompile(`(?i)^((` + alternatives(func(l *language) []string { return l.greetings }) +
	`),|welcome back)\s+\p{L}{2,20}( \p{L}\.?\p{L}{0,20})?[!.]?$`)

// NonZero matches a number other than zero.
var NonZero = regexp.MustCompile(`[1-9]`)
