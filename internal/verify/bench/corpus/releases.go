package main

// release is a package of which two consecutive versions are compared.
type release struct {
	name, from, to string
	pages          []string          // paths of pages that both versions have
	sheet          string            // of a design system: the style sheet, which a page of our own uses
	classes        map[string]string // of a design system: the classes of what is on that page
}

// releases are templates and design systems.
var releases = []release{
	{name: "admin-lte", from: "4.0.0-rc4", to: "4.0.0-rc6", pages: []string{"dist/index.html", "dist/widgets/cards.html"}},
	{name: "admin-lte", from: "4.0.0-rc6", to: "4.0.0-rc7", pages: []string{"dist/index2.html", "dist/forms/general.html"}},
	{name: "gentelella", from: "4.0.3", to: "4.1.1", pages: []string{"dist/production/index.html", "dist/production/calendar.html"}},
	{name: "gentelella", from: "4.1.1", to: "4.2.0", pages: []string{"dist/production/index.html", "dist/production/contacts.html"}},
	{name: "soft-ui-design-system", from: "1.0.1", to: "1.0.4", pages: []string{"index.html", "pages/about-us.html"}},
	{name: "material-kit", from: "2.0.2", to: "2.0.4", pages: []string{"index.html", "examples/landing-page.html"}},
	{name: "reveal.js", from: "4.6.1", to: "5.0.0", pages: []string{"demo.html"}},
	{name: "reveal.js", from: "5.1.0", to: "5.2.0", pages: []string{"demo.html", "index.html"}},
	{name: "uikit", from: "3.24.2", to: "3.25.0", pages: []string{"tests/card.html", "tests/form.html"}},
	{name: "uikit", from: "3.22.0", to: "3.23.0", pages: []string{"tests/article.html", "tests/table.html"}},
	{name: "bulma", from: "0.9.3", to: "0.9.4", sheet: "css/bulma.css", classes: ofBulma},
	{name: "bulma", from: "1.0.0", to: "1.0.1", sheet: "css/bulma.css", classes: ofBulma},
	{name: "@picocss/pico", from: "2.0.6", to: "2.1.0", sheet: "css/pico.css"},
	{name: "@picocss/pico", from: "1.5.13", to: "2.0.0", sheet: "css/pico.css"},
	{name: "simpledotcss", from: "2.3.2", to: "2.3.3", sheet: "simple.css"},
	{name: "simpledotcss", from: "2.3.4", to: "2.3.7", sheet: "simple.css"},
	{name: "mvp.css", from: "1.14.0", to: "1.15.0", sheet: "mvp.css"},
	{name: "mvp.css", from: "1.17.3", to: "1.18.0", sheet: "mvp.css"},
	{name: "sakura.css", from: "1.4.1", to: "1.5.0", sheet: "css/sakura.css"},
	{name: "bootstrap", from: "5.2.3", to: "5.3.0", sheet: "dist/css/bootstrap.css", classes: ofBootstrap},
	{name: "bootstrap", from: "4.5.3", to: "4.6.0", sheet: "dist/css/bootstrap.css", classes: ofBootstrap},
	{name: "foundation-sites", from: "6.6.3", to: "6.7.0", sheet: "dist/css/foundation.css", classes: ofFoundation},
	{name: "github-markdown-css", from: "5.7.0", to: "5.8.0", sheet: "github-markdown.css",
		classes: map[string]string{"body": "markdown-body"}},
	{name: "@primer/css", from: "21.0.9", to: "21.1.0", sheet: "dist/primer.css", classes: ofPrimer},
	{name: "govuk-frontend", from: "5.14.0", to: "6.0.0", sheet: "dist/govuk/govuk-frontend.min.css", classes: ofGovUK},
	{name: "semantic-ui-css", from: "2.4.1", to: "2.5.0", sheet: "semantic.css", classes: ofSemantic},
}

// The classes by which design systems know what is on a page.
var (
	ofBootstrap = map[string]string{"main": "container py-4", "nav": "navbar navbar-expand bg-light navbar-light", "menu": "navbar-nav",
		"item": "nav-item", "link": "nav-link", "button": "btn btn-primary", "other": "btn btn-outline-secondary",
		"card":  "card card-body mb-3",
		"table": "table table-striped", "field": "form-control", "select": "form-select custom-select", "label": "form-label",
		"alert": "alert alert-warning", "badge": "badge bg-success badge-success", "list": "list-group", "entry": "list-group-item",
		"quote": "blockquote", "progress": "form-range", "check": "form-check-input"}
	ofBulma = map[string]string{"main": "section content", "nav": "navbar", "menu": "navbar-menu", "item": "navbar-item",
		"button": "button is-primary",
		"other":  "button is-light", "card": "box", "table": "table is-striped", "field": "input", "area": "textarea", "select": "select",
		"label": "label", "alert": "notification is-warning", "badge": "tag is-success", "list": "menu-list",
		"progress": "progress is-link"}
	ofFoundation = map[string]string{"main": "grid-container", "nav": "top-bar", "menu": "menu", "button": "button",
		"other": "button hollow secondary",
		"card":  "card card-section", "alert": "callout warning", "badge": "label success", "list": "menu vertical"}
	ofPrimer = map[string]string{"main": "container-lg p-4 markdown-body", "nav": "UnderlineNav", "menu": "UnderlineNav-body",
		"link":   "UnderlineNav-item",
		"button": "btn btn-primary", "other": "btn", "card": "Box Box-row mb-3", "field": "form-control", "area": "form-control",
		"select": "form-select", "alert": "flash flash-warn", "badge": "Label Label--success", "list": "Box", "entry": "Box-row"}
	ofGovUK = map[string]string{"body": "govuk-template__body", "main": "govuk-width-container govuk-main-wrapper",
		"nav":  "govuk-service-navigation",
		"link": "govuk-link", "h1": "govuk-heading-xl", "h2": "govuk-heading-l", "h3": "govuk-heading-m", "p": "govuk-body",
		"button": "govuk-button",
		"other":  "govuk-button govuk-button--secondary", "card": "govuk-summary-card", "table": "govuk-table", "cell": "govuk-table__cell",
		"head": "govuk-table__header", "field": "govuk-input", "area": "govuk-textarea", "select": "govuk-select", "label": "govuk-label",
		"alert": "govuk-inset-text", "badge": "govuk-tag govuk-tag--green", "list": "govuk-list govuk-list--bullet",
		"quote": "govuk-inset-text"}
	ofSemantic = map[string]string{"main": "ui container", "nav": "ui menu", "link": "item", "h1": "ui header",
		"h2": "ui dividing header", "button": "ui primary button",
		"other": "ui basic button", "card": "ui segment", "table": "ui celled table", "form": "ui form", "alert": "ui warning message",
		"badge": "ui green label", "list": "ui list", "entry": "item", "select": "ui dropdown"}
)

