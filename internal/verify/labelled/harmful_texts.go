package labelled

import (
	"fmt"
	"regexp"
	"strings"
)

// harmfulTexts are the harmful changes that can be read.
func harmfulTexts() []Kind {
	return []Kind{
		{Name: "fatal PHP error", change: phpFatal},
		{Name: "database error", change: databaseError},
		{Name: "page not found", change: notFound},
		{Name: "PHP warning", change: phpWarning},
		{Name: "unfilled template", change: unfilled, Expect: &Expectation{[]string{"hero title"}, texts()}},
		{Name: "price that is no number", change: wrongPrice, Expect: &Expectation{[]string{"offer price"}, texts()}},
		{Name: "price of nothing", change: zeroPrice, Expect: &Expectation{[]string{"offer price"}, texts()}},
		{Name: "broken characters", change: mojibake},
		{Name: "unknown shortcode", change: shortcode},
		{Name: "endless loading", change: loading},
		{Name: "defaced page", change: defaced},
		{Name: "injected links", change: injected},
		{Name: "maintenance page", change: maintenance},
		{Name: "empty list", change: emptyList},
		{Name: "other language", change: otherLanguage},
		{Name: "stack trace", change: stackTrace},
		{Name: "login wall", change: loginWall},
		{Name: "other telephone number", change: telephone, Expect: &Expectation{[]string{"phone"}, texts()}},
	}
}

func phpFatal(p *pair) {
	message := []string{
		`<br><b>Fatal error</b>: Uncaught Error: Call to undefined function get_header_x() in ` +
			`/var/www/html/wp-content/themes/site/page.php:12 Stack trace: #0 {main} thrown in <b>/var/www/html/page.php</b> on line ` +
			`<b>12</b><br>`,
		`<p>There has been a critical error on this website.</p><p><a href="/help">Learn more about troubleshooting WordPress.</a></p>`,
		`<b>Parse error</b>: syntax error, unexpected token "}" in <b>/var/www/html/index.php</b> on line <b>88</b>`,
		`<b>Fatal error</b>: Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in <b>/var/www/lib.php</b> ` +
			`on line <b>7</b>`,
	}[p.variant]
	if p.variant%2 == 0 {
		p.after.sections, p.after.footer = []block{p.after.sections[0], {"rest", message}}, nil
		return
	}
	p.after.whole = `<div style="max-width:700px;margin:60px auto;padding:20px;border:1px solid #ccc">` + message + `</div>`
}

func databaseError(p *pair) {
	message := []string{
		"<h1>Error establishing a database connection</h1>", "<p>SQLSTATE[HY000] [2002] Connection refused</p>",
		"<h1>Database Error</h1><p>Unable to connect to the database: too many connections</p>",
		"<p>mysqli_connect(): (HY000/1045): Access denied for user</p><p>Could not connect to database.</p>",
	}[p.variant]
	if p.variant == 1 {
		p.after.status = 500
	}
	p.after.whole = message
}

func notFound(p *pair) {
	p.after.hero = block{}
	p.after.sections = []block{{"missing", []string{
		"<h1>404</h1><p>Page not found</p>", "<h1>Oops!</h1><p>We can't find the page you are looking for.</p>",
		"<h1>Seite nicht gefunden</h1><p>Die angeforderte Seite gibt es nicht.</p>",
		"<h1>Nothing here</h1><p>It looks like nothing was found at this location.</p>",
	}[p.variant]}}
	p.after.aside = nil
	if p.variant != 1 {
		p.after.status = 404
	}
}

func phpWarning(p *pair) {
	p.after.top = []string{
		`<br /><b>Warning</b>: Undefined array key "price" in <b>/var/www/html/functions.php</b> on line <b>41</b><br />`,
		`<br /><b>Deprecated</b>: Creation of dynamic property Slider::$opts is deprecated in <b>/srv/slider.php</b> on line ` +
			`<b>9</b><br />`,
		`<br /><b>Notice</b>: Trying to access array offset on value of type null in <b>/srv/app.php</b> on line <b>301</b><br />`,
		`<br /><b>Warning</b>: Cannot modify header information - headers already sent by (output started at /srv/a.php:3) in ` +
			`<b>/srv/b.php</b> on line <b>17</b><br />`,
	}[p.variant]
}

