package wording

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxQuoted limits the page text that a description quotes, in characters.
const MaxQuoted = 60

// Quote prepares text of a page for a one-line description: without control characters, truncated, in quotation marks.
func Quote(text string) string {
	return "“" + OneLine(text, MaxQuoted) + "”"
}

// OneLine removes control and formatting characters from a text, collapses white space and truncates the text to a
// number of characters.
func OneLine(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co), r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > most {
		text = strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
	}
	return text
}

// Counted words a number of things.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// IsShort reports whether a text can be quoted in full.
func IsShort(text string) bool { return utf8.RuneCountInString(text) <= MaxQuoted }

// Saying continues a sentence with what an element says; "" for nothing.
func Saying(text string) string {
	if text == "" {
		return ""
	}
	return ": " + Quote(text)
}

// wordsAround is how many words are told before and behind those that differ.
const wordsAround = 3

// DifferingWords cuts two texts to the words that differ, with some before and behind them; inside reports that their beginning is
// left out.
func DifferingWords(before, after string) (was, is string, inside bool) {
	old, now := strings.Fields(before), strings.Fields(after)
	start := 0
	for start < min(len(old), len(now)) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < min(len(old), len(now))-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	cut := func(words []string) string {
		first, last := max(0, start-wordsAround), min(len(words), len(words)-end+wordsAround)
		text := strings.Join(words[first:last], " ")
		if first > 0 {
			text = "… " + text
		}
		if last < len(words) {
			text += " …"
		}
		return text
	}
	return cut(old), cut(now), start > wordsAround
}

// SentenceEnds are quotations that end as sentences do: no full stop follows them.
var SentenceEnds = strings.NewReplacer(".”.", ".”", "!”.", "!”", "?”.", "?”", "…”.", "…”", "。”.", "。”")

// FileNames returns the file names of two addresses, with as much of the paths as is needed to distinguish them.
func FileNames(before, after string) (was, is string) {
	if was, is = FileName(before), FileName(after); was == is {
		was, is = Quote(before), Quote(after)
	}
	return was, is
}

// FileName returns the last part of an address.
func FileName(address string) string {
	address, _, _ = strings.Cut(address, "?")
	address = strings.TrimRight(address, "/")
	if address == "" {
		return "nothing"
	}
	return Quote(address[strings.LastIndexByte(address, '/')+1:])
}
