package page

// shapeSigns are walls of sites whose words differ too much for a list of messages: waiting rooms, notices about browsers, shops that are
// closed. They are tried after vendorSigns.
var shapeSigns = []wallSign{
	{
		kind: WallQueue, words: 100, lines: 14, links: 6, media: 2, fields: [2]int{0, 1},
		texts: some(
			`\byou( are|.re) (now )?in (the|a|our) (virtual )?(queue|waiting (room|line))\b`, `\byou( are|.re) now in line\b`,
			`\byou( are|.re) in line (with|behind|at|for)\b`,
			`\byou( are|.re) (currently )?(number )?#?\d[\d.,]* in (the )?(queue|line)\b`,
			`\byour (current )?(position|place|number|spot) in (the |our )?(queue|line)\b`,
			`\b(lose|keep|save|hold) your (place|position|spot) in (the )?(queue|line)\b`, `^queue (number|position|id)\W*\d`,
			`^(current )?(position|place|number) in (the )?(queue|line)\W*\d`, `\bwe.ll let you in (shortly|soon|as soon as|when)\b`,
			`\b\d[\d.,]* (people|visitors|users|customers|shoppers) (are )?(ahead of|before|in front of) you\b`,
			`\bwhen it is your turn, you will have \d+ minutes\b`, `\bwe (have )?placed you in a (virtual )?(queue|line|waiting room)\b`,
			`\bsie befinden sich (jetzt |nun |derzeit )?(in|im) (der|einer|einem)?\s?(virtuellen )?(warteschlange|warteraum|wartebereich)`,
			`\b(ihre|deine) (aktuelle )?(position|platz|nummer|wartenummer) in der (warteschlange|schlange)\b`,
			`\bwenn sie an der reihe sind, haben sie\b`,
			`\bvor (ihnen|dir) (sind|befinden sich|stehen|warten) (noch )?\d[\d.]* (personen|besucher|kunden)\b`,
			`\bvous êtes (maintenant |actuellement )?dans (la|une) (file|salle) d.attente\b`,
			`\bvotre (position|place|numéro) dans la file\b`, `\b\d+ personnes? (sont )?(devant|avant) vous\b`,
			`\bestás? (ahora )?en (la|una) (fila|cola|sala)( de espera| virtual)?\b`,
			`\b(tu|su) (posición|lugar|turno|número) en la (cola|fila)\b`,
			`\b(sei|è) (ora )?in (coda|fila|sala d.attesa)\b`, `\bla (tua|sua) posizione (in|nella) (coda|fila)\b`,
			`\bje staat (nu )?in de (wachtrij|wachtkamer)\b`, `\b(je|uw) (plek|plaats|positie) in de (wachtrij|rij)\b`,
			`\bvocê está (agora )?na (fila|sala de espera)\b`, `\b(a )?sua (posição|vez) na fila\b`,
			`jesteś (teraz )?w (kolejce|poczekalni)`, `(twoje|twoja) (miejsce|pozycja|numer) w kolejce`,
			`du (är|står) (nu )?i (kön|kö|väntrummet)`, `(din|ditt) (plats|könummer|nummer) i kön`,
			`вы (сейчас )?(находитесь )?(стоите )?в очереди`, `ваш[еа]? (место|номер|позиция) в очереди`,
			`(現在|ただいま)?(の)?(待ち順|順番待ち|待機列)(番号|に|です|：)`, `(您|你)(正在|已)?(在)?(排队|排隊)(中|等候)`, `(您|你)(的|在)(排队|排隊|队列).{0,3}(位置|号)`,
			`(현재 )?대기 ?(순번|순서|번호|열)`, `şu anda (sıradasınız|kuyruktasınız)`, `sıradaki yeriniz`,
			`(أنت|رقمك|موقعك) (الآن )?في (قائمة|طابور)`,
		),
	},
	{
		kind: WallBrowser, words: 100, lines: 14, links: 8, media: 1, fields: [2]int{0, 0},
		texts: some(
			`\b(your|this) (current )?(web ?)?browser( version)?( is|.s| has been)? (not |no longer |currently not )?`+
				`(unsupported|supported|out[ -]of[ -]date|outdated|incompatible|compatible|too old|obsolete)\b`,
			`\b(your|this) (web ?)?browser isn.t (supported|compatible)\b`,
			`\bwe (don.t|do not|no longer) support (your|this) (web ?)?browser\b`,
			`\byou( are|.re) using an? (outdated|unsupported|old|obsolete|incompatible) (web ?)?browser\b`,
			`^(unsupported|outdated) browser\W*$`,
			`^browser (is )?not supported\W*$`, `\b(needs|requires) an? (modern|newer|recent|supported|up-to-date) (web ?)?browser\b`,
			`\b(ihr|dein|dieser) browser (wird|ist) (leider |derzeit )?(nicht( mehr)? (unterstützt|kompatibel)|veraltet|zu alt)`,
			`\b(sie verwenden|du verwendest) einen (veralteten|nicht unterstützten) browser\b`,
			`\b(votre|ce) navigateur (n.est (pas|plus) (pris en charge|supporté|compatible)|est (obsolète|trop ancien|dépassé))`,
			`\b(tu|su|este) navegador (no (es compatible|está soportado|es soportado)|está (obsoleto|desactualizado))`,
			`\b(il tuo|il suo|questo) browser (non è (più )?(supportato|compatib\w+)|è (obsoleto|troppo vecchio))`,
			`\b(je|uw|deze) browser (wordt niet (meer )?ondersteund|is (verouderd|te oud))`,
			`\b(seu|este) navegador (não é (mais )?(compatível|suportado)|está (desatualizado|obsoleto))`,
			`(twoja|ta) przeglądarka (nie jest (już )?(obsługiwana|wspierana)|jest (nieaktualna|przestarzała))`,
			`(din|den här) webbläsare(n)? (stöds inte|är (föråldrad|för gammal))`,
			`(ваш|этот) браузер (больше )?(не поддерживается|устарел)`,
			`ブラウザー?(は|には)(サポート|対応)(され|し)?て(い|お)(ません|りません)`, `(您|你)?(的|当前)?浏览器(版本)?(过低|过旧|太旧|不受支持|不被支持)`,
			`(您|你)?(的|目前的)?瀏覽器(版本)?(過低|過舊|不受支援)`, `지원(되지|하지) 않는 브라우저`, `tarayıcınız (artık )?(desteklenmiyor|güncel değil)`,
			`متصفحك (غير مدعوم|قديم)`,
		),
	},
	{
		kind: WallMaintenance, words: 60, lines: 5, links: 4, media: 1, fields: [2]int{0, 0},
		texts: some(
			`\b(this|our|the) (online ?|web ?)?(store|shop|boutique) (is|has been) (currently |temporarily |now |permanently )?`+
				`(unavailable|not available|closed|offline|suspended|deactivated|inactive|disabled)\W*$`,
			`\b(dieser|unser|der) (online-?|web-?)?shop ist (derzeit |zurzeit |momentan |aktuell |vorübergehend )?`+
				`(nicht (verfügbar|erreichbar)|geschlossen|offline|gesperrt)\W*$`,
			`\b(cette|la|notre) boutique (en ligne )?(est|n.est) (actuellement |momentanément |temporairement |pas |plus )*`+
				`(indisponible|fermée|disponible|accessible)\W*$`,
			`\b(esta|la|nuestra) tienda (no está disponible|está (temporalmente )?(cerrada|inactiva))`+
				`( en este moment\w| temporalmente)?\W*$`,
			`\b(questo|il nostro|il) negozio (al moment\w )?(non è (al moment\w )?disponibile|è (temporaneamente )?chiuso)\W*$`,
			`\b(deze|onze|de) (web)?(winkel|shop) is (momenteel |tijdelijk )?(niet (beschikbaar|bereikbaar)|gesloten)\W*$`,
			`\b(esta|a|nossa) loja (está (temporariamente )?(indisponível|fechada)|não está disponível)\W*$`,
			`(ten |nasz )?sklep (jest )?(obecnie |chwilowo |tymczasowo )?(niedostępny|zamknięty|nieczynny)\PL*$`,
			`butiken är (för närvarande |tillfälligt )?(stängd|inte tillgänglig)\PL*$`,
			`магазин (временно |сейчас )?(недоступен|закрыт|не работает)\PL*$`, `(ストア|ショップ)は(現在)?、?(ご利用いただけません|休止中|閉店)`,
			`(店铺|商店|网店|店鋪)(暂时|目前|暂|已)?(不可用|关闭|打烊|无法访问|關閉)`, `(스토어|쇼핑몰|상점)(은|는|이|가)? .{0,8}(이용할 수 없|중단)`,
			`mağaza(mız)? (şu anda |geçici olarak )?(kapalı|kullanılamıyor)\PL*$`, `المتجر (غير متاح|مغلق)`,
		),
	},
}

