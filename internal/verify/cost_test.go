package verify

import (
	"fmt"
	"image"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"afterimage/internal/page"
)

// busyPair has 1,500 elements, a text of 30,000 bytes and 20 regions: a long page of which a good part changed.
func busyPair() *Pair {
	p := &Pair{Before: withElements(), After: withElements()}
	for side, pg := range []*Page{&p.Before, &p.After} {
		for i := range 300 {
			y := 40 * i
			section := len(pg.Elements)
			add := func(tag, role, text string, box image.Rectangle, parent int) {
				pg.Elements = append(pg.Elements, page.Element{
					Box: page.BoxOf(box), Selector: fmt.Sprintf("html > body > section:nth-of-type(%d) > %s", i, tag), Tag: tag, Role: role,
					Text: text, Parent: parent,
					Classes: "card card-wide", Color: "#222222", Font: "16px Arial",
				})
				pg.Text += text + "\n"
			}
			add("section", "", "", image.Rect(0, y, 1000, y+40), 0)
			add("h3", "heading", fmt.Sprintf("Section number %d of the page", i), image.Rect(0, y, 500, y+20), section)
			text := fmt.Sprintf("A paragraph with some words that stay as they are, in section %d", i)
			if side == 1 && i%15 == 3 {
				text = fmt.Sprintf("A paragraph with other words than there were before, in section %d", i)
				box := image.Rect(0, y+20, 400, y+38)
				p.Regions = append(p.Regions, Region{ID: len(p.Regions) + 1, Box: box, BeforeBox: box, Pixels: 900,
					MeanDelta: 0.4, SSIM: 0.4})
			}
			add("p", "paragraph", text, image.Rect(0, y+20, 500, y+40), section)
			add("img", "img", "view", image.Rect(600, y, 700, y+40), section)
			add("a", "link", "Read more", image.Rect(800, y, 900, y+20), section)
		}
		pg.Width, pg.Height = 1000, 12_000
		pg.Elements[0].Box = page.Box{Width: 1000, Height: 12_000}
	}
	return p
}

// BenchmarkVerify is the cost of rules alone for a comparison with 20 regions.
func BenchmarkVerify(b *testing.B) {
	p := busyPair()
	if len(p.Regions) != 20 {
		b.Fatalf("%d regions", len(p.Regions))
	}
	begin := processorTime(b)
	for b.Loop() {
		if r := verified(b, p); r.NotSure != 20 {
			b.Fatalf("%+v", r)
		}
	}
	// of a busy machine the wall tells little
	b.ReportMetric(float64((processorTime(b)-begin).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

func processorTime(b *testing.B) time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
