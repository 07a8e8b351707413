package page

import (
	"cmp"
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
	answer *regexp.Regexp // of which one is on a link or button, unless there are fields; nil for none
	bare   bool           // only pages that have nothing besides; titles may then be any heading or at the beginning, texts anywhere
}

// some joins alternatives.
func some(forms ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:` + strings.Join(forms, "|") + `)`)
}

// wallSigns are tried in order. They are in the languages that the rules of verification know, and
// what is shown most often in others, too. `\b` knows ASCII only.
var wallSigns = []wallSign{
	{
		kind: WallChallenge, words: 150, links: 6, media: 2, fields: [2]int{0, 1},
		texts: some(
			`\b(verif|check)\w+ (that |if |whether )?you are (a )?human`,
			`\b(confirm|prove) (that )?you(.re| are) (a human|human|not a (ro)?bot)`,
			`\bverify (that )?you(.re| are) (a )?(human|not a (ro)?bot)`, `needs to review the security of your connection`,
			`(checking|verifying) (your (browser|connection)|if the site connection is secure)`,
			`press (&|and) hold to confirm( that)?( you|\W*$)`,
			`enable javascript and cookies to continue`, `unusual traffic from your (computer|network)`,
			`complete the (captcha|security check)( below)? (to|before)`, `^access to this page has been denied`,
			`^sorry, you have been blocked`, `^pardon our interruption`, `^attention required! \| cloudflare`, `ddos protection by`,
			`you are unable to access \S+\.\w`, `bestätigen sie, dass sie (ein mensch|kein roboter) sind`,
			`(wir (über)?prüfen|prüfung) ihre[ns]? (browser|verbindung)`, `vérifi\w+ que vous êtes (bien )?(un )?humain`,
			`verifi(ca|que|car) que (eres|es|usted es) (un )?(ser )?humano`, `verifica di essere (un )?umano`,
			`controleer of u een mens bent`, `(你|您)?是(不是)?(真人|人类|人類)(的)?(操作|身份)?(验证|驗證)?$`, `(验证|驗證|确认|確認)(您|你)(是|不是)(真人|人类|人類|机器人|機器人)`,
			`(人間|ロボットでない|ロボットではない)(であ)?(る)?ことを(確認|証明)`, `(사람|로봇이 아님)(인지|을|임을)? ?(확인|증명)`,
			`(подтвердите|проверка|проверяем|убедимся),? что вы (не робот|человек)`,
			`(التحقق|تأكيد|تأكد) (من )?(أنك|أنّك) (إنسان|لست روبوت)`,
			`(insan|robot) (olduğunuzu|olmadığınızı) (doğrul|kanıtla)`,
			`(potwierdź|sprawdzamy|sprawdź|zweryfikuj),? (że|czy) (jesteś|nie jesteś) (człowiekiem|robotem)`,
			`(verifiera|bekräfta|kontrollera) (att|om) du är (en )?människa`,
			`(confirme|verifi(que|car|cando)) (que|se) (você )?é (um )?(ser )?humano`,
			`incapsula incident id`, `^please enable js and disable any ad ?blocker\W*$`,
			`\bsucuri website firewall\b`, `\bmaking sure you.re not a bot\b`,
			`^you don.t have permission to access \S+ on this server`, `\baccess denied you don.t have permission to access\b`,
			`\battempting to access this (web ?)?site from a country\b`,
			`\byou should only visit this website if you trust\b`, `\bperforming security verification\b`,
			`\bverif(y|ies|ying) (that )?you(.re| are) not a (ro)?bot\b`, `\bmake sure you.re not a (ro)?bot\b`,
			`security service to protect (itself )?(from|against) (malicious bots|online attacks)`,
			`\benter the characters you see below\b`, `\b(slide|drag) to complete the puzzle\b`,
			`\bdetected unusual (activity|traffic) from your (network|ip|device|computer)`, `\byour request (has been|was) blocked\b`,
			`\brequest was blocked by the security rules\b`, `^the requested url was rejected\b`,
			`\bplease wait while we (verify|check) your (browser|connection)\b`, `sicherheitsüberprüfung wird durchgeführt`,
			`ob sie ein (ro)?bot sind`, `sicherheitsdienst, um sich vor (bösartigen )?bots`, `vérification de sécurité en cours`,
			`service de sécurité pour se protéger contre les (ro)?bots`, `realizando (la |una )?verificación de seguridad`,
			`servicio de seguridad para protegerse de (los )?(ro)?bots`, `verific\w+ (di|che tu) non (essere|sia) un (ro)?bot`,
			`verifica di sicurezza in corso`, `servizio di sicurezza per protegger\w+ da(i)? bot`,
			`(executando|realizando) (a )?verificação de segurança`, `controleren of (je|u) een mens bent`,
			`beveiligingsverificatie (wordt )?uitgevoerd`, `trwa weryfikacja (bezpieczeństwa|przeglądarki)`,
			`проверя\S+ ваш браузер`, `(完成|进行|進行)(安全)?(验证|驗證).{0,6}(继续|繼續|再)`,
			`(拖动|拖動|滑动|滑動)(滑块|滑塊).{0,8}(拼图|拼圖|验证|驗證)`,
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
			`(please )?(log|sign) in to (continue|proceed|view|see|access)`,
			`you (must|need to) (be (logged|signed) in|log in|sign in)\b`, `\blogga in (med .{1,30} )?för att fortsätta\b`,
			`\blogg? (inn|ind|på) (med .{1,30} )?for at fortsætte\b`, `\blogg inn (med .{1,30} )?for å fortsette\b`,
			`\b(accedi|effettua l.accesso) (con .{1,30} )?per (continua\w+|proseguire)\b`,
			`\blog in (met .{1,30} )?om (verder|door) te gaan\b`,
			`\b(connectez|identifiez)-vous (avec .{1,30} )?pour (continuer|accéder)\b`,
			`\binicia sesión (con .{1,30} )?para (continuar|acceder)\b`,
			`zaloguj się,? (przez .{1,30} )?(aby|żeby) kontynuować`, `войдите,? (через .{1,30} )?чтобы продолжить`,
			`inhalt ist passwortgeschützt`, `passwort (eingeben|ein), um`, `(melden sie sich|bitte) an(melden)?, um`,
			`contenu est protégé par un mot de passe`, `contenido está protegido (por|con) contraseña`,
			`contenuto è protetto da password`,
			`\benter store using password\b`, `^this (site|website|page) is (password[- ])?protected\b`,
			`\bget a login code emailed to you\b`, `\benter using password\b`,
			`\bthis (site|website|page|store|shop) is private\b.{0,60}password`,
			`seite ist (nicht öffentlich|geschützt|privat)\b.{0,60}passwort`, `page est (privée|protégée)\b.{0,60}mot de passe`,
			`(página|sitio) (es privad[ao]|está protegid[ao]).{0,60}contraseña`,
		),
	},
	{
		kind: WallSignIn, words: 40, links: 5, media: 1, fields: [2]int{0, 1}, asked: true, titles: some(`^log in to vercel$`),
	},
	{
		kind: WallSignIn, words: 40, links: 5, media: 1, fields: [2]int{2, 2}, asked: true,
		titles: some(`^(please )?(sign|log) ?in\b.{0,40}$`, `^.{0,40}\b(sign|log) ?in$`, `^(bitte )?(anmelden|anmeldung|einloggen)$`,
			`^bitte melden sie sich an\W*$`, `^(connexion|se connecter|identifiez-vous|authentification)$`,
			`^(acceder|identifícate|accesso|aanmelden|kunden-?login)$`,
			`^(iniciar sesión|inicio de sesión)$`, `^accedi$`, `^inloggen$`, `^(ログイン|サインイン)$`, `^(登录|登入|登錄|会员登录)$`, `^로그인$`,
			`^(вход|войти|вход в систему|увійти)$`, `^تسجيل الدخول$`, `^(giriş( yap)?|oturum aç)$`, `^(zaloguj( się)?|logowanie)$`,
			`^logga in$`,
			`^logg? (inn|ind|på)$`, `^kirjaudu( sisään)?$`, `^(entrar|iniciar sessão)$`, `^přihlášení$`, `^bejelentkezés$`,
			`^đăng nhập$`),
	},
	{
		kind: WallAge, words: 150, links: 8, media: 3, fields: [2]int{0, 3}, answer: ageAnswer, texts: ageWords,
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
			`\bsito (è )?in manutenzione\b`, `\b(site|website|webshop|pagina)\b.{0,30}\b(in onderhoud|onderhoudswerkzaamheden)\b`,
			`\b(our|this|the) (web ?)?(site|store|shop) is (currently |now )?being (updated|upgraded|redesigned)\b`,
			`wir sind (gleich|bald|in kürze) wieder (da|zurück|online|für (sie|euch|dich) da)`,
			`nous (revenons|serons de retour) (bientôt|très vite|dans)`,
			`\b(boutique|site|page|service)\b.{0,40}(momentanément|temporairement) (indisponible|fermée?)`,
			`volvemos (enseguida|pronto|en breve)`, `(realizando|haciendo) (tareas|trabajos|labores) de mantenimiento`,
			`torniamo (presto|subito|tra poco)\b.{0,10}$`, `(effettuando|in corso) (dei )?lavori di manutenzione`,
			`^estamos em manutenção`,
			`(voltaremos|voltamos) (já|em breve)`, `we zijn (zo|snel|binnenkort) (weer )?terug`, `vi är snart tillbaka`,
			`vi er (snart|straks) (tilbake|tilbage)`, `(zaraz|wkrótce|niebawem) wracamy`, `мы скоро верн[её]мся`,
			`メンテナンス(中|のため|作業|を実施|を行)`, `(系统|系統|网站|網站|站点|服务器|伺服器)(正在|正|目前|现正|暫時)?.{0,4}(维护|維護|升级|升級)(中|，|。|$)`,
			`(正在|系统|系統|例行|停机)(维护|維護)`, `(점검|유지 ?보수) ?중`, `(시스템|서버|서비스|사이트) ?(정기 ?)?점검`,
			`(сайт|магазин|сервис|сервер).{0,40}(технически\S+ работ|техобслуживани|на обслуживании|на реконструкции)`,
			`(ведутся|проводятся|проводим) (плановые )?технические работы`, `технически(х|е) работ.{0,40}(недоступ|закрыт|не работает)`,
			`(الموقع|المتجر|الخدمة).{0,30}(الصيانة|صيانة)`, `(أعمال|تحت|قيد) (ال)?صيانة`,
			`(site|sitemiz|mağaza|sistem|sayfa)\S*.{0,30}(bakım\S*)`, `bakım (çalışması|modu)`, `bakımdayız`,
			`(strona|serwis|sklep|witryna).{0,40}(w trakcie konserwacji|konserwacj|prace (techniczne|konserwacyjne)|przerw\S+ techniczn)`,
			`(trwają|prowadzimy) prace (techniczne|konserwacyjne)`, `przerwa techniczna`,
			`(webbplatsen|sidan|sajten|butiken|tjänsten).{0,40}(underhåll)`, `(vi utför|pågående|planerat) underhåll`,
			`(siden|nettsiden|hjemmesiden|butikken|nettstedet|webstedet).{0,40}(vedlikehold|vedligeholdelse)`,
			`(sivusto|palvelu|kauppa)\S*.{0,40}(huollo(ssa|n)|huoltotöi|huoltokatko)`,
			`(site|loja|página|sistema).{0,30}em manutenção`, `(web|stránka|stránky|obchod|server)\S*.{0,40}(údržb)`,
			`(oldal|honlap|webáruház|szolgáltatás)\S*.{0,40}(karbantartás)`,
			`(сайт|магазин|сервіс).{0,40}(технічн\S+ робот|обслуговуванн)`,
			`(ιστοσελίδα|ιστότοπος|κατάστημα|σελίδα).{0,40}συντήρηση`, `(האתר|החנות).{0,20}(תחזוקה|בתחזוקה)`,
			`(trang web|website|hệ thống).{0,20}(đang )?(được )?bảo trì`,
			`(situs|website|sistem|toko).{0,30}(dalam )?(pemeliharaan|perbaikan)`,
			`(เว็บไซต์|ระบบ|ร้านค้า).{0,20}(ปิดปรับปรุง|บำรุงรักษา)`, `(site-ul|site|magazinul).{0,30}(în|in) mentenanță`,
		),
	},
	{
		kind: WallError, words: 80, links: 4, media: 1, fields: [2]int{0, 0},
		texts: some(
			`there has been a critical error on (this|your) website`, `error establishing a database connection`, `^fatal error\s*:`,
			`^(http |error )+50[0234]\b`,
			`^(error )?403 (forbidden|access denied)\b.{0,20}$`, `^50[0234] (internal|bad|service|gateway|error)`,
			`^(internal server error|bad gateway|service (temporarily )?unavailable|gateway time-?out)\b`,
			`^application error\b`, `^we.re sorry, but something went wrong\b`, `\bsqlstate\[`,
			`server encountered an internal error`, `this page isn.t working`,
		),
	},
	{
		kind: WallError, words: 60, links: 12, media: 1, fields: [2]int{0, 1},
		titles: some(`^(error )?404\b.{0,40}$`, `^(お探しの)?ページ(が|は)見つかりません(でした)?`, `^(页面不存在|找不到页面|找不到頁面|页面未找到|404 ?页面)`,
			`^(페이지를 찾을 수 없습니다|존재하지 않는 페이지)`, `^страница не найдена`, `^الصفحة غير موجودة`, `^sayfa bulunamadı`,
			`^(nie znaleziono strony|strona nie (istnieje|została znaleziona))`, `^sidan (kunde inte hittas|finns inte|hittades inte)`,
			`^(pagina|de pagina) niet gevonden`, `^página não encontrada`, `^.{0,30}\b(page )?not found( [|–-] .{0,40})?$`,
			`^seite nicht gefunden\b.{0,40}$`,
			`^page (non trouvée|introuvable)\b.{0,40}$`, `^página no encontrada\b.{0,40}$`, `^pagina non trovata\b.{0,40}$`),
		texts: some(`404`, `not found`, `nicht gefunden`, `introuvable`, `non trouvée`, `no encontrada`, `non trovata`, `見つかりません`,
			`不存在`, `找不到`,
			`未找到`, `찾을 수 없`, `존재하지 않`, `не найден`, `غير موجود`, `bulunamadı`, `nie (znaleziono|istnieje|została)`,
			`hitta(s|des)|finns inte`,
			`niet gevonden`, `não encontrada`),
	},
	{
		kind: WallParked, words: 100, links: 30, media: 1, fields: [2]int{0, 4},
		texts: some(
			`\b(this|the) (web ?site|domain( name)?)( \S+\.\w+)? (is|may be|could be) (for sale|parked|available for (purchase|sale))`,
			`\b\S+\.[a-z]{2,10} (is|may be) for sale\b`, `\bbuy this domain( name)?( now| today| for .{1,20})?\W*$`,
			`\bdomain( name)?( \S+)? (has expired|is parked)`,
			`\bparked free, courtesy of`, `\b(diese )?domain( \S+)? (steht zum verkauf|ist zu verkaufen|ist geparkt)`,
			`\b(ce nom de )?domaine( \S+)? est à vendre`, `\b(este )?dominio( \S+)? está (en|a la) venta`,
			`\bdominio( \S+)? è in vendita`,
			`\bwelcome to nginx!`, `\bapache2? (debian |ubuntu )?default page\b`, `^it works!$`,
			`\bfuture home of something\b`, `^welcome to openresty!`, `\bdomein(naam)?( \S+)? is (geregistreerd|gereserveerd|te koop)\b`,
			`\bdomain( \S+)? (wurde|ist) (soeben |bereits )?(registriert|reserviert)\b`, `\bhier entsteht .{0,20}(internet|web|home)\w+`,
			`domena( \S+)? jest na sprzedaż`, `домен( \S+)? (продается|продаётся|припаркован)`, `域名(正在)?(出售|待售)`,
			`ドメインは(売り出し中|販売中)`, `\bdomän(en)?( \S+)? är till salu\b`, `\bdomínio( \S+)? está à venda`,
			`\bthis account has been suspended\b`, `^domain default page\b`, `^iis windows server$`,
		),
	},
	{
		kind: WallLoading, words: 9, whole: true, links: 0, media: 0, fields: [2]int{0, 0},
		texts: some(`^(page |app )?(is )?loading\W*$`, `^please wait\b.{0,20}$`, `^one moment( please)?\W*$`,
			`^(wird geladen|bitte warten)\W*$`,
			`^chargement\W*$`, `^cargando\W*$`, `^caricamento\W*$`, `^(aan het )?laden\W*$`, `^((読み込み|ロード)中|しばらくお待ちください)\PL*$`,
			`^((正在)?(加载|載入|加載|载入)中?|请稍(候|等)|請稍(候|等))\PL*$`, `^(로딩 ?중|불러오는 중|잠시만 기다려 ?주세요)\PL*$`,
			`^(загрузка|подождите|пожалуйста,? подождите|завантаження)\PL*$`, `^(جار(ٍ|ي)? التحميل|الرجاء الانتظار|يرجى الانتظار)\PL*$`,
			`^(yükleniyor|lütfen bekleyin)\PL*$`, `^(ładowanie|proszę czekać|wczytywanie)\PL*$`, `^(laddar|vänta|läser in)\PL*$`,
			`^(carregando|a carregar|aguarde)\PL*$`, `^(indlæser|laster)\PL*$`, `^(ladataan|odota)\PL*$`, `^načítání\PL*$`,
			`^betöltés\PL*$`,
			`^(you need to|please) enable javascript\b.{0,40}$`),
	},
}

// Questions of the visitor's age, and answers to them.
var (
	ageWords = some(
		`\b(you|i)(.re|.m| are| am) (at least )?(16|18|19|20|21) (years )?(old )?or (older|over|above)\b`,
		`\b(verify|confirm|enter|check) your (age|date of birth|birth ?date|birthday)\b`,
		`\bage (verification|check|gate|restricted|confirmation)\b`,
		`\b(are|confirm( that)?) you('re| are)? (over |at least |above )?(the age of )?(16|18|19|20|21)\b`,
		`\b(are|confirm( that)?) you('re| are)? of (legal )?(drinking |smoking |gambling )?age\b`,
		`\bof legal (drinking|smoking|gambling|purchase) age\b`,
		`\byou must be (at least |over |aged )?(16|18|19|20|21)\b.{0,30}\bto (enter|view|visit|access|see|continue|browse)\b`,
		`\b(sind sie|bist du) (mindestens |schon |über )?(16|18)\b`, `\b(mindestens|über) (16|18) jahre (alt )?sein, um\b`,
		`alters(prüfung|verifi\w+|nachweis|abfrage)`, `\b(sind sie|bist du) volljährig\b`,
		`\b(avez-vous|as-tu) (plus de |au moins |l.âge )?`+
			`(18 ans|légal)`, `vérification de (l.âge|votre âge)`, `êtes-vous majeur`,
		`\b(eres|es usted|¿?tienes) (mayor de (edad|18)|más de 18)`,
		`verifica(ción de)? (la |tu |su )?edad`, `\b(hai|sei) (più di 18|almeno 18|compiuto 18|maggiorenne)`,
		`verifica (dell.|la tua )età`,
		`\b(ben je|bent u) (al )?(18|ouder dan 18|minstens 18)`, `leeftijds(controle|verificatie)`,
		`czy (masz|ukończyłeś|ukończyłaś|ukończone)\S* .{0,20}18`,
		`czy jesteś pełnoletni`, `weryfikacja wieku`, `(är du|har du fyllt) (över )?(18|20)`, `ålderskontroll`,
		`18 yaş(ından|ın|ını).{0,20}(büyük|doldur|üzeri)`,
		`yaş doğrulama`, `(вам|тебе) (уже )?(есть|исполнилось) (уже )?18`, `подтвердите (свой |ваш )?возраст`, `(18|20)歳以上(ですか|の方)`,
		`年齢(確認|認証)`,
		`(是否|已|未)?(年)?(满|滿)(18|十八)(周?岁|周?歲)`, `(年龄|年齡)(验证|驗證|确认|確認)`, `만?\s?(18|19)세 이상`, `(성인|연령|나이) ?(인증|확인)`,
		`هل (عمرك|أنت|تبلغ).{0,20}18`, `التحقق من (العمر|السن)`, `(você é|é) maior de (18|idade)`, `tem (mais de )?18 anos`,
		`verificação de idade`)

	ageAnswer = some(
		`\b(yes|enter|over|older|i am|i.m|confirm|verify|agree|continue)\b`, `\b(ja|eintreten|weiter|bestätigen)\b`,
		`\b(oui|entrer|confirmer)\b`,
		`\b(si|entrar|entra|confermo|sim|continuar)\b`, `^sí(\PL|$)`, `\btak\b`, `wchodzę`, `^да`, `войти`, `^はい`, `入場`, `以上`, `^是`,
		`进入`, `進入`, `满|滿`,
		`^(예|네)`, `입장`, `이상`, `نعم`, `\bevet\b`, `giriş`, `18`)
)

