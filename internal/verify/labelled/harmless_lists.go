package labelled

import (
	"fmt"
	"slices"
	"strings"
)

// Lists that are made anew or come in another order.

func shuffled(p *pair) {
	order := p.r.Perm(6)
	p.both(func(d *document, after bool) {
		cards := make([]string, 6)
		for i := range cards {
			cards[i] = fmt.Sprintf(`<div class=%q>%s<h4>%s</h4><p>$%d.00</p></div>`, d.n.class("related item"),
				d.picture(uint64(90+i), 260, 140, "related image", "product"), heading(d.r), 10+7*i)
		}
		if after {
			mixed := make([]string, 6)
			for i, j := range order {
				mixed[i] = cards[j]
			}
			if slices.Equal(mixed, cards) {
				slices.Reverse(mixed)
			}
			cards = mixed
		}
		d.widget("related", `<h3>You may also like</h3><div class="grid">`+strings.Join(cards, "")+`</div>`)
	})
}

func latestPosts(p *pair) {
	p.both(func(d *document, after bool) {
		items := make([]string, 6)
		for i := range items {
			items[i] = fmt.Sprintf(`<li class=%q><a href="/p%d">%s</a></li>`, d.n.class("latest item"), i, heading(d.r))
		}
		items = [2][]string{items[1:], items[:5]}[index(after)]
		d.widget("latest posts", "<h3>Latest posts</h3><ul>"+strings.Join(items, "")+"</ul>")
	})
}

func tagCloud(p *pair) {
	p.both(func(d *document, after bool) {
		tags := strings.Fields("harbour market garden stone timber river lantern")
		if after {
			slices.Reverse(tags)
		}
		var b strings.Builder
		for _, t := range tags {
			fmt.Fprintf(&b, `<a class=%q href="/t/%s" style="display:inline-block;margin-right:12px">%s</a>`, d.n.class("tag"), t, t)
		}
		d.widget("tags", "<h3>Trending</h3>"+b.String())
	})
}

func socialFeed(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i := range 6 {
			fmt.Fprintf(&b, `<a class=%q href="/i" style="display:inline-block;margin:4px">%s</a>`, d.n.class("instagram item"),
				d.picture(uint64(220+i+2*index(after)), 120, 120, "instagram image", "post"))
		}
		d.widget("instagram", "<h3>Follow us</h3>"+b.String())
	})
}

func upcomingEvents(p *pair) {
	p.both(func(d *document, after bool) {
		events := []string{"3 March: Spring market", "9 March: Harbour walk", "14 March: Concert", "21 March: Reading",
			"28 March: Boat race"}
		events = [2][]string{events[:4], events[1:]}[index(after)]
		d.widget("events", "<h3>Upcoming events</h3><ul><li>"+strings.Join(events, "</li><li>")+"</li></ul>")
	})
}

func recentlyViewed(p *pair) {
	p.both(func(d *document, after bool) {
		cards := make([]string, 4)
		for i := range cards {
			cards[i] = fmt.Sprintf(`<div>%s<p>%s</p></div>`, d.picture(uint64(250+i+index(after)*2), 180, 120, "viewed image",
				"product"), heading(d.r))
		}
		if after {
			slices.Reverse(cards)
		}
		d.widget("viewed", `<h3>Recently viewed</h3><div class="grid">`+strings.Join(cards, "")+"</div>")
	})
}

func newComment(p *pair) {
	p.both(func(d *document, after bool) {
		n := 4 + index(after)
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `<div class=%q><b>%s</b><p>%s</p></div>`, d.n.class("comment"), person(d.r), sentence(d.r, 1+i%2))
		}
		d.sections = append(d.sections, block{"comments", fmt.Sprintf("<h2>%d comments</h2>", n) + b.String()})
	})
}

func forumThreads(p *pair) {
	p.both(func(d *document, after bool) {
		threads := make([]string, 7)
		for i := range threads {
			threads[i] = fmt.Sprintf(`<tr><td>%s</td><td>%d replies</td></tr>`, heading(d.r), 3*i+index(after))
		}
		threads = [2][]string{threads[1:], threads[:6]}[index(after)]
		d.widget("threads", "<h3>Forum</h3><table>"+strings.Join(threads, "")+"</table>")
	})
}

func newsHeadlines(p *pair) {
	p.both(func(d *document, after bool) {
		items := make([]string, 8)
		for i := range items {
			items[i] = `<li><a href="/n">` + heading(d.r) + "</a></li>"
		}
		items = [2][]string{items[:4], items[4:]}[index(after)]
		d.widget("headlines", "<h3>"+[]string{"Headlines", "In the news", "News",
			"What is new"}[p.variant]+"</h3><ul>"+strings.Join(items, "")+"</ul>")
	})
}

func recommended(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for i := range 8 {
			card := fmt.Sprintf(`<div>%s<p>%s</p></div>`, d.picture(uint64(320+i), 200, 130, "pick image", "product"), heading(d.r))
			if (i >= 4) == after {
				b.WriteString(card)
			}
		}
		d.widget("picks", `<h3>`+[]string{"Recommended for you", "Recommendations", "Our picks for you",
			"You may also like"}[p.variant]+`</h3><div class="grid">`+b.String()+"</div>")
	})
}

func archives(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("archives",
			fmt.Sprintf("<h3>Archives</h3><ul><li>March 2025 (%d)</li><li>February 2025 (12)</li><li>January 2025 (9)</li></ul>",
				3+2*index(after)))
	})
}

func embeddedPosts(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("posts", fmt.Sprintf(`<blockquote class="twitter-tweet"><iframe title="Posts" width="280" height="260" style="border:0" `+
			`src="/frame/%d"></iframe></blockquote>`, d.seed+uint64(620+index(after))))
	})
}

func searchSuggestions(p *pair) {
	p.both(func(d *document, after bool) {
		d.date = fmt.Sprintf(`<form role="search" action="/q"><input type="search" placeholder="Search %s"></form>`,
			[2]string{"lanterns", "jackets"}[index(after)])
	})
}

func shuffledTeam(p *pair) {
	p.both(func(d *document, after bool) {
		people := make([]string, 4)
		for i := range people {
			people[i] = "<div>" + d.picture(uint64(630+i), 120, 120, "member face", "portrait") + "<h4>" + person(d.r) + "</h4></div>"
		}
		if after {
			slices.Reverse(people)
		}
		d.widget("team", `<h3>Team</h3><div class="grid">`+strings.Join(people, "")+"</div>")
	})
}

func jobOffers(p *pair) {
	p.both(func(d *document, after bool) {
		jobs := make([]string, 6)
		for i := range jobs {
			jobs[i] = `<li><a href="/j">` + heading(d.r) + "</a></li>"
		}
		jobs = [2][]string{jobs[:5], jobs[1:]}[index(after)]
		d.widget("jobs", "<h3>Open positions</h3><ul>"+strings.Join(jobs, "")+"</ul>")
	})
}

func mostRead(p *pair) {
	p.both(func(d *document, after bool) {
		items := make([]string, 5)
		for i := range items {
			items[i] = `<li><a href="/m">` + heading(d.r) + "</a></li>"
		}
		if after {
			items[0], items[1], items[3], items[4] = items[1], items[0], items[4], items[3]
		}
		d.widget("ranking", "<h3>Most read</h3><ol>"+strings.Join(items, "")+"</ol>")
	})
}
