package labelled

import (
	"fmt"
	"strings"
)

// Parts that are in the wrong place, size or colour.

func unstyled(p *pair) {
	p.after.sheet = [4]string{"/style/missing.css", "", "/style/9/99.css", "/style/gone/main.css"}[p.variant]
}

func collapsed(p *pair) {
	p.after.styles = append(p.after.styles, []string{
		".grid{display:block}", ".columns{max-width:240px!important}article{display:block}",
		".columns,.grid{display:block!important}.grid>div{width:120px}",
		".columns{flex-direction:row-reverse}aside{width:900px!important}",
	}[p.variant])
}

func overlapping(p *pair) {
	p.after.styles = append(p.after.styles, []string{
		".columns{margin-top:-180px}", "main>section:first-child{height:40px;overflow:visible}",
		".site-footer{position:relative;top:-220px}", "aside{position:absolute;left:60px;top:200px}",
	}[p.variant])
}

func blankHero(p *pair) {
	p.after.hero.html = `<div style="height:420px"></div>`
}

func invisibleText(p *pair) {
	p.after.styles = append(p.after.styles,
		[]string{"main,main h2,main h3,main p{color:#fff!important}.grid>div{background:#fff!important}",
			"main *{color:transparent!important}", "main p{color:#fafafa!important}", "h2,h3{color:#fdfdfd!important}"}[p.variant])
}

func distorted(p *pair) {
	p.after.styles = append(p.after.styles, []string{"main img{width:280px!important;height:40px!important}",
		"main img,.hero-area img{height:600px!important;width:90px!important}", ".hero-area img{height:60px!important}",
		"main img,.hero-area img{width:100%!important;height:500px!important}"}[p.variant])
}

func sideways(p *pair) {
	p.after.styles = append(p.after.styles, []string{"main{min-width:1900px}", ".hero-area{width:1800px}",
		".grid{grid-template-columns:repeat(3,640px)!important}", "main p{white-space:nowrap}"}[p.variant])
}

func duplicated(p *pair) {
	first := p.after.sections[0]
	p.after.sections = append([]block{first}, p.after.sections...)
}

func menuOverContent(p *pair) {
	p.after.overlays = append(p.after.overlays,
		`<div style="position:absolute;left:0;top:0;width:320px;height:700px;background:#fff"><ul><li>Home</li><li>About</li>`+
			`<li>Services</li></ul></div>`)
}

func narrowPage(p *pair) {
	p.after.styles = append(p.after.styles, "body{width:300px}")
}

func hugeIcons(p *pair) {
	p.both(func(d *document, after bool) {
		size := 24 + 476*index(after)
		icon := fmt.Sprintf(`<svg width="%d" height="%d" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="#333"/></svg>`, size, size)
		d.sections[0].html = icon + d.sections[0].html
	})
}

func brokenTable(p *pair) {
	p.both(func(d *document, after bool) {
		table := `<table><tr><th>Size</th><th>Width</th><th>Height</th></tr><tr><td>S</td><td>40</td><td>60</td></tr><tr><td>M</td>` +
			`<td>44</td><td>64</td></tr></table>`
		if after {
			table = []string{"| Size | Width | Height | |---|---|---| | S | 40 | 60 |", "Size Width Height S 40 60 M 44 64",
				"&lt;table&gt;&lt;tr&gt;&lt;td&gt;S", `<table><tr><th>Size</th><th>Width</th><th>Height</th></tr></table>`}[p.variant]
		}
		d.sections = append([]block{{"sizes", "<h2>Sizes</h2>" + table}}, d.sections...)
	})
}

func otherColours(p *pair) {
	p.after.styles = append(p.after.styles, []string{"body{background:#ff00ff!important}", ".hero-area{background:#000!important}",
		"main{background:#fffb00}", "header,footer{background:#0f0!important}"}[p.variant])
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

func unreadableFooter(p *pair) {
	p.after.styles = append(p.after.styles, ".site-footer,.site-footer a{color:#444!important;background:#444!important}")
}

func popupOverAll(p *pair) {
	p.after.overlays = append(p.after.overlays,
		`<div class="newsletter-popup" style="position:fixed;inset:0;background:rgba(0,0,0,.85);color:#fff;padding:260px 60px;z-index:9">`+
			`<h2>Subscribe to our newsletter</h2><input type="email"><button>Subscribe</button></div>`)
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

func headerTwice(p *pair) {
	p.after.top = `<div class="site-header"><div>` + p.after.logo + `</div><div class="site-nav">` + strings.Join(p.after.nav,
		"") + "</div></div>"
}

func underHeader(p *pair) {
	p.after.styles = append(p.after.styles,
		".site-header{position:absolute;left:0;right:0;top:0;background:#fff}.hero-area{padding-top:4px}")
}

func tinyText(p *pair) {
	p.after.styles = append(p.after.styles, "main,main p,main h2,main h3{font-size:7px!important}")
}

func cardsUponEachOther(p *pair) {
	p.after.styles = append(p.after.styles,
		".grid>div+div{margin-left:-200px}article+article{margin-top:-110px}.part p+p{margin-top:-40px}")
}

func flipped(p *pair) { p.after.styles = append(p.after.styles, "html{direction:rtl}") }

func blackPage(p *pair) {
	p.after.styles = append(p.after.styles, "body::after{content:'';position:fixed;inset:0;background:#000}")
}
