package reach

import "strings"

const fourEnds = 4 * 60 * 1300 // pixels

// framePages are moved by loops that run once per frame and ask again and again where the page is scrolled to, instead of hearing of it.
var framePages = []Page{
	{Name: "frames-list", Shows: "a list of the rows on the screen",
		html: everyFrame(list(`document.documentElement`, `window`, `scrollY`))},
	{Name: "frames-list-in-scroller", Shows: "the same in an element", html: func(price string) string {
		return `<style>body{overflow:hidden}#m{height:100vh;overflow:auto}</style><main id="m">` +
			everyFrame(list(`m`, `m`, `m.scrollTop`))(price) + `</main>`
	}},
	{Name: "frames-list-mobile", Shows: "the list on a telephone", Mobile: true,
		html: everyFrame(list(`document.documentElement`, `window`, `scrollY`))},
	{Name: "frames-asked-once", Shows: "a list that asks for one frame after it was scrolled", html: func(price string) string {
		page := list(`document.documentElement`, `window`, `scrollY`)(price)
		return strings.Replace(page, `'scroll', render)`, `'scroll', () => { window.asked ||= requestAnimationFrame(() => {
			window.asked = 0; render() }) })`, 1)
	}},
	{Name: "frames-classes", Shows: "parts that get a class while they are on the screen", html: shownEveryFrame(
		`i{opacity:0}.on i{opacity:1}`, `s.classList.toggle('on', inside)`), Ends: fourEnds},
	{Name: "frames-fade", Shows: "parts that fade in frame by frame", html: shownEveryFrame(
		``, `s.o = (s.o ?? 0) + ((inside ? 1 : 0) - (s.o ?? 0)) * .2; s.firstChild.style.opacity = s.o > .99 ? 1 : s.o`), Ends: fourEnds},
	{Name: "frames-fill", Shows: "parts that are filled while they are on the screen", html: shownEveryFrame(
		`i{height:200px}`, `s.text ??= s.firstChild.innerHTML; const text = inside ? s.text : ''
		if (s.firstChild.innerHTML !== text) s.firstChild.innerHTML = text`), Ends: fourEnds},
	{Name: "frames-by-timer", Shows: "parts that a timer asks to be drawn in a frame", html: func(price string) string {
		return strings.Replace(shownEveryFrame(`i{opacity:0}.on i{opacity:1}`, `s.classList.toggle('on', inside)`)(price),
			`requestAnimationFrame(loop) }`, `setTimeout(() => requestAnimationFrame(loop), 50) }`, 1)
	}, Ends: fourEnds},
}

// everyFrame makes a list that listens to scrolling one that looks at every frame.
func everyFrame(page func(price string) string) func(price string) string {
	return func(price string) string {
		before, after, _ := strings.Cut(page(price), `.addEventListener('scroll', render); render()`)
		return before + `; (function loop() { render(); requestAnimationFrame(loop) })()` + after
	}
}

// shownEveryFrame is a page of four sections. The script is told at every frame of each section s whether it is inside of the screen.
func shownEveryFrame(style, script string) func(price string) string {
	return func(price string) string {
		html := `<style>section{height:600px;margin:20px;background:#dfe}i{display:block}` + style + `</style>`
		for i := range 4 {
			html += `<section><i><b>Part ` + string(rune('1'+i)) + `: € ` + price + `</b><div class="end">END</div></i></section>`
		}
		return html + `<script>const all = document.querySelectorAll('section'); (function loop() { for (const s of all) {
			const { top, bottom } = s.getBoundingClientRect(), inside = top < innerHeight * .9 && bottom > innerHeight * .1
			` + script + ` } requestAnimationFrame(loop) })()</script>`
	}
}
