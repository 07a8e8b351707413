package scale_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
)

// stub is a Capturer without a browser: it waits as long as a capture takes and answers with a picture of the size that a page
// has. What is measured with it is everything but the browser.
type stub struct {
	median  time.Duration // of a capture; 0 for at once
	visit   atomic.Int64  // which visit of all pages this is
	changed float64       // share of the pages that look different in each visit
	looks   [2][]byte     // PNG files: as ever, and changed

	taken atomic.Int64

	mu     sync.Mutex
	atWork map[string]int // captures of each host
	most   int            // of one host at once
}

// Spread of the capture times, and how large a picture is. The logarithms of the times of pages of many kinds are
// spread normally, about as wide as this: a capture in 20 takes more than 2.5 times as long as the one in the middle.
const (
	spread     = 0.55
	shotWidth  = 1440
	shotHeight = 2400
)

func newStub(median time.Duration) *stub {
	s := &stub{median: median, changed: 0.03, atWork: map[string]int{}}
	s.visit.Store(1)
	for i := range s.looks {
		s.looks[i] = picture(i == 1)
	}
	return s
}

// meanTime is the expected time of a capture: the mean of the log-normal distribution.
func (s *stub) meanTime() time.Duration {
	return time.Duration(float64(s.median) * math.Exp(spread*spread/2))
}

// Capture implements jobs.Capturer.
func (s *stub) Capture(ctx context.Context, r capture.Request) (*capture.Shot, error) {
	defer s.enter(r.URL)()
	luck := rand.New(rand.NewPCG(seedOf(r.URL+string(r.Device)), uint64(s.visit.Load())))
	if s.median > 0 {
		timer := time.NewTimer(time.Duration(float64(s.median) * math.Exp(spread*luck.NormFloat64())))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil, &capture.Failure{Reason: capture.ReasonTimeout, Err: ctx.Err()}
		}
	}
	look := s.looks[0]
	if s.visit.Load() > 1 && luck.Float64() < s.changed {
		look = s.looks[1]
	}
	s.taken.Add(1)
	return &capture.Shot{PNG: named(look, r.URL+" "+string(r.Device)), Width: shotWidth, Height: shotHeight,
		Visit: page.Visit{Title: "A page", Status: 200, Content: &page.Content{}}}, nil
}

// enter counts a capture among those of its host until leave is called.
func (s *stub) enter(address string) (leave func()) {
	host := strings.Split(address, "/")[2] // after the scheme and an empty part
	count := func(by int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.atWork[host] += by
		s.most = max(s.most, s.atWork[host])
	}
	count(1)
	return func() { count(-1) }
}

func seedOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}

// picture is a page of lines of text, about as large as a PNG file as real ones are.
func picture(changed bool) []byte {
	img := image.NewRGBA(image.Rect(0, 0, shotWidth, shotHeight))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	ink := rand.New(rand.NewPCG(1, 1))
	for y := range shotHeight {
		if y%24 > 14 {
			continue // between two lines
		}
		for x := 120; x < shotWidth-120; x++ {
			if ink.Uint32()&3 == 0 {
				img.SetRGBA(x, y, color.RGBA{R: 60, G: 60, B: 60, A: 255})
			}
		}
	}
	if changed {
		draw.Draw(img, image.Rect(200, 400, 700, 460), image.NewUniform(color.RGBA{R: 200, A: 255}), image.Point{}, draw.Src)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		panic(err) // a picture in memory can always be encoded
	}
	return file.Bytes()
}

// named is a PNG file with the same pixels that equals no other: it says in a tEXt chunk what it shows.
func named(file []byte, name string) []byte {
	const header = 8 + 25 // the signature, and IHDR
	chunk := append([]byte("tEXtTitle\x00"), name...)
	out := make([]byte, 0, len(file)+len(chunk)+8)
	out = append(out, file[:header]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
	out = append(out, chunk...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
	return append(out, file[header:]...)
}
