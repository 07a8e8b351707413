package reach

import "strings"

// tickerPages have lines that go by in a box, without an end.
var tickerPages = []Page{
	{Name: "ticker-by-style", Shows: "news that an animation moves", Told: true, Held: true, html: ticker(
		`.t{display:inline-block;animation:go 20s linear infinite}@keyframes go{to{transform:translateX(-50%)}}`, "")},
	{Name: "ticker-from-the-edge", Shows: "the same, which comes from the right edge", Told: true, Held: true, html: ticker(
		`.t{display:inline-block;padding-left:100%;animation:go 20s linear infinite}@keyframes go{to{transform:translate(-100%)}}`, "")},
	{Name: "ticker-by-script-animation", Shows: "news that an animation of a script moves", Told: true, Held: true, html: ticker(
		`.t{display:inline-block}`, `t.animate([{translate:'0'},{translate:'-800px'}],{duration:9000,iterations:Infinity})`)},
	{Name: "ticker-by-timer", Shows: "news in one line that a script moves", Told: true, Held: true, html: oneLine(
		`.t{display:inline-block}`, `let x = 0; setInterval(() => {
			t.style.transform = 'translateX(' + (x = (x + 2) % 100) * -1 + 'px)' }, 40)`)},
	{Name: "ticker-by-frames", Shows: "the same once per frame", Told: true, Held: true, html: oneLine(
		`.t{display:inline-block}`, `let x = 0; (function go() {
			t.style.marginLeft = -(x++ % 900) + 'px'; requestAnimationFrame(go) })()`)},
	{Name: "ticker-scrolled", Shows: "the same by scrolling", Told: true, Held: true, html: oneLine(
		`.t{display:inline-block}`, `setInterval(() => { const b = t.parentElement; b.scrollLeft = (b.scrollLeft + 2) % 100 }, 40)`)},
	{Name: "ticker-upwards", Shows: "lines of which one at a time is shown", Told: true, Held: true, html: ticker(
		`.b{height:30px}.t{display:block;white-space:normal;animation:go 9s steps(5) infinite}.t span{display:block;height:30px}
		@keyframes go{to{transform:translateY(-100%)}}`, "")},
	{Name: "ticker-marquee", Shows: "news in a marquee", Told: true, Held: true, html: func(price string) string {
		return strings.NewReplacer(`<div class="b">`, `<marquee>`, `</div><main>`, `</marquee><main>`).Replace(ticker(
			`.t{display:inline-block}`, "")(price))
	}},
	{Name: "ticker-cut-by-shape", Shows: "news in one line that a clip path cuts off", Told: true, Held: true, html: oneLine(
		`.b{overflow:visible;clip-path:inset(0)}.t{display:inline-block;animation:go 20s linear infinite}
		@keyframes go{to{transform:translateX(-50%)}}`, "")},
	{Name: "ticker-of-window", Shows: "news as wide as the window, which hides the rest", Told: true, Held: true, html: oneLine(
		`body{overflow-x:hidden}.b{overflow:visible;width:auto}
		.t{display:inline-block;position:relative;font-size:40px;animation:go 20s linear infinite}
		@keyframes go{to{left:-50%}}`, "")},
	{Name: "turns-in-its-box", Shows: "words that turn and beat in a box, a light that passes a button, two copies of a line", html: filled(
		`<style>.b{overflow:hidden;width:300px;height:90px;position:relative;white-space:nowrap}i{display:inline-block;
		animation:t 3s infinite}u{position:absolute;left:-80px;width:60px;height:90px;background:#dfe;animation:l 2s infinite}
		s{display:inline-block;animation:l 5s infinite}s span{display:inline-block;width:280px}
		@keyframes t{to{transform:rotate(1turn) scale(1.3)}}@keyframes l{to{transform:translateX(-280px)}}</style>
		<div class="b"><i>New tea</i><u></u></div><div class="b"><s><span>Tea is hot</span><span>Tea is hot</span></s></div>ROWS`)},
}

// ticker is a page with a line of five news, the fourth of which names the price, in a box that shows the first two.
func ticker(style, script string) func(price string) string {
	return func(price string) string {
		html := `<style>.b{overflow:hidden;width:600px;white-space:nowrap}.t span{margin-right:60px}` + style + `</style>
			<header>Tea house</header><div class="b"><div class="t" id="t">`
		for _, news := range []string{"Green tea has come from Uji", "Open on Sunday", "Tasting on Friday at eight",
			"Oolong costs € " + price, "The house is closed in August"} {
			html += `<span>` + news + `</span>`
		}
		return html + `</div></div><main>` + rows(20, "19.50") + `</main><script>` + script + `</script>`
	}
}

// oneLine is the same with all news in one text.
func oneLine(style, script string) func(price string) string {
	return func(price string) string {
		return strings.NewReplacer(`<span>`, ``, `</span>`, ` • `).Replace(ticker(style, script)(price))
	}
}
