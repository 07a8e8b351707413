package inflate

// A group is what one index of the first literal and length table decodes:
// as many literals as fit into its bits, up to three, and then a length if
// that fits too. Literals and matches alternate unpredictably in filtered
// pictures; decoding them together saves the processor most wrong guesses.
//
//	bits 0–31   the entry of the length, its numbers of bits raised by those
//	            of the literals; or an exceptional entry
//	bits 32–33  how many literals
//	bits 40–63  the literals, the first one lowest
//
// A group of literals alone has an entry that is exceptional and literal.
type group uint64

const (
	groupCount    = 32
	groupLiterals = 40
	maxLiterals   = 3
)

// buildGroups fills the groups from the first table.
func (d *Decoder) buildGroups() {
	for i := range d.groups {
		var g group
		used := 0
		for n := 0; ; n++ {
			e := d.litLen[i>>used]
			codeBits := int(e >> 8 & 15)
			// Bits above the index are unknown, so the code must end within.
			fits := e&flagExceptional == 0 && used+codeBits <= litLenBits
			if fits && e&flagLiteral != 0 && n < maxLiterals {
				g += group(e>>16&0xff)<<(groupLiterals+8*n) + 1<<groupCount
				used += codeBits
				continue
			}
			switch {
			case fits && e&flagLiteral == 0:
				g |= group(e + entry(used)<<8 + entry(used))
			case n > 0:
				g |= group(flagLiteral | flagExceptional | entry(used))
			default:
				g |= group(e) // a link, the end, or no code
			}
			break
		}
		d.groups[i] = g
	}
}
