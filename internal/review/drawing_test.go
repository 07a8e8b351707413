package review_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// rect is a filled part of a drawn page.
type rect struct {
	x, y, w, h int
	colour     [3]byte
}

// sheet is a drawn page: rectangles over each other on white.
type sheet struct {
	width, height int
	rects         []rect
}

func (s *sheet) add(x, y, w, h int, colour [3]byte) {
	s.rects = append(s.rects, rect{x, y, w, h, colour})
}

// words draws lines of text.
func (s *sheet) words(r *rand.Rand, x, y, width, lines int, ink [3]byte) {
	for line := range lines {
		for at := x; at < x+width-70; {
			w := 14 + r.IntN(60)
			s.add(at, y+22*line, w, 9, ink)
			at += w + 9
		}
	}
}

var (
	ink    = [3]byte{60, 66, 80}
	accent = [3]byte{38, 84, 178}
	pale   = [3]byte{238, 241, 246}
	sun    = [3]byte{250, 214, 84}
)

const (
	headRows    = 420
	sectionRows = 520
	bannerRows  = 64
)

// head draws the navigation and a large title.
func (s *sheet) head() {
	s.add(0, 0, s.width, 64, [3]byte{24, 33, 52})
	s.add(24, 24, 110, 16, [3]byte{255, 255, 255})
	for i := range min(5, s.width/220) {
		s.add(s.width-130*(i+1), 26, 80, 12, [3]byte{190, 200, 220})
	}
	for i := range 60 {
		s.add(0, 64+5*i, s.width, 5, [3]byte{byte(40 + i), byte(90 + i), byte(170 + i)})
	}
	s.add(s.width/10, 150, s.width/2, 34, [3]byte{255, 255, 255})
	s.add(s.width/10, 200, s.width/3, 18, [3]byte{225, 232, 250})
	s.add(s.width/10, 250, 150, 44, sun)
	s.height = headRows
}

// section draws a heading, pictures and text below what is there; number decides what it looks like.
func (s *sheet) section(number int, title [3]byte) {
	r, y := rand.New(rand.NewPCG(uint64(number), 5)), s.height
	margin := s.width / 12
	s.add(margin, y+10, s.width/3, 24, title)
	columns := max(1, s.width/420)
	width := (s.width - 2*margin - 24*(columns-1)) / columns
	for c := range columns {
		x := margin + c*(width+24)
		s.add(x, y+56, width, 420, pale)
		hue := byte(r.IntN(120))
		for i := range 18 {
			s.add(x, y+56+10*i, width, 10, [3]byte{hue + byte(5*i), 120 + byte(4*i), 200 - byte(3*i)})
		}
		s.words(r, x+16, y+256, width-24, 8, ink)
	}
	s.height += sectionRows
}

// gap leaves rows of one colour.
func (s *sheet) gap(rows int, colour [3]byte) {
	s.add(0, s.height, s.width, rows, colour)
	s.height += rows
}

// encode writes the page as Chromium does: RGB, each row as its difference from the one above.
func (s *sheet) encode(t testing.TB) []byte {
	t.Helper()
	const bucket = 64
	near := make([][]rect, s.height/bucket+1)
	for _, r := range s.rects {
		for b := max(r.y, 0) / bucket; b <= min(r.y+r.h-1, s.height-1)/bucket; b++ {
			near[b] = append(near[b], r)
		}
	}
	stride := 3 * s.width
	above, row, line := make([]byte, stride), make([]byte, stride), make([]byte, 1+stride)
	line[0] = 2
	return encodePNG(t, s.width, s.height, []byte{8, 2}, nil, func(y int) []byte {
		for i := range row {
			row[i] = 255
		}
		for _, r := range near[y/bucket] {
			if y >= r.y && y < r.y+r.h {
				for x := max(r.x, 0); x < min(r.x+r.w, s.width); x++ {
					copy(row[3*x:], r.colour[:])
				}
			}
		}
		for i := range row {
			line[1+i] = row[i] - above[i]
		}
		above, row = row, above
		return line
	})
}

// maskOf draws boxes as a mask: its pixels are transparent, changed, almost changed or inserted.
func maskOf(t testing.TB, width, height int, changed, inserted []rect) []byte {
	t.Helper()
	line := make([]byte, 1+(width+3)/4)
	palette := [][]byte{
		append([]byte("PLTE"), 0, 0, 0, 255, 0, 0, 255, 255, 0, 0, 160, 70), append([]byte("tRNS"), 0, 255, 255, 70),
	}
	return encodePNG(t, width, height, []byte{2, 3}, palette, func(y int) []byte {
		clear(line)
		for value, rects := range map[byte][]rect{1: changed, 3: inserted} {
			for _, r := range rects {
				for x := r.x; y >= r.y && y < r.y+r.h && x < min(r.x+r.w, width); x++ {
					line[1+x/4] |= value << (6 - 2*(x%4))
				}
			}
		}
		return line
	})
}

// encodePNG writes a file row by row: a page of 1440 × 100,000 takes 430 MB as pixels.
func encodePNG(t testing.TB, width, height int, form []byte, chunks [][]byte, row func(y int) []byte) []byte {
	t.Helper()
	var stream bytes.Buffer
	z, err := zlib.NewWriterLevel(&stream, zlib.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	for y := range height {
		_, _ = z.Write(row(y)) // into memory
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	header := binary.BigEndian.AppendUint32([]byte("IHDR"), uint32(width))
	header = append(binary.BigEndian.AppendUint32(header, uint32(height)), form[0], form[1], 0, 0, 0)
	all := append([][]byte{header}, chunks...)
	all = append(all, append([]byte("IDAT"), stream.Bytes()...), []byte("IEND"))
	out := []byte("\x89PNG\r\n\x1a\n")
	for _, chunk := range all {
		out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
		out = binary.BigEndian.AppendUint32(append(out, chunk...), crc32.ChecksumIEEE(chunk))
	}
	return out
}
