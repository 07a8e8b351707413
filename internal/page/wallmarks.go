package page

import "regexp"

// A wall in words that no sign knows speaks of the site, of what its visitor uses and of what to do next; other short pages do not.
const (
	mostWordsOfMarks = 45
	mostLinksOfMarks = 3
	fewestMarks      = 2
)

// marks are what walls of all kinds say.
var marks = []*regexp.Regexp{
	some(`\b(this|our|the|your) (web ?)?(site|page|server|system|systems|service|app|application|store|shop)\b`, // the site
		`\b(diese[rs]?|unser\w*|die|der|das) (web)?(seite|site|server|system|systeme|dienst|shop|anwendung)\b`,
		`\b(ce|cette|notre|nos|le|la) (site|page|serveur|service|système|boutique|application)\b`,
		`\b(este|esta|nuestr\w+|el|la) (sitio|página|servidor|servicio|sistema|tienda|web|aplicación)\b`,
		`\b(questo|questa|nostro|il) (sito|pagina|server|servizio|sistema|negozio)\b`,
		`\b(deze|onze) (site|website|pagina|server|dienst|winkel)\b`,
		`(当|本)?(サイト|ページ|サーバー?|サービス|システム)`, `(本|该|此)?(网站|页面|服务器|系统|服务)`),
	some(`\byour (browser|connection|ip|network|address|device|request|visit|access|session|activity)\b`, // what the visitor uses
		`\b(ihr\w*|dein\w*) (browser|verbindung|ip\S*|netz\w*|adresse|gerät|anfrage|besuch|zugriff|zugang|sitzung)\b`,
		`\bvotre (navigateur|connexion|ip|réseau|adresse|appar\w+|requête|visite|accès|session)`,
		`\b(tu|su) (navegador|conexión|ip|red|dirección|dispositivo|solicitud|visita|acceso|sesión)`,
		`\b(tuo|tua|suo|sua) (browser|connessione|ip|rete|richiesta|visita|accesso)\b`,
		`\b(je|uw) (browser|verbinding|ip|netwerk|verzoek|toegang)\b`,
		`(お客様|お使い|あなた)の(ブラウザ|接続|ip|ネットワーク|端末|アクセス)`, `(您|你)的(浏览器|连接|ip|网络|请求|访问)`),
	some(`\b(wait|patience|patient|again|later|shortly|seconds|minutes|moment)\b`, // the time
		`\b(warten|geduld|gleich|später|erneut|sekunden|minuten|augenblick|wieder|zurück)\b`,
		`\b(patient\w+|instant|plus tard|secondes|minutes|bientôt|réessay\w+|revenons)\b`,
		`\b(espera|espere|moment\w|más tarde|segundos|minutos|de nuevo|pronto)\b`,
		`\b(attend\w+|attimo|più tardi|secondi|minuti|di nuovo)\b`,
		`\b(wacht|later|seconden|minuten|opnieuw|terug)\b`, `お待ち|しばらく|もう一度|再度|秒|分ほど`, `稍候|稍后|请等|再试|重试`),
	some(`\b(automatic\w*|refresh\w*|reload\w*|redirect\w*|(taken|sent|forwarded) (to|on)|stay on this)\b`, // what happens next
		`\b(automatisch|neu geladen|lädt|neu laden|weitergeleitet)\b`, `\b(automatique\w*|actualis\w+|redirig\w+)\b`,
		`\b(automática\w*|actualiza\w*|redirig\w+)\b`, `\b(automatica\w*|aggiorn\w+|reindirizz\w+)\b`, `\b(ververs\w*|doorgestuurd)\b`,
		`自動|更新`, `自动|刷新|跳转`),
	some(`\b(id|code|ref|reference|trace|incident|event|ticket|vorgang\w*|référence|referencia)\W{1,4}[0-9a-f][0-9a-f.-]{4,}`), // a number
	some(`\b(unusual|suspicious|automated|firewall|security|protect\w*)\b`,
		`\b(ungewöhnlich\w*|verdächtig\w*|sicherheit\w*|schutz\w*)\b`, // a reason
		`\b(inhabituel\w*|suspect\w*|pare-feu|sécurité|protéger)`, `\b(inusual|sospechos\w*|cortafuegos|seguridad|proteg\w+)`,
		`\b(insolit\w*|sospett\w*|sicurezza)\b`, `\b(ongebruikelijk\w*|verdacht\w*|beveiliging)\b`, `不審|セキュリティ|保護`, `异常|可疑|安全`),
}

