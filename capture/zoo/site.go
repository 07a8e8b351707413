package zoo

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// files are the pages and the scripts and pictures that are text. All are templates.
//
//go:embed pages
var files embed.FS

const maxDelay = 5 * time.Second // of anything that comes late

// Site serves the zoo on loopback, at two addresses: frames from the other are of another site.
type Site struct {
	URL      string // "http://127.0.0.1:1234", without a slash at the end
	OtherURL string

	servers []*http.Server
	stopped chan error
}

// Start serves the zoo until [Site.Close].
func Start(ctx context.Context) (*Site, error) {
	s := &Site{stopped: make(chan error, 2)}
	here, err := listen(ctx, "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	there, err := listen(ctx, "127.0.0.2:0", "127.0.0.1:0") // not every system has all of 127.0.0.0/8
	if err != nil {
		return nil, errors.Join(err, here.Close())
	}
	s.URL, s.OtherURL = "http://"+here.Addr().String(), "http://"+there.Addr().String()
	handler, err := Handler(s.OtherURL)
	if err != nil {
		return nil, errors.Join(err, here.Close(), there.Close())
	}
	for _, listener := range []net.Listener{here, there} {
		server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
		s.servers = append(s.servers, server)
		go func() { s.stopped <- server.Serve(listener) }()
	}
	return s, nil
}

func listen(ctx context.Context, addresses ...string) (net.Listener, error) {
	var errs []error
	for _, address := range addresses {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", address)
		if err == nil {
			return listener, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("serve the zoo: %w", errors.Join(errs...))
}

// Hosts are the addresses of both listeners, host:port, for an egress policy.
func (s *Site) Hosts() []string {
	return []string{strings.TrimPrefix(s.URL, "http://"), strings.TrimPrefix(s.OtherURL, "http://")}
}

// Address is where a page is.
func (s *Site) Address(p Page) string { return s.URL + "/" + p.Name }

// Close ends all connections.
func (s *Site) Close() error {
	var errs []error
	for _, server := range s.servers {
		errs = append(errs, server.Close())
		if err := <-s.stopped; !errors.Is(err, http.ErrServerClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Handler serves the pages and what belongs to them; other is the address at which the same handler is another site.
//
//	/css-entrance              a page
//	/files/worker.js           a file of the folder pages
//	/image/content/300x200.png one colour
//	/after/600/…               any of these, 600 ms later
//
// and what assets.go and live.go name.
func Handler(other string) (http.Handler, error) {
	texts, err := execute(other)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for _, p := range Pages() {
		text, ok := texts[p.Name+".html"]
		if !ok {
			return nil, fmt.Errorf("page %s has no file", p.Name)
		}
		mux.HandleFunc("GET /"+p.Name, serve("text/html; charset=utf-8", text))
	}
	for name, text := range texts {
		mux.HandleFunc("GET /files/"+name, serve(contentType(name), text))
	}
	if err := addAssets(mux); err != nil {
		return nil, err
	}
	addLive(mux)
	mux.HandleFunc("GET /after/{ms}/{rest...}", late(mux))
	return fresh(mux), nil
}

// execute fills the palette and the other site into all files.
func execute(other string) (map[string][]byte, error) {
	functions := template.FuncMap{"other": func() string { return other }}
	for name, c := range colours {
		functions[name] = func() string { return hex(c) }
	}
	all, err := template.New("zoo").Funcs(functions).ParseFS(files, "pages/*")
	if err != nil {
		return nil, fmt.Errorf("read the pages of the zoo: %w", err)
	}
	names, err := fs.Glob(files, "pages/*")
	if err != nil {
		return nil, err
	}
	texts := make(map[string][]byte, len(names))
	for _, name := range names {
		name = path.Base(name)
		var b bytes.Buffer
		if err := all.ExecuteTemplate(&b, name, strings.TrimSuffix(name, path.Ext(name))); err != nil {
			return nil, fmt.Errorf("write the page %s: %w", name, err)
		}
		texts[name] = b.Bytes()
	}
	return texts, nil
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "text/html; charset=utf-8"
}

func serve(contentType string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body)
	}
}

// fresh keeps every load from being helped by the one before.
func fresh(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		next.ServeHTTP(w, r)
	})
}

// late serves what follows the delay in the path.
func late(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ms, err := strconv.ParseUint(r.PathValue("ms"), 10, 16)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if !wait(r, min(time.Duration(ms)*time.Millisecond, maxDelay)) {
			return
		}
		rest := r.Clone(r.Context())
		rest.URL.Path = "/" + r.PathValue("rest")
		next.ServeHTTP(w, rest)
	}
}

// wait returns false when the request ended before.
func wait(r *http.Request, delay time.Duration) bool {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
