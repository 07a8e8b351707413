package crosspairs

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/capture/zoo"
	"afterimage/internal/egress"
	"afterimage/internal/samplesite"
	"afterimage/internal/verify/labelled"
)

// picture is the capture of a page.
type picture struct {
	name string
	file []byte
}

// pixels decodes it.
func (p picture) pixels(t *testing.T) *image.NRGBA {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(p.file))
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewNRGBA(decoded.Bounds())
	draw.Draw(img, img.Rect, decoded, img.Rect.Min, draw.Src)
	return img
}

// album captures pages on mobile: some of each collection, so that all have one width. It takes at most each pages of a
// collection.
func album(t *testing.T, each int) []picture {
	t.Helper()
	before, after := samplesite.New(), samplesite.New()
	after.Change()
	marked := labelled.Handler()
	animals, err := zoo.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := animals.Close(); err != nil {
			t.Error(err)
		}
	})
	var collections [3][]string
	for _, site := range []*samplesite.Site{before, after} {
		server := httptest.NewServer(site)
		t.Cleanup(server.Close)
		for _, page := range samplesite.Pages() {
			collections[0] = append(collections[0], server.URL+page.Path)
		}
	}
	for _, page := range zoo.Pages() {
		if page.Kind == zoo.Steady {
			collections[1] = append(collections[1], animals.Address(page))
		}
	}
	server := httptest.NewServer(marked)
	t.Cleanup(server.Close)
	for _, pair := range labelled.Pairs() {
		for _, side := range []string{"before", "after"} {
			collections[2] = append(collections[2], server.URL+"/"+side+"/"+url.PathEscape(pair.Name())+"/")
		}
	}
	var addresses []string
	for _, pages := range collections {
		step := max(1, len(pages)/each)
		for i := 0; i < len(pages) && i/step < each; i += step {
			addresses = append(addresses, pages[i])
		}
	}
	return captureAll(t, animals.Hosts(), addresses)
}

func captureAll(t *testing.T, hosts, addresses []string) []picture {
	t.Helper()
	policy, err := egress.NewPolicy(append(hosts, "127.0.0.1")...)
	if err != nil {
		t.Fatal(err)
	}
	const lanes = 2
	pool, err := chrome.Start(t.Context(), chrome.Config{Lanes: lanes, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	}()
	pictures, errs := make([]picture, len(addresses)), make([]error, len(addresses))
	next := make(chan int)
	var workers sync.WaitGroup
	for range lanes {
		workers.Go(func() {
			for i := range next {
				pictures[i], errs[i] = captureOne(t.Context(), pool, addresses[i])
			}
		})
	}
	for i := range addresses {
		next <- i
	}
	close(next)
	workers.Wait()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("%s: %v", addresses[i], err)
		}
	}
	return pictures
}

func captureOne(ctx context.Context, pool *chrome.Pool, address string) (picture, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return picture{}, err
	}
	shot, err := pool.Capture(ctx, capture.Request{URL: address, Device: capture.Mobile, Deadline: 5 * time.Minute})
	if err != nil {
		return picture{}, fmt.Errorf("capture: %w", err)
	}
	return picture{parsed.Port() + parsed.Path, shot.PNG}, nil
}
