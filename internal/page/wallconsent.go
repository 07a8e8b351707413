package page

import (
	"regexp"
	"slices"
)

// A page that only asks for consent, or for money instead.
const (
	mostWordsOfConsent  = 220
	mostLinksOfConsent  = 10
	mostMediaOfConsent  = 1
	fewestConsentTopics = 2
	leastOfConsent      = 75 // percent of the words of a page
)

// consentTopics are what a question of consent speaks of, each in the languages that the rules of verification know and some others.
var consentTopics = []*regexp.Regexp{
	some(`\bcookie`, `\bkakor\b`, `informasjonskapsler`, `\bçerez`, `\beväste`, `クッキー`, `쿠키`, `файл\S* куки`),
	some(`\b(privacy|privatsphäre|datenschutz\w*|vie privée|privacidad|privacidade|prywatność|integritet|gizlilik)`, `конфиденциальност`,
		`プライバシー`, `隐私|隱私`, `개인정보`),
	some(`\b(consent|einwillig\w+|zustimm\w+|consentement|consentimiento|consentimento|consenso|toestemming|samtyck\w+|samtykke)\b`,
		`\bzgod[aęy]`, `согласи`, `同意`, `동의`),
	some(`\b(ads|adverti[sz]\w+|adverts)\b`, `\b(\w*werbung|werbe\w+|anzeigen)\b`, `\bpublicit\w+`, `\bpublicidad\w*`, `\bpublicidade\b`,
		`\bpubblicit`, `\badvertenties?\b`, `\breklam`, `\bannons`, `реклам`, `広告`, `广告|廣告`, `광고`),
	some(`\b\w*(tracking|trackers?)\b`, `\b(traceurs?|suivi|rastreo|tracciamento|śledzeni\w+|spårning|sporing)\b`, `追跡|跟踪|추적`),
	some(`\b(our|your|third|\d+) part(ners|ies)\b`, `\bpartnern?\b`, `\bpartenaires\b`, `\bsocios\b`, `\bparceiros\b`, `партн[её]р`,
		`パートナー`, `合作伙伴`, `파트너`),
}

// acceptsConsent is on the button with which visitors let the site have its way.
var acceptsConsent = some(
	`^(yes,? )?(i )?(accept|agree|allow|consent)(\W*$|\W+(all|and|to|cookies|only|selected|everything|the use)\b)`,
	`^(ok|okay|got it)\b.{0,20}$`, `\b(akzeptieren|zustimmen|einverstanden|annehmen|erlauben)\b`,
	`\b(accepter|j.accepte|tout accepter|autoriser)\b`, `\b(aceptar|acepto|permitir)\b`, `\b(accetta|accetto|acconsento)\b`,
	`\b(accepteren|accepteer|akkoord|toestaan)\b`, `\b(aceitar|aceito|concordo)\b`, `akceptuj|zgadzam się|wyrażam zgodę`,
	`\b(acceptera|godkänn|godta|godkend|tillad|accepter alle)\b`, `\bkabul et`, `принять|соглас`, `同意|許可|すべて受け入れ`, `接受|同意`, `동의|수락`)

// aboutConsent are paths where a question of consent is what was asked for.
var aboutConsent = regexp.MustCompile(`(?i)(cookie|privacy|privat|consent|datenschutz|einwilligung|confidential|rgpd|gdpr|dsgvo|tracking)`)

// asksConsent returns the answer of a question of consent; "" if words and answers are no such question.
func asksConsent(words string, answers []string) string {
	topics := 0
	for _, topic := range consentTopics {
		if topic.MatchString(words) {
			topics++
		}
	}
	if i := slices.IndexFunc(answers, acceptsConsent.MatchString); i >= 0 && topics >= fewestConsentTopics {
		return answers[i]
	}
	return ""
}

// consentPage tells that the page asks for consent before anything else and shows nothing besides; nil for any other page. A banner on a
// short page is a part of it, mostly a fixed one.
func (s *survey) consentPage(c *Content, asked string) *Wall {
	if s.words > mostWordsOfConsent || s.links > mostLinksOfConsent || s.media > mostMediaOfConsent || s.fields > 0 || s.articles > 0 ||
		s.menu > 0 || s.code > 0 || s.topic || leadsTo(aboutConsent, asked) {
		return nil
	}
	for i := range c.Elements {
		e := &c.Elements[i]
		if !e.isButton() || e.Fixed || !acceptsConsent.MatchString(e.answer()) {
			continue
		}
		around := c.asking(i)
		if around < 0 {
			continue
		}
		most := countWords(c.within(around))*100 >= s.words*leastOfConsent
		if most || isConsent(s.heading) || isConsent(s.title) || s.offersPay() {
			return &Wall{WallConsent, Ellipsis(e.answer(), maxWallSign)}
		}
	}
	return nil
}

// asking is the smallest element around a button that asks for consent; -1 for none.
func (c *Content) asking(button int) int {
	for n := c.Elements[button].Parent; n >= 0 && n < button; n = c.Elements[n].Parent {
		if tag := c.Elements[n].Tag; tag == "html" || c.Elements[n].Parent >= n {
			return -1
		}
		if words := c.within(n); asksConsent(words, []string{c.Elements[button].answer()}) != "" {
			return n
		}
	}
	return -1
}

// isConsent reports whether a heading is about consent.
func isConsent(name string) bool {
	return slices.ContainsFunc(consentTopics[:3], func(topic *regexp.Regexp) bool { return topic.MatchString(name) })
}

// payInstead is on the button for those who would rather pay.
var payInstead = some(`\b(subscri\w+|pay|without ads)\b`, `\b\w*(abonn\w+|abo|zahlen)\b`, `\bs.abonner\b`, `\b(suscri\w+|pagar)\b`,
	`\babbona\w*\b`,
	`\b(assin\w+)\b`, `subskry|wykup`, `подпис`, `購読|登録`, `订阅|訂閱`, `구독`)

// offersPay reports whether there is a button to pay instead.
func (s *survey) offersPay() bool {
	return slices.ContainsFunc(s.answers, payInstead.MatchString)
}
