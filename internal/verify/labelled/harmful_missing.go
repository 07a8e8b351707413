package labelled

import (
	"fmt"
	"strings"
)

// Parts that are gone or empty.

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

func emptyList(p *pair) {
	p.both(func(d *document, after bool) {
		list := d.products()
		if after {
			list.html = "<h2>Products</h2><p>" + []string{"No products were found matching your selection.", "0 results",
				"Sorry, nothing to show.", "Keine Produkte gefunden"}[p.variant] + "</p>"
		}
		d.sections = append([]block{list}, d.sections...)
	})
}

func missingHeadings(p *pair) {
	for i := range p.after.sections {
		html := p.after.sections[i].html
		from, to := strings.Index(html, "<h2>"), strings.Index(html, "</h2>")
		if from >= 0 && to > from {
			p.after.sections[i].html = html[:from] + html[to+len("</h2>"):]
		}
	}
}

func missingSide(p *pair) {
	p.before.aside = append(p.before.aside, block{"help", "<h3>Need help?</h3><p>" + sentence(p.r, 2) + "</p>"})
	p.after.aside = nil
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

func shrunkenList(p *pair) {
	p.both(func(d *document, after bool) {
		n := 8 - 6*index(after)
		d.widget("courses", "<h3>Courses</h3><ul>"+strings.Repeat("<li>"+heading(d.r)+"</li>", n)+"</ul>")
	})
}

func noSearchField(p *pair) {
	p.both(func(d *document, after bool) {
		if !after {
			d.date = `<form role="search" action="/q"><input type="search" placeholder="Search"></form>`
		}
	})
}

func relatedGone(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i := range 3 {
			b.WriteString("<div>" + d.picture(uint64(640+i), 200, 130, "related image", "product") + "<p>" + heading(d.r) + "</p></div>")
		}
		if !after {
			d.widget("related", `<h3>Related products</h3><div class="grid">`+b.String()+"</div>")
		}
	})
}
