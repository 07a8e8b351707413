package pngrows

import (
	"encoding/binary"
	"fmt"
	"sync"

	"afterimage/imgdiff/internal/adler"
	"afterimage/imgdiff/internal/inflate"
)

// BufferSlack is how much longer than all rows the buffer must be.
const BufferSlack = inflate.OutputSlack

// pieceBytes is how much is inflated before its checksum is taken, so that it
// still lies in the cache.
const pieceBytes = 128 << 10

// Reader inflates the rows of one file at a time. The zero value is ready.
type Reader struct {
	inflate inflate.Decoder
	input   []byte // all IDAT data in one piece
	buf     []byte
	size    int
	have    int // bytes inflated
	summed  int // bytes whose checksum was taken
	sum     adler.Sum
}

// readers are pooled: a reader holds tables and a copy of the input.
var readers = sync.Pool{New: func() any { return new(Reader) }}

// NewReader takes a reader for a common file that was walked. buf must be
// Height × Stride bytes and BufferSlack more. Close gives the reader back.
func NewReader(f *File, buf []byte) (*Reader, error) {
	r := readers.Get().(*Reader)
	r.input = r.input[:0]
	if cap(r.input) < f.length+inflate.InputPadding {
		r.input = make([]byte, 0, f.length+f.length/8+inflate.InputPadding)
	}
	for _, c := range f.chunks {
		r.input = append(r.input, f.data[c.start:c.end]...)
	}
	if err := checkZlibHeader(r.input); err != nil {
		r.Close()
		return nil, err
	}
	n := len(r.input) - 2
	r.input = append(r.input, make([]byte, inflate.InputPadding)...)
	r.buf, r.size, r.have, r.summed, r.sum = buf, f.Height*f.Stride(), 0, 0, adler.New()
	r.inflate.Reset(r.input[2:], n, buf, r.size)
	return r, nil
}

// Close gives the reader back.
func (r *Reader) Close() {
	r.buf = nil
	r.inflate.Release()
	readers.Put(r)
}

// Fill inflates until at least n bytes of rows are there, or all, and returns
// how many are.
func (r *Reader) Fill(n int) (int, error) {
	for n = min(n, r.size); r.have < n; {
		have, err := r.inflate.Run(min(r.have+pieceBytes, n))
		if err != nil {
			return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		if have == r.have {
			return 0, fmt.Errorf("%w: %w", ErrCorrupt, inflate.ErrTooShort)
		}
		r.have = have
		r.sum.Write(r.buf[r.summed:have])
		r.summed = have
	}
	return r.have, nil
}

// Finish inflates the rest and verifies that it is all and its checksum.
func (r *Reader) Finish() error {
	if _, err := r.Fill(r.size); err != nil {
		return err
	}
	used, err := r.inflate.Finish()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if 2+used+4 > len(r.input)-inflate.InputPadding {
		return fmt.Errorf("%w: %w", ErrCorrupt, inflate.ErrTruncated)
	}
	if binary.BigEndian.Uint32(r.input[2+used:]) != r.sum.Sum32() {
		return fmt.Errorf("%w: the checksum of the pixels does not match", ErrCorrupt)
	}
	return nil
}

// checkZlibHeader verifies the two bytes that open a zlib stream (RFC 1950).
func checkZlibHeader(data []byte) error {
	if len(data) < 2 || data[0]&15 != 8 || data[0]>>4 > 7 || data[1]&0x20 != 0 ||
		binary.BigEndian.Uint16(data)%31 != 0 {
		return fmt.Errorf("%w: the pixel data is not a zlib stream", ErrCorrupt)
	}
	return nil
}
