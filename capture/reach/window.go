package reach

const stripes = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='720' height='450'%3E%3Crect width='720' ` +
	`height='450' fill='%23234'/%3E%3Cpath d='M0 0L720 450M0 450L720 0' stroke='%23fc6' stroke-width='20'/%3E%3C/svg%3E`

// windowPages are painted relative to the window.
var windowPages = []Page{
	{Name: "attached", Shows: "sections whose background stands still", html: func(price string) string {
		section := `<section style="height:500px;background:url(&quot;` + stripes + `&quot;) center/cover fixed;color:#fff">
			<h2>Part</h2></section>`
		return `<header>Tea house</header>` + section + rows(4, "19.50") + section + section + rows(4, price)
	}},
	{Name: "attached-body", Shows: "a body whose background stands still", html: filled(`<style>body{color:#fff;
		background:#123 url("` + stripes + `") center/cover fixed}</style>ROWS`)},
	{Name: "attached-wrapper", Shows: "a high box whose background stands still", html: filled(`<style>.w{color:#fff;
		background:url("` + stripes + `") 50% 50%/cover no-repeat fixed}</style><div class="w">ROWS</div>`)},
	{Name: "fixed-layer", Shows: "a layer behind the page", html: filled(`<div style="position:fixed;inset:0;z-index:-1;
		background:linear-gradient(#012,#234 50%,#421)"></div><main style="color:#fff">ROWS</main>`)},
	{Name: "fixed-picture", Shows: "a picture behind the page", html: filled(
		`<img src="` + stripes + `" style="position:fixed;inset:0;width:100vw;
		height:100vh;object-fit:cover;z-index:-1"><main style="color:#fff">ROWS</main>`)},
	{Name: "fixed-before", Shows: "a layer made by a style", html: filled(`<style>body::before{content:"";position:fixed;inset:0;z-index:-1;
		background:linear-gradient(#012,#421)}main{color:#fff}</style><main>ROWS</main>`)},
	{Name: "fixed-canvas", Shows: "a canvas behind the page", html: filled(
		`<canvas id="c" style="position:fixed;inset:0;width:100vw;height:100vh;
		z-index:-1" width="400" height="300"></canvas><main style="color:#fff">ROWS</main><script>const x = c.getContext('2d');
		x.fillStyle = '#123'; x.fillRect(0, 0, 400, 300); x.fillStyle = '#345'; for (let i = 0; i < 9;
			i++) x.fillRect(i * 50, i * 30, 30, 30)</script>`)},
	{Name: "sticky-layer", Shows: "a layer that sticks to the window behind the page", html: filled(
		`<div style="position:sticky;top:0;height:100vh;margin-bottom:-100vh;background:linear-gradient(#012,#421)"></div>
		<main style="position:relative;color:#fff">ROWS</main>`)},
	{Name: "sticky-picture", Shows: "a picture that sticks to the window behind a part of the page", html: filled(
		`<style>.back{position:sticky;top:0;height:100vh;margin-bottom:-100vh}.back img{width:100%;height:100%;object-fit:cover}
		main{color:#fff}.text{position:relative}</style><header>Tea house</header><main><div class="back"><img src="` + stripes + `"></div>
		<div class="text">ROWS</div></main>`)},
	{Name: "seen-through", Shows: "a section through which a fixed layer is seen", html: func(price string) string {
		return `<header style="height:500px">Tea house</header><section style="position:relative;height:100vh;clip-path:inset(0)">
			<div style="position:fixed;inset:0;background:#234;color:#fff;display:grid;place-items:center">€ ` + price +
			`</div></section>` + rows(9, "19.50")
	}},
	{Name: "inner-before", Shows: "a layer that a style makes deep inside", html: filled(
		`<style>.site::before{content:"";position:fixed;inset:0;z-index:-1;background:linear-gradient(#012,#421)}
		main{color:#fff}</style><div><div class="site"><main>ROWS</main></div></div>`)},
	{Name: "shadow-layer", Shows: "a layer in a shadow tree", html: filled(
		`<div id="back"></div><main style="color:#fff">ROWS</main><script>back.attachShadow({mode: 'open'}).innerHTML =
			'<div style="position:fixed;inset:0;z-index:-1;background:linear-gradient(#012,#421)"></div>'</script>`)},
}
