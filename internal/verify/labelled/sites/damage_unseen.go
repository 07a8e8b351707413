package sites

import (
	"slices"
	"strings"
)

// What goes wrong on the unseen sites.
var unseenDamages = []*Damage{
	{"keys for texts", Unseen, true, keysForTexts},
	{"grey boxes for entries", Unseen, true, greyBoxes},
	{"part squeezed", Unseen, true, squeezedPart},
	{"letters lost", Unseen, true, lettersLost},
	{"error number", Unseen, true, errorNumber},
	{"part over its neighbours", Unseen, true, overNeighbours},
	{"absurd figures", Unseen, true, absurdFigures},

	{"digit added to a price", Unseen, false, digitAdded},
	{"paragraph emptied", Unseen, false, emptiedParagraph},
	{"heading of another part", Unseen, false, otherPartsHeading},
	{"texts exchanged", Unseen, false, textsExchanged},
	{"cell lost in a row", Unseen, false, cellLost},
	{"picture as large as the page", Unseen, false, hugePicture},
	{"menu as a column", Unseen, false, menuColumn},
	{"button out of place", Unseen, false, displacedButton},
	{"labels gone", Unseen, false, labelsGone},
	{"state withdrawn", Unseen, false, stateWithdrawn},
	{"footer over the content", Unseen, false, footerOver},
	{"picture of another part", Unseen, false, otherPartsPicture},
}

func keysForTexts(d *damaged) bool {
	all := texts(d.part)
	for i, n := range all {
		n.text = []string{"home.teaser.title", "home.teaser.body", "common.action.more"}[i%3]
	}
	return len(all) > 0
}

func greyBoxes(d *damaged) bool {
	_, same := entries(d.part)
	for _, n := range same {
		n.kids, n.text = nil, ""
		n.restyle("background:#e5e7eb;min-height:26px;min-width:60px")
	}
	return len(same) > 1
}

func squeezedPart(d *damaged) bool {
	d.part.restyle("width:84px;overflow:hidden")
	return d.solid()
}

func lettersLost(d *damaged) bool {
	changed := false
	for _, n := range texts(d.part) {
		text := strings.NewReplacer("a", "�", "e", "�", "o", "�", "i", "�").Replace(n.text)
		n.text, changed = text, changed || text != n.text
	}
	return changed
}

func errorNumber(d *damaged) bool {
	d.part.kids, d.part.text = []*node{words("span", "", "padding:20px;display:block", "Error 503")}, ""
	return true
}

func overNeighbours(d *damaged) bool {
	d.part.restyle("position:relative;margin-bottom:-90px;z-index:3")
	return d.solid()
}

func absurdFigures(d *damaged) bool { return d.eachFigure("-99999999") }

func digitAdded(d *damaged) bool {
	return d.first(func(n *node) {
		at := strings.IndexAny(n.text, "0123456789")
		n.text = n.text[:at+1] + "0" + n.text[at+1:]
	}, "price", "amount")
}

func emptiedParagraph(d *damaged) bool {
	return d.first(func(n *node) { n.text = ""; n.restyle("min-height:48px") }, "paragraph", "answer", "event-text", "hero-text")
}

func otherPartsHeading(d *damaged) bool {
	found := d.body.named("heading", "title", "question-title")
	if len(found) < 2 || found[0].text == found[1].text {
		return false
	}
	found[0].text = found[1].text
	return true
}

func textsExchanged(d *damaged) bool {
	found := d.body.named("answer", "paragraph", "feature")
	if len(found) < 2 {
		return false
	}
	found[0].text, found[1].text = found[1].text, found[0].text
	return true
}

func cellLost(d *damaged) bool {
	return d.first(func(n *node) { n.kids = slices.Delete(n.kids, 1, 2) }, "row", "plan", "step")
}

func hugePicture(d *damaged) bool {
	return d.first(func(n *node) { n.restyle("width:100%;max-width:none;height:900px") }, "card-image", "lead-image", "banner-image")
}

func menuColumn(d *damaged) bool {
	found := d.body.named("menu")
	for _, n := range found {
		n.restyle("display:grid;justify-content:end")
	}
	return len(found) > 0
}

func displacedButton(d *damaged) bool {
	return d.first(func(n *node) { n.restyle("position:relative;top:-58px;left:46px") }, "button")
}

func labelsGone(d *damaged) bool {
	found := d.body.named("label")
	for _, n := range found {
		n.text = ""
	}
	return len(found) > 0
}

func stateWithdrawn(d *damaged) bool {
	return d.first(func(n *node) { d.body.remove(n) }, "state", "stock")
}

func footerOver(d *damaged) bool {
	return d.first(func(n *node) { n.restyle("position:relative;top:-160px") }, "footer")
}

func otherPartsPicture(d *damaged) bool {
	found := d.body.named("card-image", "lead-image", "banner-image")
	if len(found) == 0 {
		return false
	}
	return setSources(found[0], "/picture/77/64x64.jpg")
}
