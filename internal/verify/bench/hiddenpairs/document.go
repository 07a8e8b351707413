package hiddenpairs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// part is an element of a generated page that may change. Its class names it in captures.
type part struct {
	class, tag, text, style, attributes string
	generated                           string // what its style sheet puts behind its text
	script                              string // that draws it
	unseen                              bool   // no pixel shows it
	children                            []*part
	gone                                bool
}

// html writes the part and what is in it.
func (p *part) html(b *strings.Builder) {
	if p.gone {
		return
	}
	fmt.Fprintf(b, `<%s class=%q style=%q %s>%s`, p.tag, p.class, p.style, p.attributes, p.text)
	if p.tag == "img" {
		return
	}
	for _, child := range p.children {
		child.html(b)
	}
	fmt.Fprintf(b, "</%s>\n", p.tag)
	if p.generated != "" {
		fmt.Fprintf(b, "<style>.%s::after { content: %q }</style>\n", p.class, p.generated)
	}
	if p.script != "" {
		fmt.Fprintf(b, "<script>{ const c = document.querySelector('.%s').getContext('2d'); %s }</script>\n", p.class, p.script)
	}
}

// document is a generated page.
type document struct {
	parts   []*part // of the body, from top to bottom
	turning *part   // the part that always changes
	named   int
	serif   bool
}

func (d *document) html() string {
	var b strings.Builder
	font := "sans-serif"
	if d.serif {
		font = "serif"
	}
	fmt.Fprintf(&b, `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Workshop</title><style>
body { margin: 0; font: 16px/1.5 %s; color: #222 } * { box-sizing: border-box }
</style></head><body>`, font)
	for _, p := range d.parts {
		p.html(&b)
	}
	b.WriteString("</body></html>")
	return b.String()
}

// part makes a part with a class of its own.
func (d *document) part(tag, text, style string, children ...*part) *part {
	d.named++
	return &part{class: fmt.Sprintf("k%d", d.named), tag: tag, text: text, style: style, children: children}
}

