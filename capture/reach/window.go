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
}
