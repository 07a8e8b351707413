package verify

import (
	"fmt"
	"strings"
)

// pageRule has an opinion of every finding when the page as a whole is in a bad state.
func pageRule(s *scene) *opinion { return s.view.pageState() }

// pageState judges the pages as a whole, once; nil when nothing is wrong.
func (v *view) pageState() *opinion {
	if !v.judged {
		v.judged, v.state = true, v.judgePage()
	}
	return v.state
}

func (v *view) judgePage() *opinion {
	before, after := &v.Pair.Before, &v.Pair.After
	if after.Status >= 400 && before.Status < 400 && before.Status > 0 {
		return &opinion{Alert, CodeStatus, fmt.Sprintf("The page answers with HTTP status %d now.", after.Status), 0.99, true}
	}
	for _, r := range after.FailedRequests {
		if strings.EqualFold(r.Type, "stylesheet") && !failed(before, r.URL) {
			return &opinion{Alert, CodeStyles, fmt.Sprintf("The style sheet %s failed to load.", file(r.URL)), 0.97, true}
		}
	}
	if what := v.newErrorLine(); what != "" {
		return &opinion{Alert, CodeError, fmt.Sprintf("The page shows %s that it did not show before.", what), 0.95, true}
	}
	if now, was := len(after.Text), len(before.Text); was > 400 && now < was/4 {
		return &opinion{Alert, CodeGone, "Most of the page's text is gone.", 0.9, true}
	}
	if share, known := v.restlessShare(); known >= 12 && share > 0.6 {
		return &opinion{Alert, CodeLayout, "Most parts of the page changed their width or horizontal position.", 0.8, false}
	}
	if after.Width > before.Width+slack {
		return &opinion{Alert, CodeLayout, "The page is wider than the screen now.", 0.8, false}
	}
	return nil
}

// saidBefore tells whether the page showed an error somewhere before: an article about errors is none. It is looked for once.
func (v *view) saidBefore(sign int) bool {
	said, known := v.said[sign]
	if !known {
		said = errorSigns[sign].form.MatchString(v.Pair.Before.Text)
		v.said[sign] = said
	}
	return said
}

// maxNewText bounds the new text of a page in which errors are looked for, in bytes: a page that failed has little.
const maxNewText = 16 << 10

// newErrorLine finds an error in the lines of text that only the page after has.
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
		if i := newError("", line); i >= 0 && !v.saidBefore(i) {
			return errorSigns[i].what
		}
		if fresh.WriteString(line + " "); fresh.Len() > maxNewText {
			break
		}
	}
	// A message of several elements is several lines.
	if i := newError("", fresh.String()); i >= 0 && !v.saidBefore(i) {
		return errorSigns[i].what
	}
	return ""
}

// restlessShare is the share of the elements with text, the same on both pages, whose width or column changed.
func (v *view) restlessShare() (share float64, known int) {
	changed := 0
	v.steps.take(len(v.after.content))
	for a := range v.after.content {
		b := v.toBefore[a]
		if b < 0 || v.after.element(a).Text == "" || v.after.element(a).Text != v.before.element(b).Text {
			continue
		}
		known++
		was, is := v.before.box(b), v.after.box(a)
		if abs(was.Min.X-is.Min.X) > nudge || abs(was.Dx()-is.Dx()) > nudge {
			changed++
		}
	}
	if known == 0 {
		return 0, 0
	}
	return float64(changed) / float64(known), known
}
