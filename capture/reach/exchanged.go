package reach

import "strings"

// exchangedPages have a picture that stays on the screen and is exchanged as the page is scrolled, or at other times.
var exchangedPages = []Page{
	{Name: "pinned-pictures", Shows: "a picture that sticks and is exchanged by a scroll listener", Told: true, html: exchanged(
		`<img class="k" id="k">`, `k.src = picture(at)`)},
	{Name: "pinned-backgrounds", Shows: "a background that a class exchanges", Told: true, html: exchanged(
		`<style>.c0{background:url("IMAGE0")}.c1{background:url("IMAGE1")}.c2{background:url("IMAGE2")}</style>
		<div class="k" id="k"></div>`,
		`k.className = 'k c' + at`)},
	{Name: "fixed-backgrounds", Shows: "a fixed background before the page's own that is exchanged", Told: true, html: exchanged(
		`<div class="k" id="k" style="position:fixed;left:0;width:700px"></div>`,
		`k.style.backgroundImage = 'url("' + picture(at) + '")'`)},
	{Name: "pinned-stack", Shows: "pictures that lie on each other, of which one is shown", Told: true, html: exchanged(
		`<style>.k img{position:absolute;opacity:0;transition:opacity .3s;width:700px}.k img.on{opacity:1}</style><div class="k" id="k">
		<img src="IMAGE0"><img src="IMAGE1"><img src="IMAGE2"></div>`,
		`[...k.children].forEach((image, i) => image.classList.toggle('on', i === at))`)},
	{Name: "pinned-canvas", Shows: "a canvas that shows another frame at each place", Told: true, html: exchanged(
		pinnedCanvas, `draw(scrollY / (document.documentElement.scrollHeight - innerHeight))`)},
	{Name: "pinned-canvas-follows", Shows: "the same, which follows by frames", Told: true, html: exchanged(
		pinnedCanvas+`<script>let goal = 0, now = 0; (function follow() { now += (goal - now) * .2; draw(now);
			requestAnimationFrame(follow) })()</script>`, `goal = scrollY / (document.documentElement.scrollHeight - innerHeight)`)},
	{Name: "pinned-by-timeline", Shows: "a background that a style exchanges with the place", Told: true, html: exchanged(
		`<style>.k{height:100vh;background:url("IMAGE0");animation:g linear both;animation-timeline:scroll(root)}
		@keyframes g{0%,30%{background-image:url("IMAGE0")}31%,60%{background-image:url("IMAGE1")}61%,100%{background-image:url("IMAGE2")}}
		</style><div class="k"></div>`, ``)},
	{Name: "pinned-poster", Shows: "a video that has another poster at each place", Told: true, html: exchanged(
		`<video class="k" id="k" width="700" height="500"></video>`, `k.poster = picture(at)`)},
	{Name: "logo-exchanged", Shows: "a small logo in a header that sticks, which is exchanged", html: exchanged(
		`<header style="position:sticky;top:0"><img id="k" width="120" height="40"></header>`, `k.src = picture(Math.min(at, 1))`)},
	{Name: "picture-by-time", Shows: "a picture that sticks and is exchanged by time", html: exchanged(
		`<img class="k" id="k"><script>let n = 0;
		const next = () => { k.src = picture(n++ % 3) }; next(); setInterval(next, 1900)</script>`,
		``)},
	{Name: "canvas-by-time", Shows: "a canvas that sticks and moves by time", html: exchanged(
		pinnedCanvas+`<script>let n = 0; setInterval(() => draw(n++ / 200), 30)</script>`, ``)},
	{Name: "picture-comes-late", Shows: "a picture that sticks and comes when the page is scrolled", html: exchanged(
		`<img class="k" id="k" src="IMAGE0">`, `if (at > 0) k.src = picture(2)`)},
}

const pinnedCanvas = `<canvas class="k" id="k" width="700" height="500"></canvas><script>const g = k.getContext('2d');
	var draw = (part) => { g.fillStyle = '#dfe'; g.fillRect(0, 0, 700, 500); g.fillStyle = '#357'; g.fillRect(0, 0, 700 * part, 400) }
	draw(0)</script>`

// exchanged is a page of three screens beside which something sticks. A script is told which of the three is to be seen; IMAGE stands for
// a picture for one of them.
func exchanged(element, script string) func(price string) string {
	return func(price string) string {
		image := `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='700' height='500'%3E` +
			`%3Crect width='NUMBER00' height='500' fill='%23357'/%3E%3C/svg%3E`
		html := `<style>.k{position:sticky;top:0;display:block;width:700px;height:500px}</style><script>const picture = (n) =>
			"` + image + `".replace('NUMBER', n + 1)</script>` + element + `<main>` + rows(40, price) + `</main><script>
			const look = () => { const at = Math.min(2, Math.floor(scrollY / 1200)); ` + script + ` }
			addEventListener('scroll', look); look()</script>`
		for i, n := range []string{"1", "2", "3"} {
			html = strings.ReplaceAll(html, "IMAGE"+string(rune('0'+i)), strings.Replace(image, "NUMBER", n, 1))
		}
		return html
	}
}
