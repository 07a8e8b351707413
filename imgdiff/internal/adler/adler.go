// Package adler computes the Adler-32 checksum of zlib streams (RFC 1950),
// eight bytes at a step and faster still through zeros, of which filtered
// rows of screenshots largely consist.
package adler

import "encoding/binary"

const (
	prime = 65521

	// blockWords words at a time keep the weighted sums of 16-bit lanes
	// from overflowing: 2 × 255 × (0 + 1 + … + 15) < 65536.
	blockWords = 16
	blockBytes = 8 * blockWords

	// reduceBytes bytes between two reductions keep both sums inside 64
	// bits by far.
	reduceBytes = 1 << 20

	evenWords = 0x0000ffff0000ffff
)

// evenBytes is a variable so that it stays in a register; the compiler would
// load a constant again for every word.
var evenBytes uint64 = 0x00ff00ff00ff00ff

// Sum is a checksum in the making. Its zero value is not one; use New.
type Sum struct{ a, b uint64 }

// New returns the checksum of no bytes.
func New() Sum { return Sum{a: 1} }

// Sum32 is the checksum of everything written.
func (s *Sum) Sum32() uint32 { return uint32(s.b)<<16 | uint32(s.a) }

// Zeros adds n zero bytes.
func (s *Sum) Zeros(n int) { s.b = (s.b + uint64(n)%prime*s.a) % prime }

// Write adds bytes.
func (s *Sum) Write(p []byte) {
	for len(p) > reduceBytes {
		s.write(p[:reduceBytes])
		p = p[reduceBytes:]
	}
	s.write(p)
}

func (s *Sum) write(p []byte) {
	a, b := s.a, s.b
	for len(p) >= blockBytes {
		block := (*[blockBytes]byte)(p)
		p = p[blockBytes:]
		if binary.LittleEndian.Uint64(block[:]) == 0 && zero(block) {
			b += blockBytes * a
			continue
		}
		sum, weighted := sumBlock(block)
		b += blockBytes*a + weighted
		a += sum
	}
	for _, c := range p {
		a += uint64(c)
		b += a
	}
	s.a, s.b = a%prime, b%prime
}

// zero reports whether a block is all zeros.
func zero(block *[blockBytes]byte) bool {
	var any uint64
	for i := 0; i < blockBytes; i += 32 {
		any |= binary.LittleEndian.Uint64(block[i:]) | binary.LittleEndian.Uint64(block[i+8:]) |
			binary.LittleEndian.Uint64(block[i+16:]) | binary.LittleEndian.Uint64(block[i+24:])
	}
	return any == 0
}

// sumBlock returns the sum of the bytes of a block, and their sum weighted by
// how many bytes of the block begin at each: 128 for the first, 1 for the
// last.
func sumBlock(block *[blockBytes]byte) (sum, weighted uint64) {
	// Each lane sums the bytes at one position of the words; earlier sums
	// up the lanes as they were before each word.
	var even, odd, earlierEven, earlierOdd uint64
	mask := evenBytes
	for i := 0; i < blockBytes; i += 32 {
		part := (*[32]byte)(block[i:])
		w0, w1 := binary.LittleEndian.Uint64(part[0:]), binary.LittleEndian.Uint64(part[8:])
		w2, w3 := binary.LittleEndian.Uint64(part[16:]), binary.LittleEndian.Uint64(part[24:])
		earlierEven, earlierOdd = earlierEven+even, earlierOdd+odd
		even, odd = even+w0&mask, odd+w0>>8&mask
		earlierEven, earlierOdd = earlierEven+even, earlierOdd+odd
		even, odd = even+w1&mask, odd+w1>>8&mask
		earlierEven, earlierOdd = earlierEven+even, earlierOdd+odd
		even, odd = even+w2&mask, odd+w2>>8&mask
		earlierEven, earlierOdd = earlierEven+even, earlierOdd+odd
		even, odd = even+w3&mask, odd+w3>>8&mask
	}
	// A multiplication leaves the sum of all lanes, each times the lane of
	// the factor that mirrors it, in the top lane; none overflows, as
	// 16 × 255 × (4 + 3 + 2 + 1) < 65536.
	evenSum, oddSum := even*0x0001000100010001>>48, odd*0x0001000100010001>>48
	const mirrored = 4<<48 | 3<<32 | 2<<16 | 1
	weighted = 2*(even*mirrored>>48) + 2*(odd*mirrored>>48) - oddSum + 8*lanes(earlierEven+earlierOdd)
	return evenSum + oddSum, weighted
}

// lanes is the sum of four 16-bit lanes.
func lanes(x uint64) uint64 {
	x = x&evenWords + x>>16&evenWords
	return x&0xffffffff + x>>32
}
