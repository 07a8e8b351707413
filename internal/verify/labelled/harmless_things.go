package labelled

import (
	"fmt"
	"slices"
	"strings"
)

// harmlessThings are the harmless changes of more than a text.
func harmlessThings() []Kind {
	pictures, comes := []string{"image_replaced"}, []string{"appeared"}
	return []Kind{
		{Name: "carousel", change: carousel},
		{Name: "advertisement", change: advertisement, Expect: &Expectation{[]string{"adsbygoogle", "ad-slot"}, pictures}},
		{Name: "consent banner", change: consentBanner, Expect: &Expectation{[]string{"cookie-notice", "consent-banner"}, comes}},
		{Name: "cache-busted picture", change: cacheBusted},
		{Name: "restless canvas", change: restlessCanvas},
		{Name: "shuffled products", change: shuffled},
		{Name: "latest posts", change: latestPosts},
		{Name: "quote of the day", change: quoteOfTheDay},
		{Name: "chat bubble", change: chatBubble, Expect: &Expectation{[]string{"chat-widget"}, comes}},
		{Name: "newsletter slide-in", change: newsletterBar, Expect: &Expectation{[]string{"popup"}, comes}},
		{Name: "random avatars", change: avatars, Expect: &Expectation{[]string{"avatar"}, pictures}},
		{Name: "captcha", change: captcha, Expect: &Expectation{[]string{"captcha"}, pictures}},
		{Name: "cart badge", change: cartBadge},
		{Name: "text rendering", change: textRendering},
		{Name: "calendar day", change: calendarDay},
		{Name: "progress of donations", change: progress},
		{Name: "map tiles", change: mapTiles, Expect: &Expectation{[]string{"map"}, pictures}},
		{Name: "tag cloud", change: tagCloud},
		{Name: "layers of the compositor", change: layers, late: true},
	}
}

func carousel(p *pair) {
	names := [][2]string{{"carousel slide", "carousel slide"}, {"swiper", "swiper-slide"}, {"hero slider", "slider item"},
		{"splide", "splide__slide"}}[p.variant]
	p.both(func(d *document, after bool) {
		number := uint64(70 + index(after))
		class, item := names[0], names[1]
		if p.variant%2 == 0 {
			class, item = d.n.class(class), d.n.class(item)
		}
		captions := [2]string{"A weekend at the harbour", "Our new collection is here"}
		d.hero.html = fmt.Sprintf(`<div class=%q><div class=%q>%s<h2>%s</h2></div></div>`, class, item,
			d.picture(number, 1000, 360, "slide image", "slide"), captions[index(after)])
	})
}

func advertisement(p *pair) {
	p.both(func(d *document, after bool) {
		number := d.seed + uint64(80+index(after))
		if p.variant%2 == 0 {
			d.widget("sponsored",
				fmt.Sprintf(`<ins class="adsbygoogle" style="display:block"><iframe title="Advertisement" width="300" height="250" `+
					`style="border:0" src="/frame/%d"></iframe></ins>`, number))
			return
		}
		d.widget("sponsored",
			fmt.Sprintf(`<div class="ad-slot" id="div-gpt-ad-1"><a href="/out"><img src="/picture/%d/300x250.jpg" width="300" `+
				`height="250" alt="Advertisement"></a></div>`, number))
	})
}

func consentBanner(p *pair) {
	class := "cookie-notice"
	if p.variant > 1 {
		class = "consent-banner"
	}
	p.after.overlays = append(p.after.overlays,
		fmt.Sprintf(`<div class=%q role="dialog" style="position:fixed;bottom:0;left:0;right:0;padding:24px;background:#222;color:#fff">`+
			`<p>We use cookies to improve your experience. Read our privacy policy.</p><button>Decline</button> <button>Fine by `+
			`me</button></div>`, class))
}

func cacheBusted(p *pair) {
	p.both(func(d *document, after bool) {
		version := [2]string{"?v=1712001", "?v=1719377&q=80"}[index(after)]
		d.replace(`.jpg"`, `.jpg`+version+`"`, -1)
	})
}

func restlessCanvas(p *pair) {
	p.both(func(d *document, _ bool) {
		d.widget("particles",
			`<canvas width="280" height="160"></canvas><script>{let c=document.currentScript.previousSibling,x=c.getContext('2d');const `+
				`f=()=>{x.clearRect(0,0,280,160);for(let i=0;i<60;i++){x.fillStyle='hsl('+Math.random()*360+' 80% `+
				`50%)';x.fillRect(Math.random()*270,Math.random()*150,12,12)}requestAnimationFrame(f)};f()}</script>`)
	})
}

