package sites

import (
	"fmt"
	"math/rand/v2"
)

// site builds one page: its content depends on the seed alone, its varying part also on the visit.
type site struct {
	l       *language
	r       *rand.Rand // of the content
	seed    uint64
	picked  int // pictures so far
	accent  string
	gridMin int
	part    *node // the varying part, put into the slot of the template
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 14)) } //nolint:gosec // the same pages each time

var accents = []string{"#0b6e4f", "#a63d40", "#2a6fdb", "#6a4c93", "#b35c00", "#1f6f78"}

// picture is an image of the site's own.
func (s *site) picture(role string, width, height int) *node {
	s.picked++
	return image(role, s.seed+uint64(s.picked)*977, width, height)
}

func image(role string, seed uint64, width, height int) *node {
	return box("img", role, "display:block;max-width:100%").with("src", fmt.Sprintf("/picture/%d/%dx%d.jpg", seed%1_000_000, width, height),
		"width", fmt.Sprint(width), "height", fmt.Sprint(height), "alt", "")
}

// slot is where the template shows the varying part.
func (s *site) slot() *node {
	area := box("div", "area", "margin:24px 0")
	if s.part != nil {
		area.add(s.part)
	}
	return area
}

func (s *site) link(role, text string) *node {
	return words("a", role, "color:"+s.accent, text).with("href", "/l")
}

func (s *site) button(text string) *node {
	return words("button", "button", "padding:8px 16px;border:0;color:#fff;background:"+s.accent, text)
}

func (s *site) title(tag string) *node { return words(tag, "title", "", s.l.title(s.r)) }

func (s *site) menu(vertical bool) *node {
	flow := "display:flex;gap:20px;flex-wrap:wrap"
	if vertical {
		flow = "display:block"
	}
	nav := box("nav", "menu", flow)
	for _, label := range s.l.menu {
		item := s.link("menu-item", label)
		if vertical {
			item.restyle("display:block;padding:6px 0")
		}
		nav.add(item)
	}
	return nav
}

func (s *site) header() *node {
	return box("header", "header", "display:flex;gap:32px;align-items:center;padding:14px 32px;border-bottom:1px solid #ccc",
		words("strong", "logo", "font-size:22px;color:"+s.accent, capital(pick(s.r, s.l.nouns))), s.menu(false))
}

func (s *site) footer() *node {
	foot := box("footer", "footer", "padding:28px 32px;background:#23272f;color:#fff")
	for range 3 {
		foot.add(words("p", "footer-text", "margin:4px 0", s.l.title(s.r)))
	}
	return foot.add(words("p", "legal", "font-size:13px", fmt.Sprintf(s.l.legal, 20_000_000+s.r.IntN(60_000_000))))
}

func (s *site) hero() *node {
	return box("section", "hero", "padding:40px 32px;background:#eef2f6", s.title("h1"), words("p", "hero-text", "", s.l.sentence(s.r, 3)),
		s.button(s.l.more))
}

func (s *site) banner() *node {
	return box("section", "banner", "padding:0", s.picture("banner-image", 1200, 260), s.title("h1"))
}

func (s *site) grid(role string) *node {
	return box("div", role, fmt.Sprintf("display:grid;grid-template-columns:repeat(auto-fill,minmax(%dpx,1fr));gap:20px", s.gridMin))
}

// cards are things with a picture and a price.
func (s *site) cards(n int) *node {
	all := s.grid("cards")
	for range n {
		all.add(box("div", "card", "padding:12px;background:#f6f6f4", s.picture("card-image", 240, 150), s.title("h3"),
			words("p", "price", "font-weight:bold", s.l.amount(300+s.r.IntN(9000))), words("p", "stock", "font-size:14px", s.l.inStock),
			s.button(s.l.buy)))
	}
	return box("section", "offers", "", words("h2", "heading", "", pick(s.r, s.l.headline)), all)
}

func (s *site) prose(paragraphs int) *node {
	text := box("section", "text", "", words("h2", "heading", "", pick(s.r, s.l.headline)))
	for range paragraphs {
		text.add(words("p", "paragraph", "line-height:1.6", s.l.prose(s.r, 3)))
	}
	return text
}

func (s *site) stories(n int) *node {
	all := box("section", "stories", "")
	for range n {
		all.add(box("article", "story", "display:flex;gap:16px;margin-bottom:16px", s.picture("story-image", 160, 110),
			box("div", "story-text", "", s.title("h3"), words("p", "teaser", "", s.l.sentence(s.r, 2)), s.link("story-link", s.l.more))))
	}
	return all
}

