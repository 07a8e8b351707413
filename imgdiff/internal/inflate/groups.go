package inflate

// A group is what one index of the first literal and length table decodes:
// as many literals as fit into its bits, up to three, and then a length if
// that fits too. Literals and matches alternate unpredictably in filtered
// pictures; decoding them together saves the processor most wrong guesses.
//
//	bits 0–23   the literals, the first one lowest
//	bits 24–25  how many literals
//	bits 32–39  how many bits to drop
//	bits 40–47  how many of them come before the extra bits of the length
//	bits 48–56  the smallest length
//	bits 57–61  the mask of the extra bits
//	bit  62     nothing but literals
//	bit  63     no length
//
// A group that is neither literals nor a length stands for an entry of the
// table that is a link, the end of the block, or invalid.
type group uint64

const (
	groupSpecial  group = 1 << 63
	groupLiterals group = 1 << 62
	groupOne      group = 1 << 24 // one literal more
	maxLiterals         = 3
)

// literals is how many literals there are.
func (g group) literals() int { return int(g >> 24 & 3) }

// drop is how many bits to drop.
func (g group) drop() uint { return uint(g >> 32 & 63) }

// length is the length, with the extra bits taken from the input.
func (g group) length(bits uint64) int {
	return int(g>>48&0x1ff) + int(bits>>(g>>40&63))&int(g>>57&31)
}

// buildGroups fills the groups from the first table.
func (d *Decoder) buildGroups() {
	for i := range d.groups {
		var g group
		used := uint(0)
		e := d.litLen[i]
		for n := 0; n < maxLiterals && e.is(flagLiteral) && used+e.drop() <= litLenBits; n++ {
			g += group(e.base())<<(8*n) + groupOne
			used += e.drop()
			e = d.litLen[i>>used]
		}
		// Bits above the index are unknown, so a code must end within.
		switch {
		case !e.is(flagSpecial) && used+e.codeBits() <= litLenBits:
			g |= group(used+e.drop())<<32 | group(used+e.codeBits())<<40 | group(e.base())<<48 | group(e>>32&31)<<57
		case used > 0:
			g |= groupSpecial | groupLiterals | group(used)<<32
		default:
			g = groupSpecial
		}
		d.groups[i] = g
	}
}
