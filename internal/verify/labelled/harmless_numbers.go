package labelled

import (
	"fmt"
	"strings"
)

// Counters and other numbers.

func visitorCounter(p *pair) {
	n := 10_000 + p.r.IntN(900_000)
	count := func(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }
	p.beside("visits", "You are visitor number "+count(n), "You are visitor number "+count(n+37+p.r.IntN(500)))
}

func peopleViewing(p *pair) {
	n := 2 + p.r.IntN(20)
	p.beside("viewing", fmt.Sprintf("<p>🔥 %d people are viewing this right now</p>", n),
		fmt.Sprintf("<p>🔥 %d people are viewing this right now</p>", n+3))
}

func likes(p *pair) {
	n := 1 + p.r.IntN(300)
	bar := func(d *document, likes, comments int) string {
		return fmt.Sprintf(`<p><span class=%q>%d likes</span> · <span class=%q>%d comments</span> · <span class=%q>%.1fk views</span></p>`,
			d.n.class("likes"), likes, d.n.class("comments"), comments, d.n.class("likes"), float64(likes)/7)
	}
	p.both(func(d *document, after bool) {
		d.widget("social", bar(d, n+index(after)*12, n/9+index(after)*2))
	})
}

func liveScores(p *pair) {
	p.both(func(d *document, after bool) {
		var rows strings.Builder
		teams := strings.Fields("Rovers United Wanderers Athletic City Albion")
		for i := 0; i < len(teams); i += 2 {
			fmt.Fprintf(&rows, `<tr><td>%s</td><td>%d : %d</td><td>%s</td><td>%d'</td></tr>`, teams[i], i/2+index(after), i%3, teams[i+1],
				31+i*7+29*index(after))
		}
		d.widget("scores", "<h3>Live</h3><table>"+rows.String()+"</table>")
	})
}

func stockTicker(p *pair) {
	p.both(func(d *document, after bool) {
		values := [2][]string{{"EUR/USD 1.0843 ▲ +0.12%", "DAX 18,204.11 ▼ -0.40%", "Gold 2,178.20 ▲ +0.75%"},
			{"EUR/USD 1.0799 ▼ -0.41%", "DAX 18,391.02 ▲ +1.03%", "Gold 2,160.90 ▼ -0.79%"}}[index(after)]
		var b strings.Builder
		for _, v := range values {
			colour := "#0a7a2f"
			if strings.Contains(v, "▼") {
				colour = "#b00020"
			}
			fmt.Fprintf(&b, `<span style="color:%s;margin-right:24px;display:inline-block">%s</span>`, colour, v)
		}
		d.widget("quotes", b.String())
	})
}

