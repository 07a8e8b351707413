package page

import "cmp"

// A page on which people sign in by a form, step by step: it has one or two fields, a button, and hardly a word besides.
const (
	mostWordsOfForm  = 60
	mostWordsOfSteps = 25 // where neither a heading nor the title speaks of signing in
	mostLinksOfForm  = 8
	mostFieldsOfForm = 2
)

var (
	// signsIn is a button that does it.
	signsIn = some(`^(sign|log)[ -]?(in|on)\W*$`, `^login\W*$`, `^(anmelden|einloggen)\W*$`, `^(se connecter|connexion|s.identifier)\W*$`,
		`^(iniciar sesión|acceder|ingresar|entrar)\W*$`, `^(accedi|entra)\W*$`, `^(inloggen|aanmelden)\W*$`,
		`^(iniciar sessão|aceder|acessar)\W*$`, `^zaloguj( się)?\PL*$`, `^logga in\W*$`, `^logg? (inn|ind|på)\W*$`, `^přihlásit( se)?\PL*$`,
		`^(kirjaudu( sisään)?|bejelentkezés|giriş( yap)?|oturum aç|đăng nhập)\PL*$`, `^(войти|вход|увійти)\PL*$`, `^(ログイン|サインイン)(する)?$`,
		`^(登录|登入|登錄)$`, `^로그인$`, `^تسجيل الدخول$`)
	// goesOn is a button that leads to the next step.
	goesOn = some(`^(next|continue|proceed|go on)\W*$`, `^(weiter|fortfahren)\W*$`, `^(suivant|continuer)\W*$`,
		`^(siguiente|continuar)\W*$`,
		`^(avanti|prosegui|continua)\W*$`, `^(volgende|doorgaan|verder)\W*$`, `^(próximo|seguinte|avançar)\W*$`,
		`^(dalej|nästa|fortsätt|næste|neste)\PL*$`,
		`^(далее|продолжить|далі)\PL*$`, `^(次へ|続行|続ける|次に進む)$`, `^(下一步|继续|繼續)$`, `^(다음|계속)$`, `^(ileri|devam( et)?)\PL*$`, `^التالي$`)
	// namesAccount is at a field for the name of somebody who has an account.
	namesAccount = some(`\be-?mail\b`, `\bphone\b`, `\buser ?(name|id)?\b`, `\baccount\b`,
		`\b(benutzer\w*|telefon\w*|kennung|kundennummer)\b`,
		`\b(identifiant|utilisateur|courriel|téléphone)\b`, `\b(usuario|correo|teléfono)\b`, `\b(utente|telefono)\b`,
		`\b(gebruikers?\w*|telefoon\w*|mailadres)\b`, `\b(usuário|utilizador|telefone)\b`, `użytkownik|telefon`,
		`\b(användar\w+|bruker\w+|bruger\w+)\b`,
		`пользовател|почт|телефон`, `メール|ユーザー|電話`, `邮箱|郵箱|手机|用户|帳號|账号`, `이메일|아이디|전화`, `kullanıcı|e-posta`)
	// asksToSignIn are headings of such pages.
	asksToSignIn = some(`\b(sign|log)[ -]?(in|on)\b`, `\blogin\b`, `\b(an|ein)(ge)?melden\b`, `\banmeldung\b`, `\beinloggen\b`,
		`\b(se connecter|connectez-vous|connexion|s.identifier|identifiez-vous)`, `\b(inicia\w* sesión|identifícate)\b`,
		`^acceso( (de|para) \w+)?$`, `^acceder$`,
		`\b(accedi|area riservata)\b`, `^accesso$`, `\b(inloggen|aanmelden)\b`, `\b(iniciar sessão|área reservada)`, `zaloguj|logowanie`,
		`\blogga in\b`,
		`\blogg? (inn|ind|på)\b`, `\bkirjaudu`, `войти|войдите`, `^вход( в .{1,30})?$`, `ログイン|サインイン`, `登录|登錄|登入`, `로그인`,
		`giriş yap|oturum aç`, `تسجيل الدخول`)
)

// signInByForm tells that the page asks for a user's name, and perhaps for more, and shows nothing else; nil for any other page.
func (s *survey) signInByForm(elements []Element, asked string) *Wall {
	if s.words > mostWordsOfForm || s.links > mostLinksOfForm || s.media > 1 || !s.bare() || isForSignIn(asked) {
		return nil
	}
	f := formIn(elements)
	if f.fields == 0 || f.fields > mostFieldsOfForm || f.first < f.heading { // a form in the head of a page
		return nil
	}
	sign := ""
	for _, name := range append([]string{s.heading, s.title}, s.opening()...) {
		if sign == "" && asksToSignIn.MatchString(name) {
			sign = name
		}
	}
	switch {
	case f.signsIn != "" && (sign != "" || s.heading != "" || s.words <= mostWordsOfSteps):
		sign = cmp.Or(sign, f.signsIn)
	case f.goesOn == "" || !f.named || f.fields > 1:
		return nil
	}
	if sign == "" {
		return nil
	}
	return &Wall{WallSignIn, Ellipsis(sign, maxWallSign)}
}

// form is what a page has of a form.
type form struct {
	fields          int    // to write into
	first           int    // the number of the first one
	heading         int    // the number of the first heading; -1 for none
	named           bool   // a field is for the name of an account
	signsIn, goesOn string // words of such a button
}

func formIn(elements []Element) form {
	f := form{heading: -1}
	label := ""
	for i := range elements {
		e := &elements[i]
		switch answer := e.answer(); {
		case e.isButton() && signsIn.MatchString(answer):
			f.signsIn = answer
		case e.isButton() && goesOn.MatchString(answer):
			f.goesOn = answer
		case e.Tag == "label":
			label = e.Text
		case e.isHeading() && f.heading < 0:
			f.heading = i
		case e.Tag == "textarea" || e.Tag == "input" && writtenRoles[e.Role]:
			if f.fields++; f.fields == 1 {
				f.first = i
			}
			f.named = f.named || namesAccount.MatchString(label+" "+e.Text+" "+e.Hint)
		}
	}
	return f
}

// writtenRoles are those of inputs to write into. A password has none.
var writtenRoles = map[string]bool{"textbox": true, "searchbox": true, "": true}
