package sites

import (
	"slices"
	"strings"
	"unicode"
)

// What goes wrong elsewhere on the page.

// first applies a change to the first node of one of the roles.
func (d *damaged) first(change func(*node), roles ...string) bool {
	found := d.body.named(roles...)
	if len(found) == 0 {
		return false
	}
	change(found[0])
	return true
}

// drop removes the first node of one of the roles.
func (d *damaged) drop(roles ...string) bool { return d.first(d.body.remove, roles...) }

// bump makes the digit at a place of the first number another one.
func bump(text string, by rune) string {
	out := []rune(text)
	for i, r := range out {
		if r >= '0' && r <= '9' {
			out[i] = '0' + (r-'0'+by)%10
			if out[i] == '0' {
				out[i] = '5'
			}
			break
		}
	}
	return string(out)
}

func otherPrice(d *damaged) bool {
	return d.first(func(n *node) { n.text = bump(n.text, 1) }, "price", "amount")
}

func soldOut(d *damaged) bool {
	return d.first(func(n *node) { n.text = d.l.soldOut }, "stock")
}

func registrationClosed(d *damaged) bool {
	for _, n := range d.body.named("state") {
		if n.text == d.l.registration {
			n.text = d.l.noLonger
			return true
		}
	}
	return false
}

func closedNow(d *damaged) bool {
	for _, n := range d.body.named("state") {
		if n.text == d.l.open {
			n.text = d.l.closed
			return true
		}
	}
	return false
}

func otherLimit(d *damaged) bool {
	return d.first(func(n *node) { n.text = bump(n.text, 3) }, "rule")
}

func otherDay(d *damaged) bool {
	return d.first(func(n *node) { n.text = d.l.date(d.r.IntN(336)) }, "event-date")
}

func otherLegalNumber(d *damaged) bool {
	return d.first(func(n *node) { n.text = bump(n.text, 4) }, "legal")
}

func otherFigure(d *damaged) bool {
	return d.first(func(n *node) { n.text = bump(n.text, 2) }, "figure", "value", "tile-figure")
}

// digitLost takes the last digit before the separator away.
func digitLost(d *damaged) bool {
	return d.first(func(n *node) {
		at := strings.IndexFunc(n.text, unicode.IsDigit)
		n.text = n.text[:at] + n.text[at+1:]
	}, "price", "amount")
}

func otherCurrency(d *damaged) bool {
	return d.first(func(n *node) {
		n.text = strings.NewReplacer("£", "$", "€", "£", "zł", "kr").Replace(n.text)
		if strings.IndexFunc(n.text, func(r rune) bool { return unicode.In(r, unicode.Sc) || unicode.IsLetter(r) }) < 0 {
			n.text += " $"
		}
	}, "price", "amount")
}

func missingButton(d *damaged) bool  { return d.drop("button") }
func missingField(d *damaged) bool   { return d.drop("input") }
func missingEntry(d *damaged) bool   { return d.drop("menu-item") }
func missingFooter(d *damaged) bool  { return d.drop("footer") }
func missingHeading(d *damaged) bool { return d.drop("heading", "title") }
func missingRow(d *damaged) bool     { return d.drop("row", "dish", "question", "step") }
func sectionGone(d *damaged) bool {
	return d.drop("guide", "dishes", "figures", "rules", "questions", "text")
}
func formWithoutButton(d *damaged) bool {
	return d.first(func(n *node) { n.kids = n.kids[:len(n.kids)-1] }, "form")
}

func otherLabel(d *damaged) bool {
	return d.first(func(n *node) { n.text = d.l.title(d.r) }, "button")
}

func buttonWithoutLabel(d *damaged) bool {
	return d.first(func(n *node) { n.text = ""; n.restyle("min-width:90px;min-height:32px") }, "button")
}

func otherParagraph(d *damaged) bool {
	return d.first(func(n *node) { n.text = d.l.prose(d.r, 3) }, "paragraph", "answer", "event-text", "step")
}

func otherHeading(d *damaged) bool {
	return d.first(func(n *node) { n.text = d.l.title(d.r) }, "title", "heading")
}

func sentenceTurned(d *damaged) bool {
	return d.first(func(n *node) { n.text = strings.Replace(n.text, " "+d.l.link+" ", " — ", 1) }, "answer", "step", "teaser",
		"paragraph", "event-text")
}

func garbled(d *damaged) bool {
	changed := false
	for _, n := range d.body.named("paragraph", "title", "heading", "menu-item", "dish-name", "answer", "teaser", "step") {
		text := strings.NewReplacer("a", "Ã¤", "o", "Ã¶", "e", "â€™").Replace(n.text)
		changed = changed || text != n.text
		n.text = text
	}
	return changed
}

func brokenPicture(d *damaged) bool {
	found := d.body.named("card-image", "story-image", "banner-image", "lead-image", "photo-image")
	return len(found) > 0 && setSources(found[0], "/gone/page.jpg")
}

func paleTexts(d *damaged) bool {
	return d.first(func(n *node) {
		for _, m := range texts(n) {
			m.restyle("color:#f4f4f4;background:#fff")
		}
	}, "offers", "text", "dishes", "event", "questions", "figures", "form", "plans")
}

func collapsedColumns(d *damaged) bool {
	return d.first(func(n *node) { n.restyle("display:block") }, "cards", "columns", "gallery", "plans", "tiles")
}

func sectionTwice(d *damaged) bool {
	return d.first(func(n *node) {
		parent := d.body.parentOf(n)
		at := slices.Index(parent.kids, n)
		parent.kids = slices.Insert(parent.kids, at, n.clone())
	}, "offers", "text", "dishes", "event", "questions", "figures", "guide", "rules")
}

func coverOverPage(d *damaged) bool {
	d.body.add(box("div", "layer", "position:absolute;left:0;top:140px;width:100%;height:700px;background:#fafaf9"))
	return true
}

func hugeLetters(d *damaged) bool {
	return d.first(func(n *node) { n.restyle("font-size:44px;line-height:1.1") }, "paragraph", "answer", "rule", "dish", "feature",
		"caption", "menu")
}

func stepsReordered(d *damaged) bool {
	return d.first(func(n *node) { slices.Reverse(n.kids) }, "steps", "specifications")
}

func textsCutOff(d *damaged) bool {
	return d.first(func(n *node) { n.restyle("height:14px;overflow:hidden") }, "paragraph", "answer", "hero-text", "quote-text",
		"event-text")
}

func foreignMenu(d *damaged) bool {
	other := polish
	if d.l == polish {
		other = german
	}
	found := d.body.named("menu-item")
	for i, n := range found {
		n.text = other.menu[i%len(other.menu)]
	}
	return len(found) > 0
}

func narrowPage(d *damaged) bool {
	d.body.restyle("width:340px")
	return true
}

func pictureOverText(d *damaged) bool {
	found := d.body.named("card-image", "story-image", "banner-image", "photo-image")
	if len(found) == 0 {
		return false
	}
	found[0].restyle("position:relative;top:120px;z-index:2")
	return true
}

func menuExchanged(d *damaged) bool {
	return d.first(func(n *node) { slices.Reverse(n.kids) }, "menu")
}

func missingColumn(d *damaged) bool {
	dropped := false
	for _, row := range d.body.named("row", "dish", "plan", "tile") {
		last := len(row.kids) - 1
		row.kids, dropped = row.kids[:last], true
	}
	return dropped
}
