package labelled

import (
	"fmt"
	"strings"
)

// fourthHarmless are harmless kinds of the fourth held-out set.
func fourthHarmless() []Kind {
	return []Kind{
		{Name: "parking spaces", change: parking},
		{Name: "bus departures", change: departures},
		{Name: "now playing", change: nowPlaying},
		{Name: "waiting line", change: waitingLine},
		{Name: "job offers", change: jobOffers},
		{Name: "most read", change: mostRead},
		{Name: "survey", change: survey},
		{Name: "application banner", change: applicationBanner},
		{Name: "customer faces", change: customerFaces},
		{Name: "season tickets left", change: ticketsLeft},
		{Name: "author pictures", change: authorPictures},
		{Name: "month of a calendar", change: calendarMonth},
		{Name: "advertisement of another size", change: adOfOtherSize},
		{Name: "version of the site", change: siteVersion},
	}
}

func parking(p *pair) {
	p.beside("parking", "<p>Free spaces: 112 of 400</p><p>North deck: 41</p>", "<p>Free spaces: 87 of 400</p><p>North deck: 12</p>")
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

func nowPlaying(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("player", "<h3>Now playing</h3><p>"+[2]string{"River song – The Lanterns",
			"Golden anchor – Ada and the Boats"}[index(after)]+"</p>")
	})
}

func waitingLine(p *pair) {
	p.beside("queue", "<p>You are number 14 in the queue, about 5 minutes</p>", "<p>You are number 31 in the queue, about 12 minutes</p>")
}

func jobOffers(p *pair) {
	p.both(func(d *document, after bool) {
		jobs := make([]string, 6)
		for i := range jobs {
			jobs[i] = `<li><a href="/j">` + heading(d.r) + "</a></li>"
		}
		jobs = [2][]string{jobs[:5], jobs[1:]}[index(after)]
		d.widget("jobs", "<h3>Open positions</h3><ul>"+strings.Join(jobs, "")+"</ul>")
	})
}

func mostRead(p *pair) {
	p.both(func(d *document, after bool) {
		items := make([]string, 5)
		for i := range items {
			items[i] = `<li><a href="/m">` + heading(d.r) + "</a></li>"
		}
		if after {
			items[0], items[1], items[3], items[4] = items[1], items[0], items[4], items[3]
		}
		d.widget("ranking", "<h3>Most read</h3><ol>"+strings.Join(items, "")+"</ol>")
	})
}

func survey(p *pair) {
	p.after.overlays = append(p.after.overlays,
		fmt.Sprintf(`<div class=%q role="dialog" `+
			`style="position:fixed;right:20px;bottom:20px;width:300px;padding:20px;background:#fff;border:1px solid #888">`+
			`<p>How do you like our site?</p><button>Good</button> <button>Bad</button></div>`,
			[]string{"survey-popup", "hotjar-survey", "modal survey", "feedback-toast"}[p.variant]))
}

func applicationBanner(p *pair) {
	p.after.overlays = append(p.after.overlays,
		fmt.Sprintf(`<div class=%q style="position:fixed;left:0;right:0;bottom:0;padding:14px;background:#123;color:#fff">Get our app `+
			`<button>Install</button></div>`, []string{"smart-app-banner", "app-popup", "install-snackbar", "app-banner"}[p.variant]))
}

func customerFaces(p *pair) {
	texts, names := [2]string{sentence(p.r, 1), sentence(p.r, 1)}, [2]string{person(p.r), person(p.r)}
	p.both(func(d *document, after bool) {
		d.widget("reviews", "<h3>What our customers say</h3>"+d.picture(uint64(500+index(after)), 64, 64, "reviews face",
			"customer")+"<p>"+texts[index(after)]+"</p><p>"+names[index(after)]+"</p>")
	})
}

func ticketsLeft(p *pair) {
	forms := [][2]string{{"83 % sold", "91 % sold"}, {"Tickets left: 410", "Tickets left: 38"},
		{"Noch 17 Plätze frei", "Noch 1 Platz frei"}, {"2 of 12 seats taken", "9 of 12 seats taken"}}
	p.beside("tickets", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func authorPictures(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i := range 3 {
			fmt.Fprintf(&b, `<img class=%q src="https://gravatar.test/avatar/%d" alt="avatar" width="48" height="48" `+
				`style="display:inline-block">`, d.n.class("author avatar"), i+index(after)*7)
		}
		html := strings.ReplaceAll(b.String(), "https://gravatar.test/avatar/", fmt.Sprintf("/picture/%d", 51+index(after)))
		d.widget("authors", "<h3>Our authors</h3>"+strings.ReplaceAll(html, `" alt="avatar"`, `/48x48.jpg" alt="avatar"`))
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

func adOfOtherSize(p *pair) {
	p.both(func(d *document, after bool) {
		height := []int{250, 600}[index(after)]
		d.widget("sponsored",
			fmt.Sprintf(`<div class="adsbygoogle"><img src="/picture/%d/300x%d.jpg" width="300" height="%d" alt="Advertisement"></div>`,
				d.seed+uint64(520+index(after)), height, height))
	})
}

func siteVersion(p *pair) {
	p.both(func(d *document, after bool) {
		d.fineprint = "© " + d.title + " · " + [][2]string{{"v2.14.0", "v2.15.3"}, {"Release 2025.03", "Release 2025.04"},
			{"rev a81f22e", "rev 09bc4d1"}, {"Version 7", "Version 8"}}[p.variant][index(after)]
	})
}
