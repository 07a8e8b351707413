package labelled

import (
	"fmt"
	"slices"
	"strings"
)

// secondHarmless are harmless kinds of the second held-out set.
func secondHarmless() []Kind {
	comes := []string{"appeared"}
	return []Kind{
		{Name: "ratings", change: ratings, Expect: &Expectation{[]string{"rating"}, texts()}},
		{Name: "items left", change: itemsLeft, Expect: &Expectation{[]string{"stock"}, texts()}},
		{Name: "random header picture", change: headerPicture, Expect: &Expectation{[]string{"random header"}, []string{"image_replaced"}}},
		{Name: "social feed", change: socialFeed},
		{Name: "breaking news line", change: newsLine},
		{Name: "tip", change: tip},
		{Name: "exchange rates", change: exchangeRates, Expect: &Expectation{[]string{"rates"}, texts()}},
		{Name: "poll results", change: poll},
		{Name: "upcoming events", change: upcomingEvents},
		{Name: "leaderboard", change: leaderboard},
		{Name: "back to top", change: backToTop, Expect: &Expectation{[]string{"back-to-top", "scroll-top"}, comes}},
		{Name: "advertisement that fills", change: fillingAd},
		{Name: "last update", change: lastUpdate, Expect: &Expectation{[]string{"updated"}, texts()}},
		{Name: "recently viewed", change: recentlyViewed},
		{Name: "video still", change: videoStill},
	}
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

func headerPicture(p *pair) {
	p.both(func(d *document, after bool) {
		d.hero.html = d.picture(uint64(210+index(after)), 1000, 240, "random header", "header") + d.hero.html
	})
}

func socialFeed(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i := range 6 {
			fmt.Fprintf(&b, `<a class=%q href="/i" style="display:inline-block;margin:4px">%s</a>`, d.n.class("instagram item"),
				d.picture(uint64(220+i+2*index(after)), 120, 120, "instagram image", "post"))
		}
		d.widget("instagram", "<h3>Follow us</h3>"+b.String())
	})
}

func newsLine(p *pair) {
	lines := []string{"Harbour bridge closed until Friday", "Council votes on the new market hall", "Storm expected along the coast"}
	class := []string{"news ticker", "breaking news", "headlines", "marquee"}[p.variant]
	p.both(func(d *document, after bool) {
		d.top = fmt.Sprintf(`<div class=%q style="background:#b00;color:#fff;padding:6px 40px">%s</div>`, d.n.class(class),
			lines[(p.variant+index(after))%3])
	})
}

func tip(p *pair) {
	tips := [2]string{sentence(p.r, 1), sentence(p.r, 1)}
	heading := []string{"Tip of the day", "Did you know?", "Random fact", "Word of the week"}[p.variant]
	p.both(func(d *document, after bool) {
		d.widget("tip", "<h3>"+heading+"</h3><p>"+tips[index(after)]+"</p>")
	})
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

func upcomingEvents(p *pair) {
	p.both(func(d *document, after bool) {
		events := []string{"3 March: Spring market", "9 March: Harbour walk", "14 March: Concert", "21 March: Reading",
			"28 March: Boat race"}
		events = [2][]string{events[:4], events[1:]}[index(after)]
		d.widget("events", "<h3>Upcoming events</h3><ul><li>"+strings.Join(events, "</li><li>")+"</li></ul>")
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

func backToTop(p *pair) {
	class := []string{"back-to-top", "scroll-top"}[p.variant%2]
	p.after.overlays = append(p.after.overlays,
		fmt.Sprintf(`<a href="#" class=%q `+
			`style="position:fixed;right:20px;bottom:20px;width:44px;height:44px;background:#555;color:#fff;text-align:center;`+
			`line-height:44px">↑</a>`, class))
}

func fillingAd(p *pair) {
	p.both(func(d *document, after bool) {
		content := ""
		if after {
			content = fmt.Sprintf(`<iframe title="ad" width="300" height="250" style="border:0" src="/frame/%d"></iframe>`, d.seed+240)
		}
		d.widget("sponsored", `<div class="adsbygoogle" style="min-height:20px">`+content+`</div>`)
	})
}

func lastUpdate(p *pair) {
	forms := [][2]string{{"Last updated: 3 Mar 2025, 09:41", "Last updated: 4 Mar 2025, 10:02"},
		{"Updated a minute ago", "Updated 2 hours ago"}, {"Stand: 03.03.2025", "Stand: 11.03.2025"}, {"Mis à jour le 3 mars 2025 à 9h41",
			"Mis à jour le 11 mars 2025 à 17h02"}}
	p.beside("updated", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func recentlyViewed(p *pair) {
	p.both(func(d *document, after bool) {
		cards := make([]string, 4)
		for i := range cards {
			cards[i] = fmt.Sprintf(`<div>%s<p>%s</p></div>`, d.picture(uint64(250+i+index(after)*2), 180, 120, "viewed image",
				"product"), heading(d.r))
		}
		if after {
			slices.Reverse(cards)
		}
		d.widget("viewed", `<h3>Recently viewed</h3><div class="grid">`+strings.Join(cards, "")+"</div>")
	})
}

func videoStill(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("clip", fmt.Sprintf(`<h3>Our film</h3><video width="280" height="160" poster="/picture/%d/280x160.jpg"></video>`,
			d.seed+uint64(260+index(after))))
	})
}
