package page

// fewWords may stand between a subject and what became of it.
const fewWords = `( \S{1,30}){0,3}`

// vendorSigns are messages of certain programs, hosts and services that stand in for a page, and walls in further languages. They are
// tried after wallSigns.
var vendorSigns = []wallSign{
	{
		kind: WallChallenge, words: 150, links: 6, media: 2, fields: [2]int{0, 1},
		texts: some(
			`\badditional security check is required\b`, `\bprotected and accelerated by imperva\b`,
			`\berror 10(0[6-9]|1[0-5]|20)\b.{0,150}\b(access denied|rate limited|banned you)\b`, `\byou are being rate limited\b`,
			`\busing a security service to protect itself from\b`,
			`\byour access to (this|the) (web ?site|site|service) has been (limited|blocked|restricted)\b`,
			`\bpotentially unsafe operation has been detected in your request\b`,
			`\b(site|page|content|website) is not available in your (region|country)\b`, `\bunavailable for legal reasons\b`,
			`\b(website|site|page) (is |has been )?blocked\b.{0,150}\b(your (organi[sz]ation|administrator|company)|this category)\b`,
			`(complet[ea] (la|una|a) \S+ \S+ \S+ )?(para )?(verificar|confirmar) que (usted |você )?(eres|es|é) (um |un )?(ser )?humano`,
			`\bconfirm(e|a) que (usted |você )?(eres|es|é) (um |un )?(ser )?humano`, `\bconferma di essere (un )?umano\b`,
			`\bconfirmez que vous êtes (bien )?(un )?humain`, `\bbevestig dat (je|u) een mens bent\b`,
			`\bcomplete the security (verification|check) to continue\b`, `\bso (that )?we know you are a real (person|human)\b`,
			`\baccess to the requested resource (was|is|has been) (blocked|denied)\b`,
			`^your ip( address)?( \S+)? (has been|was|is) (temporarily |permanently )?(blocked|banned|blacklisted)\b`,
			`\bautomated (requests|traffic|queries|access) (coming )?from (your|this)\b`,
			`(ověřte|potvrďte),? že (jste člověk|nejste robot)`, `(vahvista|varmista),? että (olet ihminen|et ole robotti)`,
			`(igazolja|erősítse meg),? hogy (ön )?(nem robot|ember)`, `(bekræft|bekreft),? at du (er (et )?menneske|ikke er en robot)`,
			`(confirmați|verificați) că (sunteți (om|uman)|nu sunteți robot)`, `підтвердьте, що ви (не робот|людина)`,
			`επιβεβαιώστε ότι (είστε άνθρωπος|δεν είστε ρομπότ)`, `xác (minh|nhận) (rằng )?bạn (là (con )?người|không phải)`,
		),
	},
	{ // a question with a task, and nothing besides
		kind: WallChallenge, words: 40, links: 2, media: 2, fields: [2]int{0, 1},
		titles: some(`^(robot|bot|human|security) (check|verification)\W*$`, `^are you (a )?(human|robot)\W*$`),
		texts:  some(`\b(tick|check|solve|click|press|hold|slide|drag|complete)\b.{0,60}\b(continue|proceed|verify|human|robot)\b`),
	},
	{
		kind: WallSignIn, words: 40, links: 4, media: 1, fields: [2]int{1, 2}, asked: true,
		texts: some(`\b(enter|type) (the|your|an?) (access|invitation|invite|preview|pass|security) ?(code|word|key)\b.{0,30}` +
			`\bto (view|see|enter|access|open)\b`),
	},
	{ // the page itself asks, before any other
		kind: WallConsent, words: 120, links: 10, media: 1, fields: [2]int{0, 0}, answer: consentAnswer,
		texts: some(
			`\b(sie unsere|unsere) \w+ mit (personalisierter werbung|werbung|werbetracking)\b.{0,80}\bcookies\b`,
			`\bavec votre consentement, nous et nos\b`,
			`\babbiamo a cuore la tua privacy\b`,
			`\b(szanujemy|cenimy) (twoją|państwa) prywatność`,
			`\bwe value your privacy\b`,
			`\bwe use cookies and data to\b`, `\bwir und unsere \d*\s?partner\b.{0,60}\b(cookies|daten)\b`,
			`\bnous et nos \d*\s?partenaires\b.{0,60}\b(cookies|données)\b`,
			`\bnoi e i nostri (\d+ )?partner\b.{0,60}\b(cookie|informazioni|dati)\b`,
			`\bnosotros y nuestros (\d+ )?socios\b.{0,60}\b(cookies|datos|información)\b`,
			`\bwij en onze (\d+ )?partners\b.{0,60}\b(cookies|gegevens)\b`,
			`\bnós e os nossos (\d+ )?parceiros\b.{0,60}\b(cookies|dados)\b`,
		),
	},
	{
		kind: WallSignIn, words: 12, lines: 5, links: 1, media: 1, fields: [2]int{1, 2}, asked: true,
		texts: some(`^(password|passwort|kennwort|mot de passe|contraseña|wachtwoord|hasło)\W*$`,
			`\b(zugang|zutritt) nur mit passwort\b`),
	},
	{
		kind: WallMaintenance, words: 80, lines: 5, links: 4, media: 1, fields: [2]int{0, 0},
		texts: some(
			`\bis currently under maintenance\b`, `^site under maintenance\W*$`, `\bwegen (geplanter |dringender )?wartungsarbeiten\b`,
			`\bwebsite is in aanbouw\b`, `\bsito in (costruzione|allestimento)\b`, `\bsite en (cours de )?construction\b`,
			`\b(sitio|página) en construcción\b`, `\b(web)?seite (ist|befindet sich) (noch |gerade |derzeit )?im aufbau\b`,
			`\b(our|this|the) (web ?)?(site|store|shop) is temporarily (closed|offline|down)\W*$`,
			`\bstrona (jest )?w (prze)?budowie\b`, `\bsite em construção\b`,
		),
	},
	{
		kind: WallMaintenance, words: 30, lines: 4, links: 4, media: 1, fields: [2]int{0, 1},
		texts: some(`\bsomething (really |very )?(cool|great|new|awesome|amazing|big) is (coming|on its way)\b`,
			`\b(our|the|this) (new )?(web ?site|site|store|shop) is (coming soon|launching soon|almost ready)\b`,
			`^(binnenkort|demnächst|wkrótce) online\W*$`),
	},
	{
		kind: WallError, words: 80, links: 4, media: 1, fields: [2]int{0, 0},
		texts: some(
			`es gab einen kritischen fehler auf (deiner|ihrer|dieser) website`, `il y a eu une erreur critique sur (ce|votre) site`,
			`ha habido un error crítico en (esta|tu) web`, `si è ver\w+ un errore critico (sul|in questo|nel) `,
			`er (is|heeft zich) een kritieke fout`, `ocorreu um erro crítico n`,
			`(wystąpił|pojawił się) (na niej )?(krytyczny błąd|błąd krytyczny)`,
			`на сайте (возникла|произошла) критическая ошибка`, `fehler beim aufbau einer datenbankverbindung`,
			`erreur lors de la connexion à la base de données`, `error al establecer (la|una) conexión con la base de datos`,
			`errore nello stabilire una connessione al database`, `\berror code:? 5(0[0-4]|2\d|30)\b`,
			`\bthe website encountered an unexpected error\b`, `^oops, an error occurred!?$`,
			`\bthere has been an error processing your request\b`,
			`^(4(03|19|29)|50[0-4])\W{1,3}((internal )?server error|service unavailable|page expired|forbidden|too many requests)\W*$`,
			`^whitelabel error page\b`, `\bdatabase connection (failed|refused|error)\b`, `\baccess denied for user '`,
			`^upstream connect error\b`, `^no healthy upstream\W*$`, `^server error \(500\)$`, `^server error in '.{0,40}' application`,
			`^http status [45]\d\d\b`,
			`^unexpected application error\b`, `\bdošlo k(e)? (\S+ )?chybě (serveru|aplikace)`, `\bszerverhiba történt\b`,
			`\bpalvelinvirhe\W*$`, `^(parse|compile) error\s*:`, `\bsyntax error, unexpected\b.{0,150}\bon line \d+`,
		),
	},
	{
		kind: WallParked, words: 80, links: 8, media: 1, fields: [2]int{0, 1},
		texts: some(
			`^there.s nothing here,? yet\W*$`, `\bdomain isn.t connected to a website\b`, `^website expired$`,
			`^this account has expired\b`, `^sorry, this (shop|store) is (currently )?unavailable\W*$`, `^web server.s default page$`,
			`\bgenerated by plesk\b`, `\bif you are the owner of this website, please contact your hosting provider\b`,
			`^your web server is working\b`, `\blet.s turn it into a website\b`, `\bdomain (is|was recently) registered at\b`,
			`\bis registered,? but has no (web ?)?site\b`, `^there isn.t a (web ?)?(site|page) at this address\b`,
			`\bvotre domaine a bien été créé\b`, `\byou have to do now is upload your website files\b`,
			`^hier entsteht (eine|die|unsere) neue\b`,
		),
	},
	{ // the message of a site that is closed, with a form for those who look after it
		kind: WallMaintenance, words: 60, lines: 10, links: 4, media: 1, fields: [2]int{1, 2}, bare: true,
		texts: some(`\b(site|website|shop|store) is (currently |temporarily )?(down|closed|offline) for (\w+ )?maintenance\b`,
			`\b(seite|website|shop) (ist|wird) .{0,30}\b(wartung|gewartet)`, `\bsite est .{0,30}\bmaintenance\b`,
			`\b(sitio|web) está .{0,30}\bmantenimiento\b`, `\bsito è .{0,30}\bmanutenzione\b`, `\b(site|website) is .{0,30}\bonderhoud\b`,
			`\b(strona|serwis) jest .{0,30}\bkonserwac`, `\bsite está .{0,30}\bmanutenção\b`),
	},
	{ // a site, account or name that somebody has switched off
		kind: WallParked, words: 130, links: 6, media: 1, fields: [2]int{0, 0}, bare: true,
		titles: some(
			`\b(site|web ?site|domain|account|page|store)\b`+fewWords+` (suspended|deactivated|disabled|on hold|terminated)\b`,
			`\b(seite|website|domain|konto|account)\b`+fewWords+` (gesperrt|deaktiviert|suspendiert|stillgelegt)\b`,
			`\b(site|domaine|compte|page)\b`+fewWords+` (suspendue?|désactivée?|bloquée?)`,
			`\b(sitio|web|dominio|cuenta|página)\b`+fewWords+` (suspendid|desactivad|bloquead|inhabilitad)[oa]\b`,
			`\b(sito|dominio|account|pagina)\b`+fewWords+` (sospes|disattivat|bloccat)[oa]\b`,
			`\b(site|website|domein\w*|account|pagina)\b`+fewWords+` (opgeschort|geblokkeerd|gedeactiveerd|geschorst)\b`,
			`\b(site|domínio|conta|página)\b`+fewWords+` (suspens|desativad|bloquead)[oa]\b`,
			`(strona|domena|konto|serwis).{0,40}(zawiesz|zablokowan|wyłączon)`, `(webbplats|domän|konto|sida)\w*.{0,40}(avstängd|spärra)`,
			`(сайт|домен|аккаунт).{0,40}(приостановлен|заблокирован|отключ)`, `(サイト|ドメイン|アカウント).{0,12}(停止|凍結|無効)`,
			`(网站|域名|账号|帐户).{0,8}(暂停|停用|冻结|被封)`, `(site|alan adı|hesap)\S*.{0,20}(askıya|durdurul)`),
		texts: some(`\b(contact|owner|registrant|registrar|hosting|billing|support|provider|administrator|icann|reasons?)\b`,
			`kontakt|inhaber|anbieter|betreiber|verwalter`, `\b(contact\w+|hébergeur|propriétaire|titulaire)\b`,
			`\b(contact\w+|proveedor|propietario|titular|alojamiento)\b`, `\b(contatt\w+|fornitore|proprietario|titolare)\b`,
			`\b(contact|eigenaar|houder|beheerder)\b`, `\b(contate|contacte|provedor|proprietário)\b`, `właściciel|dostawc`,
			`ägare|leverantör`, `владел|провайдер|хостинг|поддержк`, `管理者|お問い合わせ|所有者|契約`, `联系|管理员|服务商|备案`, `iletişim|sağlayıcı`),
	},
	{ // the long greeting of a server, which lists its files
		kind: WallParked, words: 700, links: 30, media: 2, fields: [2]int{0, 0},
		titles: some(`^apache2? (\w+ )?default page\b`, `^(apache )?(http server )?test page\b`),
		texts:  some(`^this is the default (welcome )?page used to test the (correct|proper) operation of the apache2? \w+\b`),
	},
	{
		kind: WallLoading, words: 20, whole: true, links: 1, media: 0, fields: [2]int{0, 0},
		texts: some(`^(you are being )?redirect(ing|ed)\b.{0,20}$`, `^(sie werden )?weiter(geleitet|leitung)\b.{0,20}$`,
			`^(hold|hang) on\b.{0,60}\b(ready|load\w*|moment|start\w*)\PL*$`,
			`^we.re sorry,? but .{1,60} doesn.t work properly without javascript`),
	},
}

// consentAnswer is what people click to go on.
var consentAnswer = some(`\b(accept|agree|allow|reject|consent)\b`, `\b(einverstanden|akzeptieren|zustimmen|ablehnen)\b`,
	`\b(accepter|refuser|continuer)\b`, `\b(accetta|rifiuta)\b`, `\b(aceptar|rechazar)\b`, `\b(aceitar|rejeitar)\b`,
	`przejdź`, `zgadzam`, `akceptuj`,
	`\bakkoord\b`)
