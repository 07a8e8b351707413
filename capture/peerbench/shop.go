package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// What a page of the shop consists of: with its document 70 requests and about 2.5 MB, which is about
// what the HTTP Archive reports for the median page.
const (
	shopStyles, shopScripts, shopFonts, shopPictures = 4, 12, 4, 46 // the same on all pages
	shopOwnPictures                                  = 3            // of one page only
	shopRequests                                     = 1 + shopStyles + shopScripts + shopFonts + shopPictures + shopOwnPictures

	shopDocument, shopStyle, shopScript, shopFont = 25 << 10, 60 << 10, 50 << 10, 25 << 10 // bytes
	shopSide                                      = 101                                    // of a picture in pixels, which take 3 bytes

	shopRoundTrip = 80 * time.Millisecond
)

// shop is a site whose pages share most of what they show. It is far away.
type shop struct {
	url    string
	server *http.Server
	done   chan error

	requests, bytes atomic.Int64
}

// openShop serves so many pages at a distance.
func openShop(ctx context.Context, pages int, roundTrip time.Duration) (*shop, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &shop{url: "http://" + listener.Addr().String(), done: make(chan error, 1)}
	mux := http.NewServeMux()
	for i := range pages {
		s.add(mux, fmt.Sprintf("page%d", i), "text/html; charset=utf-8", "no-cache", shopPage(i))
		for k := range shopOwnPictures {
			s.add(mux, fmt.Sprintf("own%d-%d.png", i, k), "image/png", shopLasts, noise(uint64(1000+i*shopOwnPictures+k)))
		}
	}
	for i := range shopStyles {
		rule := fmt.Sprintf(
			"@font-face{font-family:f%[1]d;src:url(f%[1]d.woff2)} .f%[1]d{font-family:f%[1]d,sans-serif} .b%[1]d{margin:4px}\n", i,
		)
		s.add(mux, fmt.Sprintf("s%d.css", i), "text/css", shopLasts, padded(rule, shopStyle))
		s.add(mux, fmt.Sprintf("f%d.woff2", i), "font/woff2", shopLasts, padded("not a font", shopFont))
	}
	for i := range shopScripts {
		work := fmt.Sprintf("for (let i = 0, x = %d; i < 20000; i++) x = (x * 31 + i) %% 65521;\n", i)
		s.add(mux, fmt.Sprintf("j%d.js", i), "text/javascript", shopLasts, padded(work, shopScript))
	}
	for i := range shopPictures {
		s.add(mux, fmt.Sprintf("p%d.png", i), "image/png", shopLasts, noise(uint64(i)))
	}
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { s.done <- s.server.Serve(&slowLine{Listener: listener, roundTrip: roundTrip}) }()
	return s, nil
}

const shopLasts = "public, max-age=31536000, immutable"

func (s *shop) add(mux *http.ServeMux, name, kind, control string, body []byte) {
	mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
		s.requests.Add(1)
		s.bytes.Add(int64(len(body)))
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", control)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	})
}

// shopPage is one page.
func shopPage(number int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><html lang=en><title>Page %d</title>\n", number)
	for i := range shopStyles {
		fmt.Fprintf(&b, "<link rel=stylesheet href=s%d.css>\n", i)
	}
	for i := range shopScripts {
		fmt.Fprintf(&b, "<script defer src=j%d.js></script>\n", i)
	}
	for i := range shopFonts {
		fmt.Fprintf(&b, "<h2 class=f%d>Part %d of page %d</h2>\n", i, i, number)
	}
	for i := range shopPictures {
		fmt.Fprintf(&b, "<img class=b%d src=p%d.png width=%d height=%d alt>\n", i%shopStyles, i, shopSide, shopSide)
	}
	for i := range shopOwnPictures {
		fmt.Fprintf(&b, "<img src=own%d-%d.png width=%d height=%d alt>\n", number, i, shopSide, shopSide)
	}
	for i := range 20 {
		fmt.Fprintf(&b, "<p>Paragraph %d of page %d.\n", i, number)
	}
	b.WriteString("<script type=application/json>")
	for b.Len() < shopDocument { // what frameworks put into documents
		fmt.Fprintf(&b, `{"page":%d,"byte":%d},`, number, b.Len())
	}
	b.WriteString("</script>\n")
	return []byte(b.String())
}

// padded lengthens a style or script by a comment, as licences and source maps do.
func padded(text string, length int) []byte {
	return []byte(text + "/*" + strings.Repeat("x", max(0, length-len(text)-4)) + "*/")
}

// noise is a picture that does not compress.
func noise(seed uint64) []byte {
	dice := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same pictures in every run
	img := image.NewRGBA(image.Rect(0, 0, shopSide, shopSide))
	for i := range img.Pix {
		img.Pix[i] = uint8(dice.Uint32())
		if i%4 == 3 {
			img.Pix[i] = 255
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img) // into memory it does not fail
	return b.Bytes()
}

// count returns what was served since the last count.
func (s *shop) count() (requests, bytes int64) { return s.requests.Swap(0), s.bytes.Swap(0) }

func (s *shop) close() error {
	err := s.server.Close()
	if served := <-s.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
