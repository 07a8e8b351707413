package sites

import "fmt"

// Parts that show measurements of the moment, in numbers or drawn.

func temperature(p *varying) *node {
	degrees := p.v.IntN(30) - 5
	drawing := box("svg", "sky-sign", "display:block").with("width", "60", "height", "60", "viewBox", "0 0 60 60")
	for i := range 2 + p.visit%3 {
		drawing.add(box("circle", "", "").with("cx", fmt.Sprint(15+12*i), "cy", fmt.Sprint(20+p.v.IntN(20)), "r", fmt.Sprint(8+p.v.IntN(8)),
			"fill", []string{"#f5b301", "#9fb3c8", "#5b7083"}[p.visit%3]))
	}
	return box("div", "sky", "display:flex;gap:12px;align-items:center", drawing, words("span", "sky-figure", "font-size:28px",
		fmt.Sprintf("%d°", degrees)),
		words("span", "sky-place", "", capital(pick(p.r, p.l.nouns))))
}

func chart(width, height int) *node {
	return box("svg", "drawing", "display:block").with("width", fmt.Sprint(width), "height", fmt.Sprint(height), "viewBox",
		fmt.Sprintf("0 0 %d %d", width, height))
}

func bars(p *varying) *node {
	drawing := chart(420, 160)
	for i := range 10 {
		height := 20 + p.v.IntN(130)
		drawing.add(box("rect", "", "").with("x", fmt.Sprint(6+41*i), "y", fmt.Sprint(160-height), "width", "30", "height",
			fmt.Sprint(height),
			"fill", p.accent))
	}
	return box("div", "statistics", "", words("h3", "statistics-title", "", p.titles(1)[0]), drawing)
}

// path draws a line through random heights.
func (p *varying) path(points, width, height int) string {
	text := "M"
	for i := range points {
		text += fmt.Sprintf("%d %d ", i*width/(points-1), 10+p.v.IntN(height-20))
	}
	return text
}

func sparkline(p *varying) *node {
	drawing := chart(360, 90)
	drawing.add(box("path", "", "").with("d", p.path(18, 360, 90), "fill", "none", "stroke", p.accent, "stroke-width", "2"))
	return box("div", "trend", "", words("span", "trend-name", "", p.titles(1)[0]), drawing,
		words("b", "trend-figure", "", fmt.Sprintf("%+.1f %%", float64(p.v.IntN(80)-40)/10)))
}

func rates(p *varying) *node {
	table := box("table", "rates", "")
	for range 5 {
		base := 200 + p.r.IntN(9000)
		change := p.v.IntN(41) - 20
		shade := "#15803d"
		if change < 0 {
			shade = "#b91c1c"
		}
		table.add(box("tr", "rates-row", "", words("td", "rates-name", "padding:4px 16px 4px 0", p.l.title(p.r)),
			words("td", "rates-figure", "padding:4px 16px", p.l.number(base+base*change/200)),
			words("td", "rates-change", "color:"+shade, fmt.Sprintf("%+d.%d %%", change/10, max(change, -change)%10))))
	}
	return table
}

func looking(p *varying) *node {
	return box("div", "audience", "", words("h3", "audience-title", "", p.titles(1)[0]),
		words("span", "audience-figure", "", fmt.Sprintf(p.l.viewers, 3+p.visit%7+p.v.IntN(20))))
}

func freePlaces(p *varying) *node {
	all := box("div", "places", "")
	for range 4 {
		size := 40 + p.r.IntN(200)
		free := 1 + p.v.IntN(size-1)
		all.add(box("div", "places-row", "display:flex;gap:12px;padding:4px 0", words("span", "places-name", "width:220px", p.l.title(p.r)),
			words("b", "places-figure", "width:40px", fmt.Sprint(free)),
			box("span", "places-bar", fmt.Sprintf("display:block;height:14px;background:%s;width:%dpx", p.accent, free))))
	}
	return all
}

func departures(p *varying) *node {
	table := box("table", "timetable", "")
	names := p.titles(9)
	for i := range 5 {
		table.add(box("tr", "timetable-row", "", words("td", "timetable-time", "padding:4px 16px 4px 0", clockOf((p.minute()+11*i)%1440)),
			words("td", "timetable-line", "padding:4px 16px", fmt.Sprint(1+(p.visit+i)%6)), words("td", "timetable-aim", "",
				names[(p.visit*2+i)%9])))
	}
	return table
}