// A check for robots has many words or some links, but not both: those are an article and a navigation.
const (
	mostOfChallenge = 180
	wordsOfLink     = 15
)

func (s *survey) hasArticle(kind WallKind) bool {
	return kind == WallChallenge && s.words+wordsOfLink*s.links > mostOfChallenge
}

// on returns the wall that the sign tells of; nil for none.
func (s *wallSign) on(seen *survey, asked string) *Wall {
	if !s.fits(seen) || s.asked && isForSignIn(asked) {
		return nil
	}
	told := s.titled(seen)
	if s.titles != nil && told == "" {
		return nil
	}
	if s.texts != nil && !s.loads(seen) {
		said := s.said(seen)
		if said == "" {
			return nil
		}
		told = cmp.Or(told, said)
	}
	return &Wall{s.kind, Ellipsis(cmp.Or(told, seen.title), maxWallSign)}
}

// fits reports whether the page has as little as such a wall, whatever it says.
func (s *wallSign) fits(seen *survey) bool {
	switch {
	case seen.words > s.words, s.lines > 0 && len(seen.lines) > s.lines, seen.links > s.links, seen.media > s.media,
		seen.fields < s.fields[0], seen.fields > s.fields[1]:
		return false
	case seen.hasArticle(s.kind), seen.isAbout(s.kind), s.bare && !seen.bare():
		return false
	}
	return s.answer == nil || seen.fields > 0 || slices.ContainsFunc(seen.answers, s.answer.MatchString)
}

