package samplesite

import (
	"bytes"
	"crypto/subtle"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed templates static
var files embed.FS

// view is what the templates see.
type view struct {
	Page     Page
	Pages    []Page // the navigation
	Changed  bool   // the release "after"
	Plants   []plant
	Places   []place
	Calendar []calendarRow
	Months   []string
	Walks    []walk
	Seeds    []seed
}

// layouts holds each page's template together with the frame around it.
var layouts = parseLayouts()

func parseLayouts() map[string]*template.Template {
	frame := template.Must(template.ParseFS(files, "templates/layout.html"))
	parsed := make(map[string]*template.Template)
	for _, page := range append(Pages(), protectedPage, missingPage) {
		copied := template.Must(frame.Clone())
		parsed[page.template] = template.Must(copied.ParseFS(files, "templates/"+page.template+".html"))
	}
	return parsed
}

func (s *Site) buildRoutes() http.Handler {
	routes := http.NewServeMux()
	for _, page := range pages {
		pattern := "GET " + page.Path + "{$}"
		routes.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			s.render(w, page, http.StatusOK)
		})
	}
	routes.HandleFunc("GET "+ProtectedPath+"{$}", s.serveProtected)
	for name, draw := range pictures() {
		routes.HandleFunc("GET /pictures/"+name, func(w http.ResponseWriter, _ *http.Request) {
			picture, err := draw()
			if err != nil {
				http.Error(w, "The picture could not be drawn.", http.StatusInternalServerError)
				return
			}
			send(w, name, picture)
		})
	}
	routes.HandleFunc("GET /static/{file...}", s.serveStatic)
	routes.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		s.render(w, missingPage, http.StatusNotFound)
	})
	return routes
}

// render writes a page of the current release.
func (s *Site) render(w http.ResponseWriter, page Page, status int) {
	changed := s.Changed()
	var out bytes.Buffer
	err := layouts[page.template].ExecuteTemplate(&out, "layout", view{
		Page: page, Pages: pages, Changed: changed,
		Plants: plants, Places: places, Walks: walks, Seeds: seeds,
		Calendar: bloomCalendar(changed), Months: monthNames,
	})
	if err != nil {
		http.Error(w, "The page could not be rendered.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", contentType(".html"))
	w.WriteHeader(status)
	// A failed write means that the visitor has gone.
	_, _ = w.Write(out.Bytes())
}

func (s *Site) serveProtected(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	if user != ProtectedUser || subtle.ConstantTimeCompare([]byte(password), []byte(ProtectedPassword)) != 1 {
		w.Header().Set("WWW-Authenticate", `Basic realm="Volunteers", charset="UTF-8"`)
		http.Error(w, "This page is for volunteers. Please sign in.", http.StatusUnauthorized)
		return
	}
	s.render(w, protectedPage, http.StatusOK)
}

func (s *Site) serveStatic(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	content, err := fs.ReadFile(files, path.Join("static", name))
	if err != nil || strings.HasSuffix(name, "/") {
		s.render(w, missingPage, http.StatusNotFound)
		return
	}
	send(w, name, content)
}

// pictures maps each picture's file name to the function that draws it, once.
func pictures() map[string]func() ([]byte, error) {
	drawn := map[string]func() ([]byte, error){}
	vector := func(name string, draw func() []byte) {
		drawn[name+".svg"] = sync.OnceValues(func() ([]byte, error) { return draw(), nil })
	}
	vector("panorama", panorama)
	for _, p := range plants {
		vector("plants/"+p.Slug, func() []byte { return plate(p) })
	}
	for _, p := range places {
		vector("places/"+p.Slug, func() []byte { return scene(p.draw) })
	}
	for _, packet := range seeds {
		drawn["seeds/"+packet.Slug+".png"] = sync.OnceValues(func() ([]byte, error) { return portrait(packet) })
	}
	return drawn
}

func send(w http.ResponseWriter, name string, content []byte) {
	w.Header().Set("Content-Type", contentType(path.Ext(name)))
	_, _ = w.Write(content)
}

// contentType knows the kinds of file that the site has.
func contentType(extension string) string {
	switch extension {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".woff2":
		return "font/woff2"
	default:
		return "text/plain; charset=utf-8"
	}
}
