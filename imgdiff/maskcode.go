package imgdiff

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// maskVersion opens an encoded mask.
const maskVersion = 1

// MarshalBinary encodes the mask: a version byte, width and height, then in reading order the lengths of alternating
// runs of pixels outside and inside, all as varints. It never fails.
func (m *Mask) MarshalBinary() ([]byte, error) {
	out := []byte{maskVersion}
	out = binary.AppendUvarint(out, uint64(m.width))
	out = binary.AppendUvarint(out, uint64(m.height))
	inside, length := false, uint64(0)
	for y := range m.height {
		row := m.row(y)
		for x := 0; x < m.width; {
			end := runEnd(row, x, m.width, inside)
			length += uint64(end - x)
			x = end
			if x < m.width {
				out = binary.AppendUvarint(out, length)
				inside, length = !inside, 0
			}
		}
	}
	return binary.AppendUvarint(out, length), nil
}

// UnmarshalBinary decodes the output of MarshalBinary. It returns ErrTooLarge for masks of more than
// DefaultMaxPixels, and ErrCorrupt for anything that is not an encoded mask.
func (m *Mask) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != maskVersion {
		return fmt.Errorf("%w: not an encoded mask", ErrCorrupt)
	}
	data = data[1:]
	next := func() (uint64, error) {
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return 0, fmt.Errorf("%w: the encoded mask is truncated", ErrCorrupt)
		}
		data = data[n:]
		return v, nil
	}
	width, err := next()
	if err != nil {
		return err
	}
	height, err := next()
	if err != nil {
		return err
	}
	if width > maxSide || height > maxSide || width*height > DefaultMaxPixels {
		return fmt.Errorf("%w: a mask of %d × %d pixels", ErrTooLarge, width, height)
	}
	decoded := NewMask(int(width), int(height))
	if width*height == 0 {
		*m = *decoded
		return nil
	}
	at, total := uint64(0), width*height
	for inside := false; at < total; inside = !inside {
		length, err := next()
		if err != nil {
			return err
		}
		if length > total-at {
			return fmt.Errorf("%w: the encoded mask is longer than its size", ErrCorrupt)
		}
		if inside {
			decoded.setRange(int(at), int(at+length))
		}
		at += length
	}
	*m = *decoded
	return nil
}

// setRange sets pixels by their place in reading order.
func (m *Mask) setRange(first, end int) {
	for first < end {
		y, x := first/m.width, first%m.width
		x1 := min(m.width, x+end-first)
		setRun(m.row(y), x, x1)
		first += x1 - x
	}
}

// runEnd is where the run of equal bits ends that is looked for at x: x itself
// when that bit is another.
func runEnd(row []uint64, x, width int, inside bool) int {
	for x < width {
		word := row[x>>6]
		if inside {
			word = ^word
		}
		if word >>= x & 63; word != 0 {
			return min(x+bits.TrailingZeros64(word), width)
		}
		x = (x | 63) + 1
	}
	return width
}
