package reach

// scrollerPages have their content in an element that scrolls.
var scrollerPages = []Page{
	{Name: "app-shell", Shows: "a column as high as the screen with a part that scrolls", html: filled(`<style>html,body{height:100%;
		overflow:hidden}.app{display:flex;flex-direction:column;height:100vh}.content{flex:1;overflow-y:auto}</style>
		<div class="app"><header>Tea house</header><div class="content">ROWS</div></div>`)},
	{Name: "grid-shell", Shows: "a grid with a sidebar, a foot and a part that scrolls", html: filled(`<style>.app{display:grid;
			height:100vh;
		grid:auto 1fr auto / 200px 1fr}header,footer{grid-column:1/3}nav{background:#def}main{overflow:auto;scroll-behavior:smooth}</style>
		<div class="app"><header>Tea house</header><nav>Menu</nav><main>ROWS</main><footer>Foot</footer></div>`)},
	{Name: "hidden-sideways", Shows: "a root and a body as high as the screen that hide what is beside them",
		html: filled(`<style>html,body{height:100%;overflow-x:hidden}</style><header>Tea house</header><main>ROWS</main>`)},
	{Name: "body-scrolls", Shows: "a body that scrolls in a root that does not", html: filled(`<style>html{overflow:hidden;height:100%}
		body{height:100%;overflow:auto}</style><header>Tea house</header><main>ROWS</main>`)},
	{Name: "placed-main", Shows: "a main part placed between four edges", html: filled(`<style>main{position:absolute;inset:70px 0 40px 0;
		overflow-y:scroll;overscroll-behavior:contain}footer{position:fixed;bottom:0;left:0;right:0;height:40px;padding:5px}</style>
		<header>Tea house</header><main>ROWS<p style="height:40px"></p></main><footer>Foot</footer>`)},
	{Name: "snapping", Shows: "screens that snap", html: func(price string) string {
		return `<style>body{overflow:hidden}main{height:100vh;overflow-y:scroll;scroll-snap-type:y mandatory}
			section{height:100%;scroll-snap-align:start;background:#dfe}section:nth-child(2n){background:#fed}</style><main>
			<section>One</section>
			<section>Two</section><section>Three, € ` + price + `</section><section>Four</section><section><div class="end"></div>
			</section></main>`
	}},
	{Name: "box", Shows: "a box within a page", html: filled(`<header>Tea house</header><p>Terms:</p>
		<div style="height:300px;overflow:auto;border:1px solid #999">ROWS</div><footer>Foot</footer>`)},
	{Name: "nested", Shows: "five boxes that scroll in each other", html: filled(`<style>.s{overflow:auto;padding:10px;
			border:1px solid #99a}
		</style><div class="s" style="height:800px"><p>1</p><div class="s" style="height:700px"><p>2</p>
			<div class="s" style="height:600px"><p>3</p>
		<div class="s" style="height:500px"><p>4</p><div class="s" style="height:400px">ROWS</div><p>4</p></div><p>3</p></div><p>2</p>
			</div><p>1</p></div>
		<footer>Foot</footer>`)},
	{Name: "wheel", Shows: "a page that moves its content when the wheel is turned", html: filled(`<style>body{overflow:hidden}
		.stage{position:relative;height:100vh;overflow:hidden}</style><div class="stage"><div id="track">ROWS</div></div><script>
		let y = 0; addEventListener('wheel', (e) => { y = Math.max(0, y + e.deltaY);
			track.style.transform = 'translateY(' + -y + 'px)' })</script>`)},
	{Name: "sticky-in-scroller", Shows: "headings that stick in a part that scrolls", html: filled(`<style>body{overflow:hidden}
		.content{height:100vh;overflow:auto}h2{position:sticky;top:0;margin:0;height:50px;background:#fc6}</style>
		<div class="content"><h2>Teas</h2>ROWS</div>`)},
	{Name: "quirks", Shows: "an old document", html: func(price string) string {
		return `<template id="t"><title>quirks</title><style>.end{height:60px;background:#8a1f6f}.row{height:90px}</style>
			<div style="height:400px;overflow:auto">` + rows(20, price) + `</div></template>
			<script>const old = t.innerHTML; document.open(); document.write(old); document.close()</script>`
	}},
	{Name: "in-shadow", Shows: "a part that scrolls in a shadow tree", html: func(price string) string {
		return `<div id="host"></div><template id="t"><style>.row{height:90px}.end{height:60px;background:#8a1f6f}
			main{height:100vh;overflow:auto}</style><main>` + rows(30, price) + `</main></template><script>
			host.attachShadow({mode: 'open'}).append(t.content)</script>`
	}},
	{Name: "scrolls-back", Shows: "a part that scrolls back when it is scrolled", html: filled(`<style>body{overflow:hidden}
		#c{height:100vh;overflow:auto}</style><div id="c">ROWS</div>
			<script>c.addEventListener('scroll', () => c.scrollTo(0, 0))</script>`)},
	{Name: "scripted-bar", Shows: "a box that a script scrolls, with a bar of its own", html: filled(`<header>Tea house</header>
		<div id="b" style="height:300px;overflow:hidden;position:relative">ROWS<div class="ps__rail-y" style="position:absolute;right:0;
		top:0;width:6px;height:90px;background:#999"></div></div><script>
		b.addEventListener('wheel', (e) => { b.scrollTop += e.deltaY })</script>`)},
	{Name: "hidden-bars", Shows: "a box that hides the browser's bars by margins", html: filled(`<header>Tea house</header>
		<div style="height:300px;overflow:hidden"><div style="height:100%;overflow:scroll;box-sizing:content-box;padding-right:17px;
		margin-right:-17px;margin-bottom:-34px"><div style="padding-bottom:17px;margin-right:-17px">ROWS</div></div></div>`)},
	{Name: "hidden-bars-beside", Shows: "a box that is wider than what is around it, with room at its edge", html: filled(
		`<header>Tea house</header><div style="height:300px;width:800px;overflow:hidden;background:#eee"><div style="overflow:auto;
		height:317px;width:817px"><div style="padding-right:17px;width:850px;background:#eee">
		<div style="width:780px">ROWS</div></div></div></div>`)},
	{Name: "text-field", Shows: "a field with a long text", Ends: 1, html: func(price string) string {
		return `<textarea style="width:600px;height:200px;display:block">` + rows(40, price) + `</textarea><div class="end"></div>`
	}},
	{Name: "frame", Shows: "a frame of the same site that scrolls", html: func(price string) string {
		return `<header>Tea house</header><iframe id="f" style="width:800px;height:400px;border:0"></iframe><footer>Foot</footer>
			<template id="t"><style>.row{height:90px}.end{height:60px;background:#8a1f6f}</style>` + rows(20, price) + `</template>
			<script>f.contentDocument.write('<!doctype html>' + t.innerHTML); f.contentDocument.close()</script>`
	}},
}