// A page on which people can only sign in, by buttons: it has hardly a word besides.
const (
	mostBesideSignIn = 25 // words that are on no button, without those about terms
	mostSignIn       = 8  // links and buttons
)

var (
	signInWith = some(`^(sign|log) ?in (with|using|via|through) .{1,40}$`,
		`^(continue|proceed) (with|using|via) (google|apple|microsoft|azure\S*|github|gitlab|facebook|linkedin|twitter|x|slack|discord|`+
			`amazon|okta|auth0|keycloak|saml|(single sign-on|sso)|(work |your )?e-?mail|phone|an? passkey|passkeys?|wallet)( account)?\W*$`,
		`^mit .{1,30} (anmelden|einloggen|fortfahren)$`, `^(bei|über) .{1,30} anmelden$`, `^(se connecter|continuer) avec .{1,30}$`,
		`^(iniciar sesión|continuar|acceder|entrar) con .{1,30}$`, `^(accedi|continua|entra) con .{1,30}$`,
		`^(inloggen|aanmelden|doorgaan) met .{1,30}$`,
		`^(entrar|continuar|iniciar sessão) com .{1,30}$`, `^(zaloguj się|kontynuuj) (przez|za pomocą|z) .{1,30}$`,
		`^(logga in|fortsätt) med .{1,30}$`, `^(войти|продолжить) (через|с помощью|с) .{1,30}$`, `(で|を使って)(ログイン|サインイン|続行|続ける)$`,
		`^(使用|通过|以|用).{1,20}(登录|登入|登錄|继续|繼續)$`, `(으로|로) (로그인|계속)(하기)?$`, `ile (giriş yap|devam et|oturum aç)$`,
		`^(تسجيل الدخول|المتابعة) (باستخدام|عبر) .{1,30}$`)
	kitWords   = some(`\b(buttons?|components?|(ui|design) kit|icons?|templates?)\b`)
	aboutTerms = some(`\b(terms|privacy|conditions|cookies?|impressum|imprint|datenschutz|nutzungsbedingungen|agb|confidentialité|`+
		`privacidad|condiciones|condizioni|voorwaarden|privacidade|termos|regulamin|villkor)\b`, `услови|конфиденциальн`, `利用規約|プライバシー`,
		`条款|隐私|條款|隱私`, `약관|개인정보`, `gizlilik|koşul`, `الشروط|الخصوصية`)
	// A page with something to buy is what visitors came for, though they can also sign in there.
	forSale = some(`[€$£¥₽₩]\s?\d`, `\d\s?(€|£|zł|kr\b|euros?\b|eur\b|usd\b|chf\b|₽|円|元|원)`,
		`\badd to (basket|cart|bag)\b`, `\bin den (warenkorb|einkaufswagen)\b`, `\bajouter au panier\b`,
		`\bañadir (al carrito|a la cesta)\b`, `\baggiungi al carrello\b`, `\bin winkelwagen\b`, `\badicionar ao carrinho\b`,
		`dodaj do koszyka`, `\blägg i varukorg`, `в корзину`, `カートに`, `加入购物车|加入購物車`, `장바구니`, `sepete ekle`, `أضف إلى السلة`)
	payment = some(`paypal|\bcard\b|klarna|\bkarte\b|\bcarte\b|tarjeta|\bcarta\b|\bkaart\b|cartão|kart[ąę]\b`)
)

