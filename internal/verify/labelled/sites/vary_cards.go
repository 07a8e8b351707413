package sites

import "fmt"

// Pictures, cards and people of which another choice is shown.

func thumbnails(p *varying) *node {
	row := box("div", "thumbs", "display:flex;flex-wrap:wrap;gap:8px")
	for _, i := range p.sample(6, 20) {
		row.add(p.photo("thumbs-image", i, 110, 80))
	}
	return row
}

// weeklyOffer is one of several products with its own price.
func weeklyOffer(p *varying) *node {
	names, now := p.titles(5), p.turn(5)
	prices := make([]int, 5)
	for i := range prices {
		prices[i] = 400 + p.r.IntN(8000)
	}
	return box("div", "deal", "display:flex;gap:20px;padding:14px;border:2px solid "+p.accent, p.photo("deal-image", now, 160, 160),
		box("div", "deal-body", "", words("h3", "deal-name", "", names[now]), words("p", "deal-amount", "font-size:22px",
			p.l.amount(prices[now])), p.button(p.l.buy)))
}

func lastSeen(p *varying) *node {
	names, row := p.titles(12), box("div", "seen", "display:flex;gap:14px;overflow:hidden")
	for n := range 3 + p.visit%3 {
		i := (p.visit + 5*n) % 12
		row.add(box("a", "seen-item", "width:120px;color:#333", p.photo("seen-image", i, 120, 90), words("span", "seen-name",
			"font-size:13px", names[i])).with("href", "/s"))
	}
	return row
}

func slideWithCount(p *varying) *node {
	names, now := p.titles(6), p.turn(6)
	return box("div", "show", "", p.photo("show-image", now, 560, 210), box("div", "show-foot",
		"display:flex;justify-content:space-between", words("p", "show-text", "margin:4px 0", names[now]),
		words("span", "show-count", "", fmt.Sprintf("%d / 6", now+1))))
}

func heroOfMany(p *varying) *node {
	names, texts, now := p.titles(4), p.sentences(4), p.turn(4)
	return box("div", "front", "position:relative", p.photo("front-image", now, 720, 240),
		box("div", "front-body", "padding:12px 0", words("h2", "front-title", "", names[now]), words("p", "front-text", "", texts[now]),
			p.button(p.l.more)))
}

func mosaic(p *varying) *node {
	all := box("div", "mosaic", "display:grid;grid-template-columns:repeat(4,100px);gap:6px")
	for n, i := range p.sample(7, 16) {
		span := ""
		if (n+p.visit)%3 == 0 {
			span = "grid-column:span 2"
		}
		all.add(box("div", "mosaic-cell", span, p.photo("mosaic-image", i, 100, 76)))
	}
	return all
}

func author(p *varying) *node {
	texts, now := p.sentences(5), p.turn(5)
	return box("div", "person", "display:flex;gap:14px", p.photo("person-face", now, 72, 72), box("div", "person-body", "",
		words("b", "person-name", "", people[now]+" "+capital(p.l.nouns[now])), words("p", "person-text", "margin:2px 0", texts[now])))
}

func circleOfFaces(p *varying) *node {
	row := box("div", "circle", "display:flex")
	for n, i := range p.sample(7, 16) {
		face := p.photo("circle-face", i, 56, 56)
		face.restyle(fmt.Sprintf("border-radius:50%%;border:3px solid #fff;margin-left:%dpx", -14*min(n, 1)))
		row.add(face)
	}
	return row
}

func chips(p *varying) *node {
	row := box("div", "chips", "display:flex;flex-wrap:wrap;gap:8px")
	for _, i := range p.sample(6, len(p.l.nouns)) {
		row.add(words("span", "chip", "padding:4px 12px;border-radius:14px;background:#e7e5e4", p.l.nouns[i]))
	}
	return row
}

func wordOfTheDay(p *varying) *node {
	texts, now := p.sentences(9), p.turn(9)
	return box("div", "word", "", words("h4", "word-name", "font-size:24px;margin:0", capital(p.l.nouns[now])),
		words("p", "word-text", "color:#555", texts[now]))
}

func dialogue(p *varying) *node {
	texts := p.sentences(14)
	all := box("div", "talk", "")
	for n := range 4 {
		i := (p.visit*3 + n) % 14
		side := []string{"left", "right"}[n%2]
		all.add(box("div", "talk-line", "text-align:"+side, words("span", "talk-text",
			"display:inline-block;padding:8px 12px;background:#eef;border-radius:10px;margin:3px 0", texts[i])))
	}
	return all
}