// showcase is a page that shows what design systems style.
func showcase(sheet string, classes map[string]string) string {
	c := func(what string) string {
		if classes[what] == "" {
			return ""
		}
		return ` class="` + classes[what] + `"`
	}
	item := func(text string) string {
		return `<li` + c("item") + `><a` + c("link") + ` href="#">` + text + `</a></li>`
	}
	card := func(title, text string) string {
		return `<article` + c("card") + `><h3` + c("h3") + `>` + title + `</h3><p` + c("p") + `>` + text + `</p><button` +
			c("button") + `>Reserve</button> <a` +
			c("other") + ` href="#" role="button">Read on</a></article>`
	}
	row := func(a, b, d string) string {
		return `<tr><td` + c("cell") + `>` + a + `</td><td` + c("cell") + `>` + b + `</td><td` + c("cell") + `>` + d + `</td></tr>`
	}
	return `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width,initial-scale=1">` +
		`<title>Allotments</title><link rel="stylesheet" href="` + sheet + `"></head><body` + c("body") + `><header><nav` + c("nav") +
		`><ul` + c("menu") + `>` +
		item("Plots") + item("Tools") + item("Meetings") + `</ul></nav><h1` + c("h1") + `>Allotments by the canal</h1><p` + c("p") +
		`>Forty plots, two wells and <a` + c("link") + ` href="#">a shed of tools</a>.</p></header><main` + c("main") + `><h2` +
		c("h2") + `>This month</h2><p` +
		c("p") + `>Sow <strong>beans</strong> and <em>marrows</em> under glass; <mark>water early</mark>, ` +
		`<small>never at noon</small>. Type ` +
		`<kbd>Ctrl</kbd> or <code>plot 12</code>, <del>frost</del> <ins>sun</ins>, H<sub>2</sub>O, m<sup>2</sup>.</p><div` + c("alert") +
		`>The lower well is closed until Friday.</div><section>` + card("Plot 12", "South side, with a pear tree and a bench.") +
		card("Plot 31", "Beside the lane; the soil is heavy.") + `</section><blockquote` + c("quote") +
		`>Nothing grows where nobody walks.</blockquote><h3` + c("h3") +
		`>What to bring</h3><ul` + c("list") + `><li` + c("entry") + `>Gloves</li><li` + c("entry") + `>A fork <span` + c("badge") +
		`>on loan</span></li><li` + c("entry") +
		`>String</li></ul><ol><li>Dig</li><li>Rake</li><li>Sow</li></ol><dl><dt>Rent</dt><dd>40 a year</dd>` +
		`<dt>Key</dt><dd>At the gate</dd></dl><table` + c("table") +
		`><caption>Meetings</caption><thead><tr><th` + c("head") + `>Day</th><th` + c("head") + `>Hour</th><th` + c("head") +
		`>Where</th></tr></thead><tbody>` +
		row("4 May", "18:00", "Shed") + row("1 June", "18:00", "Shed") + row("6 July", "19:00", "Gate") +
		`</tbody></table><pre><code>plot = 12` + "\n" +
		`print(plot)</code></pre><hr><form` + c("form") + `><fieldset><legend>Ask for a plot</legend><label` + c("label") +
		`>Name <input` + c("field") +
		` placeholder="Your name"></label><label` + c("label") + `>Mail <input` + c("field") +
		` type="email" value="jo@example.com"></label><label` + c("label") +
		`>Side <select` + c("select") + `><option>South</option><option>North</option></select></label><label` + c("label") +
		`>Wishes <textarea` + c("area") +
		` rows="3">Near the well</textarea></label><label><input type="checkbox"` + c("check") +
		` checked> Shared</label><label><input type="radio"` + c("check") +
		` name="r" checked> Yearly</label><label>Size <input type="range"` + c("progress") +
		` value="40"></label><progress value="30" max="100"></progress><button` +
		c("button") + ` type="button">Send</button> <button` + c("other") +
		` disabled type="button">Later</button></fieldset></form><details open><summary>Rules</summary><p` +
		c("p") + `>No fires.</p></details><figure><svg width="120" height="60" viewBox="0 0 120 60">` +
		`<rect width="120" height="60" fill="#7a9"/></svg><figcaption>The canal` +
		`</figcaption></figure></main><footer><p` + c("p") + `>Allotments by the canal, since 1921. <a` + c("link") +
		` href="#">Write to us</a></p></footer></body></html>`
}
