// Command tallpages captures, compares and judges pages of 20,000 to 100,000 rows of which only the last row changed, on both
// devices, and writes what that costs: a table and plots of time and memory by height.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/imgdiff"
	"afterimage/internal/egress"
	"afterimage/internal/page"
	"afterimage/internal/verify"
)

// heights are those of the pages, in rows.
var heights = []int{10_000, 20_000, 50_000, 100_000}

func main() {
	folder := flag.String("docs", "docs/measurements", "folder for tall-pages.md and its plots")
	flag.Parse()
	if err := run(context.Background(), *folder); err != nil {
		fmt.Fprintln(os.Stderr, "tallpages:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder string) error {
	server := httptest.NewServer(http.HandlerFunc(serve))
	defer server.Close()
	policy, err := egress.NewPolicy(server.Listener.Addr().String())
	if err != nil {
		return fmt.Errorf("allow the pages: %w", err)
	}
	pool, err := chrome.Start(ctx, chrome.Config{Lanes: 1, Policy: policy})
	if err != nil {
		return fmt.Errorf("start the browser: %w", err)
	}
	var costs []cost
	for _, device := range []capture.Device{capture.Desktop, capture.Mobile} {
		for _, height := range heights {
			c, err := measure(ctx, pool, server.URL, device, height)
			if err != nil {
				return errors.Join(fmt.Errorf("%s, %d rows: %w", device, height, err), pool.Close())
			}
			fmt.Fprintf(os.Stderr, "%+v\n", *c)
			costs = append(costs, *c)
		}
	}
	if err := pool.Close(); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"tall-pages.md": report(costs),
		"tall-pages-time.svg": plot(costs, "Seconds of processor time to compare and judge",
			func(c *cost) float64 { return (c.compare.processor + c.judge.processor).Seconds() }),
		"tall-pages-memory.svg": plot(costs, "Largest memory of the process that compares, in MB",
			func(c *cost) float64 { return float64(max(c.compare.memory, c.judge.memory)) / (1 << 20) }),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// cost is what one page took.
type cost struct {
	device                        capture.Device
	height, elements, bytes       int
	capture, compare, judge       usage
	shot                          time.Duration // of one capture, by the wall clock
	found, explained, exact, only bool          // the change: listed; with nothing unexplained; in the last row; and nothing else
}

func measure(ctx context.Context, pool *chrome.Pool, base string, device capture.Device, height int) (*cost, error) {
	c := &cost{device: device, height: height}
	var shots [2]*capture.Shot
	var err error
	c.capture, err = used(func() error {
		for i, side := range []string{"before", "after"} {
			began := time.Now()
			address := fmt.Sprintf("%s/%d/%s", base, height, side)
			if shots[i], err = pool.Capture(ctx, capture.Request{URL: address, Device: device}); err != nil {
				return err
			}
			c.shot = time.Since(began)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.elements, c.bytes = len(shots[1].Content.Elements), len(shots[1].PNG)
	return c, c.judgeShots(ctx, shots)
}

func (c *cost) judgeShots(ctx context.Context, shots [2]*capture.Shot) error {
	var difference *imgdiff.Result
	var err error
	c.compare, err = used(func() error {
		difference, err = imgdiff.Compare(ctx, shots[0].PNG, shots[1].PNG, imgdiff.DefaultOptions())
		return err
	})
	if err != nil {
		return err
	}
	pair := &verify.Pair{Before: verify.PageOf(&shots[0].Visit), After: verify.PageOf(&shots[1].Visit)}
	pair.Measure(difference)
	var result *verify.Result
	c.judge, err = used(func() error {
		result, err = verify.Verify(ctx, pair)
		return err
	})
	if err != nil {
		return err
	}
	last := page.Box{X: 0, Y: c.height - 1, Width: mark, Height: 1}
	c.explained, c.only = result.Explained, len(result.Findings) == 1 && shots[1].Height == c.height && !shots[1].Truncated
	for i := range result.Findings {
		f := &result.Findings[i]
		c.found = c.found || f.Element != nil && f.Element.Tag == "i" && f.Change == verify.StyleChanged
		c.exact = c.exact || page.BoxOf(f.Box) == last
	}
	return nil
}
