package reach

import "strings"

// hidingPages have parts that a reader sees where they are, and that one picture from the top of the page would not show: they hide in
// ways that are none of the browser's words for it, or lie under the page until it has passed.
var hidingPages = []Page{
	{Name: "hides-by-clip", Shows: "parts that are cut off again", html: hiding(`i{clip-path:inset(100% 0 0)}`)},
	{Name: "hides-by-circle", Shows: "the same by a circle", html: hiding(`
		i{clip-path:circle(0px at 50% 50%)}.on i{clip-path:circle(100%)}`)},
	{Name: "hides-by-polygon", Shows: "the same by a polygon", html: hiding(`i{clip-path:polygon(0 0,0 0,0 100%,0 100%)}`)},
	{Name: "hides-by-mask", Shows: "the same by a mask", html: hiding(`i{mask:linear-gradient(#000,#000) 0 0/0 100% no-repeat}`)},
	{Name: "hides-by-size", Shows: "parts that shrink to a point", html: hiding(`i{transform:scale(0)}`)},
	{Name: "hides-by-turning", Shows: "parts that are turned to their edge", html: hiding(`section{perspective:800px}
		i{transform:rotateX(90deg)}`)},
	{Name: "hides-its-back", Shows: "parts that are turned around and have no back", html: hiding(`
		i{transform:perspective(2500px) rotateY(-100deg);backface-visibility:hidden}`)},
	{Name: "hides-in-its-box", Shows: "lines that slide out of their box", html: hiding(`section{overflow:hidden}
		i{transform:translateX(-120%)}`)},
	{Name: "hides-by-height", Shows: "parts that are folded up", html: hiding(`i{max-height:0;overflow:hidden}.on i{max-height:400px}`)},
	{Name: "hides-by-filter", Shows: "parts that a filter fades", html: hiding(`i{filter:opacity(0)}`)},
	{Name: "hides-nearly", Shows: "parts that nearly fade", html: hiding(`i{opacity:.04}`)},
	{Name: "hides-by-scrubbing", Shows: "parts whose paused animations a script moves along with the page", html: scrubbed},
	{Name: "hides-by-curtain", Shows: "parts before which a style draws a curtain", html: hiding(`section{position:relative}
		section::after{content:"";position:absolute;inset:0;background:#146;transition:transform .4s}
		section.on::after{transform:scaleX(0)}`)},
	{Name: "hides-by-element", Shows: "the same with an element", html: hiding(`section{position:relative}
		u{position:absolute;inset:0;background:#146}.on u{transform:scaleX(0)}`)},
	{Name: "hides-words", Shows: "words that take the colour of what is behind them", Ends: 4 * 300, html: func(price string) string {
		page := hiding(`i{color:#dfe}.on i{color:#222}.last{font-size:40px}.on .last{color:#8a1f6f}`)(price)
		return strings.ReplaceAll(page, `"end"`, `"last"`)
	}},
	{Name: "hides-words-on-nothing", Shows: "words that take the white of a page without a background", Ends: 4 * 600, html: onNothing(``)},
	{Name: "hides-words-nearly-white", Shows: "the same, nearly",
		Ends: 4 * 600, html: onNothing(`i,i>b{color:#fdfdfd}.last{color:#fdfdfd}`)},
	{Name: "hides-words-in-the-dark", Shows: "the same on a page in a dark scheme", Ends: 4 * 600, html: onNothing(
		`:root{color-scheme:dark}i,.last{color:#121212}.on i{color:#eee}`)},
	{Name: "white-on-a-picture", Shows: "white words upon a picture beside them, which stay", html: func(price string) string {
		return hiding(`section{position:relative;background:none!important}i{position:relative;color:#fff}
			u{position:absolute;inset:0;background:#357;z-index:-1}`)(price)
	}},
	{Name: "hides-by-blur", Shows: "parts that are blurred", html: hiding(`i{filter:blur(12px)}.on i{filter:none}`)},
	{Name: "hides-by-blur-around", Shows: "parts in something that is blurred", html: hiding(`
		section{filter:blur(8px)}section.on{filter:none}`)},
	{Name: "hides-by-soft-shadow", Shows: "words of which only a soft shadow stays", Ends: 4 * 600, html: func(price string) string {
		return onNothing(`i,.last{color:transparent;text-shadow:0 0 14px #222}.on i,.on .last{text-shadow:none}`)(price)
	}},
	{Name: "hides-behind-blur", Shows: "parts behind an element that blurs them", html: hiding(`section{position:relative}
		u{position:absolute;inset:0;backdrop-filter:blur(12px)}.on u{display:none}`)},
	{Name: "softened", Shows: "parts that are a little soft off the screen", html: hiding(`i{filter:blur(1px)}.on i{filter:blur(1px)}`)},
	{Name: "hides-picture", Shows: "pictures that are taken away again", html: func(price string) string {
		return hiding(`section{background:#dfe}`)(price) + `<script>for (const i of document.querySelectorAll('i')) {
			const image = new Image(400, 100); i.before(i.firstChild); i.replaceWith(image)
			new IntersectionObserver(([e]) => { if (!e.isIntersecting) return image.removeAttribute('src')
				image.src = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='100'%3E" +
					"%3Crect width='400' height='100' fill='%238a1f6f'/%3E%3C/svg%3E" }).observe(image) }</script>`
	}, Ends: 4 * 30_000},
	{Name: "shown-in-scroller", Shows: "parts that a listener of the scroller shows", html: func(price string) string {
		return `<style>body{overflow:hidden}#m{height:100vh;overflow:auto}.row{opacity:0}.on{opacity:1}</style><main id="m">` +
			rows(30, price) + `</main><script>const all = document.querySelectorAll('.row, .end');
			document.querySelector('.end').className += ' row';
			m.onscroll = () => all.forEach((e) => { const { top, bottom } = e.getBoundingClientRect();
			e.classList.toggle('on', top < innerHeight && bottom > 0) }); m.onscroll()</script>`
	}},
	{Name: "list-of-window-in-shadow", Shows: "a list of the rows on the screen in a shadow tree", html: func(price string) string {
		return `<div id="host"></div><script>const root = host.attachShadow({mode: 'open'}); root.innerHTML =
			'<style>.end{height:60px;min-width:200px;background:#8a1f6f}</style><div id="l" style="position:relative;height:8000px"></div>';
			var l = root.getElementById('l')</script>` + list(`document.documentElement`, `window`, `scrollY`)(price)[len(listBox):]
	}},
	{Name: "page-slides-off", Shows: "a footer that stays under the page until it has passed", html: func(price string) string {
		return `<main style="position:relative;z-index:1;background:#fff;margin-bottom:300px">` + rows(20, price) +
			`</main><footer style="position:fixed;bottom:0;left:0;right:0;height:300px"><div class="end"></div>€ ` + price + `</footer>`
	}, Ends: 2 * 60 * 1300},
	{Name: "page-slides-off-sticking", Shows: "the same by a footer that sticks", html: func(price string) string {
		return `<main style="position:relative;z-index:1;background:#fff">` + rows(20, price) +
			`</main><footer style="position:sticky;bottom:0;height:300px"><div class="end"></div>€ ` + price + `</footer>`
	}, Ends: 2 * 60 * 1300},
	{Name: "mirrors", Shows: "pictures behind the page that a script moves along with its windows", html: behindWindows(
		`position:fixed;z-index:-1;top:0;left:0;width:100%;height:500px`, `<div class="w"></div>`, ``,
		`p.style.transform = 'translateY(' + top + 'px)'; p.style.visibility = top < innerHeight && bottom > 0 ? 'visible' : 'hidden'`),
		Ends: 2 * 500 * 1400},
	{Name: "mirrors-of-pictures", Shows: "the same with background pictures", html: behindWindows(
		`position:fixed;z-index:-1;top:0;left:0;width:100%;height:500px`,
		`<style>.p{background-image:linear-gradient(#8a1f6f,#8a1f6f)!important}</style><div class="w"></div>`, ``,
		`p.style.transform = 'translateY(' + top + 'px)'; p.style.visibility = top < innerHeight && bottom > 0 ? 'visible' : 'hidden'`),
		Ends: 2 * 500 * 1400},
	{Name: "bound-and-moved", Shows: "pictures seen through a section, which a script moves", html: behindWindows(
		`position:fixed;top:0;left:0;width:100%;height:100vh`, ``, `clip-path:inset(0);position:relative`,
		`p.style.transform = 'translateY(' + (top - 200) * .5 + 'px)'`), Ends: 2 * 480 * 1400},
	{Name: "depth", Shows: "a part that scrolls, with a layer further away", html: func(price string) string {
		return `<div style="height:100vh;overflow:hidden auto;perspective:2px"><div class="end" style="height:300px;
			transform:translateZ(-1px) scale(1.5)"></div>` + rows(40, price) + `</div>`
	}, Ends: 300*1400 + 60*1400},
}

