package e2e

import "strings"

func contains(text, part string) bool { return strings.Contains(text, part) }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
