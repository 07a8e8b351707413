package flow

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Separators of selectors.
const (
	orElse = " || " // between alternatives
	with   = " >> " // before nth=2 and exact
)

var roleSelector = regexp.MustCompile(`^([a-z]+)(?:\[name="((?:[^"\\]|\\.)*)"\])?$`)

// Selector writes an element on one line: alternatives with || between them, each role=button[name="Buy"], text=Buy, label=E-mail,
// placeholder=Search, testid=buy or CSS, perhaps followed by >> nth=2 or >> exact.
func (e Element) Selector() string {
	parts := make([]string, len(e))
	for i, l := range e {
		parts[i] = l.selector()
	}
	return strings.Join(parts, orElse)
}

func (l Locator) selector() string {
	var text string
	switch {
	case l.Role != "" && l.Name != "":
		text = fmt.Sprintf("role=%s[name=%s]", l.Role, quotedName(l.Name))
	case l.Role != "":
		text = "role=" + l.Role
	case l.Text != "":
		text = "text=" + l.Text
	case l.Label != "":
		text = "label=" + l.Label
	case l.Placeholder != "":
		text = "placeholder=" + l.Placeholder
	case l.TestID != "":
		text = "testid=" + l.TestID
	default:
		text = "css=" + l.CSS
		if !strings.Contains(strings.SplitN(l.CSS, "[", 2)[0], "=") { // no other kind begins as CSS does
			text = l.CSS
		}
	}
	if l.Nth > 0 {
		text += with + "nth=" + strconv.Itoa(l.Nth)
	}
	if l.Exact {
		text += with + "exact"
	}
	return text
}

func quotedName(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}

// ParseSelector reads what Selector writes. It does not check locators, see Flow.Check.
func ParseSelector(text string) (Element, error) {
	var element Element
	for part := range strings.SplitSeq(text, orElse) {
		l, err := parseLocator(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		element = append(element, l)
	}
	if len(element) > MaxAlternatives {
		return nil, fmt.Errorf("has %d alternatives; up to %d are supported", len(element), MaxAlternatives)
	}
	return element, nil
}

func parseLocator(text string) (Locator, error) {
	var l Locator
	for {
		rest, suffix, ok := cutLast(text, with)
		if !ok {
			break
		}
		nth, isNth := strings.CutPrefix(suffix, "nth=")
		n, err := strconv.Atoi(nth)
		switch {
		case suffix == "exact":
			l.Exact = true
		case isNth && err == nil && n > 0:
			l.Nth = n
		default:
			return l, fmt.Errorf("has %q after >>, where nth=2 or exact is expected", suffix)
		}
		text = rest
	}
	if text == "" {
		return l, errors.New("is empty")
	}
	return l, l.found(text)
}

// found fills in by what the element is found.
func (l *Locator) found(text string) error {
	kind, words, _ := strings.Cut(text, "=")
	words = strings.TrimSpace(words)
	switch kind {
	case "role":
		parts := roleSelector.FindStringSubmatch(words)
		if parts == nil {
			return fmt.Errorf(`has the role %q; write role=button[name="Buy"]`, words)
		}
		l.Role, l.Name = parts[1], strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(parts[2])
	case "text":
		l.Text = words
	case "label":
		l.Label = words
	case "placeholder":
		l.Placeholder = words
	case "testid":
		l.TestID = words
	case "css":
		l.CSS = words
	default:
		l.CSS = text
	}
	return nil
}

func cutLast(text, separator string) (before, after string, ok bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+len(separator):]), true
}
