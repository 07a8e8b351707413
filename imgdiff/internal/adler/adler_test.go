package adler

import (
	"hash/adler32"
	"math/rand/v2"
	"testing"
)

func TestEqualsStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	full := make([]byte, 3<<20)
	for i := range full {
		full[i] = 255
	}
	noise := make([]byte, 200_000)
	for i := range noise {
		if i/1000%3 > 0 {
			noise[i] = byte(r.Uint32())
		}
	}
	for _, data := range [][]byte{nil, {1}, full[:127], full[:128], full[:129], full, noise, make([]byte, 100_001)} {
		for range 20 {
			cut := 0
			if len(data) > 0 {
				cut = r.IntN(len(data))
			}
			s := New()
			s.Write(data[:cut])
			s.Write(data[cut:])
			s.Zeros(cut)
			h := adler32.New()
			_, _ = h.Write(data)
			_, _ = h.Write(make([]byte, cut))
			if s.Sum32() != h.Sum32() {
				t.Fatalf("%d bytes cut at %d: %08x, want %08x", len(data), cut, s.Sum32(), h.Sum32())
			}
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	data := make([]byte, 1<<20)
	for name, fill := range map[string]byte{"zeros": 0, "bytes": 77} {
		for i := range data {
			data[i] = fill
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				s := New()
				s.Write(data)
			}
		})
	}
}
