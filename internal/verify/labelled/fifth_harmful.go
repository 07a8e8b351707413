package labelled

import (
	"fmt"
	"strings"
)

// fifthHarmful are harmful kinds of the fifth held-out set.
func fifthHarmful() []Kind {
	return []Kind{
		{Name: "product without its picture", change: productWithoutPicture},
		{Name: "button without words", change: buttonWithoutWords},
		{Name: "total without an amount", change: totalWithout},
		{Name: "other currency", change: otherCurrency},
		{Name: "header twice", change: headerTwice},
		{Name: "content under the header", change: underHeader},
		{Name: "tiny text", change: tinyText},
		{Name: "cards upon each other", change: cardsUponEachOther},
		{Name: "notice in a list", change: noticeInList},
		{Name: "flipped direction", change: flipped},
		{Name: "out of stock", change: outOfStock},
		{Name: "related products gone", change: relatedGone},
		{Name: "half of the text", change: halfOfTheText},
		{Name: "black page", change: blackPage},
	}
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

func buttonWithoutWords(p *pair) {
	p.after.hero.html = strings.Replace(p.after.hero.html, "Get started", "", 1)
}

func totalWithout(p *pair) { offer(p, "Total: $49.90", "Total:") }

func otherCurrency(p *pair) {
	forms := [][2]string{{"$49.90", "€49.90"}, {"49,90 €", "49,90 $"}, {"£120", "$120"}, {"USD 49.90", "EUR 49.90"}}
	offer(p, forms[p.variant][0], forms[p.variant][1])
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

func noticeInList(p *pair) {
	p.both(func(d *document, after bool) {
		extra := ""
		if after {
			extra = "<li>" + []string{"Notice: Undefined index: url in /srv/feed.php on line 12",
				"Warning: foreach() argument must be of type array in /srv/list.php on line 4",
				"undefined method `name' for nil:NilClass (NoMethodError)",
				"TypeError: Cannot read properties of null (reading 'title')"}[p.variant] + "</li>"
		}
		d.widget("latest news", fmt.Sprintf("<h3>Latest news</h3><ul><li>%s</li><li>%s</li>%s</ul>", heading(d.r), heading(d.r), extra))
	})
}

func flipped(p *pair) { p.after.styles = append(p.after.styles, "html{direction:rtl}") }

func outOfStock(p *pair) {
	forms := [][2]string{{"In stock", "Out of stock"}, {"Available", "Unavailable"}, {"Auf Lager", "Nicht lieferbar"},
		{"Ships today", "Discontinued"}}
	offer(p, forms[p.variant][0], forms[p.variant][1])
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

func halfOfTheText(p *pair) {
	p.both(func(d *document, after bool) {
		text := paragraph(d.r, 6)
		if after {
			text = text[:len(text)/2]
		}
		d.sections = append([]block{{"story", "<h2>Our story</h2><p>" + text + "</p>"}}, d.sections...)
	})
}

func blackPage(p *pair) {
	p.after.styles = append(p.after.styles, "body::after{content:'';position:fixed;inset:0;background:#000}")
}
