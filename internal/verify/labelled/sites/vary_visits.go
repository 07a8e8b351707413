package sites

import "fmt"

// Parts that depend on the visitor, the session or the time, and small overlays.

func greetingByName(p *varying) *node {
	return box("div", "welcome", "", words("p", "welcome-text", "", fmt.Sprintf(p.l.hello, people[p.turn(len(people))])))
}

func member(p *varying) *node {
	i := p.turn(len(people))
	return box("div", "account", "display:flex;gap:10px;align-items:center", p.photo("account-face", i, 36, 36),
		words("span", "account-name", "", people[i]+" "+capital(p.l.nouns[i%len(p.l.nouns)])))
}

func suggestedSearch(p *varying) *node {
	return box("div", "finder", "", words("p", "finder-text", "", fmt.Sprintf(p.l.search, p.l.nouns[p.turn(9)])),
		box("input", "finder-input", "padding:8px;width:260px"))
}

func arithmetic(p *varying) *node {
	return box("div", "check", "", words("label", "check-text", "", fmt.Sprintf("%d + %d =", 1+p.v.IntN(9), 1+p.visit%9)),
		box("input", "check-input", "width:60px;padding:6px"))
}

func reference(p *varying) *node {
	return box("div", "session", "", words("small", "session-text", "color:#777", fmt.Sprintf("Ref %06x-%04x", p.v.IntN(1<<24),
		p.v.IntN(1<<16))))
}

func build(p *varying) *node {
	return box("div", "edition", "", words("small", "edition-text", "color:#777", fmt.Sprintf("v2.%d.%d · %07x", 10+p.visit, p.v.IntN(9),
		p.v.IntN(1<<28))))
}

func clock(p *varying) *node {
	return box("div", "hour", "", words("span", "hour-text", "font-size:26px", clockOf(p.minute())))
}

func timeLeft(p *varying) *node {
	all := box("div", "remaining", "display:flex;gap:10px")
	for _, most := range []int{30, 24, 60, 60} {
		all.add(words("span", "remaining-figure", "padding:10px;background:#333;color:#fff;font-size:24px", fmt.Sprintf("%02d",
			p.v.IntN(most))))
	}
	return all
}

func dateOfToday(p *varying) *node {
	return box("div", "calendar-line", "", words("p", "calendar-text", "", fmt.Sprintf("%s, %s, %s", p.l.today, p.l.days[p.visit%7],
		p.l.date(40+p.visit))))
}

func lastUpdate(p *varying) *node {
	m := p.minute()
	return box("div", "state-line", "", words("p", "state-text", "", fmt.Sprintf(p.l.updated, m/60, m%60)))
}

func since(p *varying) *node {
	all := box("div", "entries", "")
	for n, name := range p.titles(4) {
		m := 30 + 97*n + p.visit*53%90 + p.v.IntN(40)
		all.add(box("div", "entry", "padding:6px 0", words("b", "entry-name", "", name),
			words("span", "entry-age", "margin-left:10px;color:#666", fmt.Sprintf("%d h %d min", m/60, m%60))))
	}
	return all
}

// shown reports whether an overlay is there on this visit; it differs between a visit and the next.
func (p *varying) shown() bool { return p.visit%2 == 1 }

func fixed(role, place string, kids ...*node) *node {
	return box("div", role, "position:fixed;z-index:9;background:#fff;border:1px solid #bbb;padding:12px;box-sizing:border-box;"+place,
		kids...)
}

func cookieBar(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("bar", "left:0;right:0;bottom:0", words("span", "bar-text", "", p.l.cookies+" "), p.button(p.l.accept))
}

func chatButton(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("bubble", "right:20px;bottom:20px;width:60px;height:60px;border-radius:30px;background:#2563eb").
		with("title", p.l.chat)
}

func purchaseNotice(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("notice", "left:16px;bottom:16px;width:300px", words("b", "notice-name", "", people[p.turn(16)]),
		words("p", "notice-text", "margin:2px 0", p.titles(4)[p.turn(4)]), words("small", "notice-age", "", fmt.Sprintf(p.l.ago,
			1+p.v.IntN(50))))
}

func questionTab(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("poll", "right:0;top:300px;width:150px", words("p", "poll-text", "margin:0", p.titles(1)[0]+"?"), p.button(p.l.send))
}

func invitation(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("invite", "right:16px;bottom:16px;width:260px", p.photo("invite-image", 1, 60, 60), words("p", "invite-text", "",
		p.l.chat),
		p.button(p.l.accept))
}
