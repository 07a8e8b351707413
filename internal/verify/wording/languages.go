package wording

import (
	"slices"
	"strings"
)

// language holds the words of one language that the rules use. All are case-insensitive regular expressions.
type language struct {
	dates     []string // weekdays and months
	times     []string // points and spans of time
	spans     []string // units of time, for what is a span ago or left
	ago       []string // words that make a span of time a relative time; # stands for the span
	left      []string // the same for what remains of a time
	updated   []string // what stands before the time or the date of now
	counted   []string // what is counted in public: views, comments, visitors
	greetings []string
	loading   []string // texts of placeholders
	consent   []string // texts of consent banners
	subscribe []string // texts of pop-ups
	contact   []string // labels of account and telephone numbers
	failures  []string // failure messages
	firstDay  []string // the first day of the Unix epoch, without its year
	// names are plain words in the names of classes and ids and in headings, by the habit that they identify.
	names map[Habit]string
}

var english = language{
	dates: []string{
		"mon(day)?", "tue(s(day)?)?", "wed(nesday)?", "thu(r(s(day)?)?)?", "fri(day)?", "sat(urday)?", "sun(day)?",
		"jan(uary)?", "feb(ruary)?", "mar(ch)?", "apr(il)?", "may", "june?", "july?", "aug(ust)?", "sep(t(ember)?)?", "oct(ober)?",
		"nov(ember)?", "dec(ember)?",
	},
	times: []string{
		"today", "yesterday", "tomorrow", "tonight", "(just|right) now", "ago",
		"an? (few )?(moment|second|minute|hour|day|week|month|year)s?",
		"few", "less than", "about", "moments?", "sec(ond)?s?", "min(ute)?s?", "hours?", "hrs?", "days?", "weeks?", "months?", "years?",
		"morning", "afternoon", "evening", "night",
	},
	spans: []string{"moments?", "sec(ond)?s?", "min(ute)?s?", "hours?", "hrs?", "days?", "weeks?", "months?", "years?", "[smhdwy]", "mo"},
	ago: []string{
		"# ago", "just now", "right now", "yesterday", "today", "good (morning|afternoon|evening|night)",
		"in the (queue|line)",
	},
	left:    []string{"(?:#|hours?|minutes?|days?) (?:left|remaining)", "(?:ends|starts) in #"},
	updated: []string{"(last )?(updated?|changed|refreshed|synced)( at| on)?", "as of", "it is", "local time", "today( is)?"},
	counted: []string{
		"views?", "comments?", "replies", "likes?", "shares?", "followers?", "visitors?", "readers?", "viewers?", "downloads?", "votes?",
		"reviews?", "subscribers?", "listeners?", "online", "watching", "viewing", "notifications?", "claps?", "signatures?",
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
	names: map[Habit]string{
		HabitAd: "ad ads adv advert advertisement advertising adslot adserver adunit banner-ad sponsor sponsored sponsors promoted",
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
		"abend", "nachmittag", "nacht", "heute", "gestern", "morgen", "vor",
		"sekunden?", "minuten?", "stunden?", "tage?n?", "wochen?", "monate?n?", "jahre?n?",
	},
	spans:     []string{"sekunden?", "minuten?", "std", "stunden?", "tage?n?", "wochen?", "monate?n?", "jahre?n?"},
	ago:       []string{"vor #", "heute", "gestern", "gerade eben", "guten (morgen|tag|abend)"},
	left:      []string{"noch #"},
	updated:   []string{"stand", "es ist", "heute( ist)?", "aktualisiert( am| um)?", "zuletzt aktualisiert"},
	counted:   []string{"aufrufe?", "kommentare?", "antworten", "besucher", "leser", "bewertungen?"},
	greetings: []string{"hallo", "willkommen"},
	loading:   []string{"wird geladen", "lädt"},
	consent:   []string{"verwendet cookies", "verwenden cookies"},
	subscribe: []string{"abonnieren"},
	contact:   []string{"konto"},
	failures:  []string{`konnten? nicht geladen werden`},
	firstDay:  []string{`1\. januar`},
	names:     map[Habit]string{HabitAd: "werbung anzeige", habitFeed: "neueste"},
}

var french = language{
	dates: []string{
		"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
		"janvier", "février", "mars", "avril", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre",
	},
	times:     []string{"secondes?", "heures?", "jours?", "semaines?", "mois", "ans?", "il y a", "hier"},
	spans:     []string{"secondes?", "minutes?", "heures?", "jours?", "semaines?", "mois", "ans?"},
	ago:       []string{"il y a #", "hier", "aujourd.hui", "(bonjour|bonsoir)"},
	left:      []string{"encore #"},
	updated:   []string{"mis à jour( à| le)?", "dernière mise à jour"},
	counted:   []string{"vues?", "commentaires?", "réponses?", "visiteurs?", "avis", "abonnés?"},
	greetings: []string{"bonjour", "bienvenue"},
	loading:   []string{"chargement"},
	consent:   []string{"utilise des cookies"},
	firstDay:  []string{`1er janvier`},
	names:     map[Habit]string{HabitAd: "publicite", habitRotation: "carrousel"},
}

var spanish = language{
	dates: []string{
		"lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo", "enero", "febrero", "marzo", "abril", "mayo", "junio",
		"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
	},
	spans:     []string{"segundos?", "minutos?", "horas?", "días?", "semanas?", "meses", "años?"},
	ago:       []string{"hace #", "ayer", "hoy"},
	left:      []string{"quedan? #"},
	updated:   []string{"actualizado( a las| el)?", "última actualización"},
	counted:   []string{"vistas?", "comentarios?", "respuestas?", "visitantes?", "lectores?", "reseñas?"},
	times:     []string{"hace", "segundos?", "minutos?", "horas?", "días?", "semanas?", "meses", "años?", "hoy", "ayer"},
	greetings: []string{"hola"},
	loading:   []string{"cargando"},
	consent:   []string{"usa cookies"},
}

var italian = language{
	dates: []string{
		"lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica", "gennaio", "febbraio", "aprile", "maggio",
		"giugno", "luglio", "settembre", "ottobre", "dicembre",
	},
	times:     []string{"fa", "secondi", "minut[oi]", "or[ae]", "giorn[oi]", "settiman[ae]", "mes[ei]", "ann[oi]", "ieri", "oggi"},
	spans:     []string{"secondi", "minut[oi]", "or[ae]", "giorn[oi]", "settiman[ae]", "mes[ei]", "ann[oi]"},
	ago:       []string{"# fa", "ieri", "oggi"},
	left:      []string{"mancano #"},
	updated:   []string{"aggiornato( alle| il)?", "oggi"},
	counted:   []string{"visualizzazioni", "commenti", "risposte", "visitatori", "recensioni"},
	greetings: []string{"ciao", "benvenut[oa]"},
	loading:   []string{"caricamento in corso"},
	consent:   []string{"utilizza i cookie"},
	failures:  []string{`caricamento .{0,30}non riuscito`},
}

var dutch = language{
	dates: []string{
		"maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag", "januari", "februari", "maart", "mei", "juni",
		"juli", "augustus",
	},
	times: []string{
		"geleden", "seconden?", "minuten", "minuut", "uur", "dagen", "dag", "weken", "week", "maanden", "jaar", "gisteren", "vandaag",
	},
	spans:     []string{"seconden?", "minuten", "minuut", "uur", "dagen", "dag", "weken", "week", "maanden", "jaar"},
	ago:       []string{"# geleden", "gisteren", "vandaag"},
	left:      []string{"nog #"},
	updated:   []string{"bijgewerkt( om| op)?", "vandaag"},
	counted:   []string{"keer bekeken", "reacties", "bezoekers", "beoordelingen"},
	greetings: []string{"welkom"},
	loading:   []string{"bezig met laden"},
	consent:   []string{"gebruikt cookies"},
	failures:  []string{`kon(den)? niet worden geladen`},
}

var polish = language{
	dates: []string{
		"poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota", "niedziela", "stycznia", "lutego", "marca", "kwietnia", "maja",
		"czerwca", "lipca", "sierpnia", "września", "października", "listopada", "grudnia",
	},
	times: []string{
		"temu", "sekund[ay]?", "minut[ay]?", "godz(in[ay]?)?", "dni", "tygodni[ea]?", "miesięcy", "lat", "wczoraj", "dzisiaj",
	},
	spans:     []string{"sekund[ay]?", "minut[ay]?", "godz(in[ay]?)?", "dni", "tygodni[ea]?", "miesięcy", "lat"},
	ago:       []string{"# temu", "wczoraj", "dzisiaj"},
	left:      []string{"zostało #"},
	updated:   []string{"aktualizacja", "dzisiaj"},
	counted:   []string{"wyświetleń", "komentarzy", "odpowiedzi", "opinii"},
	greetings: []string{"witaj", "cześć"},
	loading:   []string{"wczytywanie"},
	consent:   []string{"używa plików cookie"},
	failures:  []string{`nie udało się (wczytać|załadować)`},
}

// languages are the most common languages of pages. Of two expressions that match at one place the first counts, so a
// word must come after longer ones that it is a prefix of.
var languages = []language{english, german, french, spanish, italian, dutch, polish}

// alternatives joins the expressions of all languages, with the language-independent ones first.
func alternatives(of func(*language) []string, common ...string) string {
	all := slices.Clone(common)
	for i := range languages {
		all = append(all, of(&languages[i])...)
	}
	return strings.Join(all, "|")
}
