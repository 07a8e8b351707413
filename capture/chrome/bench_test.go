package chrome

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
	"afterimage/internal/egress"
	"afterimage/internal/toolpath"
)

//go:embed testdata/sample.html
var samplePage []byte

func sampleServer() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/dot.svg") {
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = fmt.Fprint(w,
				`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="teal"/></svg>`)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(samplePage)
	}))
}

// BenchmarkCapture measures captures per second of the whole pipeline, guarded, sandboxed and through the egress proxy,
// against the same browser driven bare: no proxy, no pipeline, a context per page, navigate, wait for load, full-page
// screenshot. All run in alternation in the same run; "ratio" is ours divided by bare and must not fall below 0.8.
// "ratio-fast" is the same against a bare browser that is told to encode PNG quickly, as ours is: what the pipeline costs.
func BenchmarkCapture(b *testing.B) {
	for _, concurrency := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("concurrency=%d", concurrency), func(b *testing.B) { benchmarkAgainstBare(b, concurrency) })
	}
}

func benchmarkAgainstBare(b *testing.B, concurrency int) {
	site := sampleServer()
	defer site.Close()
	ours := oursForBenchmark(b, site.URL, concurrency)
	bare := startBare(b)
	captureOurs := func() error {
		_, err := ours.Capture(context.Background(), capture.Request{URL: site.URL, Device: capture.Desktop})
		return err
	}
	captureBare := func() error { return bare.capture(site.URL, false) }
	captureBareFast := func() error { return bare.capture(site.URL, true) }
	inParallel(b, concurrency, 2*concurrency, captureOurs) // warm both
	inParallel(b, concurrency, 2*concurrency, captureBare)
	var oursTook, bareTook, fastTook time.Duration
	captures := 0
	for b.Loop() {
		// Alternating short rounds let both meet the same noise of the machine.
		oursTook += inParallel(b, concurrency, 4*concurrency, captureOurs)
		bareTook += inParallel(b, concurrency, 4*concurrency, captureBare)
		fastTook += inParallel(b, concurrency, 4*concurrency, captureBareFast)
		captures += 4 * concurrency
	}
	b.ReportMetric(float64(captures)/oursTook.Seconds(), "ours/s")
	b.ReportMetric(float64(captures)/bareTook.Seconds(), "bare/s")
	b.ReportMetric(bareTook.Seconds()/oursTook.Seconds(), "ratio")
	b.ReportMetric(fastTook.Seconds()/oursTook.Seconds(), "ratio-fast")
}

func oursForBenchmark(b *testing.B, siteURL string, lanes int) *Pool {
	policy, err := egress.NewPolicy(strings.TrimPrefix(siteURL, "http://"))
	if err != nil {
		b.Fatal(err)
	}
	pool, err := Start(b.Context(), Config{Lanes: lanes, Policy: policy})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := pool.Close(); err != nil {
			b.Error(err)
		}
	})
	return pool
}

// inParallel runs total captures with the given concurrency and returns the wall time.
func inParallel(b *testing.B, concurrency, total int, one func() error) time.Duration {
	b.Helper()
	tickets := make(chan struct{}, total)
	for range total {
		tickets <- struct{}{}
	}
	close(tickets)
	begin := time.Now()
	var workers sync.WaitGroup
	for range concurrency {
		workers.Go(func() {
			for range tickets {
				if err := one(); err != nil {
					b.Error(err)
				}
			}
		})
	}
	workers.Wait()
	return time.Since(begin)
}

// bareBrowser is the same binary without anything of ours but the pipe.
type bareBrowser struct{ pipe *pipe }

func startBare(b *testing.B) *bareBrowser {
	binary, err := toolpath.Browser()
	if err != nil {
		b.Fatal(err)
	}
	p, err := startProcess(binary, os.TempDir(), nil, uidCount-1, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := p.stop(); err != nil {
			b.Error(err)
		}
	})
	return &bareBrowser{pipe: p.pipe}
}

func (bare *bareBrowser) capture(address string, fast bool) error {
	whole := session{pipe: bare.pipe, ctx: context.Background()}
	made, err := proto.TargetCreateBrowserContext{}.Call(whole)
	if err != nil {
		return err
	}
	target, err := proto.TargetCreateTarget{URL: "about:blank", BrowserContextID: made.BrowserContextID, Width: new(1440),
		Height: new(900)}.Call(whole)
	if err != nil {
		return err
	}
	attached, err := proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true}.Call(whole)
	if err != nil {
		return err
	}
	page := session{pipe: bare.pipe, id: attached.SessionID, ctx: whole.ctx}
	loaded := make(chan struct{}, 8)
	bare.pipe.handle(page.id, func(method string, _ []byte) {
		if method == (proto.PageLoadEventFired{}).ProtoEvent() {
			loaded <- struct{}{}
		}
	})
	defer bare.pipe.handle(page.id, nil)
	if err := (proto.PageEnable{}).Call(page); err != nil {
		return err
	}
	if _, err := (proto.PageNavigate{URL: address}).Call(page); err != nil {
		return err
	}
	<-loaded
	metrics, err := proto.PageGetLayoutMetrics{}.Call(page)
	if err != nil {
		return err
	}
	size := metrics.CSSContentSize
	_, err = bare.pipe.start(page.id, proto.PageCaptureScreenshot{
		Format: proto.PageCaptureScreenshotFormatPng, CaptureBeyondViewport: true, OptimizeForSpeed: fast,
		Clip: &proto.PageViewport{Width: size.Width, Height: size.Height, Scale: 1},
	}).Result(page.ctx)
	if err != nil {
		return err
	}
	return proto.TargetDisposeBrowserContext{BrowserContextID: made.BrowserContextID}.Call(whole)
}
