package verify

import "strings"

// habit is a reason for which a part of a page changes by itself.
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

// habits explains why a part changes by itself, and lists products that identify it: carousel libraries, advertising
// networks, consent managers, chat providers and content management systems. The words of each language are added.
var habits = map[habit]struct{ reason, products string }{
	habitAd: {"Ads change with every visit.", "adsense adsbygoogle dfp doubleclick gpt outbrain taboola"},
	habitRotation: {
		"It is a carousel or other rotating content.", "flickity glide owl slick splide swiper",
	},
	habitConsent: {"It is a consent banner.", "borlabs cookiebot cookielaw didomi gdpr klaro onetrust usercentrics"},
	habitChat:    {"It is a chat window.", "crisp drift intercom livechat messenger tawk tidio zendesk"},
	habitPopup:   {"It is a pop-up.", ""},
	habitCaptcha: {"A captcha is different each time.", "captcha hcaptcha recaptcha turnstile"},
	habitFeed: {
		"It is a list of recent or related content.", "gravatar instagram rss tweets twitter",
	},
	habitControl: {"It is a button that appears on scrolling.", ""},
	habitWidget:  {"It is a widget that shows live data.", "leaflet mapbox openstreetmap"},
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
	words := strings.Fields(habits[h].products)
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
