package gallery_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"afterimage/imgdiff"
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

// ImageByPublicLink knows "page/before" and the like.
func (r rows) ImageByPublicLink(ctx context.Context, token string, part vcd.PublicPart) (*vcd.Image, error) {
	return r.ImageByToken(ctx, token+"/"+string(part))
}

// SharedImage knows "page/<comparison>/before" and the like.
func (r rows) SharedImage(ctx context.Context, token string, comparison vcd.ID, part vcd.PublicPart) (*vcd.Image, error) {
	return r.ImageByToken(ctx, token+"/"+string(comparison)+"/"+string(part))
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
	if err := files.Put(t.Context(), hash, picture.Bytes()); err != nil {
		t.Fatal(err)
	}
	known := rows{"abc": {Hash: hash, Size: picture.Len()}, "lost": {Hash: strings.Repeat("0", 64)}}
	h := gallery.New(known, known, files, slog.New(slog.DiscardHandler))
	t.Cleanup(h.Wait)
	return h, picture.Bytes()
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

func TestAPictureIsServedAsItIsAndAskedForAgain(t *testing.T) {
	h, picture := handler(t)
	w := get(h, "/images/abc.png")
	if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), picture) || w.Header().Get("Content-Type") != "image/png" {
		t.Fatalf("status %d, %d bytes, type %q", w.Code, w.Body.Len(), w.Header().Get("Content-Type"))
	}
	if kept := w.Header().Get("Cache-Control"); kept != "private, max-age=30, must-revalidate" {
		t.Errorf("Cache-Control = %q: a link that is withdrawn must not work for longer than a minute, whatever lies between", kept)
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
			if err != nil || img.Bounds().Size() != image.Pt(500, 1500) {
				t.Errorf("status %d, error %v, or not half of 1000 × 3000", w.Code, err)
			}
		})
	}
	wg.Wait()
}

// comparison is a mask stored over an after picture, and what it looks like composed.
func comparison(t *testing.T) (h *gallery.Handler, files *blob.Folder, mask, picture []byte) {
	t.Helper()
	files, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	before, after := image.NewGray(image.Rect(0, 0, 800, 1200)), image.NewGray(image.Rect(0, 0, 800, 1200))
	draw.Draw(after, image.Rect(100, 100, 300, 200), image.White, image.Point{}, draw.Src)
	found, err := imgdiff.CompareImages(t.Context(), before, after, imgdiff.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if mask, err = found.MaskPNG(t.Context()); err != nil {
		t.Fatal(err)
	}
	var encoded, composed bytes.Buffer
	if err := errors.Join(png.Encode(&encoded, after), found.Compose(t.Context(), &composed, imgdiff.ComposeOptions{})); err != nil {
		t.Fatal(err)
	}
	under, hash := blob.Hash(encoded.Bytes()), blob.Hash(mask)
	if err := errors.Join(files.Put(t.Context(), under, encoded.Bytes()), files.Put(t.Context(), hash, mask)); err != nil {
		t.Fatal(err)
	}
	known := rows{
		"after": {Hash: under, Size: encoded.Len()}, "seen": {Hash: hash, Over: under, Size: len(mask)},
		"lost":  {Hash: hash, Over: strings.Repeat("0", 64), Size: len(mask)},
		"wrong": {Hash: under, Over: under, Size: encoded.Len()},
	}
	return gallery.New(known, known, files, slog.New(slog.DiscardHandler)), files, mask, composed.Bytes()
}

func TestAComparisonIsComposedWhenItIsOpenedAndThenKept(t *testing.T) {
	h, files, mask, picture := comparison(t)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			w := get(h, "/images/seen.png")
			if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), picture) || w.Header().Get("Content-Type") != "image/png" {
				t.Errorf("status %d, %d bytes, want the composed picture of %d", w.Code, w.Body.Len(), len(picture))
			}
		})
	}
	wg.Wait()
	stored := 0
	err := files.Walk(t.Context(), func(hash string) error {
		if hash == blob.Hash(mask) {
			stored++
		}
		return nil
	})
	if err != nil || stored != 2 {
		t.Errorf("%d files under the mask's hash, error %v; want the mask and the picture", stored, err)
	}
	if err := files.Remove(t.Context(), blob.Hash(mask)); err != nil {
		t.Fatal(err)
	}
	if w := get(h, "/images/seen.png"); w.Code != 404 {
		t.Errorf("removed with the mask: status %d, want 404", w.Code)
	}
}

func TestEveryFormOfAComparisonHasItsOwnContent(t *testing.T) {
	h, _, mask, picture := comparison(t)
	small := get(h, "/images/seen_compressed.jpeg")
	want, err := imgdiff.Preview(t.Context(), picture, 72)
	if err != nil || small.Code != 200 || !bytes.Equal(small.Body.Bytes(), want) || small.Header().Get("Content-Type") != "image/jpeg" {
		t.Errorf("preview: status %d, %d bytes, want those of the composed picture", small.Code, small.Body.Len())
	}
	raw, composed := get(h, "/images/seen_mask.png"), get(h, "/images/seen.png")
	if raw.Code != 200 || !bytes.Equal(raw.Body.Bytes(), mask) || raw.Header().Get("Content-Type") != "image/png" {
		t.Errorf("mask: status %d, %d bytes, want %d", raw.Code, raw.Body.Len(), len(mask))
	}
	tags := map[string]bool{}
	for _, w := range []*httptest.ResponseRecorder{small, raw, composed, get(h, "/images/after.png"),
		get(h, "/images/after_compressed.jpeg")} {
		tags[w.Header().Get("ETag")] = true
	}
	if len(tags) != 5 {
		t.Errorf("five forms with the tags %v", tags)
	}
	for path, status := range map[string]int{
		"after_mask.png": 404, "lost.png": 404, "lost_compressed.jpeg": 404, "lost_mask.png": 200, "wrong.png": 500,
	} {
		if w := get(h, "/images/"+path); w.Code != status {
			t.Errorf("%s: status %d, want %d", path, w.Code, status)
		}
	}
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
	if w := get(h, "/images/unknown.png"); w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a refusal is kept: %q", w.Header().Get("Cache-Control"))
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

const idOfComparison = "0198c0de-0000-7000-8000-000000000001"

func TestThePageOfABatchHasItsOwnPictures(t *testing.T) {
	_, files, _, _ := comparison(t)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 600, 90))); err != nil {
		t.Fatal(err)
	}
	hash := blob.Hash(picture.Bytes())
	if err := files.Put(t.Context(), hash, picture.Bytes()); err != nil {
		t.Fatal(err)
	}
	known := rows{"page/" + idOfComparison + "/after": {Hash: hash, Size: picture.Len()}}
	h := gallery.New(known, known, files, slog.New(slog.DiscardHandler))
	link := "/images/page-" + idOfComparison
	for path, status := range map[string]int{
		link + "_after.png": 200, link + "_after_compressed.jpeg": 200, link + "_before.png": 404, link + ".png": 404, link: 404,
		"/images/page-_after.png": 404, "/images/page-" + strings.Repeat("x", 36) + "_after.png": 404,
		"/images/other-" + idOfComparison + "_after.png": 404,
	} {
		if w := get(h, path); w.Code != status {
			t.Errorf("%s: status %d, want %d", path, w.Code, status)
		}
	}
}
