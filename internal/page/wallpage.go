package page

import "regexp"

// menuWords are classes of menus that are no nav elements.
var menuWords = regexp.MustCompile(`(?i)(^|[\s_-])(nav|navbar|navigation|menu|menubar|topbar)([\s_-]|$)`)

// menuLinks counts the links of menus. What a page calls its header is one if there are several: a logo is a link, too.
func menuLinks(elements []Element) int {
	menus, headers := make(map[int]bool), make(map[int]bool)
	inMenus, inHeaders := 0, 0
	for i := range elements {
		e := &elements[i]
		menus[i] = menus[e.Parent] || isMenu(e)
		headers[i] = headers[e.Parent] || e.Tag == "header"
		switch {
		case e.Tag != "a":
		case menus[i]:
			inMenus++
		case headers[i]:
			inHeaders++
		}
	}
	if inHeaders >= severalLinks {
		inMenus += inHeaders
	}
	return inMenus
}

func isMenu(e *Element) bool {
	return e.Tag == "nav" || e.Tag == "menu" || e.Role == "navigation" || e.Role == "menubar" ||
		e.Classes != "" && menuWords.MatchString(e.Classes)
}

// severalLinks are those of a menu that stays around pages.
const severalLinks = 2

// ownPage reports whether the page has a menu or an article of its own, so that a wall would have to be its title.
func (s *survey) ownPage() bool { return s.menu >= severalLinks || s.articles > 0 }

// bare reports whether the page has nothing besides what it says, so that fewer words are enough to tell a wall.
func (s *survey) bare() bool {
	return s.menu == 0 && s.articles == 0 && s.code == 0 && !s.topic && !s.sells && !telephone.MatchString(s.text)
}

var telephone = regexp.MustCompile(`(?i)\b(?:tel|phone|call|fon|ring|tél|llame)\S{0,12}:?\s?[+(]?\d[\d ()/.-]{4,}`)

// Titles of texts about something, and questions that walls ask their visitors.
var (
	topics = some(
		`^(how|why|what|when|which|where|who)\b`,
		`^(reading|fixing|understanding|handling|debugging|solving|building|designing|avoiding|`+
			`troubleshooting|introducing|comparing|about|signing in without|an? (short )?(guide|introduction|history))\b`,
		`\b(explained|compared|tutorial|documentation|changelog|release notes|cheat ?sheet|handbook)\b`,
		`^(wie|warum|was|wann|wieso|weshalb|welche\w?|woran|wozu)\b`, `\b(erklärt|im vergleich|anleitung|ratgeber|leitfaden)\b`,
		`^(comment|pourquoi|qu.est-ce|quand|comprendre|corriger)\b`, `mode d.emploi`, `\b(expliqué|comparatif)\b`,
		`what to do\PL*$`,
		`^\PL*(cómo|por qué|qué|cuándo|cuál|entender|guía)(\PL|$)`, `qué hacer\PL*$`, `\bexplicad[oa]\b`,
		`^(come|perché|cosa|quando|quali|guida)\b`, `^(hoe|waarom|wat|wanneer|welke)\b`, `^(como|por que|o que|quando|quais)\b`,
		`^(jak|dlaczego|co to|kiedy)\b`, `^(как|почему|что такое|когда)(\PL|$)`,
		`(とは|方法|について|作り方|読み方|使い方|直し方|仕組み|解説|入門|比較)\PL*$`, `^(如何|怎么|怎样|为什么|什么是)`, `(教程|指南|详解|對照|对比)$`)
	asksVisitor = some(`^how old\b`, `^(when were|who are|where (are|do)|what is your|which (country|language))\b`,
		`^(what|why)\b.{0,30}\b(happened|am i|have i|did i|was i|do i)\b`, `^wie alt\b`, `^wann (bist|sind|wurd)`,
		`^(was ist passiert|was ist geschehen|warum (sehe|werde|wurde|bin) ich)`, `^pourquoi (suis|ai|vois)-je`, `^quand êtes`,
		`por qué (estoy|veo|me)`, `qué ha (pasado|ocurrido)`, `cuántos años`, `^hoe oud`, `^quanti anni`)
)

// isTopic reports whether a title or heading announces an explanation of something.
func isTopic(name string) bool { return topics.MatchString(name) && !asksVisitor.MatchString(name) }

// isAbout reports whether the page's own content outweighs words that a wall of a kind would say.
func (s *survey) isAbout(kind WallKind) bool {
	switch kind {
	case WallConsent, WallAge, WallLoading: // ask, or say nothing besides
		return false
	case WallParked: // domains are for sale
		return s.topic
	}
	return s.topic || s.sells
}

// openingLines are at the beginning of a page, beside its headings.
const openingLines = 2

// opening is what a visitor reads first.
func (s *survey) opening() []string { return s.lines[:min(len(s.lines), openingLines)] }

// generalTitles are on all kinds of walls.
var generalTitles = some(hostOnly,
	`\b(moment|check|step|before|wait|hold|sorry|oops|whoops|whoa|stop|security|verif\w*)\b`,
	`\b(access|blocked|denied|welcome|hello|error|please)\b`,
	`\b(augenblick|bitte|geduld|hinweis|zugang|zugriff)\b`, `prüfung|sicherheit`,
	`\b(instant|désolé|accès|contrôle|patien\w+|vérif\w+)\b`,
	`\b(moment\w|acceso|espera|seguridad|comprobación|atención|attimo|accesso|controllo|sicurezza|attesa)\b`,
	`\b(ogenblik|even geduld|toegang)\b`,
	`確認|アクセス|お知らせ|お待ち|エラー|セキュリティ`, `请稍|验证|访问|安全`, `잠시|확인`, `подожд|проверк|доступ`)

// saysLittle reports whether the first heading tells nothing of the page, so that what follows tells what it is.
func (s *survey) saysLittle() bool { return s.heading == "" || generalTitles.MatchString(s.heading) }
