package reach

import (
	"fmt"
	"strings"
)

// passingPages have parts that are there only while they are on the screen.
var passingPages = []Page{
	{Name: "rows-used-again", Shows: "a list of which the same few elements show other rows when the page is scrolled",
		html: func(price string) string {
			return `<header>Tea house</header><div id="all" style="height:6300px;position:relative"></div><div class="end"></div><script>
			const rows = [...Array(14)].map(() => { const row = document.createElement('div'); row.style.cssText =
				'position:absolute;top:0;left:0;right:0;height:90px'; all.append(row); return row });
			const draw = () => { const first = Math.max(0, Math.floor(scrollY / 90) - 1); rows.forEach((row, i) => {
				const n = Math.min(69, first + i); row.style.transform = 'translateY(' + 90 * n + 'px)';
				row.textContent = 'Tea number ' + n + ' costs € ' + (n === 60 ? '` + price + `' : 5) }) };
			addEventListener('scroll', draw); draw()</script>`
		}},
	{Name: "fades-again", Shows: "sections that fade out again", html: sections(`new IntersectionObserver((seen) => seen.forEach((e) =>
		e.target.classList.toggle('in', e.isIntersecting)), {threshold: .1})`)},
	{Name: "fades-once", Shows: "sections that appear once", html: sections(`new IntersectionObserver((seen) => seen.forEach((e) =>
		e.isIntersecting && e.target.classList.add('in')), {threshold: .1})`)},
	{Name: "unloads", Shows: "sections that are emptied when they leave the screen", html: func(price string) string {
		return `<style>section{height:500px;margin:20px;background:#dfe}</style><header>Tea house</header><main id="m"></main><script>
			const texts = Array.from({length: 8}, (_, i) => '<p>Part ' + i + '</p>');
			texts[5] = '<p>Price: € ` + price + `</p>';
			texts[7] = '<div class="end"></div>';
			const watch = new IntersectionObserver((seen) => seen.forEach((e) => {
				e.target.innerHTML = e.isIntersecting ? texts[e.target.dataset.i] : '';
			}));
			texts.forEach((_, i) => {
				const s = document.createElement('section');
				s.dataset.i = i;
				m.append(s);
				watch.observe(s);
			})</script>`
	}},
	{Name: "fades-by-scroll", Shows: "sections that a scroll listener shows and hides", html: sections(`(() => { const all = [];
		const look = () => all.forEach((s) => {
			const b = s.getBoundingClientRect();
			s.classList.toggle('in', b.top < innerHeight * .9 && b.bottom > 0);
		});
		addEventListener('scroll', look); setTimeout(look); return { observe: (s) => all.push(s) } })()`)},
	{Name: "line-fades-again", Shows: "one line that fades out again", html: func(price string) string {
		return rows(40, "19.50") + `<style>#l{opacity:0}#l.in{opacity:1}</style><div id="l"><b>Price: € ` + price + `</b></div>
			<div style="height:1500px"></div><script>new IntersectionObserver(([e]) =>
			l.classList.toggle('in', e.isIntersecting)).observe(l)</script>`
	}},
	{Name: "pinned-slides", Shows: "a pinned part whose slides go by as the page is scrolled", Told: true, html: pinned(
		`addEventListener('scroll', () => { const at = scrollY / (o.offsetHeight - innerHeight);
			t.style.transform = 'translateX(' + -Math.min(1, at) * 400 + 'vw)'; })`, "")},
	{Name: "pinned-by-style", Shows: "the same by a style sheet alone", Told: true, html: pinned("",
		`@keyframes go{to{transform:translateX(-400vw)}}.t{animation:go linear both;animation-timeline:scroll(root)}`)},
	{Name: "words-change", Shows: "words that stay on the screen and change with the place", Told: true, html: func(price string) string {
		return `<h2 id="t" style="position:sticky;top:0">Welcome</h2><div style="height:3900px"></div><div class="end"></div><script>
			addEventListener('scroll', () => { t.textContent = ['Welcome', 'Leaves', 'Price: € ` + price + `',
				'Goodbye'][Math.min(3, Math.floor(scrollY / 900))] })</script>`
	}},
	{Name: "words-change-late", Shows: "a box of which the words change far down, beside news that change with time", Told: true,
		html: func(price string) string {
			return `<div id="n" style="position:fixed;top:0;right:0">News 0</div>
				<div id="t" style="position:fixed;top:40px">Welcome</div>` +
				`<div style="height:15000px"></div><div class="end"></div><script>let i = 0;
				setInterval(() => { n.textContent = 'News ' + ++i }, 300);
				addEventListener('scroll', () => { t.textContent = scrollY > 12000 ? 'Price: € ` + price + `' : 'Welcome' })</script>`
		}},
	{Name: "many-labels", Shows: "hundreds of headings that stick, and a box that comes below them", Told: true,
		html: func(price string) string {
			html := later("div", "Only € "+price+" today!")
			for i := range 500 {
				html += fmt.Sprintf(`<div style="position:sticky;top:0;height:20px">Label %d</div>`, i)
			}
			return strings.Replace(html, "300", "9000", 1) + `<div style="height:1500px"></div><div class="end"></div>`
		}},
	{Name: "comes-with-scrolling", Shows: "a box that comes when the page is scrolled", Told: true, html: func(price string) string {
		return later("div", "Only € "+price+" today!") + `<div style="height:3900px"></div><div class="end"></div>`
	}},
	{Name: "button-comes", Shows: "a button with a price that comes with scrolling", Told: true, html: func(price string) string {
		return later("button", "Buy for "+price) + `<div style="height:3900px"></div><div class="end"></div>`
	}},
	{Name: "back-to-top", Shows: "a link back to the top, which comes when the page is scrolled", html: func(price string) string {
		return later("a", "Back to top") + rows(60, price)
	}},
	{Name: "virtual-list", Shows: "a list of which only the rows on the screen exist",
		html: list(`document.documentElement`, `window`, `scrollY - l.offsetTop`)},
	{Name: "virtual-list-in-box", Shows: "the same in a box that scrolls", html: func(price string) string {
		return `<style>body{overflow:hidden}#s{height:100vh;overflow:auto}</style><div id="s">` +
			list(`s`, `s`, `s.scrollTop`)(price) + `</div>`
	}},
	{Name: "virtual-list-resizes", Shows: "such a box that looks at its size", html: func(price string) string {
		return `<style>body{overflow:hidden}#s{height:100vh;overflow:auto}</style><div id="s">` +
			list(`s`, `s`, `s.scrollTop`)(price) + `</div><script>new ResizeObserver(render).observe(s)</script>`
	}},
}

