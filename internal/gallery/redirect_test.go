package gallery_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"afterimage/internal/blob"
	"afterimage/internal/bucket"
	"afterimage/internal/buckettest"
	"afterimage/internal/gallery"
)

// stored has a bucket hold the picture of a handler.
func stored(t *testing.T, server *buckettest.Server, picture []byte) *blob.Bucket {
	t.Helper()
	objects, err := bucket.Open(t.Context(), server.Bucket(t, "pictures"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = objects.Close() })
	store := blob.NewBucket(objects, nil)
	if err := store.Put(t.Context(), blob.Hash(picture), picture); err != nil {
		t.Fatal(err)
	}
	return store
}

func TestDownloadsAreRedirectedToTheBucket(t *testing.T) {
	t.Run("s3", func(t *testing.T) { downloadsAreRedirectedTo(t, buckettest.StartS3(t)) })
	t.Run("azblob", func(t *testing.T) { downloadsAreRedirectedTo(t, buckettest.StartAzure(t)) })
}

func downloadsAreRedirectedTo(t *testing.T, server *buckettest.Server) {
	t.Helper()
	h, picture := handler(t)
	h.RedirectTo(stored(t, server, picture))
	w := get(h, "/images/abc.png")
	if w.Code != http.StatusFound || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("status %d, %v", w.Code, w.Header())
	}
	answer, err := http.Get(w.Header().Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	kind := answer.Header.Get("Content-Type")
	if got, err := io.ReadAll(answer.Body); err != nil || !bytes.Equal(got, picture) || kind != "image/png" {
		t.Errorf("the bucket sends %d bytes of type %s with status %d, %v", len(got), kind, answer.StatusCode, err)
	}
	for name, header := range map[string][]string{
		"a page of ours":          {"Sec-Fetch-Site", "same-origin"},
		"a page elsewhere":        {"Sec-Fetch-Site", "cross-site"},
		"a script elsewhere":      {"Origin", "https://example.com"},
		"who has the picture":     {"If-None-Match", `"x"`},
		"a script of a neighbour": {"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors"},
	} {
		if w := get(h, "/images/abc.png", header...); w.Code != http.StatusOK {
			t.Errorf("%s: status %d", name, w.Code)
		}
	}
	if w := get(h, "/images/abc.png", "Sec-Fetch-Site", "none"); w.Code != http.StatusFound {
		t.Errorf("who opens the link in a browser: status %d", w.Code)
	}
	for _, made := range []string{"/images/abc_compressed.jpeg", "/images/abc_strip-0.png"} {
		if w := get(h, made); w.Code != http.StatusOK {
			t.Errorf("%s: status %d", made, w.Code)
		}
	}
	if w := get(h, "/images/unknown.png"); w.Code != http.StatusNotFound {
		t.Errorf("an unknown picture: status %d", w.Code)
	}
}

// unsigned cannot sign, as credentials without a private key cannot.
type unsigned struct{}

func (unsigned) Link(context.Context, string, time.Duration) (string, error) {
	return "", errors.New("no private key")
}

func TestAPictureIsSentFromHereIfNoLinkCanBeSigned(t *testing.T) {
	h, picture := handler(t)
	h.RedirectTo(unsigned{})
	if w := get(h, "/images/abc.png"); w.Code != http.StatusOK || !bytes.Equal(w.Body.Bytes(), picture) {
		t.Errorf("status %d, %d bytes", w.Code, w.Body.Len())
	}
}

var _ gallery.Linker = (*blob.Bucket)(nil)
