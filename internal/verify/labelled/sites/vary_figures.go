package sites

import "fmt"

// Figures with their drawings, and small things that come and go.

func pollBars(p *varying) *node {
	names, all, rest := p.titles(3), box("div", "ballot", ""), 100
	for i, name := range names {
		share := rest
		if i < 2 {
			share = 10 + p.v.IntN(max(1, rest-20))
		}
		rest -= share
		all.add(box("div", "ballot-row", "padding:4px 0", words("span", "ballot-name", "", name), box("div", "ballot-bar",
			fmt.Sprintf("height:10px;background:%s;width:%d%%", p.accent, max(share, 1))),
			words("b", "ballot-figure", "", fmt.Sprintf("%d %%", share))))
	}
	return all
}

func converter(p *varying) *node {
	return box("div", "exchange", "padding:12px;border:1px solid #bbb", words("p", "exchange-text", "margin:0", fmt.Sprintf("1 € = %s $",
		p.l.number(95+p.v.IntN(30)))), words("small", "exchange-time", "", fmt.Sprintf(p.l.updated, p.minute()/60, p.minute()%60)))
}

func flags(p *varying) *node {
	row := box("div", "origins", "display:flex;gap:16px")
	for _, i := range p.sample(5, 16) {
		row.add(box("span", "origin", "display:flex;gap:4px;align-items:center", p.photo("origin-flag", i, 24, 16), words("span",
			"origin-count", "", fmt.Sprint(1+p.v.IntN(900)))))
	}
	return row
}

func goal(p *varying) *node {
	share := 20 + 4*p.visit + p.v.IntN(4)
	return box("div", "goal", "", words("h3", "goal-name", "", p.titles(1)[0]), box("div", "goal-line", "background:#ddd;height:16px",
		box("div", "goal-done", fmt.Sprintf("background:%s;height:16px;width:%d%%", p.accent, share))),
		words("p", "goal-text", "", fmt.Sprintf("%d %%", share)))
}

func radar(p *varying) *node {
	drawing, line := chart(220, 200), "M"
	for i := range 6 {
		reach := 25 + p.v.IntN(60)
		dx, dy := []int{0, 87, 87, 0, -87, -87}[i], []int{-100, -50, 50, 100, 50, -50}[i]
		line += fmt.Sprintf("%d %d ", 110+dx*reach/100, 100+dy*reach/100)
	}
	drawing.add(box("path", "", "").with("d", line+"Z", "fill", p.accent, "opacity", "0.5"))
	return box("figure", "profile", "margin:0", drawing, words("figcaption", "profile-text", "", p.titles(1)[0]))
}

func routes(p *varying) *node {
	all := box("div", "traffic", "")
	for i, name := range p.titles(4) {
		delay := p.v.IntN(25)
		shade := []string{"#16a34a", "#d97706", "#dc2626"}[min(2, delay/9)]
		all.add(box("div", "traffic-row", "display:flex;gap:12px;align-items:center;padding:5px 0", box("i", "traffic-mark",
			"width:12px;height:12px;border-radius:6px;background:"+shade), words("span", "traffic-name", "width:240px", name),
			words("b", "traffic-time", "", fmt.Sprintf("%d min", 12+8*i+delay))))
	}
	return all
}

func stockChart(p *varying) *node {
	value := 9000 + p.v.IntN(3000)
	drawing := chart(300, 110)
	drawing.add(box("path", "", "").with("d", p.path(24, 300, 110)+"L300 110 L0 110 Z", "fill", "#bfdbfe"))
	return box("div", "index", "", words("b", "index-figure", "font-size:24px", p.l.number(value)), drawing)
}

func balance(p *varying) *node {
	all := box("div", "counters", "display:flex;gap:30px")
	for i, name := range p.titles(3) {
		all.add(box("div", "counter", "text-align:center", words("div", "counter-figure", "font-size:30px",
			fmt.Sprint(1000*(i+2)+37*p.visit+p.v.IntN(30))), words("div", "counter-name", "", name)))
	}
	return all
}

// newsLine stands in the flow of the page on every other visit.
func newsLine(p *varying) *node {
	if !p.shown() {
		return box("div", "line-place", "")
	}
	return box("div", "line-place", "", box("div", "line", "padding:8px 14px;background:#fff1f2", words("b", "line-mark", "", p.l.news+" "),
		words("span", "line-text", "", p.titles(1)[0])))
}

func toast(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("popup-note", "right:24px;top:90px;width:240px", words("span", "popup-note-text", "", p.l.sentence(p.r, 1)))
}

func upButton(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("rise", "right:18px;bottom:86px;width:44px;height:44px;border-radius:22px", words("span", "rise-mark", "", "↑"))
}

func languageSwitch(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("tongue", "left:12px;top:12px", words("a", "tongue-link", "", "EN | DE").with("href", "/e"))
}

func ratingTab(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("stars", "right:0;top:46%;width:54px;background:#facc15;text-align:center", words("b", "stars-figure", "",
		fmt.Sprintf("4.%d", p.v.IntN(10))), words("small", "stars-text", "display:block", "★★★★"))
}
