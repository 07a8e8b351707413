package verify

import (
	"regexp"

	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// A class name, an id or a heading says what somebody called a part, and not that it varies on its own: no rule excuses a change by
// one. What is excused here says of itself what it is, or comes from where only such things come from.

// adServers match the addresses of advertising networks and of captchas.
var adServers = regexp.MustCompile(`(?i)^(https?:)?//([\w-]+\.)*(doubleclick\.net|googlesyndication\.com|adnxs\.com|taboola\.com|` +
	`outbrain\.com|recaptcha\.net|hcaptcha\.com|challenges\.cloudflare\.com)[/?:]|^(https?:)?//www\.google\.com/recaptcha/`)

// servedByOthers: a frame or a picture of an advertising network, or of a captcha, which are different each time.
func servedByOthers(s *scene) string {
	if s.at < 0 || s.Element == nil || !dom.ShowsPixels(s.Element.Tag) || !adServers.MatchString(s.Element.Source) ||
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
	for _, form := range wording.OverlaySigns {
		if form.MatchString(s.Before + s.After) {
			return "It is an overlay that asks for consent or a subscription."
		}
	}
	return ""
}

// otherValue reports whether a text has another price or number that must be right, which no part of a page excuses, or a
// measurement that became zero.
func (s *scene) otherValue() bool {
	if s.Change != TextChanged {
		return false
	}
	return s.Weighs(s.Before, s.After) && s.OnlyNumbers(s.Before, s.After) || wording.Zeroed(s.Before, s.After)
}

// losesControl reports whether the nearest part that both pages have lost a control with the element: a card that gave
// way to another one of its form did not.
func (s *scene) losesControl() bool {
	lost := s.tree.ControlsIn(s.at)
	if lost == 0 {
		return false
	}
	for up := s.tree.Parent(s.at); up >= 0; up = s.tree.Parent(up) {
		if a := s.ToAfter[up]; a >= 0 {
			return s.AfterTree.ControlsIn(a) < s.tree.ControlsIn(up)
		}
	}
	return true
}
