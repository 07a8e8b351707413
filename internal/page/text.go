package page

import "strings"

// Ellipsis cuts a text to n bytes at most, without splitting a character, and marks the cut with "…".
func Ellipsis(text string, n int) string {
	const dots = "…"
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n-len(dots)], "") + dots
}

// CollapseSpace replaces each run of white space by one space.
func CollapseSpace(text string) string { return strings.Join(strings.Fields(text), " ") }
