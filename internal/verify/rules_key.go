package verify

import (
	"regexp"
	"strings"

	"afterimage/internal/noise"
)

// A program that does not find a text in the language of the page often shows the name by which it looked for it instead:
// “home.teaser.title”.

// keyForText: such a name in place of a text.
func keyForText(s *scene) string {
	if !s.becameKey() || strings.Count(s.After, ".")+strings.Count(s.After, "_") < fewestJoints || address.MatchString(s.After) {
		return ""
	}
	return "The text is missing: its key is shown instead."
}

// fewestJoints is the number of dots or underscores from which a key is that of a text, and no name such as Node.js.
const fewestJoints = 2

// address matches addresses and names of files, which look like keys.
var address = regexp.MustCompile(`(?i)^\W*www\.|\.([a-z]{2}|com|org|net|info|biz|edu|gov|app|dev|shop|blog|site|online|html?|php|pdf)\W*$`)

// becameKey reports whether a text of any other form gave way to a key.
func (s *scene) becameKey() bool {
	return s.Change == TextChanged && s.Before != "" && noise.FormOf(s.After) == noise.FormKey && noise.FormOf(s.Before) != noise.FormKey
}