// later is a box at the edge of the window, or a link there, that comes when the page is scrolled.
func later(tag, text string) string {
	return fmt.Sprintf(`<%[1]s href="#top" id="b" style="position:fixed;right:20px;bottom:20px;padding:20px;background:#fed;display:none">
		%[2]s</%[1]s><script>addEventListener('scroll', () => { b.style.display = scrollY > 300 ? 'block' : 'none' })</script>`, tag, text)
}

// pinned is a part of five screens that shows one of five slides, each as wide as the window.
func pinned(script, style string) func(price string) string {
	return func(price string) string {
		html := `<style>body{margin:0}.o{height:500vh}.k{position:sticky;top:0;height:100vh;overflow:hidden}.t{display:flex;width:500vw}
			.t section{width:100vw;height:100vh;padding:80px;box-sizing:border-box}` + style + `</style>
			<div class="o" id="o"><div class="k"><div class="t" id="t">`
		for i := range 5 {
			value := "19.50"
			if i == 3 {
				value = price
			}
			html += fmt.Sprintf(`<section><h2>Slide %d</h2><p>Tea of slide %d: € %s</p></section>`, i+1, i+1, value)
		}
		return html + `</div></div></div><div class="end"></div><script>` + script + `</script>`
	}
}

// sections are eight parts that an observer shows.
func sections(observer string) func(price string) string {
	return func(price string) string {
		html := `<style>section{min-height:500px;margin:20px;background:#dfe;opacity:0;transform:translateY(40px);
			transition:opacity .5s,transform .5s}
			section.in{opacity:1;transform:none}</style><header>Tea house</header>`
		for i := range 8 {
			value := "19.50"
			if i == 5 {
				value = price
			}
			html += fmt.Sprintf(`<section><h2>Part %d</h2><p>Price: € %s</p>`, i+1, value)
			if i == 7 {
				html += `<div class="end"></div>`
			}
			html += `</section>`
		}
		return html + `<script>const o = ` + observer + `; document.querySelectorAll('section').forEach((s) => o.observe(s))</script>`
	}
}

