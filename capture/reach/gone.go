package reach

import "fmt"

// gonePages have parts that were to be seen when the page was scrolled and do not come back.
var gonePages = []Page{
	{Name: "gone-faded", Shows: "parts that fade for good when they leave the screen", Told: true, html: leaving(
		`section.off p{opacity:0}`, `s.className = 'off'`)},
	{Name: "gone-emptied", Shows: "parts that are emptied for good", Told: true, html: leaving(``, `s.replaceChildren()`)},
	{Name: "gone-hidden", Shows: "parts that are hidden for good", Told: true, html: leaving(
		`section.off p{visibility:hidden}`, `s.className = 'off'`)},
	{Name: "gone-white", Shows: "parts that turn white for good", Told: true, html: leaving(
		`section{background:none!important}section.off p{color:#fff}`, `s.className = 'off'`)},
	{Name: "folds-up", Shows: "a notice that folds up when it has been read, and one that a button closes", html: leaving(
		`section{display:flow-root}section.off{height:90px}section.off p:first-child{display:none}`, `s.className = 'off'`)},
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
