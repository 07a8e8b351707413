package reach

import (
	"fmt"
	"strings"
)

// gonePages have parts that were to be seen when the page was scrolled and do not come back.
var gonePages = []Page{
	{Name: "gone-faded", Shows: "parts that fade for good when they leave the screen", Told: true, html: leaving(
		`section.off p{opacity:0}`, `s.className = 'off'`)},
	{Name: "gone-emptied", Shows: "parts that are emptied for good", Told: true, html: leaving(``, `s.replaceChildren()`)},
	{Name: "gone-hidden", Shows: "parts that are hidden for good", Told: true, html: leaving(
		`section.off p{visibility:hidden}`, `s.className = 'off'`)},
	{Name: "gone-white", Shows: "parts that turn white for good", Told: true, html: leaving(
		`section{background:none!important}section.off p{color:#fff}`, `s.className = 'off'`)},
	{Name: "gone-one-by-one", Shows: "single texts, pictures and drawings that go for good when they leave the screen", Told: true,
		Tells: []string{"#faded", "#hidden", "#removed", "#collapsed", "#picture", "#canvas", "#graphic", "#last"}, html: oneByOne},
	{Name: "meant-to-go", Shows: "a hint, loaders, a notice, placeholders and slides that go by time or are replaced", html: meantToGo},
	{Name: "replaced", Shows: "frames of parts to come, which these replace", html: leaving(
		``, `s.innerHTML = '<p>Tea has come</p>'`)},
	{Name: "counts-up", Shows: "numbers that are counted up when they come on the screen", html: filled(
		`ROWS<section style="height:300px;font-size:40px"><p id="p">0</p></section><div class="row"></div><div class="row"></div>
		<div class="end"></div><script>new IntersectionObserver(([e], o) => { if (!e.isIntersecting) return
			o.disconnect(); const begun = performance.now(); (function count(now) { const part = Math.min((now - begun) / 1500, 1)
			p.textContent = Math.round(1250 * part) + ' happy clients'; if (part < 1) requestAnimationFrame(count) })(begun)
		}).observe(p)</script>`)},
	{Name: "crossed", Shows: "words that others replace at their place by time", html: filled(
		`<style>.x{display:grid}.x>*{grid-area:1/1;font-size:30px;transition:opacity .3s}.x>:not(.on){opacity:0}</style>ROWS<div class="x">
		<b class="on">Fresh</b><b>Green</b><b>Hot</b></div><div class="row"></div><script>let n = 0; const all =
		[...document.querySelectorAll('.x b')];
		setInterval(() => { n++; all.forEach((e, i) => e.classList.toggle('on', i === n % 3)) }, 700)</script>`)},
	{Name: "captions", Shows: "words that a pointer brings, in parts that appear once", html: filled(
		`<style>.c{height:200px;opacity:0}.c.on{opacity:1}.c i{opacity:0}.c:hover i{opacity:1}</style>ROWS<div class="c"><b>Tea</b>
		<i>Add to the basket</i></div><div class="end"></div><script>const c = document.querySelector('.c');
		new IntersectionObserver(([e]) => { if (e.isIntersecting) c.classList.add('on') }).observe(c)</script>`)},
}

// leaving is a page of parts with which something happens when they have left the screen, for the first time.
func leaving(style, leave string) func(price string) string {
	return func(price string) string {
		html := `<style>section{height:400px;margin:20px;background:#dfe}` + style + `</style>`
		for i := range 8 {
			html += fmt.Sprintf(`<section><p>Part %d: € %s</p><p>Tea</p></section>`, i, price)
		}
		return html + rows(12, price) + `<script>for (const s of document.querySelectorAll('section')) {
			let seen = false; const o = new IntersectionObserver(([e]) => { if (e.isIntersecting) seen = true
				else if (seen) { o.disconnect(); ` + leave + ` } }); o.observe(s) }</script>`
	}
}