// titled returns the title, heading or beginning that tells; "" for none.
func (s *wallSign) titled(seen *survey) string {
	if s.titles == nil {
		return ""
	}
	names := []string{seen.heading, seen.title}
	if s.bare {
		names = append(names, seen.headings...)
		if s.kind != WallMaintenance && seen.saysLittle() { // shops are closed on Mondays
			names = append(names, seen.opening()...)
		}
	}
	if i := slices.IndexFunc(names, s.titles.MatchString); i >= 0 {
		return names[i]
	}
	return ""
}

const maxWallSign = 120 // bytes

func (s *wallSign) loads(seen *survey) bool {
	return s.script != nil && !seen.ownPage() && s.script.MatchString(seen.scripts)
}

// said returns the words that tell; "" for none.
func (s *wallSign) said(seen *survey) string {
	if s.whole {
		return s.texts.FindString(seen.text)
	}
	if s.bare {
		text := strings.Join(append([]string{seen.text}, seen.labels...), " ")
		if at := s.texts.FindStringIndex(text); len(at) == 2 && !s.quoted(text, at[0], at[1]) {
			return text[at[0]:at[1]]
		}
		return ""
	}
	lines := slices.Concat(seen.lines, []string{seen.text})
	if seen.ownPage() && s.kind != WallConsent && s.kind != WallAge {
		lines = nil
	}
	for _, text := range slices.Concat([]string{seen.heading}, lines, []string{seen.title}) {
		if at := s.texts.FindStringIndex(text); len(at) == 2 && !s.reported(text, at[0], at[1]) {
			return CollapseSpace(text[at[0]:at[1]])
		}
	}
	return ""
}

