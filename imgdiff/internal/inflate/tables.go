package inflate

import "math/bits"

// An entry of a decoding table tells everything about a symbol:
//
//	bits 0–7    how many bits to drop: the code and its extra bits
//	bits 8–15   of lengths and offsets: how many of them are the code
//	            of links: how many bits index the second table
//	bits 16–31  the literal, the smallest length or offset, or the second table
//	bits 32–47  the mask of the extra bits
//	bit  59     literal
//	bit  60     link to a second table, for codes longer than the first is wide
//	bit  61     end of block
//	bit  62     no such code
//	bit  63     neither length nor offset: one of the four above
type entry uint64

const (
	flagSpecial entry = 1 << 63
	flagInvalid entry = 1 << 62
	flagEnd     entry = 1 << 61
	flagLink    entry = 1 << 60
	flagLiteral entry = 1 << 59
)

// noCode stands where bits are no code.
const noCode = flagSpecial | flagInvalid

// is reports whether an entry has a flag.
func (e entry) is(flag entry) bool { return e&flag != 0 }

// drop is how many bits to drop.
func (e entry) drop() uint { return uint(e & 63) }

// codeBits is how many bits come before the extra bits.
func (e entry) codeBits() uint { return uint(e >> 8 & 63) }

// base is the literal, the smallest value or the place of the second table.
func (e entry) base() int { return int(e >> 16 & 0xffff) }

// value is the length or offset, with the extra bits taken from the input.
func (e entry) value(bits uint64) int {
	return e.base() + int(bits>>e.codeBits())&int(e>>32&0xffff)
}

// second is the index into the second table that a link leads to.
func (e entry) second(bits uint64) int { return e.base() + int(bits&(1<<e.codeBits()-1)) }

const (
	maxCodeBits = 15
	litLenBits  = 11
	offsetBits  = 9

	numLitLen  = 288
	numOffsets = 32
	endOfBlock = 256

	// Every code that is longer than a table is wide shares its second
	// table with codes of the same beginning. Second tables of complete
	// codes hold at most as many entries as zlib's "enough" tool computes:
	// 2342 in all for 288 symbols at 11 bits, 594 for 32 at 9.
	litLenSize = 2342
	offsetSize = 594
)

// LengthBase and LengthExtra are the smallest length of each length symbol,
// from 257 on, and how many extra bits follow it (RFC 1951, 3.2.5).
var (
	LengthBase = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31,
		35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	LengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2,
		3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
)

// The same for offset symbols.
var (
	offsetBase = [30]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769,
		1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	offsetExtra = [30]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8,
		9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
)

// symbolEntries are the entries of every symbol but for the length of its
// code.
var litLenEntries, offsetEntries = symbolEntries()

func symbolEntries() (litLen [numLitLen]entry, offsets [numOffsets]entry) {
	for s := range litLen {
		switch {
		case s < endOfBlock:
			litLen[s] = flagSpecial | flagLiteral | entry(s)<<16
		case s == endOfBlock:
			litLen[s] = flagSpecial | flagEnd
		case s-257 < len(LengthBase):
			litLen[s] = withExtra(LengthBase[s-257], LengthExtra[s-257])
		default:
			litLen[s] = noCode
		}
	}
	for s := range offsets {
		if s < len(offsetBase) {
			offsets[s] = withExtra(offsetBase[s], offsetExtra[s])
		} else {
			offsets[s] = noCode
		}
	}
	return litLen, offsets
}

// withExtra is the entry of a length or offset symbol.
func withExtra(base uint16, extra uint8) entry {
	return entry(1<<extra-1)<<32 | entry(base)<<16 | entry(extra)
}

// withCode adds the length of the code to a symbol's entry.
func (e entry) withCode(length int) entry { return e + entry(length)<<8 + entry(length) }

// build fills a decoding table from the code length of each symbol. It tells
// whether the lengths form a code: complete, or empty, or one code of one
// bit.
func build(table []entry, width int, lengths []uint8, symbols []entry) bool {
	var counts [maxCodeBits + 1]int
	for _, l := range lengths {
		counts[l]++
	}
	longest := maxCodeBits
	for longest > 0 && counts[longest] == 0 {
		longest--
	}
	if longest == 0 {
		fill(table[:1<<width], noCode)
		return true
	}
	var next [maxCodeBits + 2]int // the first code of each length
	code := 0
	for l := 1; l <= longest; l++ {
		next[l] = code
		code = (code + counts[l]) << 1
	}
	code >>= 1
	single := code == 1 && longest == 1
	if code != 1<<longest && !single {
		return false
	}
	if single {
		fill(table[:1<<width], noCode)
	}

	// Symbols in the order of their codes, so that codes with one beginning
	// follow each other.
	var sorted [numLitLen]uint16
	var at [maxCodeBits + 2]int
	for l := 1; l <= longest; l++ {
		at[l+1] = at[l] + counts[l]
	}
	starts := at
	for s, l := range lengths {
		if l != 0 {
			sorted[at[l]] = uint16(s)
			at[l]++
		}
	}
	for l := 1; l <= min(longest, width); l++ {
		for i, s := range sorted[starts[l]:at[l]] {
			e := symbols[s].withCode(l)
			for j := reversed(next[l]+i, l); j < 1<<width; j += 1 << l {
				table[j] = e
			}
		}
	}
	if longest > width {
		return buildSecond(table, width, longest, &counts, &next, sorted[starts[width+1]:at[longest]], symbols)
	}
	return true
}

// buildSecond fills the second tables, for the codes longer than width.
// symbolOrder lists their symbols in the order of their codes.
func buildSecond(table []entry, width, longest int, counts *[maxCodeBits + 1]int, next *[maxCodeBits + 2]int,
	symbolOrder []uint16, symbols []entry) bool {
	end := 1 << width // of the tables so far
	prefix, start, bitsWide := -1, 0, 0
	i := 0
	for l := width + 1; l <= longest; l++ {
		left := counts[l]
		for k := range counts[l] {
			code := reversed(next[l]+k, l)
			if p := code & (1<<width - 1); p != prefix {
				prefix, start = p, end
				bitsWide = secondWidth(l, left, longest, width, counts)
				end += 1 << bitsWide
				if end > len(table) {
					return false
				}
				table[p] = flagSpecial | flagLink | entry(start)<<16 | entry(bitsWide)<<8 | entry(width)
			}
			e := symbols[symbolOrder[i]].withCode(l - width)
			for j := code >> width; j < 1<<bitsWide; j += 1 << (l - width) {
				table[start+j] = e
			}
			i++
			left--
		}
	}
	return true
}

// secondWidth is how wide the second table must be whose first code has
// length l: as wide as the codes that share its beginning need.
func secondWidth(l, left, longest, width int, counts *[maxCodeBits + 1]int) int {
	wide := l - width
	space := 1<<wide - left
	for space > 0 && wide+width < longest {
		wide++
		space = space<<1 - counts[wide+width]
	}
	return wide
}

// reversed is a code with its bits in the order in which they are read.
func reversed(code, length int) int {
	return int(bits.Reverse16(uint16(code)) >> (16 - length))
}

func fill(table []entry, e entry) {
	for i := range table {
		table[i] = e
	}
}
