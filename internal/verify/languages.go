package verify

import (
	"slices"
	"strings"
)

// language holds the words of one language that the rules use. All are case-insensitive regular expressions.
type language struct {
	dates     []string // weekdays and months
	times     []string // points and spans of time
	greetings []string
	loading   []string // texts of placeholders
	consent   []string // texts of consent banners
	subscribe []string // texts of pop-ups
	contact   []string // labels of account and telephone numbers
	failures  []string // failure messages
	firstDay  []string // the first day of the Unix epoch, without its year
	// names are plain words in the names of classes and ids and in headings, by the habit that they identify.
	names map[habit]string
}

var english = language{
	dates: []string{
		"mon(day)?", "tue(s(day)?)?", "wed(nesday)?", "thu(r(s(day)?)?)?", "fri(day)?", "sat(urday)?", "sun(day)?",
		"jan(uary)?", "feb(ruary)?", "mar(ch)?", "apr(il)?", "may", "june?", "july?", "aug(ust)?", "sep(t(ember)?)?", "oct(ober)?",
		"nov(ember)?", "dec(ember)?",
	},
	times: []string{
		"today", "yesterday", "tomorrow", "tonight", "just now", "now", "ago", "an?", "one", "few", "less than", "about", "moments?",
		"sec(ond)?s?", "min(ute)?s?", "hours?", "hrs?", "days?", "weeks?", "months?", "years?",
		"open(s|ed)?", "closed?s?", "until", "currently", "morning", "afternoon", "evening", "night",
	},
	greetings: []string{"welcome( back)?", "hello", "hi", "hey"},
	loading:   []string{"loading", "please wait"},
	consent:   []string{"we use cookies", "cookie (policy|settings|preferences)", "uses cookies", "consent", "gdpr"},
	subscribe: []string{"subscribe", "newsletter", "sign up (for|and)", "join our"},
	contact:   []string{"account", "sort code", "phone", "fax", "call"},
	failures: []string{
		`\b(failed to|could not|couldn.t|cannot|can.t|unable to) (be )?(load|fetch|connect|retrieve|reach)`,
		`\bcould not be (loaded|fetched|found)\b`, `\b(curl )?error \d{2,3}\b`, `\brate limit(ed)? (is )?exceeded\b`,
		`\b(invalid|expired|missing) (access )?token\b`, `\btimed out\b`, `something went wrong`,
		`an (unexpected )?error (has )?occurred`, `please try again later`,
	},
	firstDay: []string{`1(st)? january`, `january 1(st)?,?`},
	names: map[habit]string{
		habitAd: "ad ads adv advert advertisement advertising adslot adserver adunit banner-ad sponsor sponsored sponsors promoted",
		habitRotation: "carousel marquee rotator rotating slide slider slides slideshow ticker testimonial testimonials " +
			"quote-of-the-day random",
		habitConsent: "consent cookie cookies",
		habitChat:    "chat chatbot",
		habitPopup:   "lightbox modal newsletter popover popup snackbar subscribe toast",
		habitFeed: "activity archives avatar avatars comment comments crosssell feed forum headlines latest members newest popular polls " +
			"profile recent recently recommended recommendations related similar suggested suggestions threads trending upcoming " +
			"userpic userpicture upsell",
		habitControl: "backtotop gototop scrolltop scrollup totop",
		habitWidget:  "calendar clock countdown forecast map maps rates scoreboard timer weather widget-live",
	},
}

var german = language{
	dates: []string{
		"montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
		"januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember",
	},
	times: []string{
		"geöffnet", "geschlossen", "bis", "abend", "nachmittag", "nacht", "heute", "gestern", "morgen", "vor",
		"sekunden?", "minuten?", "stunden?", "tage?n?", "wochen?", "monate?n?", "jahre?n?",
	},
	greetings: []string{"hallo", "willkommen"},
	loading:   []string{"wird geladen", "lädt"},
	consent:   []string{"verwendet cookies", "verwenden cookies"},
	subscribe: []string{"abonnieren"},
	contact:   []string{"konto"},
	failures:  []string{`konnten? nicht geladen werden`},
	firstDay:  []string{`1\. januar`},
	names:     map[habit]string{habitAd: "werbung anzeige", habitFeed: "neueste"},
}

var french = language{
	dates: []string{
		"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
		"janvier", "février", "mars", "avril", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre",
	},
	times:     []string{"secondes?", "heures?", "jours?", "semaines?", "mois", "ans?", "il y a", "hier"},
	greetings: []string{"bonjour", "bienvenue"},
	loading:   []string{"chargement"},
	consent:   []string{"utilise des cookies"},
	firstDay:  []string{`1er janvier`},
	names:     map[habit]string{habitAd: "publicite", habitRotation: "carrousel"},
}

var spanish = language{
	dates: []string{
		"lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo", "enero", "febrero", "marzo", "abril", "mayo", "junio",
		"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
	},
	times:     []string{"hace", "segundos?", "minutos?", "horas?", "días?", "semanas?", "meses", "años?", "hoy", "ayer"},
	greetings: []string{"hola"},
	loading:   []string{"cargando"},
	consent:   []string{"usa cookies"},
}

// languages are the most common languages of pages. Of two expressions that match at one place the first counts, so a
// word must come after longer ones that it is a prefix of.
var languages = []language{english, german, french, spanish}

// alternatives joins the expressions of all languages, with the language-independent ones first.
func alternatives(of func(*language) []string, common ...string) string {
	all := slices.Clone(common)
	for i := range languages {
		all = append(all, of(&languages[i])...)
	}
	return strings.Join(all, "|")
}
