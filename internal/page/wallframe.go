package page

import "regexp"

// The part of the window from which a frame is the page.
const (
	leastFrameWidth  = 95 // percent
	leastFrameHeight = 85
)

// frame is the frame of another document that fills the window of a page which has no word of its own; nil for none. What a visitor sees
// is what stands in the frame.
func (v *Visit) frame() *Element {
	window := v.Manifest.Viewport
	if v.Content.Text != "" || window.Width == 0 {
		return nil
	}
	for i := range v.Content.Elements {
		e := &v.Content.Elements[i]
		if (e.Tag == "iframe" || e.Tag == "frame") && e.Box.Width*100 >= window.Width*leastFrameWidth &&
			e.Box.Height*100 >= window.Height*leastFrameHeight {
			return e
		}
	}
	return nil
}

// A check for robots by a program of others: their part, and hardly a word besides.
const (
	mostWordsOfCaptcha = 70
	mostLinksOfCaptcha = 5
	leastCaptcha       = 50 // px of its part
)

// captchaNames are classes and identifiers of such parts, and captchaFrames addresses of documents in frames. The badge of a check that
// nobody notices is on ordinary pages.
var (
	captchaNames = regexp.MustCompile(`(?i)(^|[\s#._-])captcha([\s._-]|$)|(^|\s)cf-turnstile|(^|[\s#])(recaptcha|funcaptcha|` +
		`sec-if-cpt-container|challenge-(form|stage|container|running))(\s|$)`)
	captchaFrames = regexp.MustCompile(`(?i)/captcha[/?]|/_Incapsula_Resource|captcha-delivery\.com/|hcaptcha\.com/captcha|` +
		`arkoselabs\.com/|` +
		`challenges\.cloudflare\.com/|validate\.perfdrive\.com/`)
)

// captcha tells that the page shows a check for robots and nothing else; nil for any other page. Below a form, it is a part of that.
func (s *survey) captcha(elements []Element) *Wall {
	if s.words > mostWordsOfCaptcha || s.links > mostLinksOfCaptcha || s.media > 0 || s.fields > 0 || !s.bare() {
		return nil
	}
	for i := range elements {
		e := &elements[i]
		if e.isButton() || e.Box.Height < leastCaptcha {
			continue
		}
		for _, name := range []string{captchaNames.FindString(PathEnd(e.Selector, 1)), captchaNames.FindString(e.Classes)} {
			if name != "" {
				return &Wall{WallChallenge, name}
			}
		}
		if e.Tag == "iframe" && captchaFrames.MatchString(e.Source) {
			return &Wall{WallChallenge, Ellipsis(e.Source, maxWallSign)}
		}
	}
	return nil
}