// overlayPages have what scrolls above the page.
var overlayPages = []Page{
	{Name: "dialog", Shows: "an open dialog that scrolls", html: filled(`<header>Tea house</header><main style="height:700px"></main>
		<dialog id="d" style="max-height:400px;width:600px;overflow:auto">ROWS</dialog><script>d.showModal()</script>`)},
	{Name: "centred-modal", Shows: "a box in the middle of a layer over the page", html: filled(`<style>.layer{position:fixed;inset:0;
		display:flex;align-items:center;justify-content:center;background:#0008}.modal{max-height:80vh;width:600px;overflow:auto;
			background:#fff}
		</style><header>Tea house</header><div class="layer"><div class="modal">ROWS</div></div>`)},
	{Name: "drawer", Shows: "an open drawer at the side", html: filled(`<style>.drawer{position:fixed;right:0;top:0;bottom:0;width:400px;
		overflow-y:auto;background:#fff;border-left:1px solid #999}</style><header>Tea house</header><aside class="drawer">ROWS</aside>`)},
	{Name: "bottom-sheet", Shows: "a sheet at the lower edge", Mobile: true, html: filled(`<style>.sheet{position:fixed;left:0;
			right:0;bottom:0;
		height:60vh;overflow-y:auto;background:#fff;border-top:2px solid #999}</style><header>Tea house</header>
			<div class="sheet">ROWS</div>`)},
	{Name: "popover", Shows: "an open popover that scrolls", html: filled(`<div id="p" popover="manual" style="width:500px;height:300px;
		overflow:auto">ROWS</div><header>Tea house</header><script>p.showPopover()</script>`)},
}
