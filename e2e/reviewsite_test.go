package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// reviewSite is a site in two releases. The second one changes the header of all pages, and on one of them a price, too.
// Its titles and texts try to become code wherever they are shown. The page /held does not answer.
type reviewSite struct {
	after atomic.Bool
}

// reviewPages are its paths; the price is on the last one.
var reviewPages = []string{"/one", "/two", "/three", "/priced"}

const hostile = `<img src=x onerror="document.title='hostile'"><script>document.title='hostile'</script>`

func (s *reviewSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	hours, price := "Open from nine to five", "A lamp: 19.00"
	if s.after.Load() {
		hours = "Open from ten to six"
		if r.URL.Path == "/priced" {
			price = "A lamp: 91.00"
		}
	}
	if r.URL.Path == "/held" {
		<-r.Context().Done()
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "favicon.ico" {
		http.NotFound(w, r)
		return
	}
	title := strings.NewReplacer("<", "&lt;", `"`, "&quot;").Replace(name + " " + hostile)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>%s</title><meta name="viewport" content="width=device-width">
<style>body{margin:0;font:18px sans-serif}header{background:#246;color:#fff;padding:2em}main{padding:0 2em}</style></head>
<body><header><p id="hours">%s</p></header><main><h1>%s</h1><p>%s</p><p id="price">%s</p><div style="height:700px"></div></main>
<footer><p>The end.</p></footer></body></html>`, title, hours, name, title, price)
}
