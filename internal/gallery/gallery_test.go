package gallery_test

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"afterimage/internal/blob"
	"afterimage/internal/gallery"
	"afterimage/vcd"
)

type rows map[string]*vcd.Image

func (r rows) ImageByToken(_ context.Context, token string) (*vcd.Image, error) {
	if token == "away" {
		return nil, vcd.Unavailable(io.ErrUnexpectedEOF)
	}
	if img := r[token]; img != nil {
		return img, nil
	}
	return nil, vcd.NotFound("Image", "")
}

func handler(t *testing.T) (*gallery.Handler, []byte) {
	t.Helper()
	files, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 1000, 3000))); err != nil {
		t.Fatal(err)
	}
	hash := blob.Hash(picture.Bytes())
	if err := files.Put(hash, picture.Bytes()); err != nil {
		t.Fatal(err)
	}
	known := rows{"abc": {Hash: hash}, "lost": {Hash: strings.Repeat("0", 64)}}
	return gallery.New(known, files, slog.New(slog.DiscardHandler)), picture.Bytes()
}

func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestAPictureIsServedAsItIsAndMayBeKept(t *testing.T) {
	h, picture := handler(t)
	w := get(h, "/images/abc.png")
	if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), picture) || w.Header().Get("Content-Type") != "image/png" {
		t.Fatalf("status %d, %d bytes, type %q", w.Code, w.Body.Len(), w.Header().Get("Content-Type"))
	}
	if !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("Cache-Control = %q", w.Header().Get("Cache-Control"))
	}
	if again := get(h, "/images/abc.png", "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("with its ETag: status %d, want 304", again.Code)
	}
}

func TestThePreviewIsASmallJPEGMadeOnce(t *testing.T) {
	h, _ := handler(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			w := get(h, "/images/abc_compressed.jpeg")
			img, err := jpeg.Decode(w.Body)
			if err != nil || img.Bounds().Dx() != 480 || img.Bounds().Dy() != 1440 {
				t.Errorf("status %d, error %v, size %v", w.Code, err, img)
			}
		})
	}
	wg.Wait()
}

func TestWhatIsNotAPictureIsNotFound(t *testing.T) {
	h, _ := handler(t)
	for _, path := range []string{
		"/images/", "/images/.png", "/images/unknown.png", "/images/abc.gif", "/images/abc", "/images/lost.png",
		"/images/lost_compressed.jpeg", "/images/../secret.png", "/images/a/b.png", "/images/" + strings.Repeat("a", 500) + ".png",
	} {
		if w := get(h, path); w.Code != http.StatusNotFound {
			t.Errorf("%.40s: status %d, want 404", path, w.Code)
		}
	}
	if w := get(h, "/images/away.png"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("database away: status %d, want 503", w.Code)
	}
	r := httptest.NewRequest(http.MethodPost, "/images/abc.png", nil)
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d, want 405", w.Code)
	}
}
