package shopsite

import "fmt"

// Habit is a difference between the sides, or from visit to visit, that nobody should be told of.
type Habit struct {
	Name string
	// Fickle tells that the server serves something else at each visit.
	Fickle bool
	html   func(s view, visit int64) string
}

// Habits are the harmless differences of single pages, by page.
var Habits = map[int]Habit{
	1: {"absolute links in text", false, func(s view, _ int64) string {
		return `<p>Share this page: ` + s.origin + `/p/1</p>`
	}},
	2: {"time of the server", true, func(s view, v int64) string {
		return fmt.Sprintf(`<p class="updated">Updated 23 Nov 2026, 10:%02d:%02d</p>`, side(s, 10, 41), v%60)
	}},
	4: {"views", true, func(s view, v int64) string {
		return fmt.Sprintf(`<p class="views">%d views</p>`, side(s, 1204, 1377)+int(v))
	}},
	6: {"age of a post", false, func(s view, _ int64) string {
		return fmt.Sprintf(`<p class="age">Posted %d minutes ago</p>`, side(s, 3, 8))
	}},
	8: {"advertisement", true, func(_ view, v int64) string {
		return fmt.Sprintf(`<div class="ad-slot"><svg width="300" height="250"><rect width="300" height="250" fill='%s'/></svg></div>`,
			colour(v))
	}},
	10: {"recommendations dealt out at each visit", true, func(_ view, v int64) string {
		names := []string{"Kettle", "Lamp", "Chair", "Clock", "Mirror"}
		return fmt.Sprintf(`<section class="recommendations"><h2>You may also like</h2><p>%s</p><p>%s</p></section>`,
			names[v%5], names[(v+2)%5])
	}},
	12: {"session in a text", true, func(_ view, v int64) string {
		return fmt.Sprintf(`<p class="session">Session %08x</p>`, v*2654435761%0xffffffff)
	}},
	14: {"build number", false, func(s view, _ int64) string {
		return fmt.Sprintf(`<p class="build">Build %d</p>`, side(s, 4711, 4712))
	}},
	16: {"clock in the page", false, func(view, int64) string {
		return `<p id="clock"></p><script>setInterval(() => { clock.textContent = new Date().toISOString() }, 50)</script>`
	}},
	18: {"chance in the page", false, func(view, int64) string {
		return `<p id="chance"></p><script>chance.textContent = 'Offer ' + Math.floor(Math.random() * 1e6)</script>`
	}},
	20: {"chance of the cryptographer", false, func(view, int64) string {
		return `<p id="key"></p><script>key.textContent = 'Request ' + crypto.getRandomValues(new Uint32Array(1))[0]</script>`
	}},
	22: {"numbered classes", false, func(s view, _ int64) string {
		return fmt.Sprintf(`<p class="css-%d">Made to last.</p>`, side(s, 181, 944))
	}},
	24: {"cache busters", false, func(s view, _ int64) string {
		return fmt.Sprintf(`<img width="200" height="120" alt="A kettle" src="/picture/4.svg?v=%d">`, side(s, 17, 18))
	}},
	25: {"picture by its whole address", false, func(s view, _ int64) string {
		return fmt.Sprintf(`<img width="200" height="120" alt="A kettle" src="%s/picture/4.svg">`, s.origin)
	}},
	26: {"nonce", true, func(_ view, v int64) string {
		return fmt.Sprintf(`<script nonce="n%d">document.body.dataset.ready = 1</script>`, v)
	}},
	27: {"markup without effect", false, func(s view, _ int64) string {
		return []string{`<p>Free of plastics.</p>`, `<!-- release 2 --><p  >Free of <span>plastics</span>.</p>`}[side(s, 0, 1)]
	}},
	28: {"endless animation", false, func(view, int64) string {
		return `<style>@keyframes t { to { rotate: 360deg } }
			.t { width: 40px; height: 40px; background: #357; animation: t 2s infinite }</style><div class="t"></div>`
	}},
	30: {"slides", false, func(view, int64) string {
		return `<div id="slides" class="carousel">First slide</div><script>let n = 0; setInterval(() => {
			slides.textContent = ['First', 'Second', 'Third'][++n % 3] + ' slide' }, 700)</script>`
	}},
	31: {"countdown", false, func(view, int64) string {
		return `<p id="left" class="countdown"></p><script>setInterval(() => {
			left.textContent = Math.floor((Date.UTC(2030, 0, 1) - Date.now()) / 1000) + ' seconds left' }, 100)</script>`
	}},
	32: {"late content", false, func(view, int64) string {
		return `<div id="late">Loading …</div><script>setTimeout(() => { late.textContent = 'Ready to ship' }, 900)</script>`
	}},
	33: {"visitors", true, func(_ view, v int64) string {
		return fmt.Sprintf(`<p class="online">%d people are looking at this</p>`, 5+v%40)
	}},
	34: {"captcha", true, func(_ view, v int64) string {
		return fmt.Sprintf(`<img class="captcha" alt="captcha" width="160" height="60" src="/picture/%d.svg">`, v%7)
	}},
	35: {"canvas", false, func(view, int64) string {
		return `<canvas id="c" width="200" height="60"></canvas><script>const x = c.getContext('2d'); let f = 0;
			(function draw() {
				x.fillStyle = 'hsl(' + f++ + ' 60% 50%)'; x.fillRect(0, 0, 200, 60); requestAnimationFrame(draw)
			})()</script>`
	}},
	36: {"chat", false, func(s view, _ int64) string {
		return []string{``, `<div class="chat-widget" style="position:fixed;right:12px;bottom:12px;width:56px;height:56px;` +
			`border-radius:28px;background:#264">Chat</div>`}[side(s, 0, 1)]
	}},
	37: {"cookie bar", false, func(s view, _ int64) string {
		return []string{``, `<div class="cookie-consent" style="position:fixed;left:0;right:0;bottom:0;padding:12px;background:#eee">` +
			`We use cookies. <button>Accept</button></div>`}[side(s, 0, 1)]
	}},
	38: {"token of a form", true, func(_ view, v int64) string {
		return fmt.Sprintf(`<form><input type="hidden" name="csrf" value="%d"><button type="button">Subscribe</button></form>`, v)
	}},
}

// side is what production shows, or what the preview does instead.
func side(s view, production, preview int) int {
	if s.Preview {
		return preview
	}
	return production
}

func colour(n int64) string { return fmt.Sprintf("hsl(%d 70%% 45%%)", n*67%360) }
