package hostile

import "afterimage/capture"

// scripted are pages that attack by what their scripts do with time.
var scripted = []Page{
	dead("endless-loop", script(`for (;;);`)),
	dead("endless-loop-later", script(`onload = () => setTimeout(() => { for (;;); })`)),
	dead("endless-loop-on-scroll",
		html(`<title>hostile</title><p style="height:5000px">tall<script>addEventListener('scroll', () => { for (;;); })</script>`)),
	dead("endless-loop-on-frame", script(`onload = () => requestAnimationFrame(() => { for (;;); })`)),
	dead("endless-microtasks", script(`const turn = () => Promise.resolve().then(turn); turn()`)),
	dead("endless-mutations",
		script(`new MutationObserver(() => document.body.append('x')).observe(document.body, { childList: true }); `+
			`document.body.append('x')`), capture.ReasonCrashed),
	dead("endless-expression", script(`/^(a+)+$/.test('a'.repeat(60) + 'b')`)),
	dead("endless-dialogs", script(`for (;;) alert('again')`)),
	dead("synchronous-request", script(`const request = new XMLHttpRequest(); request.open('GET', 'never', false); request.send()`)),
	heavy("busy-intervals", script(`setInterval(() => { for (const end = performance.now() + 300; performance.now() < end;); })`)),
	heavy("busy-frames",
		script(`const turn = () => { requestAnimationFrame(turn); for (const end = performance.now() + 100; performance.now() < end;); `+
			`}; turn()`)),
	page("busy-workers", script(`for (let i = 0; i < 16; i++) new Worker(URL.createObjectURL(new Blob(['for (;;);'])))`)),
	page("busy-at-the-end", script(`onpagehide = onunload = onvisibilitychange = () => { for (;;); }`)),
	soon(page("messages", script(`onmessage = () => postMessage(0); for (let i = 0; i < 100; i++) postMessage(0)`))),
	heavy("mutations", script(`setInterval(() => { for (let i = 0; i < 100; i++) document.body.append(i) })`)),
	heavy("rewriting", script(`setInterval(() => { document.open(); document.write('<title>hostile</title>' + Math.random()) }, 20)`)),
	page("debugger", script(`debugger; setInterval(() => { debugger })`)),
	heavy("console", script(`setInterval(() => { for (let i = 0; i < 1000; i++) console.log('x'.repeat(1000) + i) }, 10)`)),
	page("broken-world", script(`Promise = null; requestAnimationFrame = null; performance = null; Math = null; JSON.stringify = () => { `+
		`throw 0 };
		Object.defineProperty(Object.prototype, 'then', { get() { throw 0 } }); Element.prototype.attachShadow = `+
		`Document.prototype.querySelectorAll = null`)),
	page("stops-and-closes", script(`stop(); close(); window.close()`)),
}
