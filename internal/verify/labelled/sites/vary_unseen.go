package sites

import "fmt"

// What varies on the unseen sites.
var unseenKinds = []*Kind{
	{"backdrop exchanged", Unseen, false, backdrop},
	{"map with moving marks", Unseen, false, movingMarks},
	{"song of the moment", Unseen, false, song},
	{"tape at another place", Unseen, false, tape},
	{"topics by their last answer", Unseen, false, topics},
	{"three facts of many", Unseen, false, facts},
	{"day marked in the week", Unseen, false, markedDay},
	{"response times", Unseen, false, responseTimes},
	{"bar for another region", Unseen, false, regionBar},
	{"tag at the edge", Unseen, true, edgeTag},
}

// backdrop is a text before a picture that no image element shows.
func backdrop(p *varying) *node {
	source := fmt.Sprintf("/picture/%d/900x240.jpg", (p.seed+uint64(p.turn(8))*7919)%1_000_000)
	return box("div", "scene", "height:240px;padding:30px;background:#889 url("+source+") center/cover",
		words("h2", "scene-title", "color:#fff;text-shadow:0 0 4px #000", p.titles(1)[0]), p.button(p.l.more))
}

func movingMarks(p *varying) *node {
	drawing := chart(500, 240)
	drawing.add(box("rect", "", "").with("x", "0", "y", "0", "width", "500", "height", "240", "fill", "#e8efe4"),
		box("path", "", "").with("d", "M0 150 C120 90 260 210 500 110", "fill", "none", "stroke", "#9cc3e6", "stroke-width", "18"))
	for range 6 {
		drawing.add(box("circle", "", "").with("cx", fmt.Sprint(20+p.v.IntN(460)), "cy", fmt.Sprint(20+p.v.IntN(200)), "r", "7", "fill",
			"#c2410c"))
	}
	return box("div", "fleet", "", words("h3", "fleet-title", "", p.titles(1)[0]), drawing)
}

func song(p *varying) *node {
	names, length := p.titles(12), 150+p.v.IntN(120)
	at := p.v.IntN(length)
	return box("div", "deck", "display:flex;gap:14px;padding:12px;background:#1f2430;color:#fff", p.photo("deck-cover", p.turn(12), 80, 80),
		box("div", "deck-body", "flex:1", words("b", "deck-title", "display:block", names[p.turn(12)]),
			words("span", "deck-by", "display:block", people[p.turn(12)]+" & "+people[(p.visit+3)%16]),
			box("div", "deck-line", "height:4px;background:#555;margin:8px 0", box("div", "deck-done",
				fmt.Sprintf("height:4px;background:#fff;width:%d%%", 100*at/length))),
			words("small", "deck-time", "", fmt.Sprintf("%d:%02d / %d:%02d", at/60, at%60, length/60, length%60))))
}

// tape is a running text that is at another place on each visit.
func tape(p *varying) *node {
	line := box("div", "run", fmt.Sprintf("white-space:nowrap;position:relative;left:-%dpx", 60*p.turn(9)+p.v.IntN(40)))
	for _, text := range p.titles(6) {
		line.add(words("span", "run-item", "margin-right:36px", text))
	}
	return box("div", "runner", "overflow:hidden;background:#fff7d6;padding:8px 0", line)
}

func topics(p *varying) *node {
	names := p.titles(14)
	table := box("table", "board", "width:100%")
	for n, i := range p.sample(5, 9) {
		table.add(box("tr", "board-row", "", words("td", "board-name", "padding:7px", names[i]), words("td", "board-count", "padding:7px",
			fmt.Sprint(20*i+p.visit)), words("td", "board-last", "padding:7px", people[(i+p.visit)%16]+", "+fmt.Sprintf(p.l.ago,
			3+11*n+p.v.IntN(9)))))
	}
	return table
}

func facts(p *varying) *node {
	texts, row := p.sentences(9), p.grid("facts")
	for _, i := range p.sample(3, 9) {
		row.add(box("div", "fact", "padding:14px;background:#f2f4fb", words("div", "fact-figure", "font-size:34px", fmt.Sprint(7*i+12)),
			words("p", "fact-text", "margin:0", texts[i])))
	}
	return row
}

func markedDay(p *varying) *node {
	all := box("dl", "week", "display:grid;grid-template-columns:140px 1fr")
	for i, day := range p.l.days {
		look := "margin:0;padding:5px"
		if i == p.visit%7 {
			look += ";background:#fde68a;font-weight:bold"
		}
		all.add(words("dt", "week-day", look, day), words("dd", "week-hours", look, fmt.Sprintf("%d–%d", 8+i%3, 17+i%2)))
	}
	return all
}

func responseTimes(p *varying) *node {
	all := box("div", "health", "")
	for _, name := range p.titles(3) {
		drawing := chart(240, 30)
		for i := range 30 {
			height := 6 + p.v.IntN(22)
			drawing.add(box("rect", "", "").with("x", fmt.Sprint(8*i), "y", fmt.Sprint(30-height), "width", "5", "height",
				fmt.Sprint(height), "fill", "#15803d"))
		}
		all.add(box("div", "health-row", "display:flex;gap:18px;align-items:center;padding:6px 0", words("span", "health-name",
			"width:240px", name), drawing, words("span", "health-figure", "", fmt.Sprintf("%d ms", 40+p.v.IntN(400)))))
	}
	return all
}

func regionBar(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return box("div", "nudge", "background:#e0f2fe;padding:10px 16px", words("span", "nudge-text", "", p.titles(1)[0]+"? "),
		p.link("nudge-link", p.l.more))
}

func edgeTag(p *varying) *node {
	if !p.shown() {
		return nil
	}
	return fixed("tag", "left:0;bottom:180px;width:44px;height:130px;writing-mode:vertical-rl", words("span", "tag-text", "", p.l.send))
}
