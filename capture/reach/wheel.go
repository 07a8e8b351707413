package reach

// wheelPages listen to the wheel. Some show other things when it is turned and have nothing that scrolls; others only seem to.
var wheelPages = []Page{
	{Name: "wheel-exchanges", Shows: "slides that the wheel exchanges", Keeps: "Welcome", Told: true, html: slides(
		`<h1 id="h"></h1><p id="p"></p>`, `addEventListener('wheel', (e) => go(Math.sign(e.deltaY)))`,
		`h.textContent = names[at]; p.textContent = texts[at]`)},
	{Name: "wheel-exchanges-passively", Shows: "the same by a listener of the root of an application, which waits for the slide to move",
		Keeps: "Welcome", Told: true, html: slides(`<h1 id="h"></h1><p id="p"></p>`, `let busy = false
			app.addEventListener('wheel', (e) => {
			if (busy) return; busy = true; setTimeout(() => { busy = false }, 700); go(Math.sign(e.deltaY)) }, {passive: true})`,
			`requestAnimationFrame(() => { h.textContent = names[at]; p.textContent = texts[at] })`)},
	{Name: "wheel-stacked", Shows: "slides above each other, of which the wheel brings the next to the front",
		Keeps: "Welcome", Told: true, html: slides(
			`SLIDES<style>section{position:absolute;inset:0;background:#dfe;z-index:0}.on{z-index:1}</style>`,
			`document.onwheel = (e) => go(Math.sign(e.deltaY))`, `all.forEach((s, i) => s.classList.toggle('on', i === at))`)},
	{Name: "wheel-sideways", Shows: "slides beside each other that the wheel moves", Keeps: "Welcome", Told: true, html: slides(
		`<div id="t" style="display:flex;width:400vw;height:100vh;transition:transform .6s">SLIDES</div>`+
			`<style>section{width:100vw}</style>`,
		`addEventListener('mousewheel', (e) => go(e.wheelDelta < 0 ? 1 : -1))`, `t.style.transform = 'translateX(' + -100 * at + 'vw)'`)},
	{Name: "wheel-fixed", Shows: "slides at fixed places that the wheel moves", Keeps: "Welcome", Told: true, html: slides(
		`SLIDES<style>section{position:fixed;inset:0;background:#dfe;transition:transform .5s}</style>`,
		`addEventListener('wheel', (e) => { e.preventDefault(); go(Math.sign(e.deltaY)) }, {passive: false})`,
		`all.forEach((s, i) => { s.style.transform = 'translateY(' + 100 * (i - at) + '%)' })`)},
	{Name: "wheel-list", Shows: "a list in a box that draws other rows when the wheel is turned",
		Keeps: "Row 0:", Told: true, html: func(price string) string {
			return `<header>Tea house</header><div id="box" style="height:400px;width:700px;overflow:hidden"></div>` + rows(14, "19.50") +
				`<script>
			let y = 0; const draw = () => { box.innerHTML = ''; for (let i = 0; i < 5; i++) { const n = i + Math.floor(y / 80);
				box.insertAdjacentHTML('beforeend',
					'<div style="height:80px">Row ' + n + ': € ' + (n === 40 ? '` + price + `' : 5) + '</div>') } }
			box.onwheel = (e) => { e.preventDefault(); y = Math.max(0, y + e.deltaY); draw() }; draw()</script>`
		}},
	{Name: "wheel-in-shadow", Shows: "the same in a shadow tree", Keeps: "Offer number 0", Told: true, html: func(string) string {
		return `<header>Tea house</header><div id="host"></div><script>const root = host.attachShadow({mode: 'open'});
			root.innerHTML = '<div style="height:300px;overflow:hidden"><p></p></div>'; let n = 0; const p = root.querySelector('p');
			const draw = () => { p.textContent = 'Offer number ' + n };
			root.firstChild.addEventListener('wheel', (e) => { n = Math.max(0, n + Math.sign(e.deltaY)); draw() }); draw()</script>`
	}},
	{Name: "wheel-counted", Shows: "a page that counts how often the wheel is turned", html: listening(
		`addEventListener('wheel', () => { n++; document.body.dataset.turned = n }, {passive: true})`)},
	{Name: "wheel-smooth", Shows: "a page that a script scrolls smoothly", html: listening(
		`let to = 0; const move = () => { if (Math.abs(to - scrollY) < 1) return;
			scrollTo({top: scrollY + Math.ceil((to - scrollY) / 2), behavior: 'instant'}); requestAnimationFrame(move) };
		addEventListener('wheel', (e) => { e.preventDefault(); to = Math.max(0, to + e.deltaY); move() }, {passive: false})`)},
	{Name: "wheel-map", Shows: "a map that the wheel makes smaller", html: listening(
		`m.addEventListener('wheel', (e) => { e.preventDefault(); n += Math.sign(e.deltaY);
			m.textContent = 'Scale ' + 2 ** n + ' km, Teatown' })`)},
	{Name: "wheel-carousel", Shows: "a strip of cards that turns by itself and by the wheel", html: listening(
		`const turn = (by) => { n = (n + by + 4) % 4; c.firstElementChild.style.transform = 'translateX(' + -400 * n + 'px)' };
		setInterval(turn, 1500, 1); c.addEventListener('wheel', (e) => turn(Math.sign(e.deltaY)))`)},
	{Name: "wheel-ticker", Shows: "news that change with time, on a page with a listener", html: listening(
		`setInterval(() => { c.textContent = 'News number ' + ++n }, 700); c.addEventListener('wheel', () => { c.style.color = 'red' })`)},
	{Name: "wheel-library", Shows: "a box that a script library scrolls", html: func(price string) string {
		return `<header>Tea house</header><div id="b" class="ps" style="height:300px;overflow:hidden">` + rows(30, price) +
			`<div class="ps__rail-y"></div></div>
			<script>b.addEventListener('wheel', (e) => { b.scrollTop += e.deltaY })</script>`
	}},
}

// slides are four that fill the window, in a page that shows one: html with SLIDES for them, a listener that calls go with a direction, and
// what shows the one at index at.
func slides(html, listen, show string) func(price string) string {
	return func(price string) string {
		return `<style>html,body{height:100%;overflow:hidden}#app{position:relative;height:100%;overflow:hidden}</style>
			<div id="app"></div><script>
			const names = ['Welcome', 'Green tea', 'Black tea', 'Visit us'];
			const texts = ['Tea from the hills', 'Light and fresh', 'Price: € ` + price + `', 'Open daily'];
			app.innerHTML = '` + html + `'.replace('SLIDES',
				names.map((n, i) => '<section><h2>' + n + '</h2><p>' + texts[i] + '</p></section>').join(''));
			let at = 0; const all = [...app.querySelectorAll('section')]; const show = () => { ` + show + ` };
			const go = (by) => { at = Math.min(3, Math.max(0, at + by)); show() }; show(); ` + listen + `</script>`
	}
}

// listening is a page that scrolls by itself, with a map, a strip of cards and a script.
func listening(script string) func(price string) string {
	return func(price string) string {
		return `<header>Tea house</header><div id="m" class="leaflet-container" style="height:300px;background:#dfe">Teatown</div>
			<div id="c" style="width:400px;height:120px;overflow:hidden"><div style="display:flex;width:1600px">` +
			`<div style="width:400px">Assam</div><div style="width:400px">Darjeeling</div><div style="width:400px">Ceylon</div>
			<div style="width:400px">Nilgiri</div></div></div>` + rows(20, price) + `<script>let n = 0; ` + script + `</script>`
	}
}
