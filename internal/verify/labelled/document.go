package labelled

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
)

// document is a page in parts that kinds of change can take hold of.
type document struct {
	n         namer
	variant   int
	seed      uint64 // of pictures
	status    int
	title     string
	sheet     string   // address of the style sheet
	styles    []string // of the page itself
	top       string   // before everything else in the body
	date      string   // in the header
	logo      string
	nav       []string
	hero      block
	sections  []block // of the main part
	aside     []block
	footer    []string
	fineprint string
	overlays  []string
	whole     string // replaces all of the body
	r         *rand.Rand
}

// block is a part of the page with a name.
type block struct{ name, html string }

func newDocument(seed [32]byte, variant int) *document {
	r := rand.New(rand.NewChaCha8(seed)) //nolint:gosec // the same pages each time
	d := &document{n: namer(variant), variant: variant, seed: r.Uint64() % 100_000, status: 200, r: r}
	d.sheet = fmt.Sprintf("/style/%d/%d.css", variant, r.IntN(4))
	brand := pick(r, nouns)
	brand = strings.ToUpper(brand[:1]) + brand[1:]
	d.title = brand
	d.logo = d.picture(1, 160, 48, "logo", brand)
	for _, label := range []string{"Home", "About", "Services", "Stories", "Contact"} {
		d.nav = append(d.nav, fmt.Sprintf(`<a href="/%s">%s</a>`, strings.ToLower(label), label))
	}
	d.hero = block{"hero", fmt.Sprintf(`<h1 class=%q>%s</h1><p class=%q>%s</p><a class=%q href="/start">Get started</a>%s`,
		d.n.class("hero title"), heading(r), d.n.class("hero text"), sentence(r, 2), d.n.class("hero button"),
		d.picture(2, 1000, 320, "hero image", "view"))}
	switch variant {
	case 0:
		d.sections = []block{d.products(), d.features(), d.signup()}
	case 1:
		d.sections = []block{d.stories(4), d.features()}
	case 2:
		d.sections = []block{d.features(), d.prose(3), d.contact()}
	default:
		d.sections = []block{d.prose(5), d.stories(2)}
		d.aside = []block{{"about", "<h3>About</h3><p>" + sentence(r, 2) + "</p>"}, {"topics", "<h3>Topics</h3>" + d.list(6)}}
	}
	for range 4 {
		d.footer = append(d.footer, fmt.Sprintf(`<a href="/f">%s</a>`, heading(r)))
	}
	d.fineprint = fmt.Sprintf("© %s. All rights reserved.", brand)
	return d
}

// picture is an <img>; number tells pictures of a page apart.
func (d *document) picture(number uint64, width, height int, words, alt string) string {
	return fmt.Sprintf(`<img class=%q src="/picture/%d/%dx%d.jpg" alt=%q width="%d" height="%d">`, d.n.class(words), d.seed+number*977,
		width, height, html.EscapeString(alt), width, height)
}

func (d *document) products() block {
	var cards strings.Builder
	for i := range 6 {
		fmt.Fprintf(&cards,
			`<div class="%s">%s<h3 class="%s">%s</h3><p class="%s">$%d.%02d</p><button class="%s">Add to cart</button></div>`,
			d.n.class("product"), d.picture(uint64(10+i), 280, 200, "product image", "product"), d.n.class("product name"), heading(d.r),
			d.n.class("product price"), 9+d.r.IntN(90), d.r.IntN(100), d.n.class("product button"))
	}
	return block{"products", `<h2>Products</h2><div class="grid">` + cards.String() + `</div>`}
}

func (d *document) features() block {
	var cards strings.Builder
	for range 3 {
		fmt.Fprintf(&cards, `<div class="%s"><h3>%s</h3><p>%s</p></div>`, d.n.class("feature"), heading(d.r), paragraph(d.r, 2))
	}
	return block{"features", `<h2>Why us</h2><div class="grid">` + cards.String() + `</div>`}
}

func (d *document) stories(n int) block {
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, `<article class="%s">%s<div><h3><a href="/s">%s</a></h3><p>%s</p></div></article>`,
			d.n.class("story"), d.picture(uint64(30+i), 200, 130, "story image", "story"), heading(d.r), paragraph(d.r, 3))
	}
	return block{"stories", `<h2>Stories</h2>` + list.String()}
}

