package page

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// wallSign is how walls of one kind are recognised.
type wallSign struct {
	kind  WallKind
	words int // of the text, at most
	lines int // of the text, at most; 0 for any number: an article about a wall has paragraphs
	links int // at most
	media int // at most
	// fields are how many fields to write into there must be, and at most: a form with a check for robots below is a form.
	fields [2]int
	titles *regexp.Regexp // of which one is the title or the first heading; nil for any
	texts  *regexp.Regexp // of which one is in the title, heading or text; nil for any
	script *regexp.Regexp // of which one is loaded, instead of texts; nil for none
	asked  bool           // it is the page itself where people sign in
	whole  bool           // the page says nothing else than texts
}

// some joins alternatives.
func some(forms ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:` + strings.Join(forms, "|") + `)`)
}

// wallSigns are tried in order. They are in the languages that the rules of verification know.
var wallSigns = []wallSign{
	{
		kind: WallChallenge, words: 150, links: 6, media: 2, fields: [2]int{0, 1},
		texts: some(
			`\b(verif|check)\w+ (that |if |whether )?you are (a )?human`,
			`\b(confirm|prove) (that )?you(.re| are) (a human|human|not a (ro)?bot)`,
			`\bverify (that )?you(.re| are) (a )?(human|not a (ro)?bot)`, `needs to review the security of your connection`,
			`(checking|verifying) (your (browser|connection)|if the site connection is secure)`, `press (&|and) hold to confirm`,
			`enable javascript and cookies to continue`, `unusual traffic from your (computer|network)`,
			`complete the (captcha|security check)( below)? (to|before)`, `^access to this page has been denied`,
			`^sorry, you have been blocked`, `^pardon our interruption`, `^attention required! \| cloudflare`, `ddos protection by`,
			`you are unable to access \S+\.\w`, `bestätigen sie, dass sie (ein mensch|kein roboter) sind`,
			`(wir (über)?prüfen|prüfung) ihre[ns]? (browser|verbindung)`, `vérifi\w+ que vous êtes (bien )?(un )?humain`,
			`verifi(ca|que|car) que (eres|es|usted es) (un )?(ser )?humano`, `verifica di essere (un )?umano`,
			`controleer of u een mens bent`, `incapsula incident id`, `^please enable js and disable any ad ?blocker\W*$`,
			`\bsucuri website firewall\b`, `\bmaking sure you.re not a bot\b`,
			`^you don.t have permission to access \S+ on this server`, `\baccess denied you don.t have permission to access\b`,
			`\bwhen it is your turn, you will have \d+ minutes\b`, `\battempting to access this (web ?)?site from a country\b`,
			`\byou should only visit this website if you trust\b`,
		),
		script: some(`/cdn-cgi/challenge-platform/.*orchestrate`, `captcha-delivery\.com/`, `/_Incapsula_Resource`, `\.awswaf\.com/`,
			`client\.perimeterx\.net/`),
	},
	{
		kind: WallSignIn, words: 100, links: 8, media: 1, fields: [2]int{1, 2}, asked: true,
		texts: some(
			`content is (password[- ])?protected\b.{0,80}password`,
			`(enter|type) (the|your) password( below)? to (view|see|open|enter|access|continue)`,
			`to (view|see|access) (it|this)( page| site| content)?,? please (enter|log in|sign in)`,
			`(please )?(log|sign) in to (continue|proceed|view|see|access)`, `you (must|need to) (be (logged|signed) in|log in|sign in)\b`,
			`inhalt ist passwortgeschützt`, `passwort (eingeben|ein), um`, `(melden sie sich|bitte) an(melden)?, um`,
			`contenu est protégé par un mot de passe`, `contenido está protegido (por|con) contraseña`, `contenuto è protetto da password`,
			`\benter store using password\b`, `^this (site|website|page) is (password[- ])?protected\b`,
			`\bget a login code emailed to you\b`,
		),
	},
	{
		kind: WallSignIn, words: 40, links: 5, media: 1, fields: [2]int{0, 1}, asked: true, titles: some(`^log in to vercel$`),
	},
	{
		kind: WallSignIn, words: 40, links: 5, media: 1, fields: [2]int{2, 2}, asked: true,
		titles: some(`^(please )?(sign|log) ?in\b.{0,40}$`, `^.{0,40}\b(sign|log) ?in$`, `^(bitte )?(anmelden|anmeldung|einloggen)$`,
			`^connexion$`,
			`^(iniciar sesión|inicio de sesión)$`, `^accedi$`, `^inloggen$`),
	},
	{
		kind: WallMaintenance, words: 80, lines: 5, links: 4, media: 1, fields: [2]int{0, 0},
		texts: some(
			`\b(unavailable|down|offline|closed) for (a (bit|moment|while) of |some |scheduled |planned |routine )?maintenance\b`,
			`\b(we are|we.re|(site|website|web site|shop|store|page|service|server) is)( currently| now| temporarily)? `+
				`(under(going)?|in|performing|doing|carrying out) (some )?(scheduled |planned |routine )?maintenance\b`,
			`\b(this|our|the) (web ?)?site is (currently |still )?under construction\b`,
			`\bmaintenance mode\b`, `\bwe.ll be (right )?back (soon|shortly|in a)`,
			`\b(seite|website|webseite|shop|dienst|server)\b.{0,60}\b(wartung|gewartet|wartungsarbeiten)\b`, `wegen wartungsarbeiten`,
			`\bsite (est )?(actuellement )?en (cours de )?maintenance\b`, `\b(sitio|página|tienda)\b.{0,30}\ben mantenimiento\b`,
			`\bsito (è )?in manutenzione\b`, `\b(site|website)\b.{0,30}\b(in onderhoud|onderhoudswerkzaamheden)\b`,
		),
	},
	{
		kind: WallError, words: 80, links: 4, media: 1, fields: [2]int{0, 0},
		texts: some(
			`there has been a critical error on (this|your) website`, `error establishing a database connection`, `^fatal error\s*:`,
			`^(http |error )+50[0234]\b`, `^50[0234] (internal|bad|service|gateway|error)`,
			`^(internal server error|bad gateway|service (temporarily )?unavailable|gateway time-?out)\b`,
			`^application error\b`, `^we.re sorry, but something went wrong\b`, `\bsqlstate\[`,
			`server encountered an internal error`, `this page isn.t working`,
		),
	},
	{
		kind: WallError, words: 60, links: 12, media: 1, fields: [2]int{0, 1},
		titles: some(`^(error )?404\b.{0,40}$`, `^.{0,30}\b(page )?not found( [|–-] .{0,40})?$`, `^seite nicht gefunden\b.{0,40}$`,
			`^page (non trouvée|introuvable)\b.{0,40}$`, `^página no encontrada\b.{0,40}$`, `^pagina non trovata\b.{0,40}$`),
		texts: some(`404`, `not found`, `nicht gefunden`, `introuvable`, `non trouvée`, `no encontrada`, `non trovata`),
	},
	{
		kind: WallParked, words: 100, links: 30, media: 1, fields: [2]int{0, 4},
		texts: some(
			`\b(this|the) (web ?site|domain( name)?)( \S+\.\w+)? (is|may be|could be) (for sale|parked|available for (purchase|sale))`,
			`\b\S+\.[a-z]{2,10} (is|may be) for sale\b`, `\bbuy this domain\b`, `\bdomain( name)?( \S+)? (has expired|is parked)`,
			`\bparked free, courtesy of`, `\b(diese )?domain( \S+)? (steht zum verkauf|ist zu verkaufen|ist geparkt)`,
			`\b(ce nom de )?domaine( \S+)? est à vendre`, `\b(este )?dominio( \S+)? está (en|a la) venta`, `\bdominio( \S+)? è in vendita`,
			`\bwelcome to nginx!`, `\bapache2? (debian |ubuntu )?default page\b`, `^it works!$`,
			`\bthis account has been suspended\b`, `^domain default page\b`, `^iis windows server$`,
		),
	},
	{
		kind: WallLoading, words: 9, whole: true, links: 0, media: 0, fields: [2]int{0, 0},
		texts: some(`^(page |app )?(is )?loading\W*$`, `^please wait\b.{0,20}$`, `^one moment( please)?\W*$`,
			`^(wird geladen|bitte warten)\W*$`,
			`^chargement\W*$`, `^cargando\W*$`, `^caricamento\W*$`, `^laden\W*$`,
			`^(you need to|please) enable javascript\b.{0,40}$`),
	},
}

// on returns the wall that the sign tells of; nil for none.
func (s *wallSign) on(seen *survey, asked string) *Wall {
	switch {
	case seen.words > s.words, s.lines > 0 && len(seen.lines) > s.lines, seen.links > s.links, seen.media > s.media,
		seen.fields < s.fields[0], seen.fields > s.fields[1]:
		return nil
	case s.asked && (leadsTo(signInPath, asked) || leadsTo(accountPath, asked)):
		return nil
	}
	told := ""
	if s.titles != nil {
		for _, name := range []string{seen.heading, seen.title} {
			if told == "" && s.titles.MatchString(name) {
				told = name
			}
		}
		if told == "" {
			return nil
		}
	}
	if s.texts != nil && !s.loads(seen) {
		if said := s.said(seen); said == "" {
			return nil
		} else if told == "" {
			told = said
		}
	}
	if told == "" {
		told = seen.title
	}
	return &Wall{s.kind, Ellipsis(told, maxWallSign)}
}

const maxWallSign = 120 // bytes

func (s *wallSign) loads(seen *survey) bool {
	return s.script != nil && s.script.MatchString(seen.scripts)
}

// said returns the words that tell; "" for none.
func (s *wallSign) said(seen *survey) string {
	if s.whole {
		return s.texts.FindString(seen.text)
	}
	for _, text := range slices.Concat([]string{seen.heading}, seen.lines, []string{seen.text, seen.title}) {
		if at := s.texts.FindStringIndex(text); len(at) == 2 && !s.reported(text, at[0], at[1]) {
			return CollapseSpace(text[at[0]:at[1]])
		}
	}
	return ""
}

// mostBefore is how many words of its sentence may stand before what a wall says.
const mostBefore = 4

var sentenceEnds = regexp.MustCompile(`[.!?:…]["”»)]*(\s|$)`)

// reported reports whether words are quoted, asked about or told of, as by somebody who writes about walls.
func (s *wallSign) reported(text string, from, to int) bool {
	before, after := text[:from], text[to:]
	if ends := sentenceEnds.FindAllStringIndex(before, -1); ends != nil {
		before = before[ends[len(ends)-1][1]:]
	}
	if last, _ := utf8.DecodeLastRuneInString(before); strings.ContainsRune(`"“„«`, last) {
		return true
	}
	end := sentenceEnds.FindStringIndex(after)
	asks := len(end) == 2 && after[end[0]] == '?' && s.kind != WallChallenge
	return asks || len(strings.Fields(before)) > mostBefore
}
