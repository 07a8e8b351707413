package inflate

import "encoding/binary"

// huffman decodes the contents of a block of Huffman codes until enough
// output is there or the block ends.
//
// One round uses at most 48 of the 56 bits that a refill provides, for a
// length of 15 + 5 and an offset of 15 + 13, or the literals before them
// and a shorter length code that share one index of the table. It writes at
// most 3 literals and a match of 258 bytes, and overwrites less than 32 bytes
// behind them, which the slack of the output holds. There are no calls, so
// that everything stays in registers.
func (d *Decoder) huffman(until int) error {
	in, out := d.in, d.out
	bits, count, ip, op := d.bits, d.count, d.ip, d.op
	last := d.inEnd + 8 // loading 8 bytes from here stays in the padding
	var err error
	for op < until {
		if ip > last {
			err = ErrTruncated
			break
		}
		bits |= binary.LittleEndian.Uint64(in[ip:]) << (count & 63)
		ip += int(63-count) >> 3
		count |= 56

		g := d.groups[bits&(1<<litLenBits-1)]
		binary.LittleEndian.PutUint32(out[op:], uint32(g>>groupLiterals))
		op += int(g >> groupCount & 3)
		e := entry(g)
		if e&flagExceptional != 0 {
			if e&flagLiteral != 0 { // nothing but literals
				bits >>= e & 63
				count -= uint(e & 63)
				continue
			}
			if e&flagLink == flagLink {
				bits >>= litLenBits
				count -= litLenBits
				e = d.litLen[int(e>>16)+int(bits&(1<<(e>>8&15)-1))]
			}
			if e&flagLiteral != 0 {
				out[op] = byte(e >> 16)
				op++
				bits >>= e & 63
				count -= uint(e & 63)
				continue
			}
			if e&flagEnd == flagEnd {
				bits >>= e & 63
				count -= uint(e & 63)
				d.block = blockNone
				break
			}
			if e&flagInvalid == flagInvalid {
				err = ErrCorrupt
				break
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
		src := op - offset
		if src < 0 {
			err = ErrCorrupt
			break
		}

		// A match is copied in whole words; what is written too much will
		// be overwritten.
		end := op + length
		switch {
		case offset >= 16:
			*(*[16]byte)(out[op:]) = *(*[16]byte)(out[src:])
			for op += 16; op < end; op += 16 {
				src += 16
				*(*[16]byte)(out[op:]) = *(*[16]byte)(out[src:])
			}
		case offset >= 8:
			for ; op < end; op += 8 {
				binary.LittleEndian.PutUint64(out[op:], binary.LittleEndian.Uint64(out[src:]))
				src += 8
			}
		default:
			p := &period[offset&7]
			pattern := binary.LittleEndian.Uint64(out[src:]) & (1<<(8*offset&63) - 1) * p.factor
			for ; op < end; op += p.step {
				binary.LittleEndian.PutUint64(out[op:], pattern)
			}
		}
		op = end
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
