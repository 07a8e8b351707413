package review

import (
	"strings"

	"afterimage/vcd"
)

// headlineOf is the description of a change without the selector of its element, which says more to a browser than to a reader:
// "Paragraph: text changed" for "Paragraph (section > p:nth-of-type(2)): text changed". Descriptions name the end of the selector;
// web/app/features/review/headline.ts does the same for the dashboard.
func headlineOf(description string, f vcd.FoundChange) string {
	element := f.After
	if element == nil {
		element = f.Before
	}
	name, rest, found := strings.Cut(description, " (")
	if element == nil || !found {
		return description
	}
	end := closing(rest)
	if end < 0 || !strings.HasSuffix(element.Selector, rest[:end]) {
		return description
	}
	return name + rest[end+1:]
}

// closing is where a parenthesis ends that is open before a text; -1 if it does not.
func closing(text string) int {
	depth := 1
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}