// list is a list of a hundred rows that draws those in view.
func list(view, target, offset string) func(price string) string {
	return func(price string) string {
		return `<div id="l" style="position:relative;height:8000px"></div><script>
			function render() {
				const from = Math.max(0, Math.floor((` + offset + `) / 80) - 2);
				const to = Math.min(100, from + Math.ceil(` + view + `.clientHeight / 80) + 4);
				let html = '';
				for (let i = from; i < to; i++) html += '<div style="position:absolute;top:' + i * 80 + 'px;height:80px">' +
					(i === 99 ? '<div class="end"></div>' : 'Row ' + i + ' price € ' + (i === 60 ? '` + price + `' : '19.50')) + '</div>';
				l.innerHTML = html;
			}
			` + target + `.addEventListener('scroll', render); render()</script>`
	}
}

// reserved is a list of a hundred rows that draws nine of them, in a box that reserves room for all; BOX stands for it.
func reserved(html string) func(price string) string {
	return func(price string) string {
		return `<header>Tea house</header><script>var rows, shown = () => {}</script>` + strings.ReplaceAll(html, "BOX",
			`<div id="box" style="height:600px;overflow:auto"><div id="list" style="position:relative;height:9060px"></div></div>`) +
			`<script>const root = window.host ? host.shadowRoot : document, view = root.querySelector('#box');
			rows ??= root.querySelector('#list'); const draw = () => { const first = Math.max(Math.floor(view.scrollTop / 90) - 1, 0)
			rows.innerHTML = ""; for (let i = first; i < Math.min(first + 9, 100); i++) rows.insertAdjacentHTML("beforeend",
			'<div class="row" style="position:absolute;top:' + i * 90 + 'px">Tea ' + i + ' € ' + (i == 60 ? "` + price + `" : 5) + '</div>')
			if (first > 90) rows.insertAdjacentHTML("beforeend", '<div class="end" style="position:absolute;top:9000px"></div>')
			for (const row of rows.children) shown(row) }
			view.onscroll = draw; draw()</script>`
	}
}

