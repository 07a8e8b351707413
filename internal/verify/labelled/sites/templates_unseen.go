package sites

import "fmt"

// unseenTemplates are the structures of the unseen sites, with sections that no other site has.
var unseenTemplates = []*Template{
	{"ferry", Unseen, swedish, hashed, "sans-serif", 260, func(s *site) []*node {
		return []*node{s.masthead(), wide(s.sailings(5), s.slot(), s.notes(2)), s.footer()}
	}},
	{"bookshop", Unseen, spanish, blocks, "serif", 220, func(s *site) []*node {
		return []*node{s.header(), trailing(box("main", "main", "", s.article(), s.slot(), s.volumes(4)), box("aside", "side", "",
			s.address())), s.footer()}
	}},
	{"surgery", Unseen, czech, utility, "sans-serif", 260, func(s *site) []*node {
		return []*node{s.masthead(), leading(box("div", "side", "", s.menu(true), s.address()), box("main", "main", "", s.slot(),
			s.rules(), s.timeline(3), s.form())), s.footer()}
	}},
	{"festival", Unseen, portuguese, plain, "sans-serif", 300, func(s *site) []*node {
		return []*node{s.banner(), wide(s.event(), s.passes(), s.slot(), s.timeline(4)), s.footer()}
	}},
	{"tool", Unseen, english, nameless, "sans-serif", 240, func(s *site) []*node {
		return []*node{s.masthead(), s.hero(), wide(s.slot(), s.comparison(4), s.notes(3)), s.footer()}
	}},
	{"parish", Unseen, spanish, nameless, "serif", 260, func(s *site) []*node {
		return []*node{narrow(s.title("h1"), s.menu(false), s.article(), s.slot(), s.address()), s.footer()}
	}},
}

// masthead is a header of two rows.
func (s *site) masthead() *node {
	return box("header", "masthead", "background:#f7f5ef;border-bottom:3px solid "+s.accent,
		box("div", "masthead-top", "padding:8px 32px;font-size:13px", words("span", "masthead-text", "", s.l.title(s.r)),
			words("span", "masthead-phone", "float:right", fmt.Sprintf("+%d %d", 30+s.r.IntN(60), 1_000_000+s.r.IntN(8_000_000)))),
		box("div", "masthead-main", "padding:12px 32px", words("b", "logo", "font-size:24px;margin-right:40px",
			capital(pick(s.r, s.l.nouns))), s.menu(false)))
}

// sailings is a timetable with fares.
func (s *site) sailings(n int) *node {
	table := box("table", "sailings", "width:100%;border-collapse:collapse")
	for i := range n {
		table.add(box("tr", "row", "", words("th", "row-time", "text-align:left;padding:8px", clockOf(360+95*i)),
			words("td", "row-aim", "padding:8px", s.l.title(s.r)),
			words("td", "price", "padding:8px", s.l.amount(1200+100*s.r.IntN(60)))))
	}
	return box("section", "offers", "", words("h2", "heading", "", pick(s.r, s.l.headline)), table)
}

func (s *site) article() *node {
	return box("article", "text", "", s.title("h2"), s.picture("lead-image", 520, 200), words("p", "paragraph", "", s.l.prose(s.r, 2)),
		words("p", "paragraph", "", s.l.prose(s.r, 3)))
}

// volumes are books on a shelf.
func (s *site) volumes(n int) *node {
	all := box("ul", "cards", "list-style:none;padding:0")
	for range n {
		all.add(box("li", "card", "display:flex;gap:12px;padding:8px 0;border-top:1px solid #ccc", s.picture("card-image", 70, 100),
			box("div", "card-body", "", s.title("h4"), words("p", "price", "margin:2px 0", s.l.amount(600+s.r.IntN(4000))),
				words("p", "stock", "margin:2px 0", s.l.inStock), s.link("card-link", s.l.more))))
	}
	return box("section", "offers", "", words("h2", "heading", "", pick(s.r, s.l.headline)), all)
}

func (s *site) address() *node {
	return box("address", "contact", "font-style:normal;padding:12px;border:1px solid #bbb", words("b", "contact-name", "display:block",
		s.l.title(s.r)), words("span", "contact-street", "display:block", fmt.Sprintf("%s %d", capital(pick(s.r, s.l.nouns)),
		1+s.r.IntN(90))), words("p", "state", "margin:4px 0", s.l.open), s.button(s.l.send))
}

func (s *site) timeline(n int) *node {
	all := box("ol", "steps", "border-left:3px solid #bbb;list-style:none;padding-left:16px")
	for i := range n {
		all.add(box("li", "step", "margin-bottom:10px", words("b", "step-year", "", fmt.Sprint(1950+17*i+s.r.IntN(9))),
			words("p", "answer", "margin:2px 0", s.l.sentence(s.r, 2))))
	}
	return box("section", "guide", "", words("h2", "heading", "", pick(s.r, s.l.headline)), all)
}

func (s *site) passes() *node {
	all := s.grid("plans")
	for i := range 2 {
		all.add(box("div", "plan", "padding:18px;border:2px dashed "+s.accent, s.title("h3"),
			words("p", "amount", "font-size:30px;margin:6px 0", s.l.amount(2500+2000*i)), words("p", "feature", "", s.l.sentence(s.r, 1)),
			s.button(s.l.buy)))
	}
	return all
}

func (s *site) notes(n int) *node {
	all := box("section", "questions", "")
	for range n {
		all.add(box("details", "question", "margin-bottom:10px", words("summary", "question-title", "font-weight:bold", s.l.title(s.r)),
			words("p", "answer", "", s.l.sentence(s.r, 2))).with("open", ""))
	}
	return all
}

func (s *site) comparison(n int) *node {
	table := box("table", "table", "width:100%")
	for range n {
		table.add(box("tr", "row", "", words("td", "cell", "padding:6px", s.l.title(s.r)), words("td", "figure", "padding:6px",
			fmt.Sprintf("%d GB", 1+s.r.IntN(500))), words("td", "figure", "padding:6px", []string{"✓", "–"}[s.r.IntN(2)])))
	}
	return box("section", "figures", "", words("h2", "heading", "", pick(s.r, s.l.headline)), table)
}
