package inflate

// codeLengths is where the code lengths of a dynamic block are gathered.
type codeLengths struct {
	lengths [numLitLen + numOffsets]uint8
	table   [1 << codeBits]entry
}

const (
	numCodes = 19
	codeBits = 7
)

// codeOrder is the order in which a block header gives the code lengths of
// the code length symbols.
var codeOrder = [numCodes]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// codeEntries are the entries of the code length symbols.
var codeEntries = func() (entries [numCodes]entry) {
	for s := range entries {
		entries[s] = entry(s) << 16
	}
	return entries
}()

// dynamicTables reads the codes of a dynamic block.
func (d *Decoder) dynamicTables() error {
	litLens, offsets := int(d.take(5))+257, int(d.take(5))+1
	codes := int(d.take(4)) + 4
	if litLens > 286 || offsets > 30 {
		return ErrCorrupt
	}
	var lengths [numCodes]uint8
	for i := range codes {
		if i%16 == 0 {
			d.refill()
		}
		lengths[codeOrder[i]] = uint8(d.take(3))
	}
	if !build(d.codes.table[:], codeBits, lengths[:], codeEntries[:]) {
		return ErrCorrupt
	}
	if err := d.readLengths(litLens + offsets); err != nil {
		return err
	}
	all := d.codes.lengths[:litLens+offsets]
	if !build(d.litLen[:], litLenBits, all[:litLens], litLenEntries[:]) ||
		!build(d.offsets[:], offsetBits, all[litLens:], offsetEntries[:]) {
		return ErrCorrupt
	}
	d.buildGroups()
	return nil
}

// readLengths reads n run-length coded code lengths.
func (d *Decoder) readLengths(n int) error {
	lengths := d.codes.lengths[:n]
	for i := 0; i < n; {
		d.refill()
		e := d.codes.table[d.bits&(1<<codeBits-1)]
		if e.is(flagSpecial) {
			return ErrCorrupt
		}
		d.take(e.drop())
		symbol := uint8(e.base())
		if symbol < 16 {
			lengths[i] = symbol
			i++
			continue
		}
		var value uint8
		var repeat int
		switch symbol {
		case 16:
			if i == 0 {
				return ErrCorrupt
			}
			value, repeat = lengths[i-1], 3+int(d.take(2))
		case 17:
			repeat = 3 + int(d.take(3))
		default:
			repeat = 11 + int(d.take(7))
		}
		if i+repeat > n {
			return ErrCorrupt
		}
		for range repeat {
			lengths[i] = value
			i++
		}
		if d.overrun() {
			return ErrTruncated
		}
	}
	return nil
}

// fixedLengths are the code lengths of a fixed block.
var fixedLengths = func() (lengths [numLitLen]uint8) {
	for s := range lengths {
		switch {
		case s < 144:
			lengths[s] = 8
		case s < 256:
			lengths[s] = 9
		case s < 280:
			lengths[s] = 7
		default:
			lengths[s] = 8
		}
	}
	return lengths
}()

// fixedTables prepares for a fixed block.
func (d *Decoder) fixedTables() {
	build(d.litLen[:], litLenBits, fixedLengths[:], litLenEntries[:])
	var five [numOffsets]uint8
	for i := range five {
		five[i] = 5
	}
	build(d.offsets[:], offsetBits, five[:], offsetEntries[:])
	d.buildGroups()
}
