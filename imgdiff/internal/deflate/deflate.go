// Package deflate compresses what consists of long runs of one byte, as masks do.
package deflate

import (
	"encoding/binary"

	"afterimage/imgdiff/internal/adler"
	"afterimage/imgdiff/internal/inflate"
)

// Writer writes a zlib stream of run-length matches and literals in one
// block of fixed Huffman codes (RFC 1951, 3.2.6). Masks are long runs of one
// byte, for which this is as small as a full search for matches and many
// times faster.
type Writer struct {
	out   []byte
	bits  uint64
	count uint
	last  int // the previous byte, -1 at the start
	sum   adler.Sum
}

const (
	maxMatch = 258
	minMatch = 3
	endBlock = 256
)

// fixedCode is a fixed Huffman code, its bits reversed for writing from the
// low end.
type fixedCode struct {
	bits  uint16
	count uint8
}

// fixedLiterals are the codes of literals and lengths; runCodes are whole
// matches of distance 1 by length, with their extra and distance bits.
var (
	fixedLiterals = buildFixedLiterals()
	runCodes      = buildRunCodes()
)

func buildFixedLiterals() (codes [288]fixedCode) {
	for symbol := range codes {
		var code, count int
		switch {
		case symbol < 144:
			code, count = 0x30+symbol, 8
		case symbol < 256:
			code, count = 0x190+symbol-144, 9
		case symbol < 280:
			code, count = symbol-256, 7
		default:
			code, count = 0xc0+symbol-280, 8
		}
		codes[symbol] = fixedCode{bits: reverseBits(uint16(code), count), count: uint8(count)}
	}
	return codes
}

// runCodes[length] holds the length symbol and its extra bits; the distance
// symbol for 1 is five zero bits.
func buildRunCodes() (codes [maxMatch + 1]struct {
	bits  uint32
	count uint8
}) {
	for length := minMatch; length <= maxMatch; length++ {
		symbol := 0
		for symbol+1 < len(inflate.LengthBase) && int(inflate.LengthBase[symbol+1]) <= length {
			symbol++
		}
		code := fixedLiterals[257+symbol]
		extra := uint32(length - int(inflate.LengthBase[symbol]))
		codes[length].bits = uint32(code.bits) | extra<<code.count
		codes[length].count = code.count + inflate.LengthExtra[symbol] + 5
	}
	return codes
}

// New starts a stream.
func New(capacity int) *Writer {
	d := &Writer{out: make([]byte, 0, capacity), last: -1, sum: adler.New()}
	d.out = append(d.out, 0x78, 0x01)
	d.put(0b011, 3) // final block, fixed codes
	return d
}

// Write adds bytes.
func (d *Writer) Write(p []byte) {
	d.sum.Write(p)
	for i := 0; i < len(p); {
		j := i + 1
		for j < len(p) && p[j] == p[i] {
			j++
		}
		d.run(p[i], j-i)
		i = j
	}
}

// Zeros adds n zero bytes.
func (d *Writer) Zeros(n int) {
	d.sum.Zeros(n)
	d.run(0, n)
}

// run emits n times one byte.
func (d *Writer) run(b byte, n int) {
	if n == 0 {
		return
	}
	if d.last != int(b) {
		d.literal(b)
		n--
	}
	for n >= minMatch {
		length := min(n, maxMatch)
		if rest := n - length; rest > 0 && rest < minMatch {
			length -= minMatch - rest
		}
		d.put(uint64(runCodes[length].bits), uint(runCodes[length].count))
		n -= length
	}
	for ; n > 0; n-- {
		d.literal(b)
	}
}

func (d *Writer) literal(b byte) {
	code := fixedLiterals[b]
	d.put(uint64(code.bits), uint(code.count))
	d.last = int(b)
}

// put appends bits, low end first.
func (d *Writer) put(bits uint64, count uint) {
	d.bits |= bits << d.count
	d.count += count
	if d.count >= 32 {
		d.out = binary.LittleEndian.AppendUint32(d.out, uint32(d.bits))
		d.bits >>= 32
		d.count -= 32
	}
}

// Close ends the stream and returns it.
func (d *Writer) Close() []byte {
	code := fixedLiterals[endBlock]
	d.put(uint64(code.bits), uint(code.count))
	for ; d.count > 0; d.count -= min(d.count, 8) {
		d.out = append(d.out, byte(d.bits))
		d.bits >>= 8
	}
	return binary.BigEndian.AppendUint32(d.out, d.sum.Sum32())
}

// reverseBits reverses the low count bits.
func reverseBits(code uint16, count int) uint16 {
	var r uint16
	for range count {
		r = r<<1 | code&1
		code >>= 1
	}
	return r
}
