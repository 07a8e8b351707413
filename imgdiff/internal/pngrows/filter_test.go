package pngrows

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// plainly takes a filter off as the specification writes it.
func plainly(filter byte, row, above []byte, bpp int) []byte {
	out := bytes.Clone(row)
	for i := range out {
		var a, b, c int
		b = int(above[i])
		if i >= bpp {
			a, c = int(out[i-bpp]), int(above[i-bpp])
		}
		switch filter {
		case FilterSub:
			out[i] += byte(a)
		case FilterUp:
			out[i] += byte(b)
		case FilterAverage:
			out[i] += byte((a + b) / 2)
		case FilterPaeth:
			p := a + b - c
			pa, pb, pc := max(p-a, a-p), max(p-b, b-p), max(p-c, c-p)
			switch {
			case pa <= pb && pa <= pc:
				out[i] += byte(a)
			case pb <= pc:
				out[i] += byte(b)
			default:
				out[i] += byte(c)
			}
		}
	}
	return out
}

// TestUnfilterFollowsSpecification: rows of zeros and noise by turns, above
// rows of areas and noise.
func TestUnfilterFollowsSpecification(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	fill := func(row []byte) {
		for i := 0; i < len(row); {
			value, noisy := byte(r.IntN(3)*100), r.IntN(2) == 0
			for end := min(len(row), i+r.IntN(120)+1); i < end; i++ {
				if row[i] = value; noisy {
					row[i] = byte(r.Uint32())
				}
			}
		}
	}
	for range 3000 {
		for _, bpp := range []int{1, 2, 3, 4, 6, 8} {
			row, above := make([]byte, bpp*(1+r.IntN(150))), make([]byte, 0)
			above = append(above, make([]byte, len(row))...)
			fill(row)
			fill(above)
			for filter := byte(0); filter <= FilterPaeth; filter++ {
				want := plainly(filter, row, above, bpp)
				got := bytes.Clone(row)
				Unfilter(filter, got, above, bpp)
				if !bytes.Equal(got, want) {
					t.Fatalf("filter %d, %d bytes of %d a pixel: differs from the specification", filter, len(row), bpp)
				}
			}
		}
	}
}

func BenchmarkUnfilter(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	row, above := make([]byte, 3*1440), make([]byte, 3*1440)
	for i := range row {
		row[i], above[i] = byte(r.Uint32()), byte(r.Uint32())
	}
	for name, filter := range map[string]byte{"sub": FilterSub, "up": FilterUp, "average": FilterAverage, "paeth": FilterPaeth} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(row)))
			for b.Loop() {
				Unfilter(filter, row, above, 3)
			}
		})
	}
}
