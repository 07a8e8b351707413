package reach

// drawingPages have canvases and vector graphics that are emptied when they leave the screen and drawn again when they return.
var drawingPages = []Page{
	{Name: "canvas-cleared", Shows: "canvases that are cleared", html: drawings(canvas, `c.getContext('2d').clearRect(0, 0, 600, 300)`)},
	{Name: "canvas-filled", Shows: "canvases that are filled with one colour", html: drawings(canvas,
		`{ const g = c.getContext('2d'); g.fillStyle = '#dfe'; g.fillRect(0, 0, 600, 300) }`)},
	{Name: "canvas-reset", Shows: "canvases that are given a size, which empties them", html: drawings(canvas, `c.width = 600`)},
	{Name: "canvas-scroll-listener", Shows: "canvases that a scroll listener draws and clears", html: func(price string) string {
		return scrollWatch + drawings(canvas, `c.getContext('2d').clearRect(0, 0, 600, 300)`)(price)
	}},
	{Name: "shapes-removed", Shows: "graphics of which the shapes are removed", html: drawings(graphic, `c.replaceChildren()`)},
	{Name: "shapes-not-displayed", Shows: "graphics of which the shapes are not displayed", html: drawings(graphic,
		`for (const e of c.children) e.style.display = 'none'`)},
	{Name: "shapes-without-size", Shows: "graphics of which the shapes have no size", html: drawings(graphic,
		`for (const e of c.children) e.setAttribute(e.localName === 'rect' ? 'height' : 'd', '')`)},
	{Name: "shapes-without-colour", Shows: "graphics of which the shapes are not filled", html: drawings(graphic,
		`for (const e of c.children) e.setAttribute('fill', 'none')`)},
	{Name: "canvas-stays", Shows: "canvases that are drawn once", html: drawings(canvas, ``)},
	{Name: "shapes-stay", Shows: "graphics that are drawn once", html: drawings(graphic, ``)},
}

// scrollWatch replaces the observer by a listener to scrolling.
const scrollWatch = `<script>IntersectionObserver = class { constructor(see) { this.see = see; this.all = []
	addEventListener('scroll', () => this.look()) }
	look() { this.see(this.all.map((target) => { const { top, bottom } = target.getBoundingClientRect()
		return { target, isIntersecting: top < innerHeight && bottom > 0 } })) }
	observe(e) { this.all.push(e); this.look() } }</script>`

// canvas and graphic make an element, and a function that draws a price in it: in words or as a bar.
const (
	canvas = `<canvas width="600" height="300"></canvas><script>var draw = (c, text) => { const g = c.getContext('2d')
		g.fillStyle = '#8a1f6f'; g.fillRect(0, 200, 600, 100); g.fillStyle = '#222'; g.font = '40px sans-serif'
		g.fillText(text, 20, 100) }</script>`
	graphic = `<svg width="600" height="300"></svg><script>var draw = (c, text) => { c.innerHTML = '<rect y="200" width="600" ' +
		'height="100" fill="#8a1f6f"/><path d="M20 80h' + 5 * text.slice(2) + 'v40h-60z" fill="#357"/>' }</script>`
)

// drawings is a page of six drawings, the fifth of which shows the price; those that leave the screen are emptied.
func drawings(element, empty string) func(price string) string {
	return func(price string) string {
		html := `<style>section{height:400px;margin:20px;background:#dfe}</style>`
		for range 6 {
			html += `<section>` + element + `</section>`
		}
		return html + `<script>const all = [...document.querySelectorAll('canvas, svg')];
			const o = new IntersectionObserver((seen) => seen.forEach(({ target: c, isIntersecting: is }) => {
				if (is) draw(c, all.indexOf(c) === 4 ? '€ ` + price + `' : '€ 19.50'); else { ` + empty + ` } }));
			all.forEach((c) => o.observe(c))</script>`
	}
}
