package review_test

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"afterimage/internal/gallery"
	"afterimage/internal/review"
	"afterimage/internal/webtest"
)

// built is where `make web` puts the script of the public pages.
const built = "../../web/dist"

// serveStates serves all states as the program serves public pages.
func serveStates(t *testing.T, listener net.Listener) string {
	t.Helper()
	s := newStates(t)
	var assets review.Assets
	for ending, address := range map[string]*string{"js": &assets.Script, "css": &assets.Style} {
		found, err := filepath.Glob(filepath.Join(built, "guest/assets/index-*."+ending))
		if err != nil || len(found) != 1 {
			t.Fatalf("the pages are not built: run make web; found %v, %v", found, err)
		}
		*address = "/guest/assets/" + filepath.Base(found[0])
	}
	logger := slog.New(slog.DiscardHandler)
	pictures := gallery.New(s, s, s.files, logger)
	t.Cleanup(pictures.Wait)
	public := pages(s, assets)
	mux := http.NewServeMux()
	mux.Handle(gallery.Prefix, pictures)
	mux.Handle(review.Prefix, public)
	mux.Handle(review.BatchPrefix, public)
	mux.Handle("/guest/", http.FileServer(http.Dir(built)))
	server := httptest.NewUnstartedServer(mux)
	if listener != nil {
		server.Listener = listener
	}
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// TestTheViewerInABrowser runs the tests of web/e2e/viewer. AFTERIMAGE_STATES=127.0.0.1:9191 serves the pages to look at
// instead, until the test is interrupted.
func TestTheViewerInABrowser(t *testing.T) {
	if address := os.Getenv("AFTERIMAGE_STATES"); address != "" {
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(serveStates(t, listener) + "/b/run")
		<-t.Context().Done()
		return
	}
	webtest.Run(t, "viewer", serveStates(t, nil))
}
