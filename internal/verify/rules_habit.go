package verify

import (
	"regexp"

	"afterimage/internal/page"
)

// A class name, an id or a heading says what somebody called a part, and not that it changes by itself: no rule excuses a change by
// one. What is excused here says of itself what it is, or comes from where only such things come from.

// adServers match the addresses of advertising networks and of captchas.
var adServers = regexp.MustCompile(`(?i)^(https?:)?//([\w-]+\.)*(doubleclick\.net|googlesyndication\.com|adnxs\.com|taboola\.com|` +
	`outbrain\.com|recaptcha\.net|hcaptcha\.com|challenges\.cloudflare\.com)[/?:]|^(https?:)?//www\.google\.com/recaptcha/`)

// servedByOthers: a frame or a picture of an advertising network, or of a captcha, which are different each time.
func servedByOthers(s *scene) string {
	if s.at < 0 || s.Element == nil || !shows[s.Element.Tag] || !adServers.MatchString(s.Element.Source) ||
		s.elementBefore != nil && !adServers.MatchString(s.elementBefore.Source) {
		return ""
	}
	return "It comes from a server for advertisements or captchas, whose content differs on every visit."
}

// consentBanner: a box upon the page that came or went, and says that it asks for consent or for a subscription.
func consentBanner(s *scene) string {
	if s.Change != Appeared && s.Change != Vanished || s.at < 0 || !s.Element.Fixed || s.inside("banner") || s.inside("navigation") {
		return "" // a bar that stays at the top may have a link to the newsletter
	}
	for _, form := range overlaySigns {
		if form.MatchString(s.Before + s.After) {
			return "It is an overlay that asks for consent or a subscription."
		}
	}
	return ""
}

// overlaySigns match texts of such boxes.
var overlaySigns = []*page.WordPattern{
	page.CompileWords(`\b(` + alternatives(func(l *language) []string { return l.consent }) + `)\b`),
	page.CompileWords(`\b(` + alternatives(func(l *language) []string { return l.subscribe }) + `)\b`),
}

// otherValue reports whether a text has another price or number that must be right, which no part of a page excuses, or a
// measurement that became zero.
func (s *scene) otherValue() bool {
	if s.Change != TextChanged {
		return false
	}
	return s.weighs(s.Before, s.After) && s.onlyNumbers(s.Before, s.After) || zeroed(s.Before, s.After)
}

// controls are the roles of what people use a page with, and of the landmarks by which they find it.
var controls = map[string]bool{
	"button": true, "textbox": true, "searchbox": true, "combobox": true, "listbox": true, "checkbox": true, "radio": true,
	"slider": true, "spinbutton": true, "switch": true, "form": true, "search": true, "navigation": true, "main": true,
}

// losesControl reports whether the nearest part that both pages have lost a control with the element: a card that gave
// way to another one of its form did not.
func (s *scene) losesControl() bool {
	lost := s.tree.controlsIn(s.at)
	if lost == 0 {
		return false
	}
	for up := s.tree.parent(s.at); up >= 0; up = s.tree.parent(up) {
		if a := s.toAfter[up]; a >= 0 {
			return s.afterTree.controlsIn(a) < s.tree.controlsIn(up)
		}
	}
	return true
}

// controlsIn counts the controls within an element.
func (t *tree) controlsIn(i int) int {
	n := 0
	for j := i; j < len(t.content) && j <= i+maxInside && t.within(j, i); j++ {
		if controls[t.element(j).Role] {
			n++
		}
	}
	return n
}
