package sites

import "fmt"

// Parts that show one of several things.

func slidesWithDots(p *varying) *node {
	names := p.titles(5)
	now := p.turn(5)
	dots := box("div", "dots", "display:flex;gap:8px;padding:8px")
	for i := range 5 {
		shade := "#ccc"
		if i == now {
			shade = "#333"
		}
		dots.add(box("span", "dot", "width:10px;height:10px;border-radius:5px;background:"+shade))
	}
	return box("div", "stage", "", p.photo("stage-image", now, 600, 220), words("p", "stage-text", "", names[now]), dots)
}

func changingTestimonial(p *varying) *node {
	texts := make([]string, 6)
	for i := range texts {
		texts[i] = p.l.sentence(p.r, 2)
	}
	now := p.turn(6)
	return box("div", "voice", "padding:20px;background:#f4f4f4", words("p", "voice-text", "font-style:italic", texts[now]),
		words("p", "voice-name", "", people[now]+" K."))
}

func changingSlogan(p *varying) *node {
	return box("div", "claim", "padding:24px;background:#fdf6e3", words("h2", "claim-text", "font-size:30px", p.titles(7)[p.turn(7)]),
		p.link("claim-link", p.l.more))
}

func pictureLike(p *varying) *node {
	return box("figure", "view", "margin:0", p.photo("view-image", p.turn(9), 480, 260))
}

func partnerMarks(p *varying) *node {
	row := box("div", "partners", "display:flex;gap:24px;overflow:hidden")
	for i := range 5 {
		row.add(p.photo("partners-mark", (p.visit+i)%8, 120, 60))
	}
	return row
}

func hint(p *varying) *node {
	texts := make([]string, 8)
	for i := range texts {
		texts[i] = p.l.sentence(p.r, 1+i%3)
	}
	return box("div", "hint", "padding:12px;border:1px dashed #888", words("p", "hint-text", "margin:0", texts[p.turn(8)]))
}

func arrows(p *varying) *node {
	names := p.titles(4)
	now := p.turn(4)
	return box("div", "viewer", "display:flex;align-items:center;gap:12px", words("span", "viewer-arrow", "font-size:30px", "‹"),
		box("div", "viewer-frame", "", p.photo("viewer-image", now, 420, 240), words("p", "viewer-text", "", names[now])),
		words("span", "viewer-arrow", "font-size:30px", "›"))
}

func featured(p *varying) *node {
	names := p.titles(6)
	now := p.turn(6)
	return box("div", "friend", "padding:16px;border:1px solid #ccc", p.photo("friend-image", now, 200, 120),
		words("h3", "friend-name", "", names[now]), words("p", "friend-text", "", p.sentences(6)[now]), p.link("friend-link", p.l.more))
}

// sentences are the same on all visits.
func (p *varying) sentences(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = p.l.sentence(p.r, 2)
	}
	return all
}

func tabs(p *varying) *node {
	names, texts := p.titles(4), p.sentences(4)
	now := p.turn(4)
	heads := box("div", "switch", "display:flex;gap:4px")
	for i, name := range names {
		look := "padding:8px 12px;background:#ddd;color:#333"
		if i == now {
			look = "padding:8px 12px;background:#444;color:#fff"
		}
		heads.add(words("span", "switch-head", look, name))
	}
	return box("div", "switcher", "", heads, box("div", "switch-body", "padding:16px;border:1px solid #444", words("p", "switch-text", "",
		texts[now]),
		p.photo("switch-image", now, 300, 160)))
}

func strip(p *varying) *node {
	return box("div", "strip", "background:#222;color:#fff;padding:10px;text-align:center", words("span", "strip-text", "",
		p.titles(5)[p.turn(5)]))
}

func stack(p *varying) *node {
	pile := box("div", "pile", "position:relative;height:240px")
	for i := range 3 {
		pile.add(p.photo("pile-image", (p.visit+i)%7, 260, 180).with("data-place", fmt.Sprint(i)))
		pile.kids[i].restyle(fmt.Sprintf("position:absolute;left:%dpx;top:%dpx;border:4px solid #fff", 60*i, 20*i))
	}
	return pile
}

func otherWording(p *varying) *node {
	texts := p.titles(2)
	return box("div", "call", "padding:18px;background:#eef6ee", words("h3", "call-text", "", texts[p.turn(2)]), p.button(p.l.more))
}

func otherButton(p *varying) *node {
	shade := []string{"#c2410c", "#15803d"}[p.turn(2)]
	button := p.button(p.l.more)
	button.restyle("background:" + shade)
	return box("div", "call", "padding:18px;background:#f4f4fa", words("h3", "call-text", "", p.titles(1)[0]), button)
}

func arrangements(p *varying) *node {
	names := p.titles(3)
	flow := []string{"row", "column"}[p.turn(2)]
	all := box("div", "trio", "display:flex;gap:16px;flex-direction:"+flow)
	for _, name := range names {
		all.add(words("div", "trio-item", "padding:12px;background:#eee", name))
	}
	return all
}
