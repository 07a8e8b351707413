package page

import (
	"regexp"
	"slices"
	"strings"
)

// What a program prints of itself when it fails: an error by its type, and places in its source.
var (
	errorName = regexp.MustCompile(`(?:^|[\s(.:\\])(?:[A-Z]\w*)?(?:Error|Exception|Fault)\b|` +
		`(?i:unhandled (?:runtime )?exception|internal server error|something went wrong|^whoops|\b500\b|debugger|\btraceback\b|` +
		`\bstack ?trace\b|\bpanic: |\bpanicked at\b)`)
	sourcePlaces = regexp.MustCompile(`(?i)` + strings.Join([]string{
		`\bfile "[^"]{1,300}", line \d+|\.py, line \d+`,                                                       // Python
		`\bat [\w$.<>/ ]{1,200}\((?:[\w$]+\.(?:java|kt|scala|groovy|clj):\d+|native method|unknown source)\)`, // the Java machine
		`\bat [^()]{1,200}\((?:file://|/|[a-z]:\\|webpack|node:)[^()]{1,300}:\d+(?::\d+)?\)`,                  // JavaScript
		`\bat [^()]{1,200}\([^()]{0,300}\) in [^()]{1,300}:line \d+|\w\.cs, line \d+`,                         // .NET
		`[\w/\\.-]{1,300}\.php(?:\(\d+\)| ?: ?\d+| on line \d+| \(?line \d+)`,                                 // PHP
		"[\\w/.-]{1,300}\\.rb:\\d+:in [`']",                                                                   // Ruby
		`\bgoroutine \d+ \[`, `[\w/.-]{1,300}\.go:\d+ \+0x`,                                                   // Go
		`\bline \d+ of [\w/.-]{1,200}\.(?:p[lm]|asp)\b|\.p[lm] line \d+`, // Perl
		`[\w/.-]{1,300}\.(?:rs|exs?|erl|lua|cr|dart|swift):\d+(?::|\b)`,  // Rust, Elixir and others
	}, "|"))
)

// A page that explains an error has links and paragraphs besides.
const (
	mostLinksOfTrace = 12
	mostProseOfTrace = 60 // words of sentences
	firstOfTrace     = 6  // lines in which the error is named
)

// errorTrace tells that the page is what a program prints when it fails; nil for any other page.
func (s *survey) errorTrace(elements []Element) *Wall {
	if s.links > mostLinksOfTrace || s.topic || !sourcePlaces.MatchString(s.text) || explains(elements, s.menu > 0) {
		return nil
	}
	for _, name := range []string{s.heading, s.title} {
		if errorName.MatchString(name) {
			return &Wall{WallError, Ellipsis(name, maxWallSign)}
		}
	}
	for _, line := range s.lines[:min(len(s.lines), firstOfTrace)] {
		if onlyName.MatchString(line) || s.heading == "" && errorName.MatchString(line) {
			return &Wall{WallError, Ellipsis(line, maxWallSign)}
		}
	}
	return nil
}

// onlyName is the type of an error and nothing else.
var onlyName = regexp.MustCompile(`^[\w.\\]*(Error|Exception)$`)

// explains reports whether people wrote about a trace: sentences surround it, accompany it below a menu, or say more than programs do.
func explains(elements []Element, menu bool) bool {
	words, before, after, traced := 0, false, false, false
	for i := range elements {
		e := &elements[i]
		switch {
		case sourcePlaces.MatchString(e.Text) || slices.Contains(codeTags, e.Tag):
			traced = traced || sourcePlaces.MatchString(e.Text)
		case isSentence(e):
			words += countWords(e.Text)
			before, after = before || !traced, after || traced
		}
	}
	return before && after || menu && words > 0 || words > mostProseOfTrace
}

var (
	codeTags     = []string{"pre", "code", "samp", "kbd"}
	sentenceTags = []string{"p", "li", "dd", "td", "div", "span", "blockquote", "section", "article"}
	sentence     = regexp.MustCompile(`[.!?:…。！？：]["”»)]?$`)
)

const fewestOfSentence = 4 // words

// isSentence reports whether an element's own text was written for readers: not a heading, a label or the message of an error.
func isSentence(e *Element) bool {
	return slices.Contains(sentenceTags, e.Tag) && sentence.MatchString(e.Text) && countWords(e.Text) >= fewestOfSentence &&
		!errorName.MatchString(e.Text)
}