func shuffled(p *pair) {
	order := p.r.Perm(6)
	p.both(func(d *document, after bool) {
		cards := make([]string, 6)
		for i := range cards {
			cards[i] = fmt.Sprintf(`<div class=%q>%s<h4>%s</h4><p>$%d.00</p></div>`, d.n.class("related item"),
				d.picture(uint64(90+i), 260, 140, "related image", "product"), heading(d.r), 10+7*i)
		}
		if after {
			mixed := make([]string, 6)
			for i, j := range order {
				mixed[i] = cards[j]
			}
			if slices.Equal(mixed, cards) {
				slices.Reverse(mixed)
			}
			cards = mixed
		}
		d.widget("related", `<h3>You may also like</h3><div class="grid">`+strings.Join(cards, "")+`</div>`)
	})
}

func latestPosts(p *pair) {
	p.both(func(d *document, after bool) {
		items := make([]string, 6)
		for i := range items {
			items[i] = fmt.Sprintf(`<li class=%q><a href="/p%d">%s</a></li>`, d.n.class("latest item"), i, heading(d.r))
		}
		items = [2][]string{items[1:], items[:5]}[index(after)]
		d.widget("latest posts", "<h3>Latest posts</h3><ul>"+strings.Join(items, "")+"</ul>")
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

func chatBubble(p *pair) {
	p.after.overlays = append(p.after.overlays,
		`<div class="chat-widget" id="chat-launcher" `+
			`style="position:fixed;right:24px;bottom:24px;width:64px;height:64px;border-radius:50%;background:#2a6fdb;color:#fff;`+
			`font-size:28px;text-align:center;line-height:64px">💬</div>`)
}

func newsletterBar(p *pair) {
	p.after.overlays = append(p.after.overlays,
		`<div class="popup" role="dialog" `+
			`style="position:fixed;right:0;bottom:80px;width:340px;padding:24px;background:#fff;color:#222;border:1px solid #888">`+
			`<h3>Don't miss our news</h3><p>Subscribe to our newsletter and save 10 %.</p><input type="email" placeholder="E-mail">`+
			`<button>Subscribe</button></div>`)
}

func avatars(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i := range 5 {
			fmt.Fprintf(&b, `<img class=%q src="/picture/%d/56x56.jpg" alt="member" width="56" height="56" `+
				`style="display:inline-block;border-radius:50%%">`, d.n.class("avatar"), d.seed+uint64(100+i+20*index(after)))
		}
		d.widget("members", "<h3>Recently joined</h3>"+b.String())
	})
}

func captcha(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("captcha",
			fmt.Sprintf(`<form action="/x"><img src="/picture/%d/180x60.jpg?captcha=1" alt="captcha" width="180" height="60">`+
				`<label>Type the letters <input></label></form>`, d.seed+uint64(130+index(after))))
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

func textRendering(p *pair) {
	style := []string{"main{transform:translateX(.35px)}", "main{opacity:.995}", "main{letter-spacing:.004px}",
		"main{transform:translateY(.3px)}"}[p.variant]
	p.after.styles = append(p.after.styles, style)
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

func progress(p *pair) {
	p.both(func(d *document, after bool) {
		percent := 48 + 6*index(after)
		d.widget("fundraising",
			fmt.Sprintf(`<p>%d %% of our goal reached by %d donors</p><div style="background:#ddd;height:16px">`+
				`<div role="progressbar" style="background:#2a8;height:16px;width:%d%%"></div></div>`, percent,
				310+index(after)*44, percent))
	})
}

func mapTiles(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("map", fmt.Sprintf(`<h3>How to find us</h3><iframe title="Map" width="280" height="220" style="border:0" `+
			`src="/frame/%d?embed=map"></iframe>`, d.seed+uint64(150+index(after))))
	})
}

func tagCloud(p *pair) {
	p.both(func(d *document, after bool) {
		tags := strings.Fields("harbour market garden stone timber river lantern")
		if after {
			slices.Reverse(tags)
		}
		var b strings.Builder
		for _, t := range tags {
			fmt.Fprintf(&b, `<a class=%q href="/t/%s" style="display:inline-block;margin-right:12px">%s</a>`, d.n.class("tag"), t, t)
		}
		d.widget("tags", "<h3>Trending</h3>"+b.String())
	})
}

func layers(p *pair) {
	style := []string{"main>section{will-change:transform;transform:rotate(.02deg)}", "main>section{filter:brightness(1.001)}",
		"main{transform:perspective(900px) translateZ(.02px)}", "main>section{transform:skewX(.02deg)}"}[p.variant]
	p.after.styles = append(p.after.styles, style)
}
