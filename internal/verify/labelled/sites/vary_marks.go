package sites

import (
	"fmt"
	"slices"
)

// Marks that move on, colours that change and tables in another order.

func monthGrid(p *varying) *node {
	all := box("div", "month", "display:grid;grid-template-columns:repeat(7,44px)")
	for i := range 28 {
		look := "padding:8px;text-align:center"
		if i == (9+p.visit)%28 {
			look += ";background:#333;color:#fff"
		}
		all.add(words("span", "month-day", look, fmt.Sprint(i+1)))
	}
	return all
}

func markedRow(p *varying) *node {
	names, table := p.titles(6), box("table", "rota", "")
	for i, name := range names {
		look := ""
		if i == p.turn(6) {
			look = "background:#dcfce7"
		}
		table.add(box("tr", "rota-row", look, words("td", "rota-name", "padding:6px 18px", name),
			words("td", "rota-who", "padding:6px 18px", people[i])))
	}
	return table
}

func pages(p *varying) *node {
	names, now := p.titles(15), p.turn(5)
	all, foot := box("div", "browse", ""), box("div", "pager", "display:flex;gap:6px;margin-top:8px")
	for n := range 3 {
		all.add(words("p", "browse-line", "margin:4px 0", names[3*now+n]))
	}
	for i := range 5 {
		look := "padding:4px 10px;border:1px solid #999"
		if i == now {
			look += ";background:#444;color:#fff"
		}
		foot.add(words("a", "pager-item", look, fmt.Sprint(i+1)).with("href", "/p"))
	}
	return all.add(foot)
}

func sortedOtherwise(p *varying) *node {
	names, table := p.titles(5), box("table", "league", "")
	order := p.v.Perm(5)
	for place, i := range order {
		table.add(box("tr", "league-row", "", words("td", "league-place", "padding:5px", fmt.Sprint(place+1)), words("td", "league-name",
			"padding:5px 20px", names[i]), words("td", "league-figure", "padding:5px", fmt.Sprint(60-5*place))))
	}
	return table
}

func otherGround(p *varying) *node {
	grounds := list("#fef3c7,#dbeafe,#dcfce7,#fae8ff")
	return box("div", "panel", "padding:22px;background:"+grounds[p.turn(4)], words("h3", "panel-title", "", p.titles(1)[0]),
		words("p", "panel-text", "", p.l.sentence(p.r, 2)))
}

func seats(p *varying) *node {
	drawing := chart(400, 160)
	for i := range 40 {
		shade := "#a7f3d0"
		if p.v.IntN(3) == 0 {
			shade = "#d1d5db"
		}
		drawing.add(box("circle", "", "").with("cx", fmt.Sprint(25+38*(i%10)), "cy", fmt.Sprint(25+36*(i/10)), "r", "13", "fill", shade))
	}
	return box("div", "hall", "", drawing)
}

func heat(p *varying) *node {
	table := box("table", "heat", "border-spacing:3px")
	for range 4 {
		row := box("tr", "heat-row", "")
		for range 8 {
			row.add(box("td", "heat-cell", fmt.Sprintf("width:30px;height:24px;background:hsl(140 60%% %d%%)", 40+p.v.IntN(50))))
		}
		table.add(row)
	}
	return table
}

func steppers(p *varying) *node {
	texts, now := p.sentences(4), p.turn(4)
	row := box("div", "stepper", "display:flex;gap:10px")
	for i := range 4 {
		look := "flex:1;padding:6px;border-bottom:4px solid #ddd"
		if i == now {
			look = "flex:1;padding:6px;border-bottom:4px solid " + p.accent
		}
		row.add(words("span", "stepper-mark", look, fmt.Sprintf("0%d", i+1)))
	}
	return box("div", "steppers", "", row, words("p", "stepper-text", "", texts[now]))
}

func moon(p *varying) *node {
	drawing := chart(90, 90)
	drawing.add(box("circle", "", "").with("cx", "45", "cy", "45", "r", "38", "fill", "#fde68a"), box("circle", "", "").with("cx",
		fmt.Sprint(p.visit*6), "cy", "45", "r", "38", "fill", "#1e293b"))
	return box("div", "sky-phase", "display:flex;gap:12px;background:#1e293b;color:#fff;padding:8px", drawing, words("span", "sky-text", "",
		p.titles(8)[p.turn(8)]))
}

func headlineSwap(p *varying) *node {
	names := p.titles(10)
	first := consecutive(p.visit%7, 3)
	all := box("div", "leads", "", words("h2", "leads-title", "", names[first[0]]))
	for _, i := range first[1:] {
		all.add(words("h4", "leads-sub", "margin:4px 0", names[i]))
	}
	return all
}

func reversedList(p *varying) *node {
	names := p.titles(5)
	if p.shown() {
		slices.Reverse(names)
	}
	all := box("ul", "items", "")
	for _, name := range names {
		all.add(words("li", "item", "", name))
	}
	return all
}
