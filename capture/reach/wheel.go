package reach

import "strings"

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
	{Name: "wheel-in-frame", Shows: "slides in a frame", Keeps: "Tea house", Told: true, html: func(price string) string {
		inner := slides(`<h1 id="h"></h1><p id="p"></p>`, `addEventListener('wheel', (e) => go(Math.sign(e.deltaY)))`,
			`h.textContent = names[at]; p.textContent = texts[at]`)(price)
		return `<header>Tea house</header><iframe width="900" height="500" srcdoc='` + strings.ReplaceAll(inner, "'", "&#39;") +
			`'></iframe>`
	}},
	{Name: "wheel-in-canvas", Shows: "slides that are drawn on a canvas", Keeps: "Tea house", Told: true, html: func(price string) string {
		return `<header>Tea house</header><canvas id="c" width="900" height="500"></canvas><script>let at = 0;
			const all = ['Welcome', 'Green tea', 'Price: € ` + price + `']; const x = c.getContext('2d'); x.font = '90px sans-serif';
			const draw = () => { x.clearRect(0, 0, 900, 500); x.fillText(all[at], 20, 200) };
			c.onwheel = (e) => { at = Math.min(2, Math.max(0, at + Math.sign(e.deltaY))); draw() }; draw()</script>`
	}},
	{Name: "wheel-map-by-name", Shows: "slides in a box with the names of a map and of a library", Keeps: "Welcome", Told: true,
		html: func(price string) string {
			return strings.Replace(slides(`<h1 id="h"></h1><p id="p"></p>`, `addEventListener('wheel', (e) => go(Math.sign(e.deltaY)))`,
				`h.textContent = names[at]; p.textContent = texts[at]`)(price), `<div id="app">`,
				`<div id="app" class="leaflet-container ol-viewport gm-style ps" aria-roledescription="map" data-simplebar>`, 1)
		}},
	{Name: "wheel-in-drawing", Shows: "a list in an SVG drawing", Keeps: "Tea house", Told: true, html: func(price string) string {
		return `<header>Tea house</header><svg id="s" width="600" height="300"><g id="g"><text x="9" y="40">Leaf</text>` +
			`<text x="9" y="240">Green tea of the hills</text><text x="9" y="640">Price: € ` + price + `</text></g></svg><script>let y = 0;
			s.addEventListener('wheel', (e) => { y = Math.max(0, Math.min(500, y + e.deltaY));
				g.setAttribute('transform', 'translate(0 ' + -y + ')') })</script>`
	}},
	{Name: "wheel-counted", Shows: "a page that counts how often the wheel is turned", Misses: "#c", html: listening(
		`addEventListener('wheel', () => { n++; document.body.dataset.turned = n }, {passive: true})`)},
	{Name: "wheel-smooth", Shows: "a page that a script scrolls smoothly", Misses: "#c", html: listening(
		`let to = 0; const move = () => { if (Math.abs(to - scrollY) < 1) return;
			scrollTo({top: scrollY + Math.ceil((to - scrollY) / 2), behavior: 'instant'}); requestAnimationFrame(move) };
		addEventListener('wheel', (e) => { e.preventDefault(); to = Math.max(0, to + e.deltaY); move() }, {passive: false})`)},
	{Name: "wheel-map", Shows: "a map that the wheel makes smaller", Misses: "#c", html: listening(
		`m.addEventListener('wheel', (e) => { e.preventDefault(); n += Math.sign(e.deltaY);
			m.textContent = 'Scale ' + 2 ** n + ' km, Teatown' })`)},
	{Name: "wheel-tiles", Shows: "a map of tiles with names, which the wheel makes larger and smaller", Misses: "#c", html: listening(
		`m.style.position = 'relative'; m.style.overflow = 'hidden'; const towns = ['Teatown', 'Mill', 'Harbour', 'Old bridge', 'Station'];
		const draw = () => { const size = 128 * 2 ** n; m.innerHTML = ''; for (let i = 0; i < 40; i++) {
			const tile = document.createElement('div');
			tile.style.cssText = 'position:absolute;border:1px solid;width:' + size + 'px;height:' + size +
				'px;left:' + (i % 10 - 4) * size + 'px;top:' + (Math.floor(i / 10) - 1) * size + 'px';
			tile.textContent = towns[i % 5] + (n < 0 ? ' district ' + i : ''); m.append(tile) } };
		draw(); m.addEventListener('wheel', (e) => { e.preventDefault(); n = Math.max(-2, Math.min(3, n - Math.sign(e.deltaY)));
			for (const t of m.children) t.style.transform = 'scale(' + (e.deltaY > 0 ? 0.5 : 2) + ')'; setTimeout(draw, 100) })`)},
	{Name: "wheel-plan", Shows: "a map that is drawn on a canvas, with its scale", Misses: "#c", html: listening(
		`m.innerHTML = '<canvas id="k" width="800" height="260"></canvas><b id="scale"></b>'; const x = k.getContext('2d');
		const draw = () => { x.clearRect(0, 0, 800, 260); x.fillRect(300, 100, 20 * 2 ** n, 20 * 2 ** n);
			scale.textContent = 64 / 2 ** n + ' km' };
		draw(); m.addEventListener('wheel', (e) => { e.preventDefault(); n -= Math.sign(e.deltaY); draw() })`)},
	{Name: "wheel-chart", Shows: "a chart with a zoom", Misses: "#c", html: listening(
		`m.innerHTML = '<svg width="800" height="280"><rect id="bar" x="90" y="20" width="40" height="40"/><g id="axis"></g></svg>';
		const draw = () => { bar.setAttribute('width', 40 * 2 ** n); bar.setAttribute('height', 40 * 2 ** n);
			axis.innerHTML = [1, 2, 3, 4].map((i) =>
				'<text y="270" x="' + 150 * i + '">' + i * 2 ** (3 - n) + ' kg</text>').join('') }; draw();
		m.addEventListener('wheel', (e) => { e.preventDefault(); n = Math.max(0, Math.min(2, n + Math.sign(e.deltaY))); draw() })`)},
	{Name: "wheel-carousel", Shows: "a strip of cards that turns by itself and by the wheel", Misses: "#c", html: listening(
		`const turn = (by) => { n = (n + by + 4) % 4; c.firstElementChild.style.transform = 'translateX(' + -400 * n + 'px)' };
		setInterval(turn, 1500, 1); c.addEventListener('wheel', (e) => turn(Math.sign(e.deltaY)))`)},
	{Name: "wheel-ticker", Shows: "news that change with time, on a page with a listener", html: listening(
		`setInterval(() => { c.textContent = 'News number ' + ++n }, 700); c.addEventListener('wheel', () => { c.style.color = 'red' })`)},
	{Name: "wheel-library", Shows: "a box that a script library scrolls", html: func(price string) string {
		return `<header>Tea house</header><div id="b" class="ps" style="height:300px;overflow:hidden">` + rows(30, price) +
			`<div class="ps__rail-y"></div></div>
			<script>b.addEventListener('wheel', (e) => { b.scrollTop += e.deltaY })</script>`
	}},
	{Name: "wheel-own-library", Shows: "a box that a script of the page scrolls", html: func(price string) string {
		return `<header>Tea house</header><div id="b" style="height:300px;overflow:hidden">` + rows(30, price) + `</div>
			<script>b.addEventListener('wheel', (e) => { e.preventDefault(); let left = e.deltaY;
				const step = () => { b.scrollTop += left / 4; if ((left *= 0.75) > 1 || left < -1) requestAnimationFrame(step) };
				step() }, {passive: false})</script>`
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
		return `<header>Tea house</header><div id="m" style="height:300px;background:#dfe">Teatown</div>
			<div id="c" style="width:400px;height:120px;overflow:hidden"><div style="display:flex;width:1600px">` +
			`<div style="width:400px">Assam</div><div style="width:400px">Darjeeling</div><div style="width:400px">Ceylon</div>
			<div style="width:400px">Nilgiri</div></div></div>` + rows(20, price) + `<script>let n = 0; ` + script + `</script>`
	}
}
