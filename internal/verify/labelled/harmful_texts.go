package labelled

import (
	"fmt"
	"regexp"
	"strings"
)

// Texts, prices and addresses that are wrong or missing.

var title = regexp.MustCompile(`(<h1[^>]*>)[^<]*`)

func unfilled(p *pair) {
	text := []string{"{{ page.title }}", "undefined", "[object Object]", "%TITLE%"}[p.variant]
	p.after.hero.html = title.ReplaceAllString(p.after.hero.html, "${1}"+text)
}

func offer(p *pair, was, is string) {
	p.both(func(d *document, after bool) {
		price := [2]string{was, is}[index(after)]
		d.sections = append([]block{{"offer",
			fmt.Sprintf(`<h2>Offer</h2><p>Only today</p><p class=%q style="font-size:28px">%s</p><button>Buy</button>`,
				d.n.class("offer price"), price)}}, d.sections...)
	})
}

func wrongPrice(p *pair) {
	offer(p, "$49.90", []string{"$NaN", "$undefined", "NaN €", "$"}[p.variant])
}

func zeroPrice(p *pair) {
	forms := [][2]string{{"$49.90", "$0.00"}, {"49,90 €", "0,00 €"}, {"£120", "£0"}, {"USD 49.90", "USD 0.00"}}
	offer(p, forms[p.variant][0], forms[p.variant][1])
}

func mojibake(p *pair) {
	p.both(func(d *document, after bool) {
		text := "Café Müller – große Auswahl, schöne Plätze und „frische“ Brötchen für Gäste"
		if after {
			text = []string{"CafÃ© MÃ¼ller â€“ groÃŸe Auswahl, schÃ¶ne PlÃ¤tze und â€žfrischeâ€œ BrÃ¶tchen fÃ¼r GÃ¤ste",
				"Caf\ufffd M\ufffdller \ufffd gro\ufffde Auswahl, sch\ufffdne Pl\ufffdtze",
				"Caf? M?ller ? gro?e Auswahl, sch?ne Pl?tze und ?frische? Br?tchen f?r G?ste",
				"Caf&amp;eacute; M&amp;uuml;ller &amp;ndash; gro&amp;szlig;e Auswahl"}[p.variant]
		}
		d.sections = append([]block{{"cafe", "<h2>Speisen</h2><p>" + text + "</p>"}}, d.sections...)
	})
}

func shortcode(p *pair) {
	p.both(func(d *document, after bool) {
		content := d.picture(190, 400, 220, "embed image", "view") + "<p>" + sentence(d.r, 2) + "</p>"
		if after {
			content = "<p>" + []string{`[gallery ids="12,15,19" columns="3"]`, `[contact-form-7 id="93" title="Contact"]`,
				`[vc_row][vc_column width="1/2"][/vc_column][/vc_row]`, `[rev_slider alias="home"]`}[p.variant] + "</p>"
		}
		d.sections = append([]block{{"embed", content}}, d.sections...)
	})
}

func telephone(p *pair) {
	forms := [][2]string{{"+49 30 1234567", "+49 30 9876543"}, {"(212) 555-0147", "(212) 555-0193"},
		{"+44 20 7946 0958", "+44 20 7946 0111"}, {"030 / 123 45 67", "030 / 765 43 21"}}
	p.both(func(d *document, after bool) {
		d.sections = append([]block{{"hotline", fmt.Sprintf(`<h2>Call us</h2><p class=%q>%s</p>`, d.n.class("phone"),
			forms[p.variant][index(after)])}}, d.sections...)
	})
}

func placeholderText(p *pair) {
	text := []string{"Lorem ipsum dolor sit amet", "Sample text. Click to edit.", "TODO: headline", "Enter your headline here"}[p.variant]
	p.after.hero.html = title.ReplaceAllString(p.after.hero.html, "${1}"+text)
}

func soldOut(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for range 4 {
			state := `<button>Add to cart</button>`
			if after {
				state = `<p>Sold out</p>`
			}
			fmt.Fprintf(&b, "<div><h3>%s</h3>%s</div>", heading(d.r), state)
		}
		d.sections = append([]block{{"shop", `<h2>Shop</h2><div class="grid">` + b.String() + "</div>"}}, d.sections...)
	})
}

func epoch(p *pair) {
	forms := [][2]string{{"Last updated: 3 March 2025", "Last updated: 1 January 1970"}, {"2025-03-03 09:41", "1970-01-01 00:00"},
		{"Published 12 minutes ago", "Published 55 years ago"}, {"03.03.2025", "30.11.-0001"}}
	p.beside("updated", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func noCounter(p *pair) {
	forms := [][2]string{{"1,204 visitors today", "NaN visitors today"}, {"Only 4 left", "Only undefined left"},
		{"12 people online", "-3 people online"}, {"Ends in 02:11:09", "Ends in NaN:NaN:NaN"}}
	p.beside("visits", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func bankAccount(p *pair) {
	forms := [][2]string{{"IBAN DE89 3704 0044 0532 0130 00", "IBAN DE12 5001 0517 0648 4898 90"}, {"Account 532013000, sort code 37-04-00",
		"Account 648489890, sort code 50-01-05"}, {"IBAN: GB29NWBK60161331926819", "IBAN: GB94BARC10201530093459"},
		{"BTC bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "BTC bc1q9x30z7rz52c97jwc2j79w76y7l3ny54nlvd4ew"}}
	p.beside("payment", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
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

func totalWithout(p *pair) { offer(p, "Total: $49.90", "Total:") }

func otherCurrency(p *pair) {
	forms := [][2]string{{"$49.90", "€49.90"}, {"49,90 €", "49,90 $"}, {"£120", "$120"}, {"USD 49.90", "EUR 49.90"}}
	offer(p, forms[p.variant][0], forms[p.variant][1])
}

func outOfStock(p *pair) {
	forms := [][2]string{{"In stock", "Out of stock"}, {"Available", "Unavailable"}, {"Auf Lager", "Nicht lieferbar"},
		{"Ships today", "Discontinued"}}
	offer(p, forms[p.variant][0], forms[p.variant][1])
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

func buttonWithoutWords(p *pair) {
	p.after.hero.html = strings.Replace(p.after.hero.html, "Get started", "", 1)
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
