package sites

import "fmt"

// Lists that move on, are drawn anew or come in another order.

func newsMovesOn(p *varying) *node {
	return box("div", "ticker", "", words("h3", "ticker-title", "", p.l.news), lines("ticker", p.titles(24), consecutive(p.visit, 5)))
}

func postsWithAges(p *varying) *node {
	names := p.titles(24)
	all := box("div", "posts", "")
	for n, i := range consecutive(p.visit, 4) {
		all.add(box("div", "post", "display:flex;gap:10px;padding:6px 0", p.photo("post-face", i, 40, 40), box("div", "post-body", "",
			words("b", "post-name", "", people[i%len(people)]), words("p", "post-text", "margin:0", names[i]),
			words("span", "post-age", "font-size:12px;color:#666", fmt.Sprintf(p.l.ago, 2+13*n+p.v.IntN(12))))))
	}
	return all
}

func (p *varying) offer(number int, name string, price int) *node {
	return box("div", "pick", "padding:10px;background:#f8f8f8", p.photo("pick-image", number, 180, 120), words("h4", "pick-name",
		"margin:4px 0", name),
		words("p", "pick-amount", "margin:0", p.l.amount(price)))
}

func (p *varying) offers(title string, chosen []int, of int) *node {
	names, all := p.titles(of), p.grid("picks")
	prices := make([]int, of)
	for i := range prices {
		prices[i] = 300 + p.r.IntN(9000)
	}
	for _, i := range chosen {
		all.add(p.offer(i, names[i], prices[i]))
	}
	return box("div", "shelf", "", words("h3", "shelf-title", "", title), all)
}

func shuffledOffers(p *varying) *node { return p.offers(p.l.related, p.sample(4, 4), 4) }

func otherSuggestions(p *varying) *node { return p.offers(p.l.headline[0], p.sample(4, 14), 14) }

func comments(p *varying) *node {
	texts := p.sentences(24)
	all := box("div", "thread", "")
	for _, i := range consecutive(p.visit, 3+p.visit%2) {
		all.add(box("div", "remark", "padding:8px 0;border-bottom:1px solid #eee", words("b", "remark-name", "", people[i%len(people)]),
			words("p", "remark-text", "margin:2px 0", texts[i])))
	}
	return all
}

func cloud(p *varying) *node {
	all := box("div", "cloud", "line-height:2")
	for _, i := range p.sample(9, len(p.l.nouns)) {
		all.add(words("a", "cloud-word", fmt.Sprintf("display:inline-block;margin-right:12px;font-size:%dpx", 13+p.v.IntN(14)),
			p.l.nouns[i]))
	}
	return all
}

func ranking(p *varying) *node {
	names := p.titles(6)
	all := box("ol", "table-of-best", "")
	for n, i := range p.sample(6, 6) {
		all.add(box("li", "best", "", words("span", "best-name", "", names[i]), words("b", "best-figure", "margin-left:12px",
			fmt.Sprint(990-70*n-p.v.IntN(60)))))
	}
	return all
}

func bids(p *varying) *node {
	names := p.titles(4)
	all := box("div", "auction", "")
	for i, name := range names {
		left := 40 + (i*311+1440-p.visit*41)%1400
		all.add(box("div", "lot", "display:flex;gap:16px;padding:6px 0", words("span", "lot-name", "width:280px", name),
			words("b", "lot-bid", "", p.l.number(1000*(i+1)+250*p.visit)), words("span", "lot-left", "", fmt.Sprintf(p.l.left, left/60,
				left%60))))
	}
	return all
}

func activity(p *varying) *node {
	names := p.titles(40)
	all := box("div", "log", "")
	for n, i := range consecutive(p.visit*2, 4) {
		all.add(words("p", "log-line", "margin:4px 0", fmt.Sprintf("%s: %s · %s", people[i%len(people)], names[i], fmt.Sprintf(p.l.ago,
			1+9*n+p.v.IntN(8)))))
	}
	return all
}

func vacancies(p *varying) *node {
	names := p.titles(26)
	all := box("div", "openings", "", words("h3", "openings-title", "", pick(p.r, p.l.headline)))
	for _, i := range consecutive(p.visit, 5) {
		all.add(box("div", "opening", "display:flex;justify-content:space-between;padding:8px;border:1px solid #ddd;margin-bottom:6px",
			words("span", "opening-name", "", names[i]), words("span", "opening-place", "", capital(p.l.nouns[i%len(p.l.nouns)]))))
	}
	return all
}

func reviews(p *varying) *node {
	texts := p.sentences(8)
	all := p.grid("opinions")
	for _, i := range p.sample(4, 8) {
		all.add(box("div", "opinion", "padding:10px;background:#fffbe8", words("div", "opinion-stars", "", []string{"★★★★★", "★★★★☆"}[i%2]),
			words("p", "opinion-text", "", texts[i]), words("i", "opinion-name", "", people[i])))
	}
	return all
}

func buyers(p *varying) *node {
	row := box("div", "buyers", "display:flex;gap:12px;align-items:center")
	for _, i := range p.sample(5, 16) {
		row.add(p.photo("buyer-face", i, 48, 48))
	}
	return row.add(words("span", "buyers-figure", "", fmt.Sprintf("+%d", 20+p.visit*3+p.v.IntN(3))))
}

func articles(p *varying) *node {
	names, texts := p.titles(12), p.sentences(12)
	all := p.grid("reads")
	for _, i := range p.sample(3, 12) {
		all.add(box("article", "read", "", p.photo("read-image", i, 240, 130), words("h4", "read-title", "margin:6px 0", names[i]),
			words("p", "read-text", "margin:0", texts[i])))
	}
	return all
}
