package inflate

import "encoding/binary"

// huffman decodes the contents of a block of Huffman codes until enough
// output is there or the block ends.
//
// A round looks its group up before it refills the bit buffer, so that the
// processor does both at once. A refill provides 56 bits; a group takes at
// most 16 of them, an offset 28, which leaves enough for the next look-up.
// Codes longer than the table is wide take up to 20 and refill again.
//
// A round writes at most 3 literals and a match of 258 bytes, and overwrites
// less than 32 bytes behind them, which the slack of the output holds. There
// are no calls, so that everything stays in registers.
//
//nolint:cyclop,funlen // see above: parts of their own would be calls
func (d *Decoder) huffman(until int) error {
	d.refill()
	in, out := d.in, d.out
	bits, count, ip, op := d.bits, d.count, d.ip, d.op
	last := len(in) - 8
	var err error
loop:
	for op < until {
		if ip > last {
			err = ErrTruncated
			break
		}
		g := d.groups[bits&(1<<litLenBits-1)]
		bits |= binary.LittleEndian.Uint64(in[ip:ip+8:ip+8]) << (count & 63)
		ip += int(63-count) >> 3
		count |= 56

		var length int
		binary.LittleEndian.PutUint32(out[op:op+4:op+4], g.literals())
		op += g.count()
		switch {
		case g&groupSpecial == 0:
			length = g.length(bits)
			bits >>= g.drop()
			count -= g.drop()
		case g&groupLiterals != 0:
			bits >>= g.drop()
			count -= g.drop()
			continue
		default:
			e := d.litLen[bits&(1<<litLenBits-1)]
			if e.is(flagLink) {
				bits >>= litLenBits
				count -= litLenBits
				e = d.litLen[e.second(bits)]
			}
			if e.is(flagInvalid) {
				err = ErrCorrupt
				break loop
			}
			length = e.value(bits)
			bits >>= e.drop()
			count -= e.drop()
			if e.is(flagLiteral) {
				out[op] = byte(e.base())
				op++
				continue
			}
			if e.is(flagEnd) {
				d.block = blockNone
				break loop
			}
			if ip > last {
				err = ErrTruncated
				break loop
			}
			bits |= binary.LittleEndian.Uint64(in[ip:ip+8:ip+8]) << (count & 63)
			ip += int(63-count) >> 3
			count |= 56
		}

		e := d.offsets[bits&(1<<offsetBits-1)]
		if e.is(flagSpecial) {
			if e.is(flagLink) {
				bits >>= offsetBits
				count -= offsetBits
				e = d.offsets[e.second(bits)]
			}
			if e.is(flagInvalid) {
				err = ErrCorrupt
				break
			}
		}
		offset := e.value(bits)
		bits >>= e.drop()
		count -= e.drop()
		src := op - offset
		if src < 0 {
			err = ErrCorrupt
			break
		}

		// A match is copied in whole words; what is written too much will
		// be overwritten.
		end := op + length
		switch {
		case length <= min(offset, 16): // most matches
			*(*[16]byte)(out[op : op+16 : op+16]) = *(*[16]byte)(out[src : src+16 : src+16])
		case offset >= 16:
			for ; op < end; op += 16 {
				*(*[16]byte)(out[op : op+16 : op+16]) = *(*[16]byte)(out[src : src+16 : src+16])
				src += 16
			}
		case offset >= 8:
			for ; op < end; op += 8 {
				binary.LittleEndian.PutUint64(out[op:op+8:op+8], binary.LittleEndian.Uint64(out[src:src+8:src+8]))
				src += 8
			}
		default:
			p := &period[offset&7]
			pattern := binary.LittleEndian.Uint64(out[src:src+8:src+8]) & (1<<(8*offset&63) - 1) * p.factor
			for ; op < end; op += p.step {
				binary.LittleEndian.PutUint64(out[op:op+8:op+8], pattern)
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
