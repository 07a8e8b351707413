package labelled

import (
	"fmt"
	"strings"
)

// fourthHarmful are harmful kinds of the fourth held-out set.
func fourthHarmful() []Kind {
	return []Kind{
		{Name: "shrunken list", change: shrunkenList},
		{Name: "feed with an error code", change: feedWithCode},
		{Name: "slide without its picture", change: slideWithoutPicture},
		{Name: "unreadable footer", change: unreadableFooter},
		{Name: "frozen skeletons", change: frozenSkeletons},
		{Name: "all prices equal", change: equalPrices},
		{Name: "sentence cut off", change: cutOff},
		{Name: "pop-up over everything", change: popupOverAll},
		{Name: "search without field", change: noSearchField},
		{Name: "gallery in one column", change: oneColumn},
		{Name: "raw markup", change: rawMarkup},
		{Name: "other mail address", change: otherMail},
		{Name: "rating of nothing", change: noRating},
		{Name: "translation keys", change: translationKeys},
	}
}

func shrunkenList(p *pair) {
	p.both(func(d *document, after bool) {
		n := 8 - 6*index(after)
		d.widget("courses", "<h3>Courses</h3><ul>"+strings.Repeat("<li>"+heading(d.r)+"</li>", n)+"</ul>")
	})
}

func feedWithCode(p *pair) {
	p.both(func(d *document, after bool) {
		content := "<ul><li>" + heading(d.r) + "</li><li>" + heading(d.r) + "</li></ul>"
		if after {
			content = "<p>" + []string{"Error 401: invalid access token", "API rate limit exceeded", "HTTP 503",
				"cURL error 28: Operation timed out"}[p.variant] + "</p>"
		}
		d.widget("instagram", "<h3>Instagram</h3>"+content)
	})
}

func slideWithoutPicture(p *pair) {
	p.both(func(d *document, after bool) {
		src := d.picture(530, 1000, 340, "slide image", "slide")
		if after {
			src = strings.Replace(src, "/picture/", "/missing/", 1)
		}
		d.hero.html = `<div class="swiper"><div class="swiper-slide">` + src + "<h2>" + heading(d.r) + "</h2></div></div>"
	})
}

func unreadableFooter(p *pair) {
	p.after.styles = append(p.after.styles, ".site-footer,.site-footer a{color:#444!important;background:#444!important}")
}

func frozenSkeletons(p *pair) {
	p.both(func(d *document, after bool) {
		content := strings.Repeat("<div><h4>"+heading(d.r)+"</h4><p>"+sentence(d.r, 2)+"</p></div>", 3)
		if after {
			content = strings.Repeat(`<div class="skeleton shimmer" style="height:90px;background:#e4e4e4;margin-bottom:10px"></div>`, 3)
		}
		d.widget("related", "<h3>Related</h3>"+content)
	})
}

func equalPrices(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i := range 4 {
			price := 19 + 11*i
			if after {
				price = 1
			}
			fmt.Fprintf(&b, `<div><h4>%s</h4><p>$%d.99</p></div>`, heading(d.r), price)
		}
		d.widget("offers", `<h3>Recommended</h3><div class="grid">`+b.String()+"</div>")
	})
}

func cutOff(p *pair) {
	p.after.styles = append(p.after.styles, "main p{height:22px;overflow:hidden}")
}

func popupOverAll(p *pair) {
	p.after.overlays = append(p.after.overlays,
		`<div class="newsletter-popup" style="position:fixed;inset:0;background:rgba(0,0,0,.85);color:#fff;padding:260px 60px;z-index:9">`+
			`<h2>Subscribe to our newsletter</h2><input type="email"><button>Subscribe</button></div>`)
}

func noSearchField(p *pair) {
	p.both(func(d *document, after bool) {
		if !after {
			d.date = `<form role="search" action="/q"><input type="search" placeholder="Search"></form>`
		}
	})
}

func oneColumn(p *pair) {
	p.both(func(d *document, after bool) {
		look := "display:flex;gap:12px"
		if after {
			look = "display:block"
		}
		var b strings.Builder
		for i := range 3 {
			b.WriteString("<div>" + d.picture(uint64(540+i), 240, 150, "shelf image", "view") + "<p>" + heading(d.r) + "</p></div>")
		}
		d.sections = append([]block{{"shelf", `<h2>Shelf</h2><div style="` + look + `">` + b.String() + "</div>"}}, d.sections...)
	})
}

func rawMarkup(p *pair) {
	p.both(func(d *document, after bool) {
		text := "Open <b>every day</b> from nine to five, except on holidays."
		if after {
			text = "Open &lt;b&gt;every day&lt;/b&gt; from nine to five, except on holidays."
		}
		d.sections = append([]block{{"times", "<h2>Times</h2><p>" + text + "</p>"}}, d.sections...)
	})
}

func otherMail(p *pair) {
	forms := [][2]string{{"info@shop.example.com", "lnfo@shop.example.com"}, {"Write to office@example.com", "Write to office@example.org"},
		{"sales@example.com", "sales2@example.com"}, {"Mail: hello@example.com", "Mail: hello@mail.test"}}
	p.beside("contact", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func noRating(p *pair) {
	forms := [][2]string{{"★ 4.5 (127 reviews)", "★ NaN (0 reviews)"}, {"Rated 4.5 out of 5", "Rated 0 out of 0"},
		{"127 reviews", "0 reviews"}, {"4.5 stars", "undefined stars"}}
	p.beside("rating", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func translationKeys(p *pair) {
	for i, key := range []string{"nav.home", "nav.about", "nav.services", "nav.stories", "nav.contact"} {
		p.after.nav[i] = `<a href="/k">` + key + "</a>"
	}
	p.after.hero.html = strings.Replace(p.after.hero.html, "Get started", "hero.button.label", 1)
}