const listBox = `<div id="l" style="position:relative;height:8000px"></div>`

// hiding is a page of four sections, of which each shows what is in it only while it is on the screen; without "on" the style hides it.
func hiding(style string) func(price string) string {
	return func(price string) string {
		const shown = `section{height:600px;margin:20px;background:#dfe}i,u{display:block;transition:all .4s}
			.on i{clip-path:none;mask-size:100% 100%;transform:none;filter:none;opacity:1}`
		html := `<style>` + style + shown + `</style>`
		for i := range 4 {
			html += `<section><i><b>Part ` + string(rune('1'+i)) + `: € ` + price + `</b><div class="end">END</div></i><u></u></section>`
		}
		return html + `<script>const o = new IntersectionObserver((all) => all.forEach((e) =>
			e.target.classList.toggle('on', e.isIntersecting)), {threshold: .2});
			document.querySelectorAll('section').forEach((s) => o.observe(s))</script>`
	}
}

// scrubbed is such a page whose script moves paused animations along with the page.
func scrubbed(price string) string {
	page, _, _ := strings.Cut(hiding(``)(price), `<script>`)
	return page + `<script>const parts = [...document.querySelectorAll('section>i')]
		const moves = parts.map((part) => part.animate({opacity: [0, 1, 1, 1, 0]}, {duration: 1000, fill: 'both'}))
		const move = () => parts.forEach((part, n) => { const { top, bottom } = part.parentNode.getBoundingClientRect()
			moves[n].currentTime = 1000 * Math.min(Math.max((innerHeight - top) / (innerHeight + bottom - top), 0), 1) })
		moves.forEach((one) => one.pause())
		addEventListener('scroll', move)
		move()</script>`
}

// onNothing is such a page of words without anything behind them.
func onNothing(style string) func(price string) string {
	return func(price string) string {
		page := hiding(`section{background:none!important}i{color:#fff}.on i{color:#222}.last{font-size:40px}.on .last{color:#8a1f6f}` +
			style)(price)
		return strings.ReplaceAll(page, `"end"`, `"last"`)
	}
}

// behindWindows is a page with two sections behind which a picture is moved by a script, which knows where its section begins and ends.
func behindWindows(picture, window, section, move string) func(price string) string {
	return func(price string) string {
		part := `<section style="height:500px;` + section + `">` + window + `<div class="p" style="` + picture +
			`;background:#8a1f6f"></div></section><main style="background:#fff">` + rows(12, price) + `</main>`
		return part + part + `<script>const move = () => document.querySelectorAll('section').forEach((s) => {
			const { top, bottom } = s.getBoundingClientRect(), p = s.querySelector('.p'); ` + move +
			` }); addEventListener('scroll', move); move()</script>`
	}
}