// oneByOne is a page of single parts, of which each goes for good in its own way when it has left the screen.
func oneByOne(price string) string {
	html := `<style>.gap{height:400px}.fades{transition:opacity .8s}</style><div class="row"></div>`
	for _, part := range []string{
		`<p id="hidden" data-leave="display:none">Offer of the week: € ` + price + `</p>`,
		`<p class="fades" id="faded" data-leave="opacity:0">Offer of the day: € ` + price + `</p>`,
		`<p id="removed">Offer of the month: € ` + price + `</p>`,
		`<p id="collapsed" data-leave="height:0;margin:0;overflow:hidden">Offer of the year: € ` + price + `</p>`,
		`<img id="picture" width="400" height="300" alt="Tea hill" data-leave="opacity:0" src="data:image/svg+xml,%3Csvg ` +
			`xmlns='http://www.w3.org/2000/svg' width='400' height='300'%3E%3Crect width='400' height='300' fill='%23357'/%3E%3C/svg%3E">`,
		`<canvas id="canvas" width="400" height="300"></canvas>`,
		`<svg id="graphic" width="400" height="300"><rect width="300" height="200" fill="#357"/></svg>`,
	} {
		html += `<section class="gone">` + part + `</section><div class="gap"></div>`
	}
	return html + rows(12, price) + `<section class="gone"><p id="last" data-leave="display:none">The last offer: € ` + price +
		`</p></section>
		<script>const g = canvas.getContext('2d'); g.fillRect(20, 20, 200, 200)
		for (const part of document.querySelectorAll('.gone > *')) { let seen = false
			const o = new IntersectionObserver(([e]) => { if (e.isIntersecting) seen = true
				else if (seen) { o.disconnect(); if (part === canvas) g.clearRect(0, 0, 400, 300)
					else if (part === graphic) graphic.replaceChildren()
					else if (part.dataset.leave) part.style.cssText = part.dataset.leave
					else part.remove() } }); o.observe(part) }</script>`
}

// meantToGo is a page of parts that go as well and that nobody misses.
func meantToGo(price string) string {
	picture := func(colour string) string {
		return `src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='300'%3E%3Crect width='400' ` +
			`height='300' fill='%23` + colour + `'/%3E%3C/svg%3E" width="400" height="300"`
	}
	html := `<style>.gap{height:400px}.stack{display:grid;width:400px}.stack>*{grid-area:1/1}</style><p id="hint">Scroll on ↓</p>`
	for _, part := range []string{
		`<div class="wait"><p>Fetching what our guests have said</p></div>`,
		`<p class="wait">Loading…</p>`,
		`<div><p class="hide">Fetching the teas of this year</p><p class="show" style="display:none">Uji and Darjeeling</p></div>`,
		`<div class="wait"><img alt="" ` + picture("ccc") + `></div>`,
		`<div class="stack"><img alt="" ` + picture("357") + `><img alt="" class="hide" style="z-index:1" ` + picture("ccc") + `></div>`,
		`<p class="slide">Green tea from the hills</p><p class="slide" style="display:none">White tea of the last spring</p>`,
	} {
		html += part + `<div class="gap"></div>`
	}
	return html + rows(12, price) + `<p id="notice">Your place has been saved for 30 days</p><div class="end"></div><script>
		addEventListener('scroll', () => hint.remove(), { once: true })
		new IntersectionObserver(([e], o) => { if (e.isIntersecting) { o.disconnect(); notice.remove() } }).observe(notice)
		const come = (part) => { if (part.matches('.hide')) { part.style.opacity = 0
			if (!part.closest('.stack')) part.style.display = 'none'
			const next = part.parentElement.querySelector('.show'); if (next) next.style.display = '' }
			else if (part.localName === 'p') part.remove()
			else part.innerHTML = part.querySelector('img') ? '<img alt="" ` + strings.ReplaceAll(picture("357"), `'`, `\'`) + `>' :
				'<p>Ann: good</p><p>Bob: hot</p>' }
		const o = new IntersectionObserver((all) => { for (const e of all) if (e.isIntersecting) { o.unobserve(e.target)
			setTimeout(() => come(e.target), 40) } })
		for (const part of document.querySelectorAll('.wait, .hide')) o.observe(part)
		let n = 0; const slides = [...document.querySelectorAll('.slide')]
		setInterval(() => { n++; slides.forEach((e, i) => { e.style.display = i === n % 2 ? '' : 'none' }) }, 160)</script>`
}
