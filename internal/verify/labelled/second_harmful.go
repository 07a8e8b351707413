package labelled

import (
	"fmt"
	"strings"
)

// secondHarmful are harmful kinds of the second held-out set.
func secondHarmful() []Kind {
	return []Kind{
		{Name: "script shown as text", change: scriptAsText},
		{Name: "data instead of a page", change: dataInstead},
		{Name: "too many requests", change: tooManyRequests},
		{Name: "human check", change: humanCheck},
		{Name: "directory listing", change: directoryListing},
		{Name: "default page of a server", change: defaultPage},
		{Name: "missing headings", change: missingHeadings},
		{Name: "menu over content", change: menuOverContent},
		{Name: "narrow page", change: narrowPage},
		{Name: "huge icons", change: hugeIcons},
		{Name: "sold out everywhere", change: soldOut},
		{Name: "missing side column", change: missingSide},
		{Name: "broken table", change: brokenTable},
		{Name: "other colours", change: otherColours},
		{Name: "placeholder text", change: placeholderText},
	}
}

func scriptAsText(p *pair) {
	p.after.top = "<p>" + []string{`(function(w,d){w.dataLayer=w.dataLayer||[];})(window,document);`,
		`var _gaq = _gaq || []; _gaq.push(['_setAccount']);`, `add_action('init', function() { register_menu(); });`,
		`.btn{color:red}.card{margin:0}@media print{}`}[p.variant] + "</p>"
}

func dataInstead(p *pair) {
	p.after.whole = "<pre>" + []string{`{"status":"ok","data":[{"id":1,"title":"Home"}]}`, `{"message":"Unauthenticated."}`,
		`&lt;?xml version="1.0"?&gt;&lt;page&gt;&lt;title/&gt;&lt;/page&gt;`, `a:2:{i:0;s:5:"hello";}`}[p.variant] + "</pre>"
}

func tooManyRequests(p *pair) {
	p.after.whole = []string{"<h1>429 Too Many Requests</h1><hr><p>nginx</p>", "<h1>Slow down</h1><p>You have made too many requests.</p>",
		"<h1>Error 1015</h1><p>You are being rate limited</p>", "<h1>Zu viele Anfragen</h1>"}[p.variant]
}

func humanCheck(p *pair) {
	p.after.whole = []string{"<h1>Just a moment...</h1><p>Checking your browser before accessing the site.</p>",
		"<h1>Verify you are human</h1><p>Please complete the captcha.</p>", "<h1>Access denied</h1><p>Your request was blocked.</p>",
		"<h1>Security check</h1><p>Ray ID: 7d1b2c3a4e5f</p>"}[p.variant]
}

func directoryListing(p *pair) {
	p.after.whole = `<h1>Index of /</h1><ul><li><a href="a">assets/</a></li><li><a href="i">index.php.bak</a></li><li>` +
		`<a href="w">wp-config.php.old</a></li></ul>`
}

func defaultPage(p *pair) {
	p.after.whole = []string{"<h1>Welcome to nginx!</h1><p>Further configuration is required.</p>", "<h1>It works!</h1>",
		"<h1>Apache2 Debian Default Page</h1><p>It works!</p>", "<h1>Coming soon</h1>"}[p.variant]
}

func missingHeadings(p *pair) {
	for i := range p.after.sections {
		html := p.after.sections[i].html
		from, to := strings.Index(html, "<h2>"), strings.Index(html, "</h2>")
		if from >= 0 && to > from {
			p.after.sections[i].html = html[:from] + html[to+len("</h2>"):]
		}
	}
}

func menuOverContent(p *pair) {
	p.after.overlays = append(p.after.overlays,
		`<div style="position:absolute;left:0;top:0;width:320px;height:700px;background:#fff"><ul><li>Home</li><li>About</li>`+
			`<li>Services</li></ul></div>`)
}

func narrowPage(p *pair) {
	p.after.styles = append(p.after.styles, "body{width:300px}")
}

func hugeIcons(p *pair) {
	p.both(func(d *document, after bool) {
		size := 24 + 476*index(after)
		icon := fmt.Sprintf(`<svg width="%d" height="%d" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="#333"/></svg>`, size, size)
		d.sections[0].html = icon + d.sections[0].html
	})
}

func soldOut(p *pair) {
	p.both(func(d *document, after bool) {
		var b strings.Builder
		for range 4 {
			state := `<button>Add to cart</button>`
			if after {
				state = `<p>Sold out</p>`
			}
			fmt.Fprintf(&b, "<div><h3>%s</h3>%s</div>", heading(d.r), state)
		}
		d.sections = append([]block{{"shop", `<h2>Shop</h2><div class="grid">` + b.String() + "</div>"}}, d.sections...)
	})
}

func missingSide(p *pair) {
	p.before.aside = append(p.before.aside, block{"help", "<h3>Need help?</h3><p>" + sentence(p.r, 2) + "</p>"})
	p.after.aside = nil
}

func brokenTable(p *pair) {
	p.both(func(d *document, after bool) {
		table := `<table><tr><th>Size</th><th>Width</th><th>Height</th></tr><tr><td>S</td><td>40</td><td>60</td></tr><tr><td>M</td>` +
			`<td>44</td><td>64</td></tr></table>`
		if after {
			table = []string{"| Size | Width | Height | |---|---|---| | S | 40 | 60 |", "Size Width Height S 40 60 M 44 64",
				"&lt;table&gt;&lt;tr&gt;&lt;td&gt;S", `<table><tr><th>Size</th><th>Width</th><th>Height</th></tr></table>`}[p.variant]
		}
		d.sections = append([]block{{"sizes", "<h2>Sizes</h2>" + table}}, d.sections...)
	})
}

func otherColours(p *pair) {
	p.after.styles = append(p.after.styles, []string{"body{background:#ff00ff!important}", ".hero-area{background:#000!important}",
		"main{background:#fffb00}", "header,footer{background:#0f0!important}"}[p.variant])
}

func placeholderText(p *pair) {
	text := []string{"Lorem ipsum dolor sit amet", "Sample text. Click to edit.", "TODO: headline", "Enter your headline here"}[p.variant]
	p.after.hero.html = title.ReplaceAllString(p.after.hero.html, "${1}"+text)
}