var title = regexp.MustCompile(`(<h1[^>]*>)[^<]*`)

func unfilled(p *pair) {
	text := []string{"{{ page.title }}", "undefined", "[object Object]", "%TITLE%"}[p.variant]
	p.after.hero.html = title.ReplaceAllString(p.after.hero.html, "${1}"+text)
}

func offer(p *pair, was, is string) {
	p.both(func(d *document, after bool) {
		price := [2]string{was, is}[index(after)]
		d.sections = append([]block{{"offer",
			fmt.Sprintf(`<h2>Offer</h2><p>Only today</p><p class=%q style="font-size:28px">%s</p><button>Buy</button>`,
				d.n.class("offer price"), price)}}, d.sections...)
	})
}

func wrongPrice(p *pair) {
	offer(p, "$49.90", []string{"$NaN", "$undefined", "NaN €", "$"}[p.variant])
}

func zeroPrice(p *pair) {
	forms := [][2]string{{"$49.90", "$0.00"}, {"49,90 €", "0,00 €"}, {"£120", "£0"}, {"USD 49.90", "USD 0.00"}}
	offer(p, forms[p.variant][0], forms[p.variant][1])
}

func mojibake(p *pair) {
	p.both(func(d *document, after bool) {
		text := "Café Müller – große Auswahl, schöne Plätze und „frische“ Brötchen für Gäste"
		if after {
			text = []string{"CafÃ© MÃ¼ller â€“ groÃŸe Auswahl, schÃ¶ne PlÃ¤tze und â€žfrischeâ€œ BrÃ¶tchen fÃ¼r GÃ¤ste",
				"Caf\ufffd M\ufffdller \ufffd gro\ufffde Auswahl, sch\ufffdne Pl\ufffdtze",
				"Caf? M?ller ? gro?e Auswahl, sch?ne Pl?tze und ?frische? Br?tchen f?r G?ste",
				"Caf&amp;eacute; M&amp;uuml;ller &amp;ndash; gro&amp;szlig;e Auswahl"}[p.variant]
		}
		d.sections = append([]block{{"cafe", "<h2>Speisen</h2><p>" + text + "</p>"}}, d.sections...)
	})
}

func shortcode(p *pair) {
	p.both(func(d *document, after bool) {
		content := d.picture(190, 400, 220, "embed image", "view") + "<p>" + sentence(d.r, 2) + "</p>"
		if after {
			content = "<p>" + []string{`[gallery ids="12,15,19" columns="3"]`, `[contact-form-7 id="93" title="Contact"]`,
				`[vc_row][vc_column width="1/2"][/vc_column][/vc_row]`, `[rev_slider alias="home"]`}[p.variant] + "</p>"
		}
		d.sections = append([]block{{"embed", content}}, d.sections...)
	})
}

func loading(p *pair) {
	p.after.sections = []block{{"loading", []string{
		`<div style="height:400px;padding-top:180px;text-align:center">Loading…</div>`,
		`<div role="status" aria-busy="true" style="height:400px;text-align:center"><div class="spinner" style="margin:150px ` +
			`auto;width:48px;height:48px;border:6px solid #ccc;border-top-color:#333;border-radius:50%"></div></div>`,
		`<div class="skeleton" style="height:300px;background:#eee;margin-bottom:16px"></div>` +
			`<div class="skeleton" style="height:60px;background:#eee"></div>`,
		`<p style="height:300px">Please wait while the page is loading …</p>`,
	}[p.variant]}}
}

func defaced(p *pair) {
	p.after.whole = `<div style="background:#000;color:#0f0;min-height:900px;padding:120px;text-align:center;font-family:monospace">` +
		`<h1>HACKED BY GREY LANTERN CREW</h1><p>Your security is a joke</p></div>`
	if p.variant > 1 {
		p.after.whole = ""
		p.after.hero.html = `<h1>Owned by the lantern crew</h1><p>We were here</p>`
	}
}

