package hostile

import (
	"fmt"
	"net/http"
	"strconv"

	"afterimage/capture"
)

// moved are pages that attack by where they lead.
var moved = []Page{
	refused("redirects", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) },
		capture.ReasonRedirectLoop),
	refused("redirects-further", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n")) // 0 at first
		http.Redirect(w, r, fmt.Sprint(r.URL.Path, "?n=", n+1), http.StatusFound)
	}, capture.ReasonRedirectLoop),
	refused("refreshes", html(`<meta http-equiv=refresh content="0">refreshing`), capture.ReasonRedirectLoop),
	heavy("refreshes-later", script(`setTimeout(() => location.reload(), 300)`), capture.ReasonRedirectLoop),
	soon(refused("reloads", script(`location.reload()`), capture.ReasonRedirectLoop)),
	soon(refused("navigates", script(`location = '?' + Math.random()`), capture.ReasonRedirectLoop)),
	refused("submits", html(`<form method=post></form><script>document.forms[0].submit()</script>`), capture.ReasonRedirectLoop),
	refused("goes-inside", script(`location = 'http://127.0.0.1:8080/'`), capture.ReasonBlockedAddress),
	page("hashes", script(`setInterval(() => { location.hash = Math.random() })`)),
	heavy("history", script(`for (let i = 0; i < 1000; i++) history.pushState(0, '', '#' + i); setInterval(() => { history.back(); `+
		`history.forward() }, 10)`), capture.ReasonRedirectLoop, capture.ReasonInvalidAddress),
	heavy("goes-to-crash", script(`location = 'chrome://crash'; location = 'chrome://kill'; location = 'chrome://gpucrash'`),
		capture.ReasonInvalidAddress),
	page("service-worker", script(`navigator.serviceWorker.register('service.js').then(() => navigator.serviceWorker.ready)`)),
}

// serviceWorker answers everything in the site's stead and goes on for ever.
const serviceWorker = `
addEventListener('install', (e) => { skipWaiting(); });
addEventListener('activate', (e) => e.waitUntil(clients.claim()));
addEventListener('fetch', (e) => e.respondWith(new Response('<title>taken over</title>taken over', { headers: { 'Content-Type': ` +
	`'text/html' } })));
setInterval(() => { for (const end = performance.now() + 900; performance.now() < end;); }, 1000);
`
