package inflate

// A group is what one index of the first literal and length table decodes:
// as many literals as fit into its bits, up to three, and then a length if
// that fits too. Literals and matches alternate unpredictably in filtered
// pictures; decoding them together saves the processor most wrong guesses.
//
//	bits 0–7    how many bits to drop
//	bits 8–15   how many of them come before the extra bits of the length
//	bits 16–24  the smallest length
//	bits 25–29  the mask of the extra bits
//	bits 32–55  the literals, the first one lowest
//	bits 56–57  how many literals
//	bit  62     nothing but literals
//	bit  63     no length
//
// A group that is neither literals nor a length stands for an entry of the
// table that is a link, the end of the block, or invalid.
type group uint64

const (
	groupSpecial  group = 1 << 63
	groupLiterals group = 1 << 62
	groupOne      group = 1 << 56 // one literal more
	maxLiterals         = 3
)

// literals are the bytes of the literals and one byte more.
func (g group) literals() uint32 { return uint32(g >> 32) }

// count is how many literals there are.
func (g group) count() int { return int(g >> 56 & 3) }

// drop is how many bits to drop.
func (g group) drop() uint { return uint(g & 63) }

// length is the length, with the extra bits taken from the input.
func (g group) length(bits uint64) int {
	return int(g>>16&0x1ff) + int(bits>>(g>>8&63))&int(g>>25&31)
}

// buildGroups fills the groups from the first table.
func (d *Decoder) buildGroups() {
	for i := range d.groups {
		var g group
		used := uint(0)
		e := d.litLen[i]
		for n := 0; n < maxLiterals && e.is(flagLiteral) && used+e.drop() <= litLenBits; n++ {
			g += group(e.base())<<(32+8*n) + groupOne
			used += e.drop()
			e = d.litLen[i>>used]
		}
		// Bits above the index are unknown, so a code must end within.
		switch {
		case !e.is(flagSpecial) && used+e.codeBits() <= litLenBits:
			g |= group(used+e.drop()) | group(used+e.codeBits())<<8 | group(e.base())<<16 | group(e>>32&31)<<25
		case used > 0:
			g |= groupSpecial | groupLiterals | group(used)
		default:
			g = groupSpecial
		}
		d.groups[i] = g
	}
}