// signInByButtons tells that the page asks to sign in with an account elsewhere and shows nothing else; nil for any other page.
func (s *survey) signInByButtons(elements []Element, asked string) *Wall {
	if s.fields > 1 || s.media > 0 || len(s.answers) > mostSignIn || isForSignIn(asked) {
		return nil
	}
	if s.ownPage() || s.code > 0 || s.topic || kitWords.MatchString(s.heading+" "+s.title) {
		return nil
	}
	answers := clickable(elements)
	beside, sign := 0, ""
	for _, line := range s.lines {
		switch {
		case forSale.MatchString(line):
			return nil
		case answers[line]:
			if sign == "" && signInWith.MatchString(line) && !payment.MatchString(line) {
				sign = line
			}
		case !aboutTerms.MatchString(line):
			beside += countWords(line)
		}
	}
	if sign == "" || beside > mostBesideSignIn {
		return nil
	}
	return &Wall{WallSignIn, Ellipsis(sign, maxWallSign)}
}

// clickable are the texts of links and buttons, and of the parts of these.
func clickable(elements []Element) map[string]bool {
	texts, inside := make(map[string]bool), make(map[int]bool)
	for i := range elements {
		e := &elements[i]
		if e.Tag == "a" || e.Tag == "button" || e.Role == "button" || inside[e.Parent] {
			inside[i] = true
			texts[CollapseSpace(e.Text)] = true
		}
	}
	return texts
}
