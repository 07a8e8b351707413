package page

import (
	"cmp"
	"regexp"
	"strings"
)

// ConsolePattern is the stable part of a console entry: its text and address, with placeholders for whatever varies
// between visits. Entries with equal patterns are considered the same.
type ConsolePattern struct {
	Type, Text, Source string
}

// Limits of patterns: the beginning of a long entry is sufficient.
const (
	patternRead = 600 // bytes of an entry's text from which its pattern is made
	patternKept = 300 // characters of the pattern
)

// Pattern is the entry's pattern. The page controls the content of its entries, so this takes time linear in their
// length.
func (e ConsoleEntry) Pattern() ConsolePattern {
	text := firstCharacters(patternOfText(firstWords(e.Text, patternRead)), patternKept)
	return ConsolePattern{Type: cmp.Or(e.Type, "log"), Text: text, Source: AddressPattern(e.URL)}
}

// firstWords cuts a text after the last word within n bytes.
func firstWords(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if end := strings.LastIndexByte(text[:n], ' '); end > 0 {
		return text[:end]
	}
	return strings.ToValidUTF8(text[:n], "")
}

// firstCharacters cuts a text after n characters.
func firstCharacters(text string, n int) string {
	for at := range text {
		if n--; n < 0 {
			return text[:at]
		}
	}
	return text
}

// placeholder replaces one kind of text that varies between visits. No expression matches a replacement, so a pattern
// is its own pattern.
type placeholder struct {
	find    *regexp.Regexp
	replace string
}

// embedded matches addresses that contain their content, or have none.
var embedded = placeholder{regexp.MustCompile(`\b(data|blob):[^\s"'()<>\x60{}]+`), "{$1}"}

// webAddress finds the addresses in a text. It allows braces, since the address may already be a pattern.
var webAddress = regexp.MustCompile(`\b(?:https?|wss?)://[^\s"'()<>\x60]+`)

// WebAddresses lists the first n addresses in a text.
func WebAddresses(text string, n int) []string { return webAddress.FindAllString(text, n) }

// query matches the query of an address or a path.
var query = placeholder{regexp.MustCompile(`([\w}/.-])[?#][^\s"'()<>\x60:]*`), "$1"}

// position matches the line and column after the address of a script.
var position = placeholder{regexp.MustCompile(`:\d+(?::\d+)?$`), ""}

// positionInText matches the same within a text: after the name of a file.
var positionInText = placeholder{regexp.MustCompile(`(\.(?:m?js|ts|php|html?|css)):\d+(?::\d+)?`), "$1"}

const months = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|` +
	`Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b`

// variable is applied in order: a kind that contains a match of another comes before it.
var variable = []placeholder{
	{regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "{uuid}"},
	{regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b)?`), "{time}"},
	{regexp.MustCompile(`\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:\d{1,2} )?` + months + `\.? ` +
		`\d{1,4}(?:,? \d{4})?(?:,? \d{1,2}:\d{2}(?::\d{2})?)?(?: (?:GMT|UTC|CET|CEST)(?:[+-]\d{2}:?\d{2})?)?`), "{time}"},
	{regexp.MustCompile(`\b\d{1,2}[./]\d{1,2}[./]\d{4}\b`), "{time}"},
	{regexp.MustCompile(`\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[AaPp]\.?[Mm]\b\.?)?`), "{time}"},
}

// token matches words that may be a hash; isHash decides.
var token = regexp.MustCompile(`[A-Za-z0-9]{8,}`)

// number matches digits that are separate from letters, or a long run of them.
var number = regexp.MustCompile(`0[xX][0-9a-fA-F]+|[0-9]+(?:[.,][0-9]+)*`)

// failedLoadText is the beginning of the pattern of an entry about a resource that failed to load; its status follows.
const failedLoadText = FailedLoadPrefix + "status "

// failedLoad matches the browser's message about a resource that failed to load. The server's text for the status is
// ignored.
var failedLoad = regexp.MustCompile(`^Failed to load resource: the server responded with a status of (\d{3})\b.*$`)

// statusOf matches HTTP statuses, which are meaningful, unlike other numbers.
var statusOf = regexp.MustCompile(`(?i)\b(?:status(?: code)?(?: of)?:? ?|HTTP(?:/(?:[\d.]+|{n}))? )([1-5]\d{2})\b`)

// patternOfText replaces the variable parts of a text by placeholders.
func patternOfText(text string) string {
	text = CollapseSpace(text)
	if m := failedLoad.FindStringSubmatch(text); m != nil {
		text = failedLoadText + m[1]
	}
	text = embedded.find.ReplaceAllString(text, embedded.replace)
	text = webAddress.ReplaceAllStringFunc(text, AddressPattern)
	text = query.find.ReplaceAllString(text, query.replace)
	text = positionInText.find.ReplaceAllString(text, positionInText.replace)
	return CollapseSpace(withoutVariables(text))
}

// AddressPattern is an address with placeholders and without its query, which holds versions and cache-busters.
func AddressPattern(address string) string {
	address = strings.TrimSpace(address)
	if kind, _, is := strings.Cut(address, ":"); is && (kind == "data" || kind == "blob") {
		return "{" + kind + "}"
	}
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	address = position.find.ReplaceAllString(address, position.replace)
	scheme, rest, hasHost := strings.Cut(address, "://")
	if !hasHost {
		return withoutVariables(address)
	}
	host, path, hasPath := strings.Cut(rest, "/") // the host and its port identify the server and stay
	if !hasPath {
		return scheme + "://" + host
	}
	return scheme + "://" + host + "/" + withoutVariables(path)
}

// withoutVariables puts placeholders for times, ids, hashes and numbers, but keeps HTTP statuses.
func withoutVariables(text string) string {
	for _, v := range variable {
		text = v.find.ReplaceAllString(text, v.replace)
	}
	text = token.ReplaceAllStringFunc(text, func(word string) string {
		if isHash(word) {
			return "{hash}"
		}
		return word
	})
	return withoutNumbers(text)
}

// isHash reports whether a word mixes letters and digits as no ordinary word does: hexadecimal from eight characters
// on, others if digits and letters alternate.
func isHash(word string) bool {
	figures, changes, hex := 0, 0, true
	for i := range len(word) {
		c := word[i]
		figure := c >= '0' && c <= '9'
		if figure {
			figures++
		}
		hex = hex && (figure || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F')
		if i > 0 && figure != (word[i-1] >= '0' && word[i-1] <= '9') {
			changes++
		}
	}
	switch {
	case figures == 0 || figures == len(word):
		return false
	case hex:
		return true
	}
	return figures >= 3 && (changes >= 5 || len(word) >= 16 && changes >= 3)
}

// shortFigures is how many digits directly after a letter belong to a name, as in h2 or x64.
const shortFigures = 2

func withoutNumbers(text string) string {
	var keep [][]int
	for _, m := range statusOf.FindAllStringSubmatchIndex(text, -1) {
		keep = append(keep, m[2:4])
	}
	var out strings.Builder
	end := 0
	for _, m := range number.FindAllStringIndex(text, -1) {
		for len(keep) > 0 && keep[0][1] <= m[0] {
			keep = keep[1:]
		}
		status := len(keep) > 0 && keep[0][0] == m[0] && keep[0][1] == m[1]
		if status || m[1]-m[0] <= shortFigures && m[0] > 0 && isLetter(text[m[0]-1]) {
			continue
		}
		out.WriteString(text[end:m[0]])
		out.WriteString("{n}")
		end = m[1]
	}
	return out.String() + text[end:]
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
