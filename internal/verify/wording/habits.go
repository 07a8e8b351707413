package wording

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Habit is why a part of a page may vary on its own.
type Habit string

// The habits.
const (
	HabitAd       Habit = "advertisement"
	habitRotation Habit = "rotating content"
	habitConsent  Habit = "consent banner"
	habitChat     Habit = "chat"
	habitPopup    Habit = "pop-up"
	habitCaptcha  Habit = "captcha"
	habitFeed     Habit = "feed"
	habitWidget   Habit = "live widget"
	habitControl  Habit = "scroll button"
)

// habits lists products that identify them: carousel libraries, advertising networks, consent managers, chat providers and content
// management systems. The words of each language are added. The trained judge reads them; no rule excuses a change by them.
var habits = map[Habit]string{
	HabitAd:       "adsense adsbygoogle dfp doubleclick gpt outbrain taboola",
	habitRotation: "flickity glide owl slick splide swiper",
	habitConsent:  "borlabs cookiebot cookielaw didomi gdpr klaro onetrust usercentrics",
	habitChat:     "crisp drift intercom livechat messenger tawk tidio zendesk",
	habitPopup:    "",
	habitCaptcha:  "captcha hcaptcha recaptcha turnstile",
	habitFeed:     "gravatar instagram rss tweets twitter",
	habitControl:  "",
	habitWidget:   "leaflet mapbox openstreetmap",
}

// OfOverlay reports whether parts with this habit appear and disappear as a whole; the others change within a frame that stays.
func (h Habit) OfOverlay() bool {
	return h == habitConsent || h == habitChat || h == habitPopup || h == habitControl
}

// phrases identify a habit in a heading; the first match counts.
var phrases = []struct {
	words string
	habit Habit
}{
	{"you may also like", habitFeed}, {"you might also like", habitFeed}, {"customers also bought", habitFeed},
	{"read more about", habitFeed}, {"what our customers say", habitRotation}, {"what people say", habitRotation},
	{"of the day", habitRotation}, {"did you know", habitRotation},
	{"now playing", habitWidget},
}

// Words are the words that identify the habit in names of classes and ids, addresses and headings.
func (h Habit) Words() []string {
	words := strings.Fields(habits[h])
	for i := range languages {
		words = append(words, strings.Fields(languages[i].names[h])...)
	}
	return words
}

// Habits lists the habits.
func Habits() []Habit { return slices.Sorted(maps.Keys(habits)) }

var habitOf = func() map[string]Habit {
	known := make(map[string]Habit)
	for _, h := range Habits() {
		for _, w := range h.Words() {
			known[w] = h
		}
	}
	return known
}()

// LabelsAd reports whether a text is the label of an advertisement.
func LabelsAd(text string) bool { return habitOf[strings.ToLower(text)] == HabitAd }

// HabitOfHeading is the habit of what stands below a heading.
func HabitOfHeading(text string) (Habit, bool) {
	text = strings.ToLower(text)
	for _, p := range phrases {
		if strings.Contains(text, p.words) {
			return p.habit, true
		}
	}
	return HabitIn(text)
}

// Tokens splits a name into words: adSlot-top_1 yields ad, slot, top, 1. Adjacent words are also joined, for adslot.
func Tokens(name string) []string {
	var words []string
	start := 0
	runes := []rune(name)
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + 1
		case i > 0 && unicode.IsUpper(r) && unicode.IsLower(runes[i-1]):
			cut(i)
		}
	}
	cut(len(runes))
	return words
}

// HabitIn is the habit that a name or a heading tells.
func HabitIn(text string) (Habit, bool) {
	words := Tokens(text)
	for i, w := range words {
		if h, ok := habitOf[w]; ok {
			return h, true
		}
		if i > 0 {
			if h, ok := habitOf[words[i-1]+w]; ok {
				return h, true
			}
		}
	}
	return "", false
}
