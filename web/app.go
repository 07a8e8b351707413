package web

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
)

const (
	appFolder = "app"
	// AppFiles is the path of the dashboard's scripts, styles and fonts.
	AppFiles = "/app/"
)

// screens are the first parts of the dashboard's addresses. What follows is read by its router in the browser.
var screens = []string{"runs", "comparisons", "sites", "groups", "flows", "flow-runs", "rules", "settings", "start"}

// AppPaths are the paths of the dashboard's document, for a mux: each screen and all below it.
func AppPaths() []string {
	paths := []string{"/{$}"}
	for _, screen := range screens {
		paths = append(paths, "/"+screen, "/"+screen+"/")
	}
	return paths
}

// AppDocument serves the dashboard's document at all its addresses. It belongs behind the session check. The page talks to
// /graphql on its own origin, by POST with the header "X-Afterimage-Client: dashboard" and by graphql-transport-ws.
func AppDocument() http.Handler { return appDocument(Files()) }

func appDocument(build fs.FS) http.Handler {
	page := newPage(build, appFolder, appPolicy)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		document := r.Clone(r.Context())
		document.URL.Path = AppFiles
		page.ServeHTTP(w, document)
	})
}

// AppAssets serves the dashboard's files, which tell nothing of an account. Mount it at AppFiles without stripping the prefix.
func AppAssets() http.Handler { return appAssets(Files()) }

func appAssets(build fs.FS) http.Handler {
	page := newPage(build, appFolder, appPolicy)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, AppFiles+"assets/") {
			setSecurityHeaders(w.Header(), appPolicy)
			http.NotFound(w, r)
			return
		}
		page.ServeHTTP(w, r)
	})
}

// AppDocuments are the GraphQL documents of the dashboard by the SHA-256 of their text. There are none in a program that
// was built without the pages.
func AppDocuments() (map[string]string, error) { return appDocuments(Files()) }

func appDocuments(build fs.FS) (map[string]string, error) {
	raw, err := fs.ReadFile(build, appFolder+"/documents.json")
	if err != nil {
		return nil, nil //nolint:nilerr // the page says that it was not built
	}
	var documents map[string]string
	if err := json.Unmarshal(raw, &documents); err != nil {
		return nil, fmt.Errorf("the dashboard's documents: %w", err)
	}
	return documents, nil
}
