package sites

import "slices"

// Template is the structure of a site: its layout, what stands on its pages, its markup and its language.
type Template struct {
	Name     string
	Split    Split
	language *language
	dialect  dialect
	font     string
	gridMin  int // width of a column of cards, in pixels
	build    func(*site) []*node
}

// Templates are all templates. None is in two splits.
var Templates = slices.Concat([]*Template{
	{"shop", Train, english, plain, "sans-serif", 240, func(s *site) []*node {
		return []*node{s.header(), s.hero(), wide(s.cards(4), s.slot(), s.prose(1)), s.footer()}
	}},
	{"magazine", Train, english, utility, "serif", 260, func(s *site) []*node {
		return []*node{s.header(), trailing(box("main", "main", "", s.stories(4), s.prose(1)), box("aside", "side", "", s.slot(),
			s.quote())), s.footer()}
	}},
	{"handbook", Train, german, blocks, "sans-serif", 260, func(s *site) []*node {
		return []*node{leading(box("div", "side", "", s.menu(true)), box("main", "main", "", s.crumbs(), s.prose(2), s.slot(),
			s.steps(4))), s.footer()}
	}},
	{"inn", Train, german, plain, "serif", 300, func(s *site) []*node {
		return []*node{s.banner(), s.menu(false), wide(s.dishes(6), s.slot(), s.rules()), s.footer()}
	}},
	{"club", Train, french, hashed, "sans-serif", 260, func(s *site) []*node {
		return []*node{s.header(), wide(s.slot(), s.event(), s.questions(3)), s.footer()}
	}},
	{"studio", Train, french, nameless, "sans-serif", 280, func(s *site) []*node {
		return []*node{s.header(), wide(s.gallery(6), s.slot(), s.form()), s.footer()}
	}},
	{"tariffs", Train, english, utility, "sans-serif", 260, func(s *site) []*node {
		return []*node{s.header(), s.hero(), wide(s.plans(), s.questions(3), s.slot()), s.footer()}
	}},
	{"board", Train, english, hashed, "sans-serif", 200, func(s *site) []*node {
		return []*node{leading(box("div", "rail", "background:#23272f;padding:12px", s.menu(true)), box("div", "main", "", s.tiles(4),
			s.slot(), s.table(5)))}
	}},
	{"clinic", Train, german, nameless, "sans-serif", 260, func(s *site) []*node {
		return []*node{s.header(), trailing(box("div", "main", "", s.rules(), s.prose(1), s.form()), box("div", "side", "", s.slot())),
			s.footer()}
	}},
	{"catalogue", Train, italian, blocks, "serif", 220, func(s *site) []*node {
		return []*node{s.header(), s.crumbs(), leading(box("aside", "side", "", s.specifications(5)), box("main", "main", "", s.slot(),
			s.cards(3))), s.footer()}
	}},
	{"diary", Train, french, plain, "serif", 260, func(s *site) []*node {
		return []*node{narrow(s.title("h1"), s.prose(2), s.picture("lead-image", 600, 240), s.slot(), s.prose(1)), s.footer()}
	}},
	{"register", Train, german, utility, "monospace", 260, func(s *site) []*node {
		return []*node{s.header(), wide(s.table(6), s.slot(), s.specifications(4)), s.footer()}
	}},
	{"tour", Train, english, blocks, "sans-serif", 300, func(s *site) []*node {
		return []*node{s.banner(), wide(s.slot(), s.steps(3), s.gallery(3), s.event()), s.footer()}
	}},
	{"forum", Train, italian, hashed, "sans-serif", 260, func(s *site) []*node {
		return []*node{s.header(), narrow(s.crumbs(), s.questions(4), s.slot(), s.form())}
	}},

	{"museum", Validation, dutch, plain, "serif", 260, func(s *site) []*node {
		return []*node{s.banner(), s.menu(false), trailing(box("main", "main", "", s.event(), s.prose(1)), box("aside", "side", "",
			s.slot())), s.footer()}
	}},
	{"outlet", Validation, german, hashed, "sans-serif", 220, func(s *site) []*node {
		return []*node{s.header(), wide(s.slot(), s.cards(6)), s.footer()}
	}},
	{"lexicon", Validation, english, nameless, "serif", 260, func(s *site) []*node {
		return []*node{leading(box("div", "side", "", s.menu(true)), box("div", "main", "", s.title("h1"), s.prose(2), s.slot(),
			s.table(3)))}
	}},
	{"agency", Validation, french, utility, "sans-serif", 320, func(s *site) []*node {
		return []*node{s.header(), s.hero(), wide(s.tiles(3), s.slot(), s.quote(), s.form()), s.footer()}
	}},

	{"bakery", HeldOut, dutch, blocks, "serif", 240, func(s *site) []*node {
		return []*node{s.header(), s.banner(), trailing(box("main", "main", "", s.dishes(5), s.slot()), box("aside", "side", "",
			s.rules())), s.footer()}
	}},
	{"portal", HeldOut, polish, utility, "sans-serif", 220, func(s *site) []*node {
		return []*node{s.header(), three(box("div", "left", "", s.menu(true)), box("main", "main", "", s.stories(3), s.slot()),
			box("div", "right", "", s.quote(), s.specifications(3))), s.footer()}
	}},
	{"academy", HeldOut, english, nameless, "sans-serif", 260, func(s *site) []*node {
		return []*node{s.header(), s.hero(), wide(s.event(), s.slot(), s.plans()), s.footer()}
	}},
	{"workshop", HeldOut, polish, plain, "serif", 280, func(s *site) []*node {
		return []*node{s.menu(false), narrow(s.title("h1"), s.gallery(4), s.slot(), s.steps(3), s.form()), s.footer()}
	}},
	{"archive", HeldOut, italian, nameless, "monospace", 260, func(s *site) []*node {
		return []*node{trailing(box("div", "main", "", s.crumbs(), s.table(5), s.prose(1)), box("div", "side", "", s.menu(true), s.slot()))}
	}},
	{"market", HeldOut, english, hashed, "sans-serif", 200, func(s *site) []*node {
		return []*node{s.header(), s.slot(), wide(s.cards(4), s.questions(2), s.rules()), s.footer()}
	}},
}, unseenTemplates)

func wide(kids ...*node) *node {
	return box("main", "page", "max-width:1160px;margin:0 auto;padding:20px 32px", kids...)
}

func narrow(kids ...*node) *node {
	return box("div", "column", "max-width:640px;margin:0 auto;padding:20px", kids...)
}

// trailing has the side column on the right, leading on the left.
func trailing(main, side *node) *node {
	main.restyle("flex:1 1 420px;min-width:0")
	side.restyle("flex:0 1 300px;min-width:0")
	return box("div", "columns", "display:flex;flex-wrap:wrap;gap:32px;padding:20px 32px", main, side)
}

func leading(side, main *node) *node {
	main.restyle("flex:1 1 420px;min-width:0")
	side.restyle("flex:0 1 220px;min-width:0")
	return box("div", "columns", "display:flex;flex-wrap:wrap;gap:24px;padding:16px", side, main)
}

func three(left, main, right *node) *node {
	left.restyle("flex:0 1 160px")
	main.restyle("flex:1 1 400px;min-width:0")
	right.restyle("flex:0 1 240px")
	return box("div", "columns", "display:flex;flex-wrap:wrap;gap:20px;padding:16px", left, main, right)
}