func ratings(p *pair) {
	forms := [][2]string{{"★ 4.5 (127 reviews)", "★ 4.6 (131 reviews)"}, {"Rated 4.5 out of 5 by 1,204 customers",
		"Rated 4.4 out of 5 by 1,219 customers"}, {"87 % recommend this", "88 % recommend this"}, {"4,5 von 5 (12 Bewertungen)",
		"4,7 von 5 (15 Bewertungen)"}}
	p.beside("rating", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func itemsLeft(p *pair) {
	forms := [][2]string{{"Only 7 left in stock", "Only 4 left in stock"}, {"12 pieces available", "9 pieces available"},
		{"Noch 5 Stück verfügbar", "Noch 2 Stück verfügbar"}, {"Order within 2 hrs 14 mins", "Order within 5 hrs 2 mins"}}
	p.beside("stock", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func exchangeRates(p *pair) {
	p.both(func(d *document, after bool) {
		var rows strings.Builder
		for i, currency := range []string{"USD", "GBP", "CHF", "JPY"} {
			fmt.Fprintf(&rows, "<tr><td>1 EUR</td><td>%d.%04d %s</td></tr>", i, 4021+37*index(after)*(i+1), currency)
		}
		d.widget("rates", "<h3>Exchange rates</h3><table>"+rows.String()+"</table>")
	})
}

func poll(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i, answer := range []string{"Yes", "No", "Undecided"} {
			percent := []int{52, 31, 17}[i] + index(after)*[]int{-3, 2, 1}[i]
			fmt.Fprintf(&b, `<p>%s: %d %%</p><div style="background:#ddd;height:12px"><div class=%q `+
				`style="background:#36c;height:12px;width:%d%%"></div></div>`, answer, percent, d.n.class("poll bar"), percent)
		}
		d.widget("poll", "<h3>Poll</h3>"+b.String()+fmt.Sprintf("<p>%d votes</p>", 1204+index(after)*31))
	})
}

func leaderboard(p *pair) {
	p.both(func(d *document, after bool) {
		rows := []string{"<td>Ada</td><td>120</td>", "<td>Ben</td><td>111</td>", "<td>Cleo</td><td>104</td>", "<td>Dario</td><td>98</td>"}
		if after {
			rows = []string{rows[1], rows[0], rows[3], rows[2]}
		}
		d.widget("leaderboard", "<h3>Leaderboard</h3><table><tr>"+strings.Join(rows, "</tr><tr>")+"</tr></table>")
	})
}

func liveCounter(p *pair) {
	forms := [][2]string{{"Share of the world's trade: 1.6293%", "Share of the world's trade: 1.6311%"},
		{"3.42M downloads", "3.43M downloads"}, {"CO₂ saved: 12 345,6 t", "CO₂ saved: 12 411,0 t"},
		{"Trusted by 12k+ teams", "Trusted by 13k+ teams"}}
	p.beside("live number", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func notifications(p *pair) {
	p.both(func(d *document, after bool) {
		d.date = fmt.Sprintf(`<span class=%q>🔔 <b>%d</b></span>`, d.n.class("bell"), 2+9*index(after))
	})
}

func cartBadge(p *pair) {
	p.both(func(d *document, after bool) {
		badge := ""
		if after {
			badge = fmt.Sprintf(` <span class=%q style="background:#c00;color:#fff;border-radius:9px;padding:0 6px">3</span>`,
				d.n.class("badge count"))
		}
		d.nav = append(d.nav, `<a href="/cart">Cart`+badge+`</a>`)
	})
}

func progress(p *pair) {
	p.both(func(d *document, after bool) {
		percent := 48 + 6*index(after)
		d.widget("fundraising",
			fmt.Sprintf(`<p>%d %% of our goal reached by %d donors</p><div style="background:#ddd;height:16px">`+
				`<div role="progressbar" style="background:#2a8;height:16px;width:%d%%"></div></div>`, percent,
				310+index(after)*44, percent))
	})
}

func airQuality(p *pair) {
	p.beside("air", "<p>Air quality: good (AQI 32)</p>", "<p>Air quality: moderate (AQI 71)</p>")
}

func auction(p *pair) {
	p.beside("auction", "<h3>Auction</h3><p>Current bid: $120</p><p>14 bids, ends in 3 h</p>",
		"<h3>Auction</h3><p>Current bid: $145</p><p>17 bids, ends in 1 h</p>")
}

func followers(p *pair) {
	forms := [][2]string{{"12.4k followers", "12.6k followers"}, {"1,204 subscribers", "1,219 subscribers"},
		{"3 Mio. Nutzer", "4 Mio. Nutzer"}, {"❤ 431 · ↻ 17", "❤ 440 · ↻ 19"}}
	p.beside("fans", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func parking(p *pair) {
	p.beside("parking", "<p>Free spaces: 112 of 400</p><p>North deck: 41</p>", "<p>Free spaces: 87 of 400</p><p>North deck: 12</p>")
}

func waitingLine(p *pair) {
	p.beside("queue", "<p>You are number 14 in the queue, about 5 minutes</p>", "<p>You are number 31 in the queue, about 12 minutes</p>")
}

func ticketsLeft(p *pair) {
	forms := [][2]string{{"83 % sold", "91 % sold"}, {"Tickets left: 410", "Tickets left: 38"},
		{"Noch 17 Plätze frei", "Noch 1 Platz frei"}, {"2 of 12 seats taken", "9 of 12 seats taken"}}
	p.beside("tickets", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}
