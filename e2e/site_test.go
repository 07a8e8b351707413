package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// site is a small site in two releases. The first three pages change, the last stays.
type site struct {
	after atomic.Bool
}

// sitePages are its paths and whether they change.
var sitePages = []struct {
	path    string
	changes bool
}{{"/text", true}, {"/colour", true}, {"/banner", true}, {"/still", false}}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	after := s.after.Load()
	title := strings.TrimPrefix(r.URL.Path, "/")
	colour, text, banner := "#246", "Open from nine to five.", ""
	if after {
		switch title {
		case "text":
			text = "Open from ten to six, closed on Mondays."
		case "colour":
			colour = "#824"
		case "banner":
			banner = `<div style="background:#fc0;padding:20px">We have moved.</div>`
		}
	}
	if title == "script.js" || title == "favicon.ico" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>%s</title><meta name="viewport" content="width=device-width">
<style>body{margin:0;font:18px sans-serif}header{background:%s;color:#fff;padding:2em}p{padding:0 2em}</style></head>
<body>%s<header><h1>%s</h1></header><p>%s</p><div style="height:900px"></div><footer><p>The end.</p></footer></body></html>`,
		title, colour, banner, title, text)
}

func siteURLs(host string) []string {
	urls := make([]string, len(sitePages))
	for i, p := range sitePages {
		urls[i] = "http://" + host + p.path
	}
	return urls
}
