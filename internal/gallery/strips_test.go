package gallery_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"afterimage/internal/blob"
)

// stripsOf asks for the strips of a link until there are no more, and puts them together.
func stripsOf(t *testing.T, h http.Handler, link string) (rows int, strips []*httptest.ResponseRecorder) {
	t.Helper()
	for {
		w := get(h, fmt.Sprintf("%s_strip-%d.png", link, len(strips)))
		if w.Code == http.StatusNotFound {
			return rows, strips
		}
		config, err := png.DecodeConfig(bytes.NewReader(w.Body.Bytes()))
		if w.Code != http.StatusOK || err != nil || w.Header().Get("Content-Type") != "image/png" {
			t.Fatalf("strip %d: status %d, %v", len(strips), w.Code, err)
		}
		rows += config.Height
		strips = append(strips, w)
	}
}

func TestStripsMakeUpThePicture(t *testing.T) {
	h, _ := handler(t) // 1000 × 3000
	t.Cleanup(h.Wait)
	for _, when := range []string{"made", "kept"} {
		rows, strips := stripsOf(t, h, "/images/abc")
		if rows != 3000 || len(strips) != 3 {
			t.Errorf("%s: %d rows in %d strips", when, rows, len(strips))
		}
		tags := map[string]bool{}
		for i, strip := range strips {
			tag := strip.Header().Get("ETag")
			tags[tag] = true
			if kept := strip.Header().Get("Cache-Control"); kept != "private, max-age=30, must-revalidate" {
				t.Errorf("Cache-Control = %q: it must hear of a link that is withdrawn as whole pictures do", kept)
			}
			again := get(h, fmt.Sprintf("/images/abc_strip-%d.png", i), "If-None-Match", tag)
			if again.Code != http.StatusNotModified {
				t.Errorf("strip %d with its ETag: status %d", i, again.Code)
			}
		}
		if len(tags) != 3 {
			t.Errorf("%d tags", len(tags))
		}
		h.Wait()
	}
}

func TestManyAskForStripsAtOnce(t *testing.T) {
	h, _ := handler(t)
	t.Cleanup(h.Wait)
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			if w := get(h, fmt.Sprintf("/images/abc_strip-%d.png", i%4)); (w.Code == http.StatusOK) != (i%4 < 3) {
				t.Errorf("strip %d: status %d", i%4, w.Code)
			}
		})
	}
	wg.Wait()
}

func TestEveryStoredPictureHasStrips(t *testing.T) {
	s := newShelf(t) // 300 × 500
	t.Cleanup(s.handler.Wait)
	for link, whole := range map[string]string{"after": "after.png", "seen_mask": "seen_mask.png", "page_after": "after.png",
		"page_differences": "seen_mask.png"} {
		rows, strips := stripsOf(t, s.handler, "/images/"+link)
		if rows != 500 || len(strips) != 1 {
			t.Fatalf("%s: %d rows in %d strips", link, rows, len(strips))
		}
		got, err := png.Decode(strips[0].Body)
		want, werr := png.Decode(get(s.handler, "/images/"+whole).Body)
		if err != nil || werr != nil || !samePixels(got, want) {
			t.Errorf("%s: the strip shows something else, %v, %v", link, err, werr)
		}
	}
	for _, link := range []string{"after_strip-1", "after_strip-01", "after_strip--1", "after_strip-", "after_strip-1e1",
		"after_strip-99999", "after_strip-0_strip-0", "seen_strip-0", "after_mask_strip-0", "unknown_strip-0", "page_before_strip-0",
		"after_compressed_strip-0", "page_strip-0"} {
		if w := get(s.handler, "/images/"+link+".png"); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", link, w.Code)
		}
	}
	if w := get(s.handler, "/images/after_strip-0.jpeg"); w.Code != http.StatusNotFound {
		t.Errorf("a strip as JPEG: status %d, want 404", w.Code)
	}
}

func samePixels(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return true
}

func TestADamagedPictureHasNoStrips(t *testing.T) {
	s := newShelf(t)
	t.Cleanup(s.handler.Wait)
	s.change(s.after, "bin", flip)
	w := get(s.handler, "/images/after_strip-0.png")
	if w.Code != http.StatusInternalServerError || !strings.Contains(s.log.String(), "corrupt") {
		t.Errorf("status %d, the log says: %s", w.Code, s.log)
	}
	s.change(s.after, "bin", flip) // it is restored from a backup
	if w := get(s.handler, "/images/after_strip-0.png"); w.Code != http.StatusOK {
		t.Errorf("restored: status %d", w.Code)
	}
}

func TestDamagedStripsAreMadeAnew(t *testing.T) {
	s := newShelf(t)
	t.Cleanup(s.handler.Wait)
	whole := get(s.handler, "/images/after_strip-0.png").Body.Bytes()
	for i, damage := range []func([]byte) []byte{flip, func([]byte) []byte { return nil }, func(c []byte) []byte { return c[:len(c)-9] }} {
		s.handler.Wait()
		s.change(s.after, "strips-1024", damage)
		if w := get(s.handler, "/images/after_strip-0.png"); w.Code != http.StatusOK || !bytes.Equal(w.Body.Bytes(), whole) {
			t.Errorf("damage %d: status %d, %d bytes, want the %d as before", i, w.Code, w.Body.Len(), len(whole))
		}
	}
}

func TestStripsGoWithTheirPicture(t *testing.T) {
	s := newShelf(t)
	if w := get(s.handler, "/images/after_strip-0.png"); w.Code != http.StatusOK {
		t.Fatalf("status %d", w.Code)
	}
	s.handler.Wait()
	files, err := blob.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := files.Remove(t.Context(), s.after); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(s.dir, s.after[:2], s.after[2:4], s.after+"*"))
	if w := get(s.handler, "/images/after_strip-0.png"); w.Code != http.StatusNotFound || err != nil || len(left) > 0 {
		t.Errorf("removed: status %d, files %v, %v", w.Code, left, err)
	}
}
