package labelled

import (
	"fmt"
	"strings"
)

// harmful are the changes that somebody has to be told of.
func harmful() []Kind {
	gone := []string{"vanished", "blank"}
	return append([]Kind{
		{Name: "broken picture", change: brokenPicture, Expect: &Expectation{[]string{"hero image"},
			[]string{"image_replaced", "resized", "blank"}}},
		{Name: "missing section", change: missingSection},
		{Name: "missing navigation", change: missingNavigation, Expect: &Expectation{[]string{"site-nav", "site nav"}, gone}},
		{Name: "missing button", change: missingButton, Expect: &Expectation{[]string{"hero button"}, gone}},
		{Name: "missing form fields", change: missingFields},
		{Name: "missing footer", change: missingFooter, Expect: &Expectation{[]string{"site-footer"}, gone}},
		{Name: "missing logo", change: missingLogo},
		{Name: "unstyled page", change: unstyled},
		{Name: "collapsed columns", change: collapsed},
		{Name: "overlapping parts", change: overlapping},
		{Name: "blank hero", change: blankHero},
		{Name: "invisible text", change: invisibleText},
		{Name: "distorted pictures", change: distorted},
		{Name: "sideways overflow", change: sideways},
		{Name: "lost pictures", change: lostPictures},
		{Name: "duplicated section", change: duplicated},
		{Name: "empty paragraphs", change: emptyParagraphs},
	}, harmfulTexts()...)
}

func brokenPicture(p *pair) {
	p.after.hero.html = strings.Replace(p.after.hero.html, `src="/picture/`, `src="/missing/`, 1)
}

func missingSection(p *pair) { p.after.sections = p.after.sections[1:] }

func missingNavigation(p *pair) { p.after.nav = nil }

func missingButton(p *pair) {
	html := p.after.hero.html
	from := strings.Index(html, `<a class=`)
	to := from + strings.Index(html[from:], "</a>") + len("</a>")
	p.after.hero.html = html[:from] + html[to:]
}

func missingFields(p *pair) {
	p.both(func(d *document, after bool) {
		fields := `<label>Name <input type="text"></label><label>E-mail <input type="email"></label>` +
			`<label>Card number <input type="text"></label><button>Order now</button>`
		if after {
			fields = `<button>Order now</button>`
		}
		d.sections = append([]block{{"order", `<h2>Your order</h2><form action="/o">` + fields + `</form>`}}, d.sections...)
	})
}

func missingFooter(p *pair) { p.after.footer = nil }

func missingLogo(p *pair) { p.after.logo = "" }

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

func duplicated(p *pair) {
	first := p.after.sections[0]
	p.after.sections = append([]block{first}, p.after.sections...)
}

func emptyParagraphs(p *pair) {
	for i := range p.after.sections {
		html := p.after.sections[i].html
		for {
			from := strings.Index(html, "<p>")
			if from < 0 {
				break
			}
			to := from + strings.Index(html[from:], "</p>") + len("</p>")
			html = html[:from] + html[to:]
		}
		p.after.sections[i].html = html
	}
	if p.variant == 2 || p.variant == 3 {
		prose := p.after.section("prose")
		prose.html = prose.html[:strings.Index(prose.html, "</h2>")+len("</h2>")]
	}
}
