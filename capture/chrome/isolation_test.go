package chrome

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
)

// hoarder says in its title what it finds of an earlier visit, and then leaves something in every store that there is.
const hoarder = `<!doctype html><title>looking</title><script src="cached.js"></script><script>
const account = new URLSearchParams(location.search).get('account');
const opened = (request) => new Promise((done, fail) => { request.onsuccess = () => done(request.result); request.onerror = fail; });
const looks = {
  cookie: () => document.cookie,
  local: () => localStorage.account,
  session: () => sessionStorage.account,
  name: () => window.name,
  database: async () => (await indexedDB.databases()).length,
  cache: async () => (await caches.keys()).length,
  worker: async () => (await navigator.serviceWorker.getRegistrations()).length || navigator.serviceWorker.controller,
  files: async () => { for await (const name of (await navigator.storage.getDirectory()).keys()) return name },
  shared: () => new Promise((done) => { const { port } = new SharedWorker('shared.js'); port.onmessage = (e) => done(e.data); ` +
	`port.postMessage(account) }),
  moved: async () => { const kept = (await fetch('moved?for-all')).url.split('=')[1]; return kept !== account && kept },
};
const leaves = [
  () => { document.cookie = 'account=' + account + '; max-age=3600' },
  () => { localStorage.account = sessionStorage.account = window.name = account },
  () => opened(Object.assign(indexedDB.open('of' + account), {})),
  async () => (await caches.open('of' + account)).put('kept', new Response(account)),
  () => navigator.serviceWorker.register('service.js'),
  async () => (await navigator.storage.getDirectory()).getFileHandle('of' + account, { create: true }),
  () => fetch('cached.js'),
];
window.hoard = (async () => {
  const found = [];
  for (const [name, look] of Object.entries(looks)) {
    try { const value = await look(); if (value) found.push(name + ' ' + value) } catch (e) { found.push(name + ' failed: ' + e) }
  }
  for (const leave of leaves) try { await leave() } catch (e) { found.push('could not leave: ' + e) }
  document.title = found.join(', ') || 'nothing of ' + account;
})();
</script>`

// hoard is the server's side of it.
type hoard struct {
	mu       sync.Mutex
	fetched  int      // of the script that every browser keeps for a year, once for each visit
	returned []string // what came back from earlier visits
}

func (h *hoard) serve(t *testing.T) string {
	t.Helper()
	site.handle(t, "cached.js", func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.fetched++
		h.mu.Unlock()
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		w.Header().Set("ETag", `"kept"`)
		serve("text/javascript", "0")(w, r)
	})
	// A permanent redirect is kept like the order to use TLS only (HSTS): by host, for later visits.
	site.handle(t, "moved", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=31536000")
		http.Redirect(w, r, "arrived?account="+accountOf(r), http.StatusPermanentRedirect)
	})
	site.handle(t, "arrived", serve("text/plain", ""))
	site.handle(t, "shared.js",
		serve("text/javascript",
			`let before = ''; onconnect = (e) => { e.ports[0].onmessage = (m) => { e.ports[0].postMessage(before); before = m.data } }`))
	site.handle(t, "service.js",
		serve("text/javascript", `addEventListener('fetch', (e) => e.respondWith(new Response('<title>taken over</title>')))`))
	return site.handle(t, "page", func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		for _, name := range []string{"Cookie", "If-None-Match", "Authorization"} {
			if value := r.Header.Get(name); value != "" {
				h.returned = append(h.returned, name+" "+value)
			}
		}
		h.mu.Unlock()
		http.SetCookie(w, &http.Cookie{Name: "server", Value: r.URL.Query().Get("account"), MaxAge: 3600, HttpOnly: true})
		w.Header().Set("ETag", `"page"`)
		w.Header().Set("Cache-Control", "max-age=31536000")
		serve("text/html", hoarder)(w, r)
	})
}

// accountOf reads the account from the address of the page that asks.
func accountOf(r *http.Request) string {
	referer := r.Referer()
	return referer[len(referer)-1:]
}

// takeHoard visits a hoard's page, and again if the page was not done: its workers have a time of their own and may be late on a busy
// machine.
func takeHoard(t *testing.T, p *Pool, visit capture.Request) *capture.Shot {
	t.Helper()
	shot := takeWith(t, p, visit)
	for tries := 1; strings.HasPrefix(shot.Title, "looking") && tries < 5; tries++ {
		shot = takeWith(t, p, visit)
	}
	return shot
}

// captureTimes is the number of captures of a test, 100 in a soak.
func captureTimes(usually int) int {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 100
	}
	return usually
}

// TestAccountsAreIsolated: of two accounts that capture in turns in the same browser, none finds anything of the other, nor
// of its own earlier visits. AFTERIMAGE_SOAK=1 makes it 100 captures.
func TestAccountsAreIsolated(t *testing.T) {
	times := captureTimes(20)
	p := startPool(t, ownConfig(t, 1))
	var kept hoard
	address := kept.serve(t)
	for i := range times {
		account := string("ab"[i%2])
		visit := capture.Request{URL: address + "?account=" + account, Scripts: []string{"window.hoard"}}
		shot := takeHoard(t, p, visit)
		if want := "nothing of " + account; shot.Title != want {
			t.Errorf("visit %d: the page says %q, want %q", i, shot.Title, want)
		}
	}
	if kept.fetched < times || len(kept.returned) > 0 {
		t.Errorf("%d fetches of a script in %d visits; the server got back %q", kept.fetched, times, kept.returned)
	}
}

// TestCredentialsAreIsolated: a password that one account has given opens nothing for the next.
func TestCredentialsAreIsolated(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	address := site.handle(t, "locked", func(w http.ResponseWriter, r *http.Request) {
		user, _, ok := r.BasicAuth()
		if !ok {
			w.Header().Set("WWW-Authenticate", `Basic realm="r"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		serve("text/html", fmt.Sprintf("<title>for %s</title>", user))(w, r)
	})
	for range 3 {
		if shot := takeWith(t, p, capture.Request{URL: address, Credentials: &capture.Credentials{User: "a",
			Password: "x"}}); shot.Title != "for a" {
			t.Errorf("title is %q", shot.Title)
		}
		_, err := p.Capture(t.Context(), capture.Request{URL: address, Device: capture.Desktop, Deadline: patient})
		wantReason(t, err, capture.ReasonCredentials)
	}
}
