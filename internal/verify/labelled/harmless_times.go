package labelled

import (
	"fmt"
	"strings"
)

// Dates, times and what changes with them.

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

func headerDate(p *pair) {
	forms := [][2]string{
		{"Monday, 3 March 2025", "Thursday, 20 March 2025"}, {"2025-03-03 09:41", "2025-03-20 17:05"},
		{"Mar 3, 2025 9:41 AM", "Mar 20, 2025 5:05 PM"}, {"03.03.2025, 09:41 Uhr", "20.03.2025, 17:05 Uhr"},
	}
	p.both(func(d *document, after bool) {
		d.date = fmt.Sprintf(`<span class=%q>%s</span>`, d.n.class("today"), forms[p.variant][index(after)])
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

func lastUpdate(p *pair) {
	forms := [][2]string{{"Last updated: 3 Mar 2025, 09:41", "Last updated: 4 Mar 2025, 10:02"},
		{"Updated a minute ago", "Updated 2 hours ago"}, {"Stand: 03.03.2025", "Stand: 11.03.2025"}, {"Mis à jour le 3 mars 2025 à 9h41",
			"Mis à jour le 11 mars 2025 à 17h02"}}
	p.beside("updated", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func postedToday(p *pair) {
	forms := [][2]string{{"Today at 3:42 PM", "Today at 4:10 PM"}, {"Posted today, 15:42", "Posted yesterday, 23:10"},
		{"gestern um 15:42 Uhr", "heute um 8:05 Uhr"}, {"il y a 3 heures", "il y a 5 jours"}}
	p.beside("posted", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func shortAges(p *pair) {
	p.both(func(d *document, after bool) {
		ages := [2][]string{{"5h", "9h", "1d"}, {"2d", "2d", "3d"}}[index(after)]
		var b strings.Builder
		for i, age := range ages {
			fmt.Fprintf(&b, "<li>%s <small>%s</small></li>", []string{"Harbour lights", "Old quarry", "New ferry"}[i], age)
		}
		d.widget("short", "<h3>Notes</h3><ul>"+b.String()+"</ul>")
	})
}

func lunch(p *pair) {
	p.beside("lunch", "<h3>Lunch of the day</h3><p>Carrot soup with bread</p>", "<h3>Lunch of the day</h3><p>Pasta with mushrooms</p>")
}

func headerClock(p *pair) {
	forms := [][2]string{{"9:41 AM", "5:05 PM"}, {"09:41:07", "17:05:59"}, {"Thu 9:41", "Fri 17:05"}, {"9h41", "17h05"}}
	p.both(func(d *document, after bool) {
		d.date = "<span>" + forms[p.variant][index(after)] + "</span>"
	})
}

func personalGreeting(p *pair) {
	p.both(func(d *document, after bool) {
		d.date = fmt.Sprintf(`<span class=%q>Welcome, %s!</span>`, d.n.class("user greeting"), [2]string{"Alex", "Mia"}[index(after)])
	})
}

func tip(p *pair) {
	tips := [2]string{sentence(p.r, 1), sentence(p.r, 1)}
	heading := []string{"Tip of the day", "Did you know?", "Random fact", "Word of the week"}[p.variant]
	p.both(func(d *document, after bool) {
		d.widget("tip", "<h3>"+heading+"</h3><p>"+tips[index(after)]+"</p>")
	})
}

func quoteOfTheDay(p *pair) {
	quotes := [2]string{"“" + sentence(p.r, 1) + "”", "“" + sentence(p.r, 2) + "”"}
	names := [2]string{person(p.r), person(p.r)}
	p.both(func(d *document, after bool) {
		title := []string{"Quote of the day", "What our customers say", "Random quote", "Testimonials"}[p.variant]
		d.widget("testimonial", fmt.Sprintf(`<h3>%s</h3><blockquote>%s</blockquote><cite>%s</cite>`, title, quotes[index(after)],
			names[index(after)]))
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

func siteVersion(p *pair) {
	p.both(func(d *document, after bool) {
		d.fineprint = "© " + d.title + " · " + [][2]string{{"v2.14.0", "v2.15.3"}, {"Release 2025.03", "Release 2025.04"},
			{"rev a81f22e", "rev 09bc4d1"}, {"Version 7", "Version 8"}}[p.variant][index(after)]
	})
}

func calendarDay(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for day := 1; day <= 28; day++ {
			look := ""
			if day == 12+index(after)*3 {
				look = ` style="background:#d33;color:#fff" aria-current="date"`
			}
			fmt.Fprintf(&b, `<td%s>%d</td>`, look, day)
			if day%7 == 0 {
				b.WriteString("</tr><tr>")
			}
		}
		d.widget("calendar", `<h3>March</h3><table><tr>`+b.String()+`</tr></table>`)
	})
}

func calendarMonth(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for day := 1; day <= 35; day++ {
			fmt.Fprintf(&b, "<td>%d</td>", (day+3*index(after))%31+1)
			if day%7 == 0 {
				b.WriteString("</tr><tr>")
			}
		}
		d.widget("dates", "<h3>"+[2]string{"March 2025", "April 2025"}[index(after)]+"</h3><table><tr>"+b.String()+"</tr></table>")
	})
}

func departures(p *pair) {
	p.both(func(d *document, after bool) {
		rows := []string{"<td>9:41</td><td>Harbour</td><td>on time</td>", "<td>9:55</td><td>Market</td><td>on time</td>",
			"<td>10:02</td><td>Forest</td><td>on time</td>", "<td>10:20</td><td>Quarry</td><td>on time</td>",
			"<td>10:31</td><td>Bridge</td><td>on time</td>"}
		rows = [2][]string{rows[:4], rows[1:]}[index(after)]
		d.widget("departures", "<h3>Departures</h3><table><tr>"+strings.Join(rows, "</tr><tr>")+"</tr></table>")
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
