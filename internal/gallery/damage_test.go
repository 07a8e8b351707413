package gallery_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"afterimage/imgdiff"
	"afterimage/internal/blob"
	"afterimage/internal/gallery"
	"afterimage/vcd"
)

// shelf is a gallery of one changed pair whose files can be harmed.
type shelf struct {
	t       *testing.T
	handler *gallery.Handler
	dir     string
	log     *strings.Builder
	after   string // hash of the picture after
	mask    string // hash of the mask
	writes  int
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{t: t, dir: t.TempDir(), log: &strings.Builder{}}
	files, err := blob.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	before, after := image.NewGray(image.Rect(0, 0, 300, 500)), image.NewGray(image.Rect(0, 0, 300, 500))
	for x := 40; x < 90; x++ {
		after.Pix[100*300+x] = 255
	}
	found, err := imgdiff.CompareImages(t.Context(), before, after, imgdiff.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	mask, err := found.MaskPNG(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, after); err != nil {
		t.Fatal(err)
	}
	s.after, s.mask = blob.Hash(picture.Bytes()), blob.Hash(mask)
	if err := errors.Join(files.Put(t.Context(), s.after, picture.Bytes()), files.Put(t.Context(), s.mask, mask)); err != nil {
		t.Fatal(err)
	}
	under := &vcd.Image{ID: "under", Hash: s.after, Size: picture.Len()}
	over := &vcd.Image{ID: "over", Hash: s.mask, Over: s.after, Size: len(mask)}
	s.handler = gallery.New(rows{"after": under, "seen": over, "page/after": under, "page/mask": over}, nil, files,
		slog.New(slog.NewTextHandler(s.log, nil)))
	return s
}

// change rewrites all files of a hash whose names have an ending, as a faulty disk does.
func (s *shelf) change(hash, ending string, how func([]byte) []byte) {
	s.t.Helper()
	s.writes++
	names, err := filepath.Glob(filepath.Join(s.dir, hash[:2], hash[2:4], hash+".*"+ending))
	if err != nil || len(names) == 0 {
		s.t.Fatalf("no file of %s*%s, %v", hash, ending, err)
	}
	moment := time.Date(2026, 1, 1, 0, 0, s.writes, 0, time.UTC)
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(name, how(content), 0o600), os.Chtimes(name, moment, moment)); err != nil {
			s.t.Fatal(err)
		}
	}
}

func flip(content []byte) []byte { content[len(content)/2] ^= 1; return content }

// TestADamagedPictureIsNoPicture is named after the half PNG that was served with 200, to be kept for a year.
func TestADamagedPictureIsNoPicture(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"cut in half": func(content []byte) []byte { return content[:len(content)/2] }, "one bit": flip,
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t)
			if w := get(s.handler, "/images/after.png"); w.Code != http.StatusOK {
				t.Fatalf("whole: %d", w.Code)
			}
			s.change(s.after, "bin", damage)
			for _, path := range []string{"after.png", "after_compressed.jpeg", "seen.png", "seen_compressed.jpeg", "page_after.png"} {
				w := get(s.handler, "/images/"+path)
				if w.Code != http.StatusInternalServerError || w.Header().Get("Cache-Control") != "no-store" ||
					w.Header().Get("ETag") != "" {
					t.Errorf("%s: status %d, %v", path, w.Code, w.Header())
				}
			}
			if told := s.log.String(); strings.Count(told, "corrupt") < 5 || !strings.Contains(told, s.after) ||
				!strings.Contains(told, "image under") {
				t.Errorf("the log says: %s", told)
			}
			if w := get(s.handler, "/images/seen_mask.png"); w.Code != http.StatusOK {
				t.Errorf("the mask, which is whole: %d", w.Code)
			}
		})
	}
}

func TestADamagedFormIsMadeAnew(t *testing.T) {
	for _, path := range []string{"seen.png", "seen_compressed.jpeg", "after_compressed.jpeg"} {
		s := newShelf(t)
		whole := get(s.handler, "/images/"+path).Body.Bytes()
		hash, ending := s.mask, filepath.Ext(path)
		if strings.HasPrefix(path, "after") {
			hash = s.after
		}
		for i, damage := range []func([]byte) []byte{flip, func([]byte) []byte { return nil },
			func(c []byte) []byte { return c[:len(c)-9] }} {
			s.change(hash, ending, damage)
			if w := get(s.handler, "/images/"+path); w.Code != http.StatusOK || !bytes.Equal(w.Body.Bytes(), whole) {
				t.Errorf("%s, damage %d: status %d, %d bytes, want the %d as before", path, i, w.Code, w.Body.Len(), len(whole))
			}
		}
	}
}

func TestAMissingFileIsToldToTheOperator(t *testing.T) {
	s := newShelf(t)
	if err := os.RemoveAll(filepath.Join(s.dir, s.after[:2])); err != nil {
		t.Fatal(err)
	}
	if w := get(s.handler, "/images/after.png"); w.Code != http.StatusNotFound || !strings.Contains(s.log.String(), "missing") {
		t.Errorf("status %d, the log says: %s", w.Code, s.log)
	}
}

func TestAPublicPageHasItsOwnPictures(t *testing.T) {
	s := newShelf(t)
	for link, own := range map[string]string{"page_after.png": "after.png", "page_differences.png": "seen_mask.png"} {
		shown, stored := get(s.handler, "/images/"+link), get(s.handler, "/images/"+own)
		if shown.Code != http.StatusOK || !bytes.Equal(shown.Body.Bytes(), stored.Body.Bytes()) ||
			shown.Header().Get("ETag") != stored.Header().Get("ETag") {
			t.Errorf("%s: status %d, %d bytes, want those of %s", link, shown.Code, shown.Body.Len(), own)
		}
	}
	for _, link := range []string{"page.png", "page_mask.png", "page_before.png", "after_after.png", "seen_differences.png"} {
		if w := get(s.handler, "/images/"+link); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", link, w.Code)
		}
	}
}

// BenchmarkRevalidation is what a picture costs that a browser has already: nothing is read but its row.
func BenchmarkRevalidation(b *testing.B) {
	files, err := blob.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	content := bytes.Repeat([]byte("pixels"), 200_000)
	hash := blob.Hash(content)
	if err := files.Put(b.Context(), hash, content); err != nil {
		b.Fatal(err)
	}
	h := gallery.New(rows{"abc": {Hash: hash, Size: len(content)}}, nil, files, slog.New(slog.DiscardHandler))
	for _, tag := range []string{fmt.Sprintf("%q", hash), ""} {
		b.Run("tag="+fmt.Sprint(tag != ""), func(b *testing.B) {
			for b.Loop() {
				get(h, "/images/abc.png", "If-None-Match", tag)
			}
		})
	}
}
