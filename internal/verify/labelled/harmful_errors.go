package labelled

import (
	"fmt"
	"strings"
)

// What servers, frameworks and scripts put on a page when they fail, and pages that stand in for the real one.

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

func maintenance(p *pair) {
	p.after.status = [4]int{503, 200, 503, 200}[p.variant]
	p.after.whole = `<div style="text-align:center;padding:160px 20px">` + []string{
		"<h1>Briefly unavailable for scheduled maintenance. Check back in a minute.</h1>",
		"<h1>We'll be back soon!</h1><p>Sorry for the inconvenience.</p>", "<h1>Site under maintenance</h1>",
		"<h1>Wartungsarbeiten</h1><p>Wir sind bald wieder da.</p>",
	}[p.variant] + "</div>"
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

func loginWall(p *pair) {
	p.after.hero, p.after.aside = block{}, nil
	p.after.sections = []block{{"login",
		`<h1>Log in</h1><form action="/l"><label>User name <input></label><label>Password <input type="password"></label>` +
			`<button>Log in</button></form>`}}
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

func dataInstead(p *pair) {
	p.after.whole = "<pre>" + []string{`{"status":"ok","data":[{"id":1,"title":"Home"}]}`, `{"message":"Unauthenticated."}`,
		`&lt;?xml version="1.0"?&gt;&lt;page&gt;&lt;title/&gt;&lt;/page&gt;`, `a:2:{i:0;s:5:"hello";}`}[p.variant] + "</pre>"
}

func scriptAsText(p *pair) {
	p.after.top = "<p>" + []string{`(function(w,d){w.dataLayer=w.dataLayer||[];})(window,document);`,
		`var _gaq = _gaq || []; _gaq.push(['_setAccount']);`, `add_action('init', function() { register_menu(); });`,
		`.btn{color:red}.card{margin:0}@media print{}`}[p.variant] + "</p>"
}

func rawMarkup(p *pair) {
	p.both(func(d *document, after bool) {
		text := "Open <b>every day</b> from nine to five, except on holidays."
		if after {
			text = "Open &lt;b&gt;every day&lt;/b&gt; from nine to five, except on holidays."
		}
		d.sections = append([]block{{"times", "<h2>Times</h2><p>" + text + "</p>"}}, d.sections...)
	})
}

func failedFeed(p *pair) {
	p.both(func(d *document, after bool) {
		content := "<ul>" + strings.Repeat("<li>"+heading(d.r)+"</li>", 3) + "</ul>"
		if after {
			content = "<p>" + []string{"Failed to load posts.", "Something went wrong.", "Error: feed could not be fetched",
				"Could not connect to server"}[p.variant] + "</p>"
		}
		d.widget("latest posts", "<h3>Latest posts</h3>"+content)
	})
}

func feedWithCode(p *pair) {
	p.both(func(d *document, after bool) {
		content := "<ul><li>" + heading(d.r) + "</li><li>" + heading(d.r) + "</li></ul>"
		if after {
			content = "<p>" + []string{"Error 401: invalid access token", "API rate limit exceeded", "HTTP 503",
				"cURL error 28: Operation timed out"}[p.variant] + "</p>"
		}
		d.widget("instagram", "<h3>Instagram</h3>"+content)
	})
}

func noticeInList(p *pair) {
	p.both(func(d *document, after bool) {
		extra := ""
		if after {
			extra = "<li>" + []string{"Notice: Undefined index: url in /srv/feed.php on line 12",
				"Warning: foreach() argument must be of type array in /srv/list.php on line 4",
				"undefined method `name' for nil:NilClass (NoMethodError)",
				"TypeError: Cannot read properties of null (reading 'title')"}[p.variant] + "</li>"
		}
		d.widget("latest news", fmt.Sprintf("<h3>Latest news</h3><ul><li>%s</li><li>%s</li>%s</ul>", heading(d.r), heading(d.r), extra))
	})
}

func otherLanguage(p *pair) {
	p.after.hero.html = title.ReplaceAllString(p.after.hero.html, "${1}Willkommen bei uns")
	p.after.hero.html = strings.Replace(p.after.hero.html, "Get started", "Jetzt beginnen", 1)
	for i := range p.after.nav {
		p.after.nav[i] = fmt.Sprintf(`<a href="/%d">%s</a>`, i, strings.Fields("Start Über Leistungen Geschichten Kontakt")[i])
	}
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

func frozenSkeletons(p *pair) {
	p.both(func(d *document, after bool) {
		content := strings.Repeat("<div><h4>"+heading(d.r)+"</h4><p>"+sentence(d.r, 2)+"</p></div>", 3)
		if after {
			content = strings.Repeat(`<div class="skeleton shimmer" style="height:90px;background:#e4e4e4;margin-bottom:10px"></div>`, 3)
		}
		d.widget("related", "<h3>Related</h3>"+content)
	})
}
