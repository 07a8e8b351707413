package labelled

import (
	"fmt"
	"strings"
)

// Pictures, videos and maps that did not arrive.

func brokenPicture(p *pair) {
	p.after.hero.html = strings.Replace(p.after.hero.html, `src="/picture/`, `src="/missing/`, 1)
}

func lostPictures(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i := range 3 {
			picture := d.picture(uint64(170+i), 240, 160, "gallery image", "view")
			if after {
				picture = strings.Replace(strings.Replace(picture, fmt.Sprint(d.seed+uint64(170+i)*977)+"/", "0/", 1), "view",
					"no image available", 1)
			}
			b.WriteString("<figure>" + picture + "</figure>")
		}
		d.widget("gallery", "<h3>Gallery</h3>"+b.String())
	})
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

func slideWithoutPicture(p *pair) {
	p.both(func(d *document, after bool) {
		src := d.picture(530, 1000, 340, "slide image", "slide")
		if after {
			src = strings.Replace(src, "/picture/", "/missing/", 1)
		}
		d.hero.html = `<div class="swiper"><div class="swiper-slide">` + src + "<h2>" + heading(d.r) + "</h2></div></div>"
	})
}

func productWithoutPicture(p *pair) {
	p.both(func(d *document, after bool) {
		cards := d.products().html
		if after {
			from := strings.Index(cards, "<img")
			cards = cards[:from] + cards[from+strings.Index(cards[from:], ">")+1:]
		}
		d.sections = append([]block{{"catalogue", cards}}, d.sections...)
	})
}
