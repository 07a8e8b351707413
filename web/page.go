package web

import (
	"bytes"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

const (
	// Names below assets/ carry a hash of their content: they never change.
	immutable = "private, max-age=31536000, immutable"
	// Everything else is asked for again each time; the ETag makes it cheap.
	revalidate = "no-cache"
)

// page serves one folder of the build: its index.html at the folder's own
// address, and the files below it.
type page struct {
	folder string
	policy string
	files  map[string]file // by path within the build
	packed map[string]file // the Brotli copies, by the path of what they are copies of
}

// newPage lists the folder once, so that a request can only ever name a file
// that was there. A folder that was not built gets a page that says so.
func newPage(build fs.FS, folder, policy string) http.Handler {
	p := &page{folder: folder, policy: policy, files: map[string]file{}, packed: map[string]file{}}
	err := fs.WalkDir(build, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if of, isPacked := strings.CutSuffix(name, ".br"); isPacked {
			p.packed[of] = newFile(build, name)
		} else {
			p.files[name] = newFile(build, name)
		}
		return nil
	})
	if err != nil || p.files[folder+"/index.html"] == nil {
		return notBuilt(policy)
	}
	return p
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setSecurityHeaders(w.Header(), p.policy)
	if !readOnly(w, r) {
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == p.folder+"/" {
		name += "index.html"
	}
	found, ok := p.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	if packed, ok := p.packed[name]; ok {
		header.Add("Vary", "Accept-Encoding")
		if httpguts.HeaderValuesContainsToken(r.Header["Accept-Encoding"], "br") {
			found = packed
			header.Set("Content-Encoding", "br")
		}
	}
	content, err := found()
	if err != nil {
		http.Error(w, "This embedded file could not be read. Restart the program.", http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", contentType(name))
	header.Set("Cache-Control", cacheControl(name))
	header.Set("ETag", content.tag)
	// The zero time leaves Last-Modified out: embedded files have none.
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content.body))
}

// cacheControl distinguishes hashed names from the ones that stay the same.
func cacheControl(name string) string {
	if path.Base(path.Dir(name)) == "assets" {
		return immutable
	}
	return revalidate
}

// contentType is a closed table, because the system's own (mime.types) differs
// from machine to machine and browsers refuse a script of the wrong type.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".md", ".txt":
		return "text/plain; charset=utf-8"
	case ".json":
		return "application/json"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ttf":
		return "font/ttf"
	case ".woff2":
		return "font/woff2"
	default:
		return "application/octet-stream"
	}
}

// readOnly refuses everything but GET and HEAD.
func readOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "This URL only supports GET.", http.StatusMethodNotAllowed)
	return false
}

// notBuilt stands in for a page of a binary that was built without Node.
func notBuilt(policy string) http.Handler {
	const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Page not built · Afterimage</title>
<h1>This page is not part of this binary</h1>
<p>It was built without the web pages. Run <code>make build</code> (it needs Node) and start it again.
The API works without them.</p>
</html>
`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setSecurityHeaders(w.Header(), policy)
		if !readOnly(w, r) {
			return
		}
		w.Header().Set("Content-Type", contentType(".html"))
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusServiceUnavailable)
		if r.Method == http.MethodGet {
			// A failed write means that the client has gone.
			_, _ = w.Write([]byte(text))
		}
	})
}