func (d *document) prose(paragraphs int) block {
	var text strings.Builder
	fmt.Fprintf(&text, `<h2>%s</h2>`, heading(d.r))
	for range paragraphs {
		fmt.Fprintf(&text, `<p class="%s">%s</p>`, d.n.class("prose text"), paragraph(d.r, 4))
	}
	return block{"prose", text.String()}
}

func (d *document) signup() block {
	return block{"signup",
		`<h2>Newsletter</h2><form action="/n"><input type="email" placeholder="Your e-mail"><button>Subscribe</button></form>`}
}

func (d *document) contact() block {
	return block{"contact", `<h2>Contact</h2><form class="` + d.n.class("contact form") +
		`" action="/c"><label>Name <input type="text"></label><label>E-mail <input type="email"></label>` +
		`<label>Message <textarea rows="4"></textarea></label><button>Send</button></form>`}
}

func (d *document) list(n int) string {
	var items strings.Builder
	for range n {
		fmt.Fprintf(&items, `<li><a href="/t">%s</a></li>`, heading(d.r))
	}
	return "<ul>" + items.String() + "</ul>"
}

// widget adds a part: to the side column where there is one, else after the first section.
func (d *document) widget(words, content string) {
	b := block{words, content}
	if len(d.aside) > 0 {
		d.aside = append([]block{d.aside[0], b}, d.aside[1:]...)
		return
	}
	d.sections = append([]block{d.sections[0], b}, d.sections[1:]...)
}

// section finds the part of one of the names; the first section when none has it.
func (d *document) section(names ...string) *block {
	for i := range d.sections {
		for _, name := range names {
			if d.sections[i].name == name {
				return &d.sections[i]
			}
		}
	}
	return &d.sections[0]
}

// replace changes the HTML of the main part and of the hero, at most n times, -1 for all.
func (d *document) replace(old, with string, n int) {
	for i := range d.sections {
		count := strings.Count(d.sections[i].html, old)
		if n >= 0 {
			count = min(count, n)
			n -= count
		}
		d.sections[i].html = strings.Replace(d.sections[i].html, old, with, count)
	}
	if n != 0 {
		d.hero.html = strings.Replace(d.hero.html, old, with, n)
	}
}

// HTML is the page as it is served.
func (d *document) HTML() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`+
		`<title>%s</title>`, html.EscapeString(d.title))
	if d.sheet != "" {
		fmt.Fprintf(&b, `<link rel="stylesheet" href="%s">`, d.sheet)
	}
	fmt.Fprintf(&b, "<style>%s</style></head><body>", strings.Join(d.styles, "\n"))
	if d.whole != "" {
		b.WriteString(d.whole + "</body></html>")
		return b.String()
	}
	b.WriteString(d.top)
	fmt.Fprintf(&b, `<header class="site-header"><div class="%s">%s</div>`, d.n.class("site logo"), d.logo)
	if len(d.nav) > 0 {
		fmt.Fprintf(&b, `<nav class="site-nav">%s</nav>`, strings.Join(d.nav, ""))
	}
	b.WriteString(d.date + "</header>")
	if d.hero.html != "" {
		fmt.Fprintf(&b, `<section class="hero-area">%s</section>`, d.hero.html)
	}
	b.WriteString(`<div class="columns"><main>`)
	d.write(&b, d.sections)
	b.WriteString("</main>")
	if len(d.aside) > 0 {
		b.WriteString("<aside>")
		d.write(&b, d.aside)
		b.WriteString("</aside>")
	}
	b.WriteString("</div>")
	if len(d.footer) > 0 {
		fmt.Fprintf(&b, `<footer class="site-footer">%s<p class="%s">%s</p></footer>`, strings.Join(d.footer, ""),
			d.n.class("fine print"), d.fineprint)
	}
	b.WriteString(strings.Join(d.overlays, "") + "</body></html>")
	return b.String()
}

func (d *document) write(b *strings.Builder, blocks []block) {
	for _, s := range blocks {
		fmt.Fprintf(b, `<section class="part %s">%s</section>`, d.n.class(s.name), s.html)
	}
}
