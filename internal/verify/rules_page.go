package verify

import (
	"fmt"
	"regexp"
	"strings"

	"afterimage/internal/verify/wording"
)

// pageState is the rules' opinion on the pair as a whole, computed once; nil when nothing is wrong.
func (v *view) pageState() *opinion {
	if !v.judged {
		v.judged, v.state = true, decide(pageRules, v)
	}
	return v.state
}

// errorStatus: the page responds with an error status and did not before.
func errorStatus(v *view) string {
	if now, was := v.Pair.After.Status, v.Pair.Before.Status; now >= 400 && was < 400 && was > 0 {
		return fmt.Sprintf("The page now returns HTTP status %d.", now)
	}
	return ""
}

// versionNumber is what differs between the addresses of two releases of a file.
var versionNumber = regexp.MustCompile(`\d+`)

// unversioned is an address without its query and its numbers.
func unversioned(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return versionNumber.ReplaceAllString(path, "0")
}

// missingStyleSheet: a style sheet that loaded before and now fails to. Another release of one that failed before is the same one.
func missingStyleSheet(v *view) string {
	lost := make(map[string]int)
	for _, r := range v.Pair.Before.FailedRequests {
		if strings.EqualFold(r.Type, "stylesheet") {
			lost[unversioned(r.URL)]++
		}
	}
	for _, r := range v.Pair.After.FailedRequests {
		if !strings.EqualFold(r.Type, "stylesheet") || failed(&v.Pair.Before, r.URL) {
			continue
		}
		if lost[unversioned(r.URL)]--; lost[unversioned(r.URL)] < 0 {
			return fmt.Sprintf("The style sheet %s failed to load.", wording.FileName(r.URL))
		}
	}
	return ""
}

// newLineWithError: an error anywhere in the new text of the page.
func newLineWithError(v *view) string {
	if what := v.newErrorLine(); what != "" {
		return fmt.Sprintf("The page shows %s that it did not show before.", what)
	}
	return ""
}

// lostText: a page that has lost most of its text.
func lostText(v *view) string {
	if now, was := len(v.Pair.After.Text), len(v.Pair.Before.Text); was > someText && now < was/lostTextPart {
		return "Most of the page's text is gone."
	}
	return ""
}

// restlessLayout: the same texts in other columns or with other widths.
func restlessLayout(v *view) string {
	if v.movements != nil { // what made them do so is told
		return ""
	}
	if share, known := v.restlessShare(); known >= restlessTexts && share > restlessPart {
		return "Most parts of the page changed their width or horizontal position."
	}
	return ""
}

// widerThanScreen: something extends beyond the right edge of the page.
func widerThanScreen(v *view) string {
	if v.Pair.After.Width > v.Pair.Before.Width+slack {
		return "The page is now wider than the screen."
	}
	return ""
}

// saidBefore reports whether the page already showed an error before, as an article about errors does. It is computed
// once.
func (v *view) saidBefore(sign *wording.ErrorSign) bool {
	said, known := v.said[sign]
	if !known {
		said = sign.In(v.Pair.Before.Text)
		v.said[sign] = said
	}
	return said
}

// newErrorLine finds an error in the lines of text that only the after page has.
func (v *view) newErrorLine() string {
	known := make(map[string]bool)
	for line := range strings.Lines(v.Pair.Before.Text) {
		known[strings.TrimSpace(line)] = true
	}
	var fresh strings.Builder
	for line := range strings.Lines(v.Pair.After.Text) {
		line = strings.TrimSpace(line)
		if known[line] {
			continue
		}
		if !v.ErrorFree(line) {
			if sign := wording.NewError("", line); sign != nil && !v.saidBefore(sign) {
				return sign.Kind
			}
		}
		if fresh.WriteString(line + " "); fresh.Len() > maxNewText {
			break
		}
	}
	// A message that spans several elements spans several lines.
	if sign := wording.NewError("", fresh.String()); sign != nil && !v.saidBefore(sign) {
		return sign.Kind
	}
	return ""
}

// restlessShare is the share of the elements with text, equal on both pages, whose width or column changed.
func (v *view) restlessShare() (share float64, known int) {
	changed := 0
	v.Steps.Take(len(v.AfterTree.Content))
	for a := range v.AfterTree.Content {
		b := v.ToBefore[a]
		if b < 0 || v.AfterTree.Element(a).Text == "" || v.AfterTree.Element(a).Text != v.BeforeTree.Element(b).Text {
			continue
		}
		known++
		was, is := v.BeforeTree.Box(b), v.AfterTree.Box(a)
		if abs(was.Min.X-is.Min.X) > nudge || abs(was.Dx()-is.Dx()) > nudge {
			changed++
		}
	}
	if known == 0 {
		return 0, 0
	}
	return float64(changed) / float64(known), known
}
