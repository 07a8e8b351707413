package labelled

import (
	"fmt"
	"strings"
)

// thirdHarmless are harmless kinds of the third held-out set: one for each source of noise that published guides to visual
// tests and to the monitoring of pages list, where an earlier set had none. What they count as noise and somebody may want to
// see, such as the variants of an experiment, is left out.
func thirdHarmless() []Kind {
	return []Kind{
		{Name: "personal greeting", change: personalGreeting},
		{Name: "profile picture", change: profilePicture},
		{Name: "new comment", change: newComment},
		{Name: "forum threads", change: forumThreads},
		{Name: "news headlines", change: newsHeadlines},
		{Name: "sponsored article", change: sponsoredArticle},
		{Name: "posted today at", change: postedToday},
		{Name: "live counter", change: liveCounter},
		{Name: "notifications", change: notifications},
		{Name: "recommended for you", change: recommended},
		{Name: "rotating banner", change: rotatingBanner},
		{Name: "consent banner elsewhere", change: consentElsewhere},
		{Name: "shift below a pixel", change: belowPixel},
		{Name: "embedded widget", change: embeddedWidget},
		{Name: "renamed classes", change: renamedClasses},
		{Name: "advertisement elsewhere", change: adElsewhere},
	}
}

func personalGreeting(p *pair) {
	p.both(func(d *document, after bool) {
		d.date = fmt.Sprintf(`<span class=%q>Welcome, %s!</span>`, d.n.class("user greeting"), [2]string{"Alex", "Mia"}[index(after)])
	})
}

func profilePicture(p *pair) {
	p.both(func(d *document, after bool) {
		d.date = d.picture(uint64(300+index(after)), 40, 40, "user picture", "Your profile")
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

func sponsoredArticle(p *pair) {
	texts := [2]string{sentence(p.r, 1), sentence(p.r, 2)}
	p.both(func(d *document, after bool) {
		label := []string{"Sponsored", "Advertisement", "Promoted", "Anzeige"}[p.variant]
		d.widget("partner", fmt.Sprintf("<small>%s</small>%s<p>%s</p>", label, d.picture(uint64(310+index(after)), 280, 150,
			"partner image", "partner"), texts[index(after)]))
	})
}

func postedToday(p *pair) {
	forms := [][2]string{{"Today at 3:42 PM", "Today at 4:10 PM"}, {"Posted today, 15:42", "Posted yesterday, 23:10"},
		{"gestern um 15:42 Uhr", "heute um 8:05 Uhr"}, {"il y a 3 heures", "il y a 5 jours"}}
	p.beside("posted", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func liveCounter(p *pair) {
	forms := [][2]string{{"Share of the world's trade: 1.6293%", "Share of the world's trade: 1.6311%"},
		{"3.42M downloads", "3.43M downloads"}, {"CO₂ saved: 12 345,6 t", "CO₂ saved: 12 411,0 t"},
		{"Trusted by 12k+ teams", "Trusted by 13k+ teams"}}
	p.beside("live number", "<p>"+forms[p.variant][0]+"</p>", "<p>"+forms[p.variant][1]+"</p>")
}

func notifications(p *pair) {
	p.both(func(d *document, after bool) {
		d.date = fmt.Sprintf(`<span class=%q>🔔 <b>%d</b></span>`, d.n.class("bell"), 2+9*index(after))
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

func rotatingBanner(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("banner", fmt.Sprintf(`<a href="/b">%s</a>`, d.picture(uint64(340+index(after)), 728, 90, "banner image", "banner")))
	})
}

func consentElsewhere(p *pair) {
	p.both(func(d *document, after bool) {
		place := [2]string{"bottom:0;left:0;right:0", "bottom:30px;left:30px;width:340px"}[index(after)]
		d.overlays = append(d.overlays,
			fmt.Sprintf(`<div class="cookie-consent" style="position:fixed;%s;padding:20px;background:#223;color:#fff">`+
				`<p>We use cookies. Read our cookie policy.</p><button>Fine</button></div>`, place))
	})
}

func belowPixel(p *pair) {
	p.after.styles = append(p.after.styles, []string{"body{padding-top:.4px}", "main{margin-left:.4px}", ".part{margin-top:.2px}",
		"main{padding-left:.25px}"}[p.variant])
}

func embeddedWidget(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("embed", fmt.Sprintf(`<iframe title="Widget" width="280" height="200" style="border:0" src="/frame/%d?partner=weather">`+
			`</iframe>`, d.seed+uint64(350+index(after))))
	})
}

func renamedClasses(p *pair) {
	p.after.n = namer((p.variant + 1) % Variants)
	p.after.sections[0].html = strings.ReplaceAll(p.after.sections[0].html, `class="`, `class="v2-`)
	p.after.sections[0].html = strings.ReplaceAll(p.after.sections[0].html, `class="v2-grid"`, `class="grid"`)
}

func adElsewhere(p *pair) {
	ad := fmt.Sprintf(`<div class="ad-slot"><img src="/picture/%d/300x120.jpg" width="300" height="120" alt="Advertisement"></div>`,
		p.before.seed+360)
	p.before.sections = append([]block{{"sponsored", ad}}, p.before.sections...)
	p.after.sections = append(p.after.sections, block{"sponsored", ad})
}
