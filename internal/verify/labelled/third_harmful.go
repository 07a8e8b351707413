package labelled

import (
	"fmt"
	"strings"
)

// thirdHarmful are harmful kinds of the third held-out set: what goes wrong in just those parts of a page that change by
// themselves, where rules are tempted to be silent.
func thirdHarmful() []Kind {
	return []Kind{
		{Name: "empty carousel", change: emptyCarousel},
		{Name: "feed that failed", change: failedFeed},
		{Name: "date of 1970", change: epoch},
		{Name: "one placeholder for all", change: onePlaceholder},
		{Name: "consent wall", change: consentWall},
		{Name: "advertisement over the content", change: adOverContent},
		{Name: "counter that is no number", change: noCounter},
		{Name: "broken avatars", change: brokenAvatars},
		{Name: "video that failed", change: failedVideo},
		{Name: "calendar without days", change: emptyCalendar},
		{Name: "map that failed", change: failedMap},
		{Name: "other bank account", change: bankAccount},
	}
}

func emptyCarousel(p *pair) {
	p.both(func(d *document, after bool) {
		slides := ""
		if !after {
			slides = fmt.Sprintf(`<div class=%q>%s<h2>%s</h2></div>`, d.n.class("carousel slide"), d.picture(400, 1000, 340, "slide image",
				"slide"), heading(d.r))
		}
		d.hero.html = fmt.Sprintf(`<div class="swiper %s" style="min-height:%dpx">%s</div>`, d.n.class("carousel"),
			[]int{0, 100, 400, 300}[p.variant], slides)
	})
}

func failedFeed(p *pair) {
	p.both(func(d *document, after bool) {
		content := "<ul>" + strings.Repeat("<li>"+heading(d.r)+"</li>", 3) + "</ul>"
		if after {
			content = "<p>" + []string{"Failed to load posts.", "Something went wrong.", "Error: feed could not be fetched",
				"Could not connect to server"}[p.variant] + "</p>"
		}
		d.widget("latest posts", "<h3>Latest posts</h3>"+content)
	})
}

func epoch(p *pair) {
	forms := [][2]string{{"Last updated: 3 March 2025", "Last updated: 1 January 1970"}, {"2025-03-03 09:41", "1970-01-01 00:00"},
		{"Published 12 minutes ago", "Published 55 years ago"}, {"03.03.2025", "30.11.-0001"}}
	p.beside("updated", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func onePlaceholder(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i := range 4 {
			number := uint64(410 + i)
			if after {
				number = 419
			}
			fmt.Fprintf(&b, `<div>%s<p>%s</p></div>`, d.picture(number, 200, 130, "related image", "product"), heading(d.r))
		}
		d.widget("related", `<h3>Related products</h3><div class="grid">`+b.String()+"</div>")
	})
}

func consentWall(p *pair) {
	p.after.overlays = append(p.after.overlays,
		`<div class="cookie-consent" style="position:fixed;inset:0;background:#fff;color:#222;padding:200px 40px;z-index:9">`+
			`<h2>We value your privacy</h2><p>You have to accept cookies to see this page.</p><button>Accept</button></div>`)
}

func adOverContent(p *pair) {
	p.after.overlays = append(p.after.overlays,
		fmt.Sprintf(`<div class="ad-slot" style="position:absolute;left:0;top:100px;width:100%%;height:%dpx;background:#ffe9a8">`+
			`<img src="/picture/%d/300x250.jpg" width="300" height="250" alt="Advertisement"></div>`, 500+100*p.variant, p.after.seed+420))
}

func noCounter(p *pair) {
	forms := [][2]string{{"1,204 visitors today", "NaN visitors today"}, {"Only 4 left", "Only undefined left"},
		{"12 people online", "-3 people online"}, {"Ends in 02:11:09", "Ends in NaN:NaN:NaN"}}
	p.beside("visits", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func brokenAvatars(p *pair) {
	p.both(func(d *document, after bool) {
		folder := [2]string{"picture", "missing"}[index(after)]
		var b strings.Builder
		for i := range 5 {
			fmt.Fprintf(&b, `<img class="avatar" src="/%s/%d/64x64.jpg" alt="" width="64" height="64" style="display:inline-block">`,
				folder, d.seed+uint64(430+i))
		}
		d.widget("members", "<h3>Members</h3>"+b.String())
	})
}

func failedVideo(p *pair) {
	p.both(func(d *document, after bool) {
		folder := [2]string{"picture", "missing"}[index(after)]
		d.widget("clip", fmt.Sprintf(`<h3>Our film</h3><video width="280" height="160" style="background:#000" `+
			`poster="/%s/%d/280x160.jpg"></video>`, folder, d.seed+440))
	})
}

func emptyCalendar(p *pair) {
	p.both(func(d *document, after bool) {
		days := ""
		if !after {
			for day := 1; day <= 28; day++ {
				days += fmt.Sprintf("<td>%d</td>", day)
				if day%7 == 0 {
					days += "</tr><tr>"
				}
			}
		}
		d.widget("calendar", "<h3>March</h3><table><tr>"+days+"</tr></table>")
	})
}

func failedMap(p *pair) {
	p.both(func(d *document, after bool) {
		content := fmt.Sprintf(`<img src="/picture/%d/280x220.jpg" width="280" height="220" alt="">`, d.seed+450)
		if after {
			content = []string{`<div style="height:220px;background:#e5e3df">This page can't load the map correctly.</div>`,
				`<div style="height:220px;background:#e5e3df"></div>`, `<div style="height:220px">Oops! Something went wrong.</div>`,
				`<img src="/missing/1/280x220.jpg" width="280" height="220" alt="">`}[p.variant]
		}
		d.widget("map", "<h3>How to find us</h3>"+content)
	})
}

func bankAccount(p *pair) {
	forms := [][2]string{{"IBAN DE89 3704 0044 0532 0130 00", "IBAN DE12 5001 0517 0648 4898 90"}, {"Account 532013000, sort code 37-04-00",
		"Account 648489890, sort code 50-01-05"}, {"IBAN: GB29NWBK60161331926819", "IBAN: GB94BARC10201530093459"},
		{"BTC bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "BTC bc1q9x30z7rz52c97jwc2j79w76y7l3ny54nlvd4ew"}}
	p.beside("payment", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}
