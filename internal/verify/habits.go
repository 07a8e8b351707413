package verify

import "strings"

// habit is why a part of a page may change by itself.
type habit string

// The habits.
const (
	habitAd       habit = "advertisement"
	habitRotation habit = "rotating content"
	habitConsent  habit = "consent banner"
	habitChat     habit = "chat"
	habitPopup    habit = "pop-up"
	habitCaptcha  habit = "captcha"
	habitFeed     habit = "feed"
	habitWidget   habit = "live widget"
	habitControl  habit = "scroll button"
)

// habits lists products that identify them: carousel libraries, advertising networks, consent managers, chat providers and content
// management systems. The words of each language are added. The trained judge reads them; no rule excuses a change by them.
var habits = map[habit]string{
	habitAd:       "adsense adsbygoogle dfp doubleclick gpt outbrain taboola",
	habitRotation: "flickity glide owl slick splide swiper",
	habitConsent:  "borlabs cookiebot cookielaw didomi gdpr klaro onetrust usercentrics",
	habitChat:     "crisp drift intercom livechat messenger tawk tidio zendesk",
	habitPopup:    "",
	habitCaptcha:  "captcha hcaptcha recaptcha turnstile",
	habitFeed:     "gravatar instagram rss tweets twitter",
	habitControl:  "",
	habitWidget:   "leaflet mapbox openstreetmap",
}

// overlays appear and disappear as a whole; the others change within a frame that stays.
var overlays = map[habit]bool{habitConsent: true, habitChat: true, habitPopup: true, habitControl: true}

// phrases identify a habit in a heading; the first match counts.
var phrases = []struct {
	words string
	habit habit
}{
	{"you may also like", habitFeed}, {"you might also like", habitFeed}, {"customers also bought", habitFeed},
	{"read more about", habitFeed}, {"what our customers say", habitRotation}, {"what people say", habitRotation},
	{"of the day", habitRotation}, {"did you know", habitRotation},
	{"now playing", habitWidget},
}

// words are the words that identify the habit in names of classes and ids, addresses and headings.
func (h habit) words() []string {
	words := strings.Fields(habits[h])
	for i := range languages {
		words = append(words, strings.Fields(languages[i].names[h])...)
	}
	return words
}

var habitOf = func() map[string]habit {
	known := make(map[string]habit)
	for h := range habits {
		for _, w := range h.words() {
			known[w] = h
		}
	}
	return known
}()