func scores(p *varying) *node {
	all := box("div", "games", "")
	for range 3 {
		all.add(box("div", "game", "display:flex;gap:16px;padding:6px 0", words("span", "game-home", "width:160px", p.l.title(p.r)),
			words("b", "game-score", "", fmt.Sprintf("%d : %d", p.v.IntN(5), p.v.IntN(5))), words("span", "game-guest", "", p.l.title(p.r)),
			words("i", "game-minute", "", fmt.Sprintf("%d’", 1+p.v.IntN(90)))))
	}
	return all
}

func ring(p *varying) *node {
	share := 5 + p.v.IntN(90)
	drawing := chart(140, 140)
	drawing.add(box("circle", "", "").with("cx", "70", "cy", "70", "r", "50", "fill", "none", "stroke", "#ddd", "stroke-width", "16"),
		box("circle", "", "").with("cx", "70", "cy", "70", "r", "50", "fill", "none", "stroke", p.accent, "stroke-width", "16",
			"stroke-dasharray", fmt.Sprintf("%d 314", share*314/100)))
	return box("div", "share", "", drawing, words("b", "share-figure", "font-size:24px", fmt.Sprintf("%d %%", share)),
		words("p", "share-name", "", p.titles(1)[0]))
}

func gauge(p *varying) *node {
	value := p.v.IntN(160)
	drawing := chart(200, 110)
	drawing.add(box("path", "", "").with("d", "M20 100 A80 80 0 0 1 180 100", "fill", "none", "stroke", "#ddd", "stroke-width", "18"),
		box("path", "", "").with("d", fmt.Sprintf("M100 100 L%d %d", 20+value, 30+max(value-80, 80-value)/2), "stroke", "#333",
			"stroke-width", "4"))
	return box("div", "dial", "", drawing, words("p", "dial-text", "", fmt.Sprintf("%d hPa", 950+value/2)))
}

func waiting(p *varying) *node {
	return box("div", "desk", "padding:14px;background:#eef", words("h3", "desk-name", "", p.titles(1)[0]),
		words("p", "desk-time", "font-size:22px", fmt.Sprintf("%d min", 3+(p.visit*7+p.v.IntN(5))%50)))
}

func levels(p *varying) *node {
	all := box("dl", "gauges", "display:grid;grid-template-columns:200px 80px 1fr;gap:6px")
	for range 4 {
		height := 100 + p.v.IntN(300)
		all.add(words("dt", "gauges-name", "", p.l.title(p.r)), words("dd", "gauges-figure", "margin:0", fmt.Sprintf("%d cm", height)),
			box("dd", "gauges-bar", fmt.Sprintf("margin:0;height:12px;background:#38bdf8;width:%dpx", height/2)))
	}
	return all
}

func waves(p *varying) *node {
	drawing := chart(520, 120)
	for i := range 3 {
		drawing.add(box("path", "", "").with("d", p.path(12, 520, 120), "fill", "none", "stroke", accents[i], "stroke-width", "3"))
	}
	return box("div", "swell", "", drawing)
}

func dappled(p *varying) *node {
	drawing := chart(560, 140)
	for range 24 {
		drawing.add(box("circle", "", "").with("cx", fmt.Sprint(p.v.IntN(560)), "cy", fmt.Sprint(p.v.IntN(140)), "r",
			fmt.Sprint(4+p.v.IntN(20)),
			"fill", pick(p.v, accents), "opacity", "0.5"))
	}
	return box("div", "scenery", "background:#fafafa", drawing)
}

func squares(p *varying) *node {
	row := box("div", "crowd", "display:flex;gap:14px")
	for range 4 {
		drawing := chart(60, 60)
		for i := range 9 {
			if p.v.IntN(2) == 0 {
				drawing.add(box("rect", "", "").with("x", fmt.Sprint(20*(i%3)), "y", fmt.Sprint(20*(i/3)), "width", "20", "height", "20",
					"fill", pick(p.v, accents)))
			}
		}
		row.add(box("div", "crowd-face", "", drawing, words("span", "crowd-name", "", pick(p.r, people))))
	}
	return row
}
