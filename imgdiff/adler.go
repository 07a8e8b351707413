package imgdiff

// adler is the checksum of zlib streams (RFC 1950).
type adler struct {
	a, b uint32
}

const adlerPrime = 65521

func newAdler() adler { return adler{a: 1} }

// write adds bytes.
func (s *adler) write(p []byte) {
	for len(p) > 0 {
		n := min(len(p), 5552) // the most that cannot overflow
		for _, c := range p[:n] {
			s.a += uint32(c)
			s.b += s.a
		}
		s.a %= adlerPrime
		s.b %= adlerPrime
		p = p[n:]
	}
}

// zeros adds n zero bytes.
func (s *adler) zeros(n int) {
	s.b = uint32((uint64(s.b) + uint64(n)*uint64(s.a)) % adlerPrime)
}

// sum is the checksum so far.
func (s *adler) sum() uint32 { return s.b<<16 | s.a }
