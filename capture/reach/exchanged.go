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
	{Name: "pinned-looks", Shows: "drawings, colours and a sprite sheet that change with the place, and the page's colour", Told: true,
		Tells: []string{"#filled", "#drawn", "#moved", "#colour", "#generated", "#sheet", "#timeline", "body"}, html: pinnedLooks},
	{Name: "pinned-decoration", Shows: "colours of headers and lists, a bar, a sign and a background that glides", html: pinnedDecoration},
	{Name: "steps-picture", Shows: "a picture that steps below the first screen exchange", Told: true, Looks: true, html: steps(
		`<img id="p" width="600" height="400">`, `p.src = picture(i, price)`)},
	{Name: "steps-chart", Shows: "bars that a style draws out at each step", Told: true, Looks: true, html: steps(
		`<style>#g b{display:block;height:60px;width:9px;background:#357;transition:width .6s}</style><b></b><b></b>`,
		`g.querySelectorAll('b').forEach((bar, n) => { bar.style.width = 90 * (i + n) + (i === 2 ? price : 0) + 'px' })`)},
	{Name: "steps-canvas", Shows: "a canvas that steps draw anew", Told: true, Looks: true, html: steps(
		`<canvas id="c" width="600" height="400"></canvas>`, `const x = c.getContext('2d'); x.fillStyle = '#eee'
		x.fillRect(0, 0, 600, 400); x.fillStyle = '#357'; x.fillRect(9, 9, 90 + 80 * i, 200 + (i === 2 ? price : 0))`)},
	{Name: "steps-panel", Shows: "a coloured panel with words that short steps exchange", Told: true, Held: true, html: steps(
		``, `g.innerHTML = '<h2>Part ' + i + '</h2>€ ' + (i === 2 ? 'PRICE' : i)
			g.style.background = ['#abc', '#cba', '#acb', '#bca'][i]`)},
	{Name: "steps-attribute", Shows: "figures of which an attribute around them shows one", Told: true, Held: true, html: steps(
		`<style>b{display:none}[data-step="1"] .a,[data-step="2"] .b,[data-step="3"] .c{display:block}</style>
			<b class="a">One</b><b class="b">Two for € PRICE</b><b class="c">Three</b>`, `g.parentNode.dataset.step = i`)},
	{Name: "steps-by-time", Shows: "a picture beside steps that time exchanges", html: steps(
		`<img id="p" width="600" height="400"><script>let n = 0
		setInterval(() => { p.src = picture(n++ % 3, 0) }, 700)</script>`, ``)},
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

// steps is a page with a graphic that sticks below the first screen, beside four steps. A script is told which of them has come.
func steps(graphic, script string) func(price string) string {
	return func(price string) string {
		return strings.ReplaceAll(`<style>.hero{height:100vh;background:#def}main{display:flex;align-items:flex-start}
			#g{position:sticky;top:9vh;width:600px;height:420px;flex:none}.step{height:60vh}</style><script>const price = PRICE
			const picture = (i, more) => "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='600' height='400'%3E" +
				"%3Crect width='" + (90 * i + (i === 2 ? more : 0)) + "' height='400' fill='%23357'/%3E%3C/svg%3E"</script>
			<div class="hero"><h1>Tea</h1></div><main><div id="g">`+graphic+`</div><div><p class="step">One</p><p class="step">Two</p>
			<p class="step">Three</p><p class="step">Four</p></div></main>`, "PRICE", price) +
			rows(12, price) + strings.ReplaceAll(`<script>
			const all = [...document.querySelectorAll('.step')]; const enter = (i) => { `+script+` }
			const watch = new IntersectionObserver((seen) => seen.forEach(({ target, isIntersecting }) => {
				if (isIntersecting) enter(all.indexOf(target)) }), { rootMargin: '-50% 0px -50% 0px' })
			all.forEach((step) => watch.observe(step))</script>`, "PRICE", price)
	}
}

// byPlace makes a script of statements that know which of three places of the page is to be seen.
func byPlace(statements string) string {
	return `<script>const colours = ['#abc', '#cba', '#acb']
		const look = () => { const at = Math.min(2, Math.floor(scrollY / 1200)); ` + statements + ` }
		addEventListener('scroll', look); look()</script>`
}

// pinnedLooks is a page beside which graphics stick, each of which changes in its own way.
func pinnedLooks(price string) string {
	return `<style>main{display:flex;align-items:flex-start}.k{position:sticky;top:0;width:160px;height:260px;flex:none}
		#generated::before{content:"";display:block;height:260px;background:var(--c)}
		#sheet{background:linear-gradient(#abc 0 33%,#cba 33% 66%,#acb 66%) 0 0/100% 300%}
		#timeline{animation:t linear both;animation-timeline:scroll(root)}@keyframes t{from{background:#abc}to{background:#cba}}
		</style><main><div>` + rows(40, price) + `</div>
		<svg class="k" id="filled"><rect id="f" width="160" height="260"/></svg><svg class="k" id="drawn"></svg>
		<svg class="k" id="moved"><g id="m"><circle r="20" cx="30" cy="30"/></g></svg><div class="k" id="colour"></div>
		<div class="k" id="generated"></div><div class="k" id="sheet"></div><div class="k" id="timeline"></div></main>` +
		byPlace(`f.setAttribute('fill', colours[at]); drawn.innerHTML = '<rect width="90" height="' + 80 * (at + 1) + '"/>'
			m.setAttribute('transform', 'translate(' + 40 * at + ' 0)'); colour.style.background = colours[at]
			generated.style.setProperty('--c', colours[at]); sheet.style.backgroundPosition = '0 ' + 50 * at + '%'
			document.body.style.background = ['#fff', '#eef', '#fee'][at]`)
}

// pinnedDecoration is a page on which much changes with the place that shows nothing.
func pinnedDecoration(price string) string {
	return `<style>body{padding-left:240px}.bar{position:fixed;top:0;left:0;right:0;height:110px;transition:.2s}
		nav{position:fixed;left:0;top:120px;bottom:0;width:220px}#sign{position:fixed;right:9px;bottom:9px}
		#behind{position:fixed;inset:0;z-index:-1;background:linear-gradient(#def,#fed) 0 0/100% 200%}
		#read{position:fixed;top:0;left:0;right:0;height:6px;background:#c33;animation:t linear both;animation-timeline:scroll(root)}
		@keyframes t{from{transform:scaleX(0)}}</style><div id="behind"></div><div class="bar" id="bar"><a href="/">Tea house</a></div>
		<div id="read"></div><nav id="list"><a href="#one">One</a> <a href="#two">Two</a></nav>
		<svg id="sign" width="80" height="80"><circle id="c" r="20" cx="40" cy="40"/></svg>` + rows(40, price) +
		byPlace(`bar.style.background = scrollY > 50 ? '#fff' : '#abc'; bar.style.height = scrollY > 50 ? '60px' : '110px'
			list.style.background = colours[at]; [...list.children].forEach((e, i) => { e.style.fontWeight = i === at ? 700 : 400 })
			c.setAttribute('r', 10 + 10 * at); behind.style.backgroundPosition = '0 ' + -scrollY * .3 + 'px'`)
}
