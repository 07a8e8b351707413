package imgdiff

// mover finds blocks of rows that are in both pictures, but out of order,
// among the rows that no run covers.
type mover struct{ *aligner }

// findMoved returns the moved blocks, in the order of the after picture.
func (al *aligner) findMoved(gaps []gap) []run {
	m := mover{al}
	m.mark(gaps, true)
	defer m.mark(gaps, false)
	var moved []run
	for _, pair := range m.uniqueFree(gaps) {
		if !m.free[0][pair.before] || !m.free[1][pair.after] {
			continue
		}
		r := m.grow(pair)
		if r.rows < moveRows {
			continue
		}
		for i := range r.rows {
			m.free[0][r.before+i], m.free[1][r.after+i] = false, false
		}
		moved = append(moved, r)
	}
	return moved
}

// mark notes that all rows of the gaps are free, or that none are.
func (m mover) mark(gaps []gap, free bool) {
	for _, g := range gaps {
		for i, rows := range []span{g.before, g.after} {
			for y := rows.first; y < rows.end; y++ {
				m.free[i][y] = free
			}
		}
	}
}

// uniqueFree pairs the free rows that occur once among the free rows of each
// picture, in the order of the after picture.
func (m mover) uniqueFree(gaps []gap) []rowPair {
	type place struct{ count, row int }
	var seen [2]map[uint64]place
	for _, g := range gaps {
		m.effort.spend(tableWork * (g.before.len() + g.after.len()))
	}
	for i := range seen {
		seen[i] = map[uint64]place{}
		for _, g := range gaps {
			rows := []span{g.before, g.after}[i]
			for y := rows.first; y < rows.end; y++ {
				h := m.hashes[i][y]
				seen[i][h] = place{seen[i][h].count + 1, y}
			}
		}
	}
	var pairs []rowPair
	for _, g := range gaps {
		for y := g.after.first; y < g.after.end; y++ {
			h := m.hashes[1][y]
			if seen[1][h].count == 1 && seen[0][h].count == 1 {
				pairs = append(pairs, rowPair{seen[0][h].row, y})
			}
		}
	}
	return pairs
}

// grow extends a pair of equal rows upwards and downwards over free rows.
func (m mover) grow(pair rowPair) run {
	if !m.rowsEqual(pair.before, pair.after, false) {
		return run{}
	}
	r := run{pair.before, pair.after, 1}
	for m.canTake(r.before+r.rows, r.after+r.rows) && m.rowsEqual(r.before+r.rows, r.after+r.rows, true) {
		r.rows++
	}
	for m.canTake(r.before-1, r.after-1) && m.rowsEqual(r.before-1, r.after-1, false) {
		r = run{r.before - 1, r.after - 1, r.rows + 1}
	}
	return r
}

// canTake reports whether two rows exist and are free.
func (m mover) canTake(before, after int) bool {
	return before >= 0 && after >= 0 && before < m.a.height && after < m.b.height &&
		m.free[0][before] && m.free[1][after]
}