// cores are what one of the kinds is about.
var cores = []struct {
	kind  WallKind
	words *regexp.Regexp
}{
	{WallQueue, some(`\b(queue|waiting room|busier|very busy|high demand)\b`, `warteschlange|warteraum|andrang`,
		`\bfile d.attente|salle d.attente|votre numéro\b`,
		`\b(sala de espera|en cola|tu turno)\b`, `\b(in coda|sala d.attesa)\b`, `\bwachtrij\b`, `混み合|混雑|順番`, `排队|排隊`)},
	{WallChallenge, some(`\b(denied|blocked|restricted|forbidden|suspended|not allowed|human|robots?|bots?)\b`,
		`\b(gesperrt|blockiert|verweigert|verboten|mensch|roboter|bots?)\b`, `\b(refusée?|bloquée?|suspendu|interdit|humain|robots?)\b`,
		`\b(denegad|bloquead|restringid|suspendid|prohibid|humano|robots?)`, `\b(negat|bloccat|sospes|vietat|umano|robot)`,
		`\b(geweigerd|geblokkeerd|mens|robots?)\b`,
		`\byour (browser|connection)\b.{0,15}\b(check|inspect|verif|analy|review)`,
		`\bihr\w* (browser|verbindung)\b.{0,15}\b(ge|über)?prüf`,
		`拒否|制限|禁止|ロボット|人間`, `拒绝|阻止|限制|禁止|机器人|真人`)},
	{WallMaintenance, some(`\b(maintenance|downtime|updating|upgrad\w+|service break|out of service|offline)\b`,
		`wartung|\bupdates?\b|\boffline\b|\bpause\b`,
		`\b(en maintenance|mise à jour|en travaux|hors ligne)`, `\b(mantenimiento|actualizando|en obras|fuera de servicio)\b`,
		`\b(manutenzione|aggiornando|fuori servizio)\b`, `\b(onderhoud|bijwerken|offline)\b`, `メンテナンス|更新中|停止中|工事中`, `维护|升级|更新中`)},
	{WallError, some(`^(an? )?((internal|server|unexpected|fatal|critical|unknown|application) )*error\W*(\d{3})?\W*$`,
		`\b(page|site|request|data)\b.{0,20}\b(failed|could not be|cannot be|can.t be)\b`, `\bunable to (load|connect|reach)\b`,
		`^((interner|unbekannter|unerwarteter) )?(server)?fehler\W*(\d{3})?\W*$`, `\b(seite|anfrage|daten)\b.{0,20}\bkonnten? nicht\b`,
		`^erreur( interne| inattendue| du serveur)*\W*(\d{3})?\W*$`, `\bimpossible d(e |.)(charger|afficher|se connecter)`,
		`^error( interno| inesperado| del servidor)*\W*(\d{3})?\W*$`, `\bno se (pudo|puede) (cargar|mostrar|conectar)`,
		`^errore( interno| imprevisto| del server)*\W*(\d{3})?\W*$`, `\bimpossibil\w (caricare|connettersi)`,
		`^(interne )?(server)?fout\W*(\d{3})?\W*$`,
		`^(システム|サーバー?)?エラー\PL*$`, `(読み込め|表示でき|接続でき)ません`, `^(系统|服务器)?错误\PL*$`, `无法(加载|连接|显示)`)},
}

// byMarks tells a wall by what all of them say; nil for a page that has something besides, or of which no heading is about a wall.
func (s *survey) byMarks() *Wall {
	if s.words > mostWordsOfMarks || s.links > mostLinksOfMarks || s.media > 0 || s.fields > 0 || !s.bare() {
		return nil
	}
	found := 0
	for _, mark := range marks {
		if mark.MatchString(s.title + " " + s.text) {
			found++
		}
	}
	if found < fewestMarks {
		return nil
	}
	names := []string{s.heading, s.title}
	if s.saysLittle() {
		names = append(names, s.opening()...)
	}
	for i := range cores {
		for _, name := range names {
			if cores[i].words.MatchString(name) {
				return &Wall{cores[i].kind, Ellipsis(name, maxWallSign)}
			}
		}
	}
	return nil
}
