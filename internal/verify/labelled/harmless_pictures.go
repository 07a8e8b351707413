package labelled

import (
	"fmt"
	"strings"
)

// Pictures, videos and advertisements that take turns.

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

func mapTiles(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("map", fmt.Sprintf(`<h3>How to find us</h3><iframe title="Map" width="280" height="220" style="border:0" `+
			`src="/frame/%d?embed=map"></iframe>`, d.seed+uint64(150+index(after))))
	})
}

func headerPicture(p *pair) {
	p.both(func(d *document, after bool) {
		d.hero.html = d.picture(uint64(210+index(after)), 1000, 240, "random header", "header") + d.hero.html
	})
}

func videoStill(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("clip", fmt.Sprintf(`<h3>Our film</h3><video width="280" height="160" poster="/picture/%d/280x160.jpg"></video>`,
			d.seed+uint64(260+index(after))))
	})
}

func profilePicture(p *pair) {
	p.both(func(d *document, after bool) {
		d.date = d.picture(uint64(300+index(after)), 40, 40, "user picture", "Your profile")
	})
}

func rotatingBanner(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("banner", fmt.Sprintf(`<a href="/b">%s</a>`, d.picture(uint64(340+index(after)), 728, 90, "banner image", "banner")))
	})
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

func otherQuality(p *pair) {
	p.after.replace(`.jpg"`, `.jpg?q=45"`, -1)
}

func nowPlaying(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("player", "<h3>Now playing</h3><p>"+[2]string{"River song – The Lanterns",
			"Golden anchor – Ada and the Boats"}[index(after)]+"</p>")
	})
}

func customerFaces(p *pair) {
	texts, names := [2]string{sentence(p.r, 1), sentence(p.r, 1)}, [2]string{person(p.r), person(p.r)}
	p.both(func(d *document, after bool) {
		d.widget("reviews", "<h3>What our customers say</h3>"+d.picture(uint64(500+index(after)), 64, 64, "reviews face",
			"customer")+"<p>"+texts[index(after)]+"</p><p>"+names[index(after)]+"</p>")
	})
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

func sponsoredArticle(p *pair) {
	texts := [2]string{sentence(p.r, 1), sentence(p.r, 2)}
	p.both(func(d *document, after bool) {
		label := []string{"Sponsored", "Advertisement", "Promoted", "Anzeige"}[p.variant]
		d.widget("partner", fmt.Sprintf("<small>%s</small>%s<p>%s</p>", label, d.picture(uint64(310+index(after)), 280, 150,
			"partner image", "partner"), texts[index(after)]))
	})
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

func adElsewhere(p *pair) {
	ad := fmt.Sprintf(`<div class="ad-slot"><img src="/picture/%d/300x120.jpg" width="300" height="120" alt="Advertisement"></div>`,
		p.before.seed+360)
	p.before.sections = append([]block{{"sponsored", ad}}, p.before.sections...)
	p.after.sections = append(p.after.sections, block{"sponsored", ad})
}

func adOfOtherSize(p *pair) {
	p.both(func(d *document, after bool) {
		height := []int{250, 600}[index(after)]
		d.widget("sponsored",
			fmt.Sprintf(`<div class="adsbygoogle"><img src="/picture/%d/300x%d.jpg" width="300" height="%d" alt="Advertisement"></div>`,
				d.seed+uint64(520+index(after)), height, height))
	})
}
