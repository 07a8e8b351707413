package rest

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"
)

// DocsPath is the path of the API reference page.
const DocsPath = "/api/docs"

//go:embed docs
var docsFiles embed.FS

var docsTemplate = template.Must(template.ParseFS(docsFiles, "docs/docs.html"))

// reference are the files that describe the interface, for everybody: the document, and the page for people.
type reference map[string]referenceFile

type referenceFile struct {
	mediaType, tag string
	body           []byte
}

func newReference(d *described) (reference, error) {
	text, err := d.yaml()
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	if err := docsTemplate.Execute(&page, d.docsPage()); err != nil {
		return nil, fmt.Errorf("making the page about the interface: %w", err)
	}
	style, err := docsFiles.ReadFile("docs/docs.css")
	if err != nil {
		return nil, fmt.Errorf("reading the style of the page about the interface: %w", err)
	}
	files := reference{}
	files.add(BasePath+"/openapi.yaml", "application/yaml", text)
	files.add(BasePath+"/openapi.json", "application/json", appendJSON(nil, d.document()))
	files.add(DocsPath, "text/html; charset=utf-8", page.Bytes())
	files.add(DocsPath+"/docs.css", "text/css; charset=utf-8", style)
	return files, nil
}

func (files reference) add(path, mediaType string, body []byte) {
	sum := sha256.Sum256(body)
	files[path] = referenceFile{mediaType, `"` + hex.EncodeToString(sum[:16]) + `"`, body}
}

// serve answers a request for one of the files and tells whether it was one.
func (files reference) serve(w http.ResponseWriter, r *http.Request) bool {
	file, ok := files[strings.TrimSuffix(r.URL.Path, "/")]
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", file.mediaType)
	h.Set("ETag", file.tag)
	h.Set("Cache-Control", "no-cache")
	h.Set("Access-Control-Allow-Origin", "*") // nothing in it belongs to anybody
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.body))
	return true
}
