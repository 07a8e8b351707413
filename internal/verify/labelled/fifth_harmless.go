package labelled

import (
	"fmt"
	"slices"
	"strings"
)

// fifthHarmless are harmless kinds of the fifth held-out set.
func fifthHarmless() []Kind {
	return []Kind{
		{Name: "air quality", change: airQuality},
		{Name: "auction", change: auction},
		{Name: "slideshow with buttons", change: slideshow},
		{Name: "partner logos", change: partnerLogos},
		{Name: "monthly archives", change: archives},
		{Name: "lunch of today", change: lunch},
		{Name: "embedded posts", change: embeddedPosts},
		{Name: "pictures in another quality", change: otherQuality},
		{Name: "search suggestions", change: searchSuggestions},
		{Name: "followers", change: followers},
		{Name: "short ages", change: shortAges},
		{Name: "consent banner gone", change: consentGone},
		{Name: "shuffled team", change: shuffledTeam},
		{Name: "clock in the header", change: headerClock},
	}
}

func airQuality(p *pair) {
	p.beside("air", "<p>Air quality: good (AQI 32)</p>", "<p>Air quality: moderate (AQI 71)</p>")
}

func auction(p *pair) {
	p.beside("auction", "<h3>Auction</h3><p>Current bid: $120</p><p>14 bids, ends in 3 h</p>",
		"<h3>Auction</h3><p>Current bid: $145</p><p>17 bids, ends in 1 h</p>")
}

func slideshow(p *pair) {
	p.both(func(d *document, after bool) {
		class := []string{"slick-slide", "slideshow", "glide__slide", "hero-slider"}[p.variant]
		text := [2]string{"Spring on the river", "Autumn in the forest"}[index(after)]
		d.hero.html = fmt.Sprintf(`<div class=%q><h1>%s</h1>%s<a href="/s">%s</a></div>`, class, text, d.picture(uint64(600+index(after)),
			1000, 300, "stage", "stage"), [2]string{"Book now", "Discover"}[index(after)])
	})
}

func partnerLogos(p *pair) {
	p.both(func(d *document, after bool) {
		logos := make([]string, 5)
		for i := range logos {
			logos[i] = d.picture(uint64(610+i), 120, 48, "partner logo", fmt.Sprintf("Partner %d", i))
		}
		if after {
			logos = append(logos[2:], logos[:2]...)
		}
		d.widget("partners", `<h3>Our partners</h3><div style="display:flex;gap:12px;flex-wrap:wrap">`+strings.Join(logos, "")+"</div>")
	})
}

func archives(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("archives",
			fmt.Sprintf("<h3>Archives</h3><ul><li>March 2025 (%d)</li><li>February 2025 (12)</li><li>January 2025 (9)</li></ul>",
				3+2*index(after)))
	})
}

func lunch(p *pair) {
	p.beside("lunch", "<h3>Lunch of the day</h3><p>Carrot soup with bread</p>", "<h3>Lunch of the day</h3><p>Pasta with mushrooms</p>")
}

func embeddedPosts(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("posts", fmt.Sprintf(`<blockquote class="twitter-tweet"><iframe title="Posts" width="280" height="260" style="border:0" `+
			`src="/frame/%d"></iframe></blockquote>`, d.seed+uint64(620+index(after))))
	})
}

func otherQuality(p *pair) {
	p.after.replace(`.jpg"`, `.jpg?q=45"`, -1)
}

func searchSuggestions(p *pair) {
	p.both(func(d *document, after bool) {
		d.date = fmt.Sprintf(`<form role="search" action="/q"><input type="search" placeholder="Search %s"></form>`,
			[2]string{"lanterns", "jackets"}[index(after)])
	})
}

func followers(p *pair) {
	forms := [][2]string{{"12.4k followers", "12.6k followers"}, {"1,204 subscribers", "1,219 subscribers"},
		{"3 Mio. Nutzer", "4 Mio. Nutzer"}, {"❤ 431 · ↻ 17", "❤ 440 · ↻ 19"}}
	p.beside("fans", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
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

func consentGone(p *pair) {
	consentBanner(p)
	p.before.overlays, p.after.overlays = p.after.overlays, nil
}

func shuffledTeam(p *pair) {
	p.both(func(d *document, after bool) {
		people := make([]string, 4)
		for i := range people {
			people[i] = "<div>" + d.picture(uint64(630+i), 120, 120, "member face", "portrait") + "<h4>" + person(d.r) + "</h4></div>"
		}
		if after {
			slices.Reverse(people)
		}
		d.widget("team", `<h3>Team</h3><div class="grid">`+strings.Join(people, "")+"</div>")
	})
}

func headerClock(p *pair) {
	forms := [][2]string{{"9:41 AM", "5:05 PM"}, {"09:41:07", "17:05:59"}, {"Thu 9:41", "Fri 17:05"}, {"9h41", "17h05"}}
	p.both(func(d *document, after bool) {
		d.date = "<span>" + forms[p.variant][index(after)] + "</span>"
	})
}
