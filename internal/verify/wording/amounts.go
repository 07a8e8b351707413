package wording

import (
	"regexp"
	"strings"
)

// Money matches an amount with its currency.
var Money = regexp.MustCompile(`(?i)(` + currencySigns + `|(^|[^/])\b(` + currencyWords + `)\b)\s?\d|` +
	`\d\s?(` + currencySigns + `|(` + currencyWords + `|zł|kč|kr)(\P{L}|$))`)

const (
	currencySigns = `[$€£¥₹₽₺₩]`
	currencyWords = `usd|eur|gbp|chf|jpy|pln|sek`
)

// bareAmount matches an amount without its currency, as on menus: a number with two decimals and no unit.
var bareAmount = regexp.MustCompile(`(^|[\s(])\d{1,3}([.,'’ ]\d{3})*[.,]\d{2}\s*([)*/,;|]|$)`)

// Contact matches a telephone or account number.
var Contact = regexp.MustCompile(`(?i)\+\d[\d ()/-]{6,}|\(\d{2,5}\)[ -]?\d[\d -]{4,}|\b0\d{1,4} ?/ ?\d[\d ]{4,}|` +
	`\b0\d{2,}[ /-]\d[\d -]{4,}|\b[a-z]{2}\d{2}( ?[0-9a-z]{4}){3,}|\S@\S|` +
	`\b(iban|bic|tel|` + alternatives(func(l *language) []string { return l.contact }) + `|bc1\w{8,}|0x[0-9a-f]{12,})\b`)

// nothingLeft matches a count of zero.
var nothingLeft = regexp.MustCompile(`(^|[^\d.,:])0+([.,]0+)?\s+\p{L}{2,}`)

// negative matches a number below zero that is neither a change in percent nor a temperature.
var negative = regexp.MustCompile(`(^|\s)[-−]\d[\d.,]*\s*([^\d.,%°\s]|$)`)

// Weighty reports whether a text contains a number that must be right.
func Weighty(before, after string) bool {
	for _, text := range []string{before, after} {
		if Money.MatchString(text) || bareAmount.MatchString(text) || Contact.MatchString(text) {
			return true
		}
	}
	return negative.MatchString(after) && !negative.MatchString(before) ||
		nothingLeft.MatchString(after) && !nothingLeft.MatchString(before)
}

// amountParts matches what an amount may consist of, and what stands in its place when there is none.
var amountParts = regexp.MustCompile(`(?i)` + currencySigns + `|[\d.,:'’]+|[-–—]+|` +
	`\b(` + currencyWords + `|zł|kč|kr|nan|null|undefined|infinity|n/a)\b`)

// AroundAmounts is a text without its amounts.
func AroundAmounts(text string) string {
	return strings.Join(strings.Fields(amountParts.ReplaceAllString(strings.ToLower(text), " ")), " ")
}

// decimals matches a number with decimals.
var decimals = regexp.MustCompile(`\d[.,]\d`)

// Zeroed reports whether a measurement or an amount has become zero, as when its source fails.
func Zeroed(before, after string) bool {
	return decimals.MatchString(before) && NonZero.MatchString(before) && strings.Contains(after, "0") && !NonZero.MatchString(after)
}
