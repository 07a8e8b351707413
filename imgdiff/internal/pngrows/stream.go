package pngrows

import (
	"encoding/binary"
	"fmt"

	"afterimage/imgdiff/internal/adler"
	"afterimage/imgdiff/internal/inflate"
)

// Stream inflates the rows of a file in order, a few at a time, in memory of a fixed size.
type Stream struct {
	inflate inflate.Decoder
	input   []byte // all IDAT data in one piece
	buf     []byte
	stride  int
	left    int // bytes of rows not yet given out
	used    int // bytes of buf that were given out
	sum     adler.Sum
}

// NewStream begins to read a file that was walked and is not interlaced, at most the given number of rows at a time.
func NewStream(f *File, rows int) (*Stream, error) {
	s := &Stream{stride: f.Stride(), left: f.Height * f.Stride(), sum: adler.New()}
	s.input = make([]byte, 0, f.length+inflate.InputPadding)
	for _, c := range f.chunks {
		s.input = append(s.input, f.data[c.start:c.end]...)
	}
	if err := checkZlibHeader(s.input); err != nil {
		return nil, err
	}
	n := len(s.input) - 2
	s.input = s.input[:len(s.input)+inflate.InputPadding]
	// A call may decode up to OutputSlack further than asked, which stays for the next one.
	s.buf = make([]byte, inflate.Window+min(rows, f.Height)*s.stride+2*inflate.OutputSlack)
	s.inflate.ResetWindow(s.input[2:], n, s.buf, s.left)
	return s, nil
}

// Next returns the next rows with their filters, fewer at the end, and none behind it. They are valid until the next call.
func (s *Stream) Next(rows int) ([]byte, error) {
	if gone := s.used - inflate.Window; gone > 0 {
		s.inflate.Slide(gone)
		s.used -= gone
	}
	n := min(rows*s.stride, s.left)
	have, err := s.inflate.Run(s.used + n)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if have < s.used+n {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, inflate.ErrTooShort)
	}
	found := s.buf[s.used : s.used+n]
	s.sum.Write(found)
	s.used += n
	s.left -= n
	return found, nil
}

// Finish verifies, behind the last row, that there are no more and that their checksum is right.
func (s *Stream) Finish() error {
	used, err := s.inflate.Finish()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if 2+used+4 > len(s.input)-inflate.InputPadding {
		return fmt.Errorf("%w: %w", ErrCorrupt, inflate.ErrTruncated)
	}
	if binary.BigEndian.Uint32(s.input[2+used:]) != s.sum.Sum32() {
		return fmt.Errorf("%w: the checksum of the pixels does not match", ErrCorrupt)
	}
	return nil
}
