package verify

import (
	"regexp"
)

// words of reasons.
var habitReasons = map[habit]string{
	habitAd: "Ads change with every visit.", habitRotation: "It is a carousel or other rotating content.",
	habitConsent: "It is a consent banner.", habitChat: "It is a chat window.", habitPopup: "It is a pop-up.",
	habitCaptcha: "A captcha is different each time.", habitFeed: "It is a list of recent or related content.",
	habitControl: "It is a button that appears on scrolling.",
	habitWidget:  "It is a widget that shows live data.",
}

var habitCodes = map[habit]Code{
	habitAd: CodeAd, habitRotation: CodeRotation, habitConsent: CodeConsent, habitChat: CodeOverlay, habitPopup: CodeOverlay, habitCaptcha: CodeCaptcha,
	habitFeed: CodeFeed, habitWidget: CodeWidget, habitControl: CodeOverlay,
}

// overlays come and go as a whole; the others change within a frame that stays.
var overlays = map[habit]bool{habitConsent: true, habitChat: true, habitPopup: true, habitControl: true}

// habitRule: parts of the page that are known to change by themselves.
func habitRule(s *scene) *opinion {
	if s.at < 0 || s.Change == Blanked || s.Change == Loading || s.Change == Shifted {
		return nil
	}
	h, ok := s.tree.habit(s.at)
	if h != habitWidget && s.Change == TextChanged && weighty(s.Before, s.After) && onlyVolatile(s.Before, s.After) {
		return nil // the same thing has another price
	}
	if !ok && (s.Change == Appeared || s.Change == Vanished) {
		h, ok = s.overlayByText()
	}
	comes := s.Change == Appeared || s.Change == Vanished
	switch {
	case !ok:
		return nil
	case overlays[h]:
		if !s.Element.Fixed {
			return nil
		}
	case comes && !s.within(h):
		// What has the habit came or went itself: only an advertisement does that.
		if h != habitAd {
			return nil
		}
	}
	return &opinion{AllGood, habitCodes[h], habitReasons[h], 0.8, false}
}

// within tells whether the habit is that of something around the element, which stayed.
func (s *scene) within(h habit) bool {
	parent := s.tree.parent(s.at)
	if parent < 0 {
		return false
	}
	around, ok := s.tree.habit(parent)
	return ok && around == h
}

// overlaySigns are what overlays say.
var overlaySigns = []struct {
	habit habit
	form  *regexp.Regexp
}{
	{habitConsent, regexp.MustCompile(`(?i)\b(we use cookies|cookie (policy|settings|preferences)|uses cookies|consent|gdpr|verwendet cookies|verwenden cookies|utilise des cookies|usa cookies)\b`)},
	{habitPopup, regexp.MustCompile(`(?i)\b(subscribe|newsletter|sign up (for|and)|join our|abonnieren)\b`)},
}

// overlayByText knows consent banners and pop-ups by what they say.
func (s *scene) overlayByText() (habit, bool) {
	if !s.Element.Fixed {
		return "", false
	}
	for _, sign := range overlaySigns {
		if sign.form.MatchString(s.Before + s.After) {
			return sign.habit, true
		}
	}
	return "", false
}