// toldPages have an end that no picture shows.
var toldPages = []Page{
	{Name: "strip", Shows: "a strip that scrolls sideways", Told: true, Held: true, html: func(price string) string {
		return `<style>.strip{display:flex;overflow-x:auto;height:200px}.strip>div{flex:0 0 60%}</style><header>Tea house</header>
			<div class="strip"><div>One</div><div>Two</div><div>€ ` + price + `</div><div><div class="end"></div></div></div>`
	}},
	{Name: "button-strip", Shows: "a strip that only a button moves", Told: true, Held: true, html: func(price string) string {
		return `<style>.strip{overflow:hidden;width:600px}.track{display:flex}.track>div{flex:0 0 600px;height:200px}</style>
			<header>Tea house</header><div class="strip"><div class="track" id="t"><div>One</div><div>€ ` + price + `</div>
			<div><div class="end"></div>Three</div></div></div><button onclick="t.style.translate = '-600px'">Next</button>`
	}},
	{Name: "cube", Shows: "slides on the sides of a cube", Told: true, Held: true, html: func(price string) string {
		html := `<style>.slide{position:absolute;inset:0;background:#dfe;backface-visibility:hidden}</style>` + rows(12, "19.50") +
			`<div style="position:relative;height:300px;transform-style:preserve-3d">`
		for side, text := range []string{"Green tea", "Black tea", "White tea", "€ " + price} {
			html += fmt.Sprintf(`<div class="slide" style="transform:rotateY(%ddeg)"><p>%s</p></div>`, side*90, text)
		}
		return html + `</div>`
	}},
	{Name: "slides-take-turns", Shows: "slides that an animation shows in turn", Told: true, Held: true, html: func(price string) string {
		return `<style>.slide{position:absolute;width:100%;height:100px;opacity:0;animation:turn 9s infinite}@keyframes turn{
			0%,2%{opacity:0}5%,30%{opacity:1}33%,100%{opacity:0}}</style><div style="height:100px"><div class="slide">One tea</div>
			<div class="slide" style="animation-delay:3s">Two teas</div><div class="slide" style="animation-delay:6s">€ ` + price +
			`</div></div>` + rows(12, "19.50")
	}},
	{Name: "words-take-turns", Shows: "words in a heading that an animation shows in turn, or a style generates", Told: true, Held: true,
		Tells: []string{"#turns", "#generated"}, html: func(price string) string {
			return `<style>#turns{position:relative;display:inline-block;width:9em}#turns b{position:absolute;left:0;opacity:0;
				animation:turn 8s infinite}@keyframes turn{3%,30%{opacity:1}36%{opacity:0}}#turns b:last-child{animation-delay:4s}
				#generated::after{content:"fast";animation:say 8s infinite}@keyframes say{50%{content:"exact"}}</style>
				<h1>We are <span id="turns"><b>fast</b><b>worth € ` + price + `</b>&nbsp;</span></h1>
				<h1>We are <span id="generated"></span></h1>` + rows(5, "19.50")
		}},
	{Name: "strip-of-body", Shows: "a strip of floats that the body hides", Mobile: true, Told: true, Held: true,
		html: func(price string) string {
			return `<style>html,body{overflow-x:hidden}#t{width:2400px}#t div{float:left;width:100vw;height:200px}main{clear:both}</style>
				<div id="t"><div>Green tea</div><div>Oolong for € ` + price + `</div><div>White tea</div></div><main>` +
				rows(5, "19.50") + `</main><script>onclick = () => { t.style.transform = 'translateX(-100vw)' }</script>`
		}},
	{Name: "button-strip-uneven", Shows: "a strip of uneven parts", Told: true, Held: true, html: func(price string) string {
		return `<style>.strip{overflow:hidden;width:600px}.track{display:flex;align-items:center}.track>div{flex:0 0 600px}</style>` +
			rows(12, "19.50") + `<div class="strip"><div class="track"><div style="height:80px">One</div><div style="height:160px">Two</div>
			<div style="height:120px">€ ` + price + `</div></div></div>`
	}},
	{Name: "button-strip-up", Shows: "the same from below", Told: true, Held: true, html: func(price string) string {
		return `<div style="overflow:hidden;width:600px;height:200px"><ul id="t" style="margin:0;padding:0">
			<li style="height:100px">One</li><li style="height:100px">Two</li><li style="height:100px">€ ` + price + `</li>
			<li style="height:100px"><div class="end"></div>Four</li></ul></div>
			<button onclick="t.style.translate = '0 -200px'">Next</button>`
	}},
	{Name: "strip-at-its-end", Shows: "a strip that stands at its last part", Told: true, Held: true, html: func(price string) string {
		return `<style>.strip{overflow:hidden;width:600px}.track{display:flex;translate:-1200px}.track>div{flex:0 0 600px;height:200px}
			</style><header>Tea house</header><div class="strip"><div class="track"><div><div class="end"></div>One</div>
			<div>€ ` + price + `</div><div>Three</div></div></div>`
	}},
	{Name: "strip-with-margin", Shows: "the same, moved by a margin up", Told: true, Held: true, html: func(price string) string {
		return `<div style="overflow:hidden;width:600px;height:200px"><ul style="margin:-400px 0 0;padding:0">
			<li style="height:200px">One</li><li style="height:200px">€ ` + price + `</li>
			<li style="height:200px">Three</li></ul></div>`
	}},
	{Name: "options", Shows: "a list of options that is too small to be made higher", Told: true, Held: true, Inside: true,
		html: options(`<option>Tea TEA</option>`)},
	{Name: "labelled-options", Shows: "the same with labels", Told: true, Inside: true, html: options(`<option label="Tea TEA"></option>`)},
	{Name: "small-field", Shows: "a field of two lines with a long text", Told: true, Held: true, html: func(price string) string {
		return `<textarea rows="2" cols="30">` + strings.Repeat("A line\n", 20) + price + `</textarea>`
	}},
	{Name: "fold", Shows: "a part that is folded out and scrolls by itself", Told: true, Inside: true, html: filled(
		`<style>details::details-content{display:block;height:300px;overflow:auto}</style><header>Tea house</header>
		<details open><summary>More</summary>ROWS</details>`)},
	{Name: "upright-box", Shows: "a box with upright lines from the right", Told: true, html: filled(
		`<style>.row{height:auto;width:60px}</style><header>Tea house</header>
		<div style="writing-mode:vertical-rl;width:600px;height:300px;overflow:auto">ROWS</div>`)},
	{Name: "reversed-row", Shows: "a strip that scrolls to the left", Told: true, Held: true, html: filled(
		`<header>Tea house</header><div style="display:flex;flex-direction:row-reverse;width:600px;overflow:auto">ROWS</div>`)},
	{Name: "small-chat", Shows: "a small box that begins at its lower edge", Told: true, html: filled(
		`<header>Tea house</header><div style="display:flex;flex-direction:column-reverse;width:110px;height:300px;overflow:auto">
		<div>ROWS</div></div>`)},
	{Name: "rows-of-a-box", Shows: "a list that always has as many rows as fit into its box", Drawn: true, Told: true,
		html: reserved("BOX")},
	{Name: "rows-upon-picture", Shows: "the same upon a background", Drawn: true, Told: true, html: reserved(
		`<style>#list{background:repeating-linear-gradient(#fff 0 90px,#eef 90px 180px)}</style>BOX`)},
	{Name: "rows-in-shadow", Shows: "the same in a shadow tree", Drawn: true, Told: true, html: reserved(
		`<div id="host"></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<p>Teas</p>BOX'</script>`)},
	{Name: "rows-of-hosts", Shows: "the same, of which each row has a shadow tree", Drawn: true, Told: true, html: reserved(
		`BOX<script>shown = (row) => { const text = row.innerHTML; row.innerHTML = '';
			row.attachShadow({mode: 'open'}).innerHTML = text }</script>`)},
	{Name: "rows-in-slot", Shows: "the same, with rows that are put into a slot", Drawn: true, Told: true, html: reserved(
		`<div id="host"></div><script>host.attachShadow({mode: 'open'}).innerHTML =
			'<div id="box" style="height:600px;overflow:auto"><div id="list" style="position:relative;' +
			'height:9060px"><slot></slot></div></div>'; rows = host</script>`)},
	{Name: "endless-box", Shows: "a box of 200,000 pixels", Told: true, Tall: true, html: func(price string) string {
		return `<div class="main" style="height:90vh;overflow:auto"><div style="height:200000px">€ ` + price + `</div>
			<div class="end"></div></div>`
	}},
	{Name: "very-wide", Shows: "a table of 30,000 pixels", Told: true, html: func(price string) string {
		return `<table style="width:30000px"><tr><td style="width:29000px">€ ` + price + `</td>
			<td><div class="end"></div></td></tr></table>`
	}},
	{Name: "small-box", Shows: "a box that is too small to be made higher", Told: true, Held: true, Inside: true,
		html: func(price string) string {
			return `<div id="ticker" style="width:300px;height:40px;overflow:auto">` + rows(3, price) + `</div>`
		}},
	{Name: "small-box-at-its-end", Shows: "the same, scrolled to its end", Told: true, html: func(price string) string {
		return `<div id="ticker" style="width:300px;height:40px;overflow:auto">` + rows(3, price) + `<div style="height:40px"></div></div>
			<script>ticker.scrollTop = 9999</script>`
	}},
	{Name: "closed-shadow", Shows: "a box in a closed shadow tree", Told: true, html: func(price string) string {
		return `<div id="host"></div><template id="t"><style>.row{height:90px}.end{height:60px;background:#8a1f6f}
			main{height:400px;overflow:auto}</style><main>` + rows(30, price) + `</main></template><script>
			host.attachShadow({mode: 'closed'}).append(t.content)</script>`
	}},
	{Name: "in-drawing", Shows: "a box in a drawing, which cuts it off", Told: true, html: func(price string) string {
		return `<svg width="600" height="300"><foreignObject width="600" height="300"><div xmlns="http://www.w3.org/1999/xhtml"
			style="height:300px;overflow:auto">` + rows(30, price) + `</div></foreignObject></svg>`
	}},
	{Name: "glyphs", Shows: "characters of Unicode 16, which no font has", Told: true, html: func(price string) string {
		return `<p style="font-size:40px">` + "\U00016D43\U00011BC0 \U00010D4A" + ` € ` + price + `</p>`
	}},
}

// options makes a page of a list of options, of which TEA is a number or the price.
func options(option string) func(price string) string {
	return func(price string) string {
		var all strings.Builder
		for i := range 30 {
			all.WriteString(strings.ReplaceAll(option, "TEA", fmt.Sprint(i)))
		}
		return `<select multiple size="5">` + all.String() + strings.ReplaceAll(option, "TEA", price) + `</select>`
	}
}
