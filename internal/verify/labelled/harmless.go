package labelled

import (
	"fmt"
	"strings"
)

func texts() []string { return []string{"text_changed"} }

// harmless are the changes that nobody wants to be told of: what changes by itself.
func harmless() []Kind {
	return append([]Kind{
		{Name: "relative times", change: relativeTimes, Expect: &Expectation{[]string{"news time"}, texts()}},
		{Name: "date in the header", change: headerDate, Expect: &Expectation{[]string{"today"}, texts()}},
		{Name: "visitor counter", change: visitorCounter, Expect: &Expectation{[]string{"visits"}, texts()}},
		{Name: "people viewing", change: peopleViewing, Expect: &Expectation{[]string{"viewing"}, texts()}},
		{Name: "likes and comments", change: likes, Expect: &Expectation{[]string{"likes", "comments"}, texts()}},
		{Name: "countdown", change: countdown, Expect: &Expectation{[]string{"countdown", "countdown digit"}, texts()}},
		{Name: "year and build in the footer", change: copyrightYear, Expect: &Expectation{[]string{"fine print"}, texts()}},
		{Name: "session reference", change: sessionReference, Expect: &Expectation{[]string{"reference"}, texts()}},
		{Name: "live scores", change: liveScores, Expect: &Expectation{[]string{"scores"}, texts()}},
		{Name: "stock ticker", change: stockTicker, Expect: &Expectation{[]string{"quotes"}, []string{"text_changed", "style_changed"}}},
		{Name: "greeting", change: greeting, Expect: &Expectation{[]string{"greeting"}, texts()}},
		{Name: "opening hours", change: openNow, Expect: &Expectation{[]string{"hours now"}, texts()}},
		{Name: "weather", change: weather, Expect: &Expectation{[]string{"weather"}, []string{"text_changed", "image_replaced"}}},
	}, harmlessThings()...)
}

func relativeTimes(p *pair) {
	p.both(func(d *document, after bool) {
		var list strings.Builder
		units := [][2]string{{"3 minutes ago", "41 minutes ago"}, {"28 minutes ago", "1 hour ago"}, {"2 hours ago", "3 hours ago"},
			{"yesterday", "2 days ago"}}
		titles := []string{"Harbour reopens", "New bridge for the valley", "Market day moved", "Quarry becomes a garden"}
		for i, u := range units {
			fmt.Fprintf(&list, `<li>%s <span class=%q>%s</span></li>`, titles[i], d.n.class("news time"), u[index(after)])
		}
		d.widget("news", "<h3>News</h3><ul>"+list.String()+"</ul>")
	})
}

func index(after bool) int {
	if after {
		return 1
	}
	return 0
}

func headerDate(p *pair) {
	forms := [][2]string{
		{"Monday, 3 March 2025", "Thursday, 20 March 2025"}, {"2025-03-03 09:41", "2025-03-20 17:05"},
		{"Mar 3, 2025 9:41 AM", "Mar 20, 2025 5:05 PM"}, {"03.03.2025, 09:41 Uhr", "20.03.2025, 17:05 Uhr"},
	}
	p.both(func(d *document, after bool) {
		d.date = fmt.Sprintf(`<span class=%q>%s</span>`, d.n.class("today"), forms[p.variant][index(after)])
	})
}

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

func countdown(p *pair) {
	p.both(func(d *document, after bool) {
		digits := [2][]string{{"02", "11", "09", "44"}, {"01", "23", "58", "07"}}[index(after)]
		var b strings.Builder
		for i, label := range []string{"days", "hours", "min", "sec"} {
			fmt.Fprintf(&b, `<span style="display:inline-block;text-align:center;margin-right:16px">`+
				`<b class=%q style="display:block;font-size:32px">%s</b>%s</span>`, d.n.class("countdown digit"), digits[i], label)
		}
		d.widget("countdown", "<p>The sale ends in</p>"+b.String())
	})
}

func copyrightYear(p *pair) {
	p.both(func(d *document, after bool) {
		d.fineprint = [2]string{"© 2014–2025 " + d.title + " · build 8f3a2c1", "© 2014–2026 " + d.title + " · build 03be77d"}[index(after)]
	})
}

func sessionReference(p *pair) {
	forms := [][2]string{
		{"Request ID: 7c9e6679-7425-40de-944b-e07fc1f90ae7", "Request ID: 16fd2706-8baf-433b-82eb-8c7fada847da"},
		{"Ref. 3F2A91C07B", "Ref. 88D01E54AA"}, {"Session 9a01bd77 · node 12", "Session 51c8e02f · node 3"},
		{"Trace: 5b8aa5a2d2c872e8321cf37308d69df2", "Trace: 051581bf3cb55c13d5e4f2d1a0c1b2a3"},
	}
	p.beside("reference", forms[p.variant][0], forms[p.variant][1])
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

func greeting(p *pair) {
	forms := [][2]string{{"Good morning, visitor!", "Good evening, visitor!"}, {"Good afternoon", "Good morning"},
		{"Guten Morgen, lieber Gast", "Guten Abend, lieber Gast"}, {"Good night, stranger", "Good afternoon, stranger"}}
	p.beside("greeting", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func openNow(p *pair) {
	forms := [][2]string{{"Open now · closes at 18:00", "Closed now · opens at 9:00"},
		{"Currently open until 6 pm", "Currently closed until 9 am"}, {"Open today until 20:00", "Closed today"},
		{"We are open", "We are closed"}}
	p.beside("hours now", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func weather(p *pair) {
	p.both(func(d *document, after bool) {
		text := [2]string{"Cloudy, 14 °C, wind 12 km/h", "Sunny, 21 °C, wind 4 km/h"}[index(after)]
		icon := d.picture(60+uint64(index(after)), 64, 64, "weather icon", "weather")
		d.widget("weather", "<h3>Weather</h3>"+icon+"<p>"+text+"</p>")
	})
}