// mostBefore is how many words of its sentence may stand before what a wall says.
const mostBefore = 4

var sentenceEnds = regexp.MustCompile(`[.!?:…؟]["”»)]*(\s|$)|[。！？：]["”»)」』]*`)

// reported reports whether words are quoted, asked about or told of, as by somebody who writes about walls.
func (s *wallSign) reported(text string, from, to int) bool {
	return s.quoted(text, from, to) || countWords(sentenceBefore(text[:from])) > mostBefore
}

// quoted reports whether words are quoted or asked about.
func (s *wallSign) quoted(text string, from, to int) bool {
	if last, _ := utf8.DecodeLastRuneInString(sentenceBefore(text[:from])); strings.ContainsRune(`"“„«「『`, last) {
		return true
	}
	after := text[to:]
	end := sentenceEnds.FindStringIndex(after)
	asks := s.kind == WallChallenge || s.kind == WallAge || s.kind == WallSignIn // they have questions of their own
	return !asks && len(end) == 2 && strings.ContainsAny(after[end[0]:end[1]], "?？؟")
}

// sentenceBefore is the part of the last sentence.
func sentenceBefore(text string) string {
	if ends := sentenceEnds.FindAllStringIndex(text, -1); ends != nil {
		return text[ends[len(ends)-1][1]:]
	}
	return text
}