func injected(p *pair) {
	links := []string{"cheap viagra online", "casino bonus without deposit", "replica watches sale", "payday loans fast"}
	var b strings.Builder
	for i, l := range links {
		if i <= p.variant+1 {
			fmt.Fprintf(&b, `<a href="http://spam.test/%d">%s</a> `, i, l)
		}
	}
	p.after.footer = append(p.after.footer, b.String())
}

func maintenance(p *pair) {
	p.after.status = [4]int{503, 200, 503, 200}[p.variant]
	p.after.whole = `<div style="text-align:center;padding:160px 20px">` + []string{
		"<h1>Briefly unavailable for scheduled maintenance. Check back in a minute.</h1>",
		"<h1>We'll be back soon!</h1><p>Sorry for the inconvenience.</p>", "<h1>Site under maintenance</h1>",
		"<h1>Wartungsarbeiten</h1><p>Wir sind bald wieder da.</p>",
	}[p.variant] + "</div>"
}

func emptyList(p *pair) {
	p.both(func(d *document, after bool) {
		list := d.products()
		if after {
			list.html = "<h2>Products</h2><p>" + []string{"No products were found matching your selection.", "0 results",
				"Sorry, nothing to show.", "Keine Produkte gefunden"}[p.variant] + "</p>"
		}
		d.sections = append([]block{list}, d.sections...)
	})
}

func otherLanguage(p *pair) {
	p.after.hero.html = title.ReplaceAllString(p.after.hero.html, "${1}Willkommen bei uns")
	p.after.hero.html = strings.Replace(p.after.hero.html, "Get started", "Jetzt beginnen", 1)
	for i := range p.after.nav {
		p.after.nav[i] = fmt.Sprintf(`<a href="/%d">%s</a>`, i, strings.Fields("Start Über Leistungen Geschichten Kontakt")[i])
	}
}

func stackTrace(p *pair) {
	p.after.status = [4]int{500, 200, 500, 200}[p.variant]
	trace := []string{
		"Traceback (most recent call last):\n  File \"/app/views.py\", line 31, in home\n    return render(items[0])\nIndexError: " +
			"list index out of range",
		"TypeError: Cannot read properties of undefined (reading 'map')\n    at Home (webpack-internal:///./pages/index.js:42:17)\n    " +
			"at renderWithHooks (react-dom.js:1203:18)",
		"java.lang.NullPointerException\n\tat com.example.shop.Cart.total(Cart.java:88)\n\tat com.example.shop.Page.render(Page.java:12)",
		"panic: runtime error: index out of range [3] with length 2\n\ngoroutine 18 " +
			"[running]:\nmain.render(0xc000012345)\n\t/srv/main.go:77 +0x1d",
	}[p.variant]
	p.after.whole = "<pre>" + trace + "</pre>"
	if p.variant == 1 {
		p.after.whole, p.after.sections = "", append([]block{{"error", "<pre>" + trace + "</pre>"}}, p.after.sections[1:]...)
	}
}

func loginWall(p *pair) {
	p.after.hero, p.after.aside = block{}, nil
	p.after.sections = []block{{"login",
		`<h1>Log in</h1><form action="/l"><label>User name <input></label><label>Password <input type="password"></label>` +
			`<button>Log in</button></form>`}}
}

func telephone(p *pair) {
	forms := [][2]string{{"+49 30 1234567", "+49 30 9876543"}, {"(212) 555-0147", "(212) 555-0193"},
		{"+44 20 7946 0958", "+44 20 7946 0111"}, {"030 / 123 45 67", "030 / 765 43 21"}}
	p.both(func(d *document, after bool) {
		d.sections = append([]block{{"hotline", fmt.Sprintf(`<h2>Call us</h2><p class=%q>%s</p>`, d.n.class("phone"),
			forms[p.variant][index(after)])}}, d.sections...)
	})
}
