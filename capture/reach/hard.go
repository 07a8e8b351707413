package reach

// hardPages do what makes scrolling hard.
var hardPages = []Page{
	{Name: "smooth", Shows: "a page and a box that scroll smoothly and keep what is scrolled too far", html: filled(
		`<style>html{scroll-behavior:smooth;overscroll-behavior:none}#b{height:300px;overflow:auto;scroll-behavior:smooth;
		overscroll-behavior:contain}</style><header>Tea house</header><div id="b"><p>Box</p></div>ROWS`)},
	{Name: "moves-back", Shows: "a page that goes back to its top whenever it is scrolled", html: filled(
		`<header>Tea house</header>ROWS<script>addEventListener('scroll', () => scrollTo(0, 0))</script>`)},
	{Name: "grows-by-less-than-a-screen", Shows: "a chain of parts, each of which is fetched when the one before it is seen",
		html: func(price string) string {
			return `<main id="m"></main><script>let n = 0; const add = () => { const part = document.createElement('section')
				part.style = 'height:150px;margin:20px'; part.textContent = ++n < 20 ? 'Part ' + n : '€ ` + price + `'
				if (n === 20) part.innerHTML += '<div class="end"></div>'
				m.append(part); if (n > 5 && n < 20) new IntersectionObserver(([e], o) => { if (!e.isIntersecting) return
					o.disconnect(); fetch(location.href).then(add) }).observe(part) }; for (let i = 0; i < 6; i++) add()</script>`
		}},
	{Name: "grows-on-scroll", Shows: "a page whose parts take other heights when it is scrolled", html: filled(
		`<header id="h" style="height:300px">Tea house</header>ROWS<script>addEventListener('scroll', () => {
			h.style.height = scrollY > 50 ? '60px' : '300px' })</script>`)},
	{Name: "trapped", Shows: "a dialog that keeps the page behind it from being scrolled", html: filled(
		`<style>body{overflow:hidden}</style><main style="height:700px">Tea house</main><dialog id="d" style="width:600px;max-height:500px;
		overflow:auto;overscroll-behavior:contain">ROWS</dialog><script>d.showModal(); d.addEventListener('wheel', (e) => {
			if (d.scrollTop <= 0 && e.deltaY < 0) e.preventDefault() })</script>`)},
	{Name: "print-only", Shows: "parts that are there on paper only", html: filled(
		`<style>.paper{display:none}@media print{.paper{display:block}.row{display:none}}</style><header>Tea house</header>
		<p class="paper">For paper</p>ROWS`)},
	{Name: "refused-frame", Shows: "a frame whose document refuses to be shown in one", html: filled(
		`<header>Tea house</header><iframe src="data:text/html,<meta http-equiv=refresh content=0;url=about:blank#blocked>" width="600"
		height="300"></iframe>ROWS`)},
	{Name: "hidden-on-purpose", Shows: "a menu beside the page, cut texts, copies in a strip, a list that a button opens", html: filled(
		`<style>body{overflow-x:hidden}.menu{position:absolute;top:0;left:100%;width:300px;height:400px}.cut{width:300px;
		overflow:hidden;white-space:nowrap;text-overflow:ellipsis}.logos{display:flex;width:400px;overflow:hidden}.logos>p{flex:0 0 200px}
		.more{height:130px;overflow:hidden}</style><header>Tea house</header><nav class="menu"><p>Shop</p><p>About</p></nav>
		<p class="cut">A sentence that is too long for the little room that it has<span> and a second one</span></p>
		<div class="logos"><p>Kettle</p><p>Cup</p><p>Kettle</p><p>Cup</p></div><h1 style="text-indent:-9999px;overflow:hidden">Tea</h1>
		<div class="more"><p>A</p><p>B</p><p>C</p><p>D</p></div>ROWS`)},
	{Name: "endless-feed-in-box", Shows: "a box that has more and more", Told: true, html: func(string) string {
		return `<header>Tea house</header><div id="b" style="height:700px;overflow:auto"></div><script>let n = 0;
			const more = () => { for (let i = 0; i < 20; i++) b.insertAdjacentHTML('beforeend', '<div class="row">Tea ' + n++ + '</div>') };
			b.addEventListener('scroll', () => { if (b.scrollTop + b.clientHeight > b.scrollHeight - 900) more() });
			new ResizeObserver(more).observe(b); more()</script>`
	}},
}
