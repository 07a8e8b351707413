package page

import (
	"cmp"
	"encoding/hex"
	"math"
	"strings"
)

// overlay is a question that hides the page, on the whole screen and not transparent: of consent, of the visitor's age, or of money.
func (v *Visit) overlay() *Wall {
	for i := range v.Content.Elements {
		if !v.hidesAll(&v.Content.Elements[i]) {
			continue
		}
		inside, answers := v.Content.before(i)
		if said := cmp.Or(consentWords.FindString(inside), asksConsent(inside, answers)); said != "" {
			return &Wall{WallConsent, Ellipsis(said, maxWallSign)}
		}
		if countWords(inside) > mostWordsOfQuestion {
			continue
		}
		if said := ageWords.FindString(inside); said != "" {
			return &Wall{WallAge, Ellipsis(said, maxWallSign)}
		}
		if said := subscriberWords.FindString(inside); said != "" {
			return &Wall{WallSignIn, Ellipsis(said, maxWallSign)}
		}
	}
	return nil
}

// mostWordsOfQuestion is how much a question of the visitor's age says, with what the law wants to be said, or one for money.
const mostWordsOfQuestion = 200

// subscriberWords are what articles say that only subscribers may read on.
var subscriberWords = some(
	`\bsubscribe (now |today )?to (continue|keep|read|unlock)\b`,
	`\b(read|used|reached) (all )?(of )?your .{0,25}(free|complimentary) \w+`,
	`\balready a subscriber\b`, `\bto (continue|keep) reading\b`, `\bum weiterzulesen\b`, `\bweiterlesen mit\b`, `\bbereits abonnent`,
	`\babonnez-vous pour\b`, `\bdéjà abonné`, `\bréservé (à nos|aux) abonnés`, `\bsuscríbete para\b`, `\bya eres suscriptor`,
	`\bpara suscriptores\b`,
	`\babbonati per\b`, `\bgià abbonat`, `\bom verder te lezen\b`, `\bal abonnee\b`, `\bassine para\b`, `\bjá é assinante`,
	`(続き|全文)(を読む|をお読み)(に|いただく)`, `(続き|全文)は.{0,12}(会員|購読|登録)`, `(订阅|付费)后(继续|阅读)`)

// hidesAll reports whether an element lies over the whole screen.
func (v *Visit) hidesAll(e *Element) bool {
	window := v.Manifest.Viewport
	if window.Width == 0 || e.Box.Width*100 < window.Width*95 || e.Box.Height*100 < window.Height*85 {
		return false
	}
	if !e.Fixed {
		style := v.Content.StyleOf(e) // a box of the page itself is not placed above others
		above := style.Value("z-index")
		if style.Value("position") != "absolute" || above == "" || strings.HasPrefix(above, "-") || above == "0" {
			return false
		}
	}
	return hidesBehind(e.Background) || strings.Contains(v.Content.StyleOf(e).Value("backdrop-filter"), "blur(")
}

// leastContrast is that of black and white behind a colour, below which nothing can be read there. What is easy to read has 4.5.
const leastContrast = 2.3

// hidesBehind reports whether nothing can be read through a colour, as #rrggbb or #rrggbbaa.
func hidesBehind(colour string) bool {
	channels, err := hex.DecodeString(strings.TrimPrefix(colour, "#"))
	if err != nil || len(channels) < 3 {
		return false
	}
	opaque := 1.0
	if len(channels) > 3 {
		opaque = float64(channels[3]) / math.MaxUint8
	}
	var black, white float64 // relative luminance, by WCAG 2
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		own := opaque * float64(channels[i]) / math.MaxUint8
		black += weight * linear(own)
		white += weight * linear(own+1-opaque)
	}
	return (white+0.05)/(black+0.05) < leastContrast
}

// linear is the light of a channel of sRGB.
func linear(channel float64) float64 {
	if channel <= 0.04045 {
		return channel / 12.92
	}
	return math.Pow((channel+0.055)/1.055, 2.4)
}

var consentWords = some(
	`\bwe (and our partners )?use cookies\b`, `\b(accept|reject) (all )?cookies\b`, `\bcookie (settings|preferences)\b`,
	`\byour privacy (choices|matters)\b`, `\bwe value your privacy\b`, `\bpartners use cookies\b`, `\bconsent to\b`,
	`\bwir (und unsere partner )?(verwenden|nutzen) cookies\b`, `\bcookies akzeptieren\b`, `\bcookie-einstellungen\b`,
	`wir (schätzen|achten) ihre privatsphäre`, `nous (et nos partenaires )?utilisons des cookies`, `nous respect\w+ votre vie privée`,
	`(utilizamos|usamos) (las |os )?cookies`, `(valoramos|respetamos) (tu|su) privacidad`,
	`(valorizamos|respeitamos) (a )?sua privacidade`,
	`(utilizziamo|usiamo) i? ?cookie`, `(rispettiamo |teniamo al)la tua privacy`, `(wij|we) (en onze partners )?gebruiken cookies`,
	`(wij|we) (waarderen|respecteren) (je|uw) privacy`, `(używamy|korzystamy z) (plików )?cookie`,
	`(cenimy|szanujemy) (twoją|państwa) prywatność`,
	`vi (använder|bruger|bruker) (cookies|kakor|informasjonskapsler)`, `çerez(ler)?(i)? kullan`, `использу\S+ (файлы )?cookie`,
	`(cookie|クッキー)(を|の)(使用|利用)`, `使用 ?cookie`, `쿠키를 (사용|이용)`)

// before is the text of an element that hides the page, and the answers in it: of its own, or of what is fixed beside it, as a dialog
// beside its backdrop.
func (c *Content) before(i int) (text string, answers []string) {
	if text = c.within(i); strings.TrimSpace(text) != "" {
		return text, c.answersIn(func(e *Element) bool { return c.isWithin(e, i) })
	}
	var beside strings.Builder
	for n := range c.Elements {
		if e := &c.Elements[n]; e.Fixed && e.Text != "" {
			beside.WriteString(e.Text + " ")
		}
	}
	return beside.String(), c.answersIn(func(e *Element) bool { return e.Fixed })
}

// isWithin reports whether an element is inside another.
func (c *Content) isWithin(e *Element, around int) bool {
	for n := e.Parent; n >= around && n < len(c.Elements); {
		if n == around {
			return true
		}
		above := c.Elements[n].Parent
		if above >= n { // an ancestor comes before its descendants
			return false
		}
		n = above
	}
	return false
}

// answersIn are the words of the buttons and links among some elements.
func (c *Content) answersIn(among func(*Element) bool) (answers []string) {
	for i := range c.Elements {
		if e := &c.Elements[i]; among(e) {
			if words := e.answer(); words != "" {
				answers = append(answers, words)
			}
		}
	}
	return answers
}

// answer is what is on a button or link; "" for anything else.
func (e *Element) answer() string {
	if e.Tag == "a" || e.isButton() {
		return CollapseSpace(cmp.Or(e.Text, e.Value))
	}
	return ""
}

// isButton reports whether an element is a button of whatever kind.
func (e *Element) isButton() bool { return e.Tag == "button" || e.Role == "button" }