func (s *site) table(rows int) *node {
	table := box("table", "table", "border-collapse:collapse;width:100%")
	for range rows {
		row := box("tr", "row", "", words("td", "cell", "padding:6px;border-bottom:1px solid #ddd", s.l.title(s.r)))
		for range 3 {
			row.add(words("td", "figure", "padding:6px;border-bottom:1px solid #ddd", s.l.number(s.r.IntN(90_000))))
		}
		table.add(row)
	}
	return box("section", "figures", "", words("h2", "heading", "", pick(s.r, s.l.headline)), table)
}

func (s *site) form() *node {
	form := box("form", "form", "max-width:480px")
	for _, label := range s.l.fields {
		form.add(box("label", "field", "display:block;margin-bottom:10px", words("span", "label", "display:block", label),
			box("input", "input", "width:100%;padding:8px;border:1px solid #999")))
	}
	return form.add(s.button(s.l.send))
}

func (s *site) steps(n int) *node {
	all := box("ol", "steps", "")
	for range n {
		all.add(words("li", "step", "margin-bottom:8px", s.l.sentence(s.r, 2)))
	}
	return box("section", "guide", "", words("h2", "heading", "", pick(s.r, s.l.headline)), all)
}

func (s *site) gallery(n int) *node {
	all := s.grid("gallery")
	for range n {
		all.add(box("figure", "photo", "margin:0", s.picture("photo-image", 260, 180), words("figcaption", "caption", "", s.l.title(s.r))))
	}
	return all
}

// plans is a table of tariffs as cards; amounts stand without a currency.
func (s *site) plans() *node {
	all := s.grid("plans")
	for i := range 3 {
		card := box("div", "plan", "padding:16px;border:1px solid #bbb", s.title("h3"),
			words("p", "amount", "font-size:28px", s.l.number(990+1000*i)))
		for range 3 {
			card.add(words("p", "feature", "margin:4px 0", s.l.title(s.r)))
		}
		all.add(card.add(s.button(s.l.more)))
	}
	return all
}

// dishes are names with a bare amount each, as on a menu.
func (s *site) dishes(n int) *node {
	all := box("section", "dishes", "", words("h2", "heading", "", pick(s.r, s.l.headline)))
	for range n {
		all.add(box("div", "dish", "display:flex;justify-content:space-between;border-bottom:1px dotted #999;padding:6px 0",
			words("span", "dish-name", "", s.l.title(s.r)), words("span", "amount", "", s.l.number(350+10*s.r.IntN(150)))))
	}
	return all
}

func (s *site) event() *node {
	return box("section", "event", "padding:16px;background:#f3efe6", s.title("h2"),
		words("p", "event-date", "", s.l.date(s.r.IntN(336))), words("p", "state", "", s.l.registration),
		words("p", "event-text", "", s.l.sentence(s.r, 2)), s.button(s.l.more))
}

func (s *site) rules() *node {
	return box("section", "rules", "", words("h2", "heading", "", pick(s.r, s.l.headline)),
		words("p", "rule", "", fmt.Sprintf(s.l.speed, 30+10*s.r.IntN(10))), words("p", "rule", "", fmt.Sprintf(s.l.dose, 4+s.r.IntN(20))),
		words("p", "state", "", s.l.open))
}

func (s *site) quote() *node {
	return box("blockquote", "quote", "border-left:4px solid #999;padding-left:16px;font-style:italic",
		words("p", "quote-text", "", s.l.sentence(s.r, 3)), words("cite", "quote-name", "", pick(s.r, people)))
}

func (s *site) questions(n int) *node {
	all := box("section", "questions", "")
	for range n {
		all.add(box("div", "question", "margin-bottom:14px", words("h4", "question-title", "margin:0", s.l.title(s.r)+"?"),
			words("p", "answer", "margin:0", s.l.sentence(s.r, 2))))
	}
	return all
}

func (s *site) specifications(n int) *node {
	all := box("dl", "specifications", "display:grid;grid-template-columns:160px 1fr;gap:4px")
	for range n {
		all.add(words("dt", "term", "", s.l.title(s.r)), words("dd", "value", "", fmt.Sprintf("%d mm", 10+s.r.IntN(900))))
	}
	return all
}

func (s *site) crumbs() *node {
	return box("div", "crumbs", "font-size:14px;padding:8px 0", s.link("crumb", s.l.menu[0]), words("span", "", "", " / "),
		words("span", "crumb", "", s.l.title(s.r)))
}

func (s *site) tiles(n int) *node {
	all := s.grid("tiles")
	for range n {
		all.add(box("div", "tile", "padding:14px;border-radius:8px;background:#eef", words("div", "tile-name", "", s.l.title(s.r)),
			words("div", "tile-figure", "font-size:26px", fmt.Sprint(10+s.r.IntN(900)))))
	}
	return all
}
