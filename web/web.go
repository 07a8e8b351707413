// Package web holds the browser pages that ship inside the afterimage binary:
// the dashboard, the sign-in page, GraphiQL and the page of reports. They are written in TypeScript, built by Vite
// into web/dist (npm ci && npm run build, or make build) and embedded from
// there. Nothing is loaded from another origin, so they work offline.
//
// The package only serves files. Who may see which page is decided by the
// server that mounts the handlers: [SignIn] is public, [GraphiQL] belongs
// behind the session check.
package web

import (
	"embed"
	"io/fs"
	"net/http"
)

// The build is not under version control; only dist/.gitkeep is, which keeps
// `go build` working on a machine without Node.
//
//go:embed all:dist
var embedded embed.FS

// Files returns the root of the built pages. It holds one folder per page,
// each with its index.html and an assets folder of files whose names carry a
// content hash. Without a build it holds no page.
func Files() fs.FS {
	root, err := fs.Sub(embedded, "dist")
	if err != nil {
		// fs.Sub refuses only malformed names, and this one is a constant.
		return embedded
	}
	return root
}

// Built reports whether the pages were built before the binary was.
func Built() bool {
	_, err := fs.Stat(Files(), "signin/index.html")
	return err == nil
}

// SignIn serves the public sign-in page. Mount it at /signin/ without
// stripping the prefix. The page posts {"token": "…"} as JSON (a plain form
// field of the same name when scripts are off) to /session and expects any
// 2xx with the session cookie, or 401 for a token that is not valid. It then
// goes to the same-origin path given as ?next=, else to the dashboard.
func SignIn() http.Handler {
	return newPage(Files(), "signin", signInPolicy)
}

// GraphiQL serves the API explorer. Mount it at /graphiql/ without stripping
// the prefix, behind the session check. The page talks to /graphql on its own
// origin, by POST with the header "X-Afterimage-Client: graphiql" and by
// graphql-transport-ws; it goes to /signin/ when an answer is 401, and its
// sign-out button sends DELETE /session with the same header.
func GraphiQL() http.Handler {
	return newPage(Files(), "graphiql", graphiQLPolicy)
}
