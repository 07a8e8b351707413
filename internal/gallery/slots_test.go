package gallery

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"afterimage/internal/blob"
	"afterimage/vcd"
)

// anyRow is the picture of every token.
type anyRow struct {
	hash string
	size int
}

func (r anyRow) ImageByToken(context.Context, string) (*vcd.Image, error) {
	return &vcd.Image{Hash: r.hash, Size: r.size}, nil
}

func (anyRow) ImageByPublicLink(context.Context, string, vcd.PublicPart) (*vcd.Image, error) {
	return nil, vcd.NotFound("Image", "")
}

// TestPreviewsWaitForASlot is named after a page with a hundred new pictures, which took 9 GB.
func TestPreviewsWaitForASlot(t *testing.T) {
	files, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 900, 900))); err != nil {
		t.Fatal(err)
	}
	hash := blob.Hash(picture.Bytes())
	if err := files.Put(t.Context(), hash, picture.Bytes()); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	h := New(anyRow{hash, picture.Len()}, nil, files, slog.New(slog.NewTextHandler(&log, nil)))
	for range cap(h.slots) {
		h.slots <- struct{}{}
	}
	ctx, leave := context.WithCancelCause(t.Context())
	leave(errors.New("the client has left"))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/images/abc_compressed.jpeg", nil))
	if w.Body.Len() > 0 || log.Len() > 0 {
		t.Errorf("answered a client that has left with %q, logged %q", w.Body.String(), log.String())
	}
	for range cap(h.slots) {
		<-h.slots
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/images/abc_compressed.jpeg", nil))
	if w.Code != 200 || len(h.slots) != 0 {
		t.Errorf("with a free slot: status %d, %d slots held", w.Code, len(h.slots))
	}
}

// TestAFormIsMadeOnce: however many ask while it is made, and after.
func TestAFormIsMadeOnce(t *testing.T) {
	files, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := New(nil, nil, files, slog.New(slog.DiscardHandler))
	var made atomic.Int32
	f := form{variant: "form", make: func(context.Context, *vcd.Image) ([]byte, error) {
		made.Add(1)
		return []byte("made"), nil
	}}
	img := &vcd.Image{Hash: blob.Hash([]byte("a mask"))}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			file, err := h.open(t.Context(), img, f)
			if err != nil {
				t.Error(err)
				return
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times, want once", made.Load())
	}
}