var (
	nouns = strings.Fields("Lamp Table Chair Shelf Mirror Basket Carpet Bench Stool Desk Vase Clock Hook Ladder Frame Tray Bowl Rack")
	woods = strings.Fields("oak ash beech birch walnut maple cherry pine larch elm")
	deeds = strings.Fields("planed sawn oiled turned glued carved polished stained sanded waxed")
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func sentence(r *rand.Rand) string {
	return fmt.Sprintf("Every %s is %s from %s and %s by hand in our workshop, then %s twice before it leaves.",
		strings.ToLower(pick(r, nouns)), pick(r, deeds), pick(r, woods), pick(r, deeds), pick(r, deeds))
}

// drawing is the address of an inline picture.
func drawing(seed int) string {
	colours := []string{"7a4", "47a", "a47", "4a7", "a74", "74a", "c33", "3c3", "33c"}
	return fmt.Sprintf("data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='160' height='100'>"+
		"<rect width='160' height='100' fill='%%23%s'/><circle cx='%d' cy='50' r='30' fill='%%23fff'/></svg>",
		colours[seed%len(colours)], 30+seed*17%100)
}

// card is a picture, a heading, a price and a button.
func (d *document) card(r *rand.Rand, width string) *part {
	picture := d.part("img", "", "display:block;width:160px;height:100px")
	picture.attributes = fmt.Sprintf("alt='' src=%q", drawing(r.IntN(40)))
	return d.part("article", "", "display:inline-block;vertical-align:top;padding:12px;border:1px solid #ccc;margin:6px;width:"+width,
		picture,
		d.part("h3", pick(r, nouns)+" of "+pick(r, woods), "margin:6px 0;font-size:18px"),
		d.part("p", fmt.Sprintf("from €%d.%d0", 3+r.IntN(60), 1+r.IntN(9)), "margin:4px 0"),
		d.part("button", "Add to basket", "padding:6px 12px;border:0;background:#246;color:#fff"),
	)
}

// newDocument generates a page: a header, offers, a few paragraphs, nested boxes, a picture with a label upon it, a part that
// turns, what style sheets and scripts make, what cannot be seen, and, now and then, a lot of text below.
func newDocument(r *rand.Rand) *document {
	d := &document{serif: r.IntN(2) == 0}
	sections := []*part{d.introduction(r), d.offers(r), d.nested(r), d.labelled(r), d.smallPrint(r), d.stock(r), d.unseen(r), d.faint(r)}
	d.turning = d.part("div", "", "padding:20px;background:#eef", d.part("p", sentence(r), "margin:0"))
	d.turning.class += " carousel"
	sections = append(sections, d.turning)
	r.Shuffle(len(sections), func(i, j int) { sections[i], sections[j] = sections[j], sections[i] })
	d.parts = append([]*part{d.header()}, sections...)
	switch r.IntN(8) {
	case 0, 1:
		for range 40 + r.IntN(60) {
			d.parts = append(d.parts, d.part("p", sentence(r), "margin:30px 20px"))
		}
	case 2: // below what a browser paints at once
		d.parts = append(d.parts, &part{tag: "div", style: "height:16500px;border-left:9px solid #cde"}, d.offers(r), d.introduction(r))
	}
	d.parts = append(d.parts, d.part("footer", "", "padding:20px;background:#222;color:#ddd",
		d.part("p", "Mill Lane 4, open on working days", ""), d.part("p", "Registered as a workshop for timber", "")))
	return d
}

func (d *document) header() *part {
	var links []*part
	for _, text := range []string{"Workshop", "Offers", "Visit", "Contact"} {
		link := d.part("a", text, "margin-right:24px;display:inline-block;color:#246")
		link.attributes = "href='/'"
		links = append(links, link)
	}
	return d.part("header", "", "padding:16px;border-bottom:2px solid #246", links...)
}

func (d *document) introduction(r *rand.Rand) *part {
	return d.part("section", "", "padding:20px", d.part("h1", "Furniture of "+pick(r, woods), "margin:0"), d.part("p", sentence(r), ""),
		d.part("button", "Order now", "padding:8px 14px;margin-right:8px"), d.part("button", "Ask us", "padding:8px 14px"))
}

func (d *document) offers(r *rand.Rand) *part {
	width := pick(r, []string{"220px", "260px", "30%"})
	var cards []*part
	for range 3 + r.IntN(4) {
		cards = append(cards, d.card(r, width))
	}
	return d.part("section", "", "padding:20px", cards...)
}

func (d *document) nested(r *rand.Rand) *part {
	inner := d.part("div", "", "padding:16px;background:#fff", d.part("h2", "How it is made", "margin:0"), d.part("p", sentence(r), ""))
	return d.part("section", "", "padding:20px;background:#f4f4f0", d.part("div", "", "padding:16px;background:#e8e8e0", inner))
}

// labelled is a picture with words upon it.
func (d *document) labelled(r *rand.Rand) *part {
	photo := d.part("img", "", "position:absolute;left:0;top:0;width:360px;height:140px")
	photo.attributes = fmt.Sprintf("alt='' src=%q", drawing(r.IntN(40)))
	return d.part("section", "", "position:relative;height:180px;margin:20px", photo,
		d.part("span", pick(r, woods)+" week", "position:absolute;left:20px;top:20px;background:#fff;padding:4px 8px"))
}

func (d *document) smallPrint(r *rand.Rand) *part {
	return d.part("section", "", "padding:20px", d.part("p", sentence(r), "color:#888"), d.part("p", sentence(r), ""),
		d.part("p", "* incl. VAT.", "font-size:11px;color:#bbb"))
}

// stock is what a style sheet says of offers, and a drawing of a script.
func (d *document) stock(r *rand.Rand) *part {
	section := d.part("section", "", "padding:20px")
	for range 2 {
		line := d.part("h3", pick(r, nouns)+" of "+pick(r, woods), "margin:6px 0")
		line.generated = ", in stock"
		section.children = append(section.children, line)
	}
	chart := d.part("canvas", "", "display:block")
	chart.attributes, chart.script = "width=300 height=80", chartOf(r)
	section.children = append(section.children, chart)
	return section
}

// chartOf is a script that draws bars.
func chartOf(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("c.fillStyle = '#246';")
	for i := range 10 {
		height := 10 + r.IntN(70)
		fmt.Fprintf(&b, " c.fillRect(%d, %d, 20, %d);", 30*i, 80-height, height)
	}
	return b.String()
}

// unseen is a strip of which only the first part can be seen, and a link beside the page.
func (d *document) unseen(r *rand.Rand) *part {
	strip := d.part("div", "", "display:flex;width:900px")
	for i := range 3 {
		slide := d.part("p", sentence(r), "width:300px;margin:0;padding:8px;box-sizing:border-box")
		slide.unseen = i > 0
		strip.children = append(strip.children, slide)
	}
	link := d.part("a", "Skip to the offers", "position:absolute;left:-4000px")
	link.attributes, link.unseen = "href='#'", true
	return d.part("section", "", "padding:20px", d.part("div", "", "overflow:hidden;width:300px;background:#efe", strip), link)
}

// faint is text in nearly the colour of its background.
func (d *document) faint(r *rand.Rand) *part {
	return d.part("section", "", "padding:20px", d.part("p", "Delivery within "+pick(r, []string{"three", "four", "five"})+" weeks",
		"padding:9px;background:#f4f4f0"), d.part("p", "Colours of "+pick(r, woods)+" may differ", "color:#eee;background:#fff"))
}

// leaves are the parts without others in them.
func (d *document) leaves() []*part {
	var found []*part
	var walk func(p *part)
	walk = func(p *part) {
		if len(p.children) == 0 && p.class != "" {
			found = append(found, p)
		}
		for _, child := range p.children {
			walk(child)
		}
	}
	for _, p := range d.parts {
		walk(p)
	}
	return found
}

// around is the part that has another one in it; nil for none.
func (d *document) around(inner *part) *part {
	var found *part
	var walk func(p *part)
	walk = func(p *part) {
		if slices.Contains(p.children, inner) {
			found = p
		}
		for _, child := range p.children {
			walk(child)
		}
	}
	for _, p := range d.parts {
		walk(p)
	}
	return found
}
