// Package inflate decodes deflate streams (RFC 1951) in memory, quickly and
// within bounds known beforehand.
//
// It follows the manner of libdeflate (E. Biggers): a 64-bit bit buffer
// refilled without branches, wide tables whose entries hold everything about
// a symbol, and matches copied by words. Unlike a streaming reader it needs
// the whole input, and an output buffer of the expected size; in return the
// inner loop checks neither. Decoding can pause at any output position, so
// that a caller may look at the first bytes and stop.
//
// It accepts and refuses the same streams as compress/flate.
package inflate

import (
	"encoding/binary"
	"errors"
)

const (
	// InputPadding is how many readable bytes of any value must lie behind
	// the input.
	InputPadding = 32
	// OutputSlack is how many writable bytes must lie behind the output; they
	// are overwritten.
	OutputSlack = 320
)

// The ways in which a stream can be bad.
var (
	ErrTruncated = errors.New("compressed data is truncated")
	ErrCorrupt   = errors.New("compressed data is corrupt")
	ErrTooLong   = errors.New("compressed data holds more than expected")
	ErrTooShort  = errors.New("compressed data holds less than expected")
)

// Decoder decodes one stream at a time; its tables take 30 kB. The zero value
// is ready for Reset.
type Decoder struct {
	in    []byte // with padding
	inEnd int    // length without padding
	out   []byte // with slack
	size  int    // length without slack

	bits  uint64 // input not yet used, low end first
	count uint   // how many of them are valid
	ip    int    // next input byte to load
	op    int    // next output byte to write

	block  blockKind
	final  bool
	stored int // bytes left in a stored block

	codes   codeLengths
	litLen  [litLenSize]entry
	groups  [1 << litLenBits]group
	offsets [offsetSize]entry
}

// blockKind is the state between two calls of Run.
type blockKind uint8

const (
	blockNone blockKind = iota // a block header follows
	blockStored
	blockHuffman
	blockEnd // the stream has ended
)

// Reset begins a stream. The input is in[:n]; in must be InputPadding bytes
// longer. The output is out[:size]; out must be OutputSlack bytes longer.
func (d *Decoder) Reset(in []byte, n int, out []byte, size int) {
	_, _ = in[:n+InputPadding], out[:size+OutputSlack]
	d.in, d.inEnd, d.out, d.size = in, n, out, size
	d.bits, d.count, d.ip, d.op = 0, 0, 0, 0
	d.block, d.final, d.stored = blockNone, false, 0
}

// Release forgets the buffers, so that a pooled decoder does not keep them.
func (d *Decoder) Release() { d.in, d.out = nil, nil }

// Run decodes until at least the given number of output bytes is there, or the
// stream ends, and returns how many are there. It may decode a little further.
func (d *Decoder) Run(until int) (int, error) {
	until = min(until, d.size)
	for d.op < until && d.block != blockEnd {
		if err := d.step(until); err != nil {
			return 0, err
		}
	}
	if d.op > d.size {
		return 0, ErrTooLong
	}
	return d.op, nil
}

// Finish decodes the rest, requires the stream to fill the output exactly,
// and returns how many input bytes it used.
func (d *Decoder) Finish() (used int, err error) {
	for d.block != blockEnd {
		if err := d.step(d.size + 1); err != nil {
			return 0, err
		}
		if d.op > d.size {
			return 0, ErrTooLong
		}
	}
	if d.op < d.size {
		return 0, ErrTooShort
	}
	return d.ip - int(d.count>>3), nil
}

// step decodes a block header or the contents of a block.
func (d *Decoder) step(until int) error {
	switch d.block {
	case blockNone:
		return d.header()
	case blockStored:
		return d.copyStored(until)
	default:
		return d.huffman(until)
	}
}

// refill tops the bit buffer up to at least 56 bits. Behind the end of the
// input it takes the padding; overrun tells.
func (d *Decoder) refill() {
	if d.ip > d.inEnd+8 {
		d.count |= 56 // nothing is valid here, as overrun will tell
		return
	}
	d.bits |= binary.LittleEndian.Uint64(d.in[d.ip:]) << (d.count & 63)
	d.ip += int(63-d.count) >> 3
	d.count |= 56
}

// overrun reports whether bits behind the end of the input were used.
func (d *Decoder) overrun() bool { return d.ip-int(d.count>>3) > d.inEnd }

// take removes up to 16 bits; the caller has refilled.
func (d *Decoder) take(n uint) uint {
	v := uint(d.bits) & (1<<n - 1)
	d.bits >>= n
	d.count -= n
	return v
}

// header reads a block header and prepares for its contents.
func (d *Decoder) header() error {
	if d.final {
		d.block = blockEnd
		return nil
	}
	d.refill()
	d.final = d.take(1) == 1
	var err error
	switch kind := d.take(2); kind {
	case 0:
		err = d.storedHeader()
	case 1:
		d.fixedTables()
		d.block = blockHuffman
	case 2:
		err = d.dynamicTables()
		d.block = blockHuffman
	default:
		err = ErrCorrupt
	}
	if d.overrun() {
		return ErrTruncated
	}
	return err
}

// storedHeader reads the length of a stored block.
func (d *Decoder) storedHeader() error {
	d.take(d.count & 7)
	// Whole bytes in the bit buffer go back to the input.
	d.ip -= int(d.count >> 3)
	d.bits, d.count = 0, 0
	if d.ip+4 > d.inEnd {
		return ErrTruncated
	}
	length := binary.LittleEndian.Uint16(d.in[d.ip:])
	if ^length != binary.LittleEndian.Uint16(d.in[d.ip+2:]) {
		return ErrCorrupt
	}
	d.ip += 4
	d.stored = int(length)
	d.block = blockStored
	return nil
}

// copyStored copies from a stored block.
func (d *Decoder) copyStored(until int) error {
	n := min(d.stored, until-d.op)
	if d.ip+n > d.inEnd {
		return ErrTruncated
	}
	copy(d.out[d.op:d.op+n], d.in[d.ip:d.ip+n])
	d.ip += n
	d.op += n
	d.stored -= n
	if d.stored == 0 {
		d.block = blockNone
	}
	return nil
}
