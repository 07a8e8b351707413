package inflate

import (
	"encoding/binary"
)

// huffman decodes the contents of a block of Huffman codes until enough
// output is there or the block ends.
//
// One round uses at most 15 + 15 + 48 bits with a refill in between, writes
// at most 2 literals and a match of 258 bytes, and overwrites less than 32
// bytes behind them, which the slack of the output holds.
func (d *Decoder) huffman(until int) error {
	in, out := d.in, d.out
	bits, count, ip, op := d.bits, d.count, d.ip, d.op
	last := d.inEnd + 8 // loading 8 bytes twice from here stays in the padding
	var err error
loop:
	for op < until {
		if ip > last {
			err = ErrTruncated
			break
		}
		bits |= binary.LittleEndian.Uint64(in[ip:]) << (count & 63)
		ip += int(63-count) >> 3
		count |= 56

		e := d.litLen[bits&(1<<litLenBits-1)]
		if e&flagLiteral != 0 {
			bits >>= e & 63
			count -= uint(e & 63)
			out[op] = byte(e >> 16)
			op++
			e = d.litLen[bits&(1<<litLenBits-1)]
			if e&flagLiteral != 0 {
				bits >>= e & 63
				count -= uint(e & 63)
				out[op] = byte(e >> 16)
				op++
				e = d.litLen[bits&(1<<litLenBits-1)]
				if e&flagLiteral != 0 {
					bits >>= e & 63
					count -= uint(e & 63)
					out[op] = byte(e >> 16)
					op++
					continue
				}
			}
			bits |= binary.LittleEndian.Uint64(in[ip:]) << (count & 63)
			ip += int(63-count) >> 3
			count |= 56
		}
		if e&flagExceptional != 0 {
			if e&flagLink == flagLink {
				bits >>= litLenBits
				count -= litLenBits
				e = d.litLen[int(e>>16)+int(bits&(1<<(e>>8&15)-1))]
			}
			switch {
			case e&flagLiteral != 0:
				bits >>= e & 63
				count -= uint(e & 63)
				out[op] = byte(e >> 16)
				op++
				continue
			case e&flagInvalid == flagInvalid:
				err = ErrCorrupt
				break loop
			case e&flagEnd == flagEnd:
				bits >>= e & 63
				count -= uint(e & 63)
				d.block = blockNone
				break loop
			}
		}
		length := int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&15))
		bits >>= e & 63
		count -= uint(e & 63)

		e = d.offsets[bits&(1<<offsetBits-1)]
		if e&flagExceptional != 0 {
			if e&flagLink == flagLink {
				bits >>= offsetBits
				count -= offsetBits
				e = d.offsets[int(e>>16)+int(bits&(1<<(e>>8&15)-1))]
			}
			if e&flagInvalid == flagInvalid {
				err = ErrCorrupt
				break
			}
		}
		offset := int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&15))
		bits >>= e & 63
		count -= uint(e & 63)
		if offset > op {
			err = ErrCorrupt
			break
		}
		copyMatch(out, op, offset, length)
		op += length
	}
	d.bits, d.count, d.ip, d.op = bits, count, ip, op
	if d.overrun() {
		return ErrTruncated
	}
	return err
}

// period has, for offsets below 8, the factor that repeats a pattern through a
// word and the largest multiple of the offset within it.
var period = [8]struct {
	factor uint64
	step   int
}{
	1: {0x0101010101010101, 8},
	2: {0x0001000100010001, 8},
	3: {1 | 1<<24 | 1<<48, 6},
	4: {1 | 1<<32, 8},
	5: {1 | 1<<40, 5},
	6: {1 | 1<<48, 6},
	7: {1 | 1<<56, 7},
}

// copyMatch writes length bytes at op that repeat those offset bytes before. It
// may overwrite up to 24 bytes behind them.
func copyMatch(out []byte, op, offset, length int) {
	end := op + length
	switch {
	case offset >= 16:
		src := op - offset
		for op < end {
			*(*[16]byte)(out[op:]) = *(*[16]byte)(out[src:])
			op += 16
			src += 16
		}
	case offset >= 8:
		src := op - offset
		for op < end {
			binary.LittleEndian.PutUint64(out[op:], binary.LittleEndian.Uint64(out[src:]))
			op += 8
			src += 8
		}
	default:
		p := &period[offset&7]
		pattern := binary.LittleEndian.Uint64(out[op-offset:]) & (1<<(8*offset&63) - 1) * p.factor
		for op < end {
			binary.LittleEndian.PutUint64(out[op:], pattern)
			op += p.step
		}
	}
}
