package imgdiff

import (
	"math/bits"
	"slices"
)

// run is a block of rows that correspond: rows before … before+rows-1 of the
// before picture to rows after … after+rows-1 of the after picture.
type run struct {
	before, after, rows int
}

// shift is how far down the rows of a run moved.
func (r run) shift() int { return r.after - r.before }

// span is a range of rows, end exclusive.
type span struct{ first, end int }

func (s span) len() int { return s.end - s.first }

// maxMatchDepth bounds the recursion of the matcher; every level halves
// what is left, or more, on anything like a page.
const maxMatchDepth = 40

// tableWork is how many pixels the work on a row in a table of rows stands for.
const tableWork = 16

// maxLCSCells bounds the table of the exact search, in cells.
const maxLCSCells = 1 << 16

// rowMatcher finds corresponding rows by their hashes: common beginnings and
// ends are trimmed; rows that occur once in each picture are anchors, of
// which the longest sequence in order is kept (patience diff, B. Cohen);
// what lies between anchors is searched in the same way. Where there is no
// anchor, small rests are searched exactly for their longest common
// subsequence.
type rowMatcher struct {
	effort        *effort
	before, after []uint64 // the hash of each row
	runs          []run
}

// matchRows returns the corresponding runs of a gap by their hashes, in order.
func (al *aligner) matchRows(g gap) []run {
	m := rowMatcher{effort: al.effort, before: al.hashes[0], after: al.hashes[1]}
	m.match(g.before, g.after, 0)
	return joinRuns(m.runs)
}

// match appends the runs of one pair of ranges, in order. It recurs on ranges
// without an anchor that they had, so the rows of both shrink with each level,
// and on maxMatchDepth levels at most.
func (m *rowMatcher) match(a, b span, depth int) {
	head := 0
	for head < min(a.len(), b.len()) && m.before[a.first+head] == m.after[b.first+head] {
		head++
	}
	m.add(a.first, b.first, head)
	a.first, b.first = a.first+head, b.first+head
	tail := 0
	for tail < min(a.len(), b.len()) && m.before[a.end-1-tail] == m.after[b.end-1-tail] {
		tail++
	}
	a.end, b.end = a.end-tail, b.end-tail
	if a.len() > 0 && b.len() > 0 && depth < maxMatchDepth {
		m.between(a, b, depth)
	}
	m.add(a.end, b.end, tail)
}

// between matches two ranges whose first rows differ, and whose last rows do.
func (m *rowMatcher) between(a, b span, depth int) {
	m.effort.spend(tableWork * (a.len() + b.len()))
	anchors := longestIncreasing(uniquePairs(m.before, m.after, a, b))
	if len(anchors) == 0 {
		if a.len()*b.len() <= maxLCSCells {
			m.effort.spend(a.len() * b.len())
			m.exact(a, b)
		}
		return
	}
	for _, at := range anchors {
		if at.before < a.first || at.after < b.first {
			continue // an earlier anchor's run reached over it
		}
		m.match(span{a.first, at.before}, span{b.first, at.after}, depth+1)
		rows := 1
		for at.before+rows < a.end && at.after+rows < b.end &&
			m.before[at.before+rows] == m.after[at.after+rows] {
			rows++
		}
		m.add(at.before, at.after, rows)
		a.first, b.first = at.before+rows, at.after+rows
	}
	m.match(a, b, depth+1)
}

// exact appends a longest common subsequence of two small ranges.
func (m *rowMatcher) exact(a, b span) {
	columns := b.len() + 1
	best := make([]uint16, (a.len()+1)*columns) // of the rests from each cell on
	for i := a.len() - 1; i >= 0; i-- {
		for j := b.len() - 1; j >= 0; j-- {
			at := i*columns + j
			if m.before[a.first+i] == m.after[b.first+j] {
				best[at] = best[at+columns+1] + 1
			} else {
				best[at] = max(best[at+columns], best[at+1])
			}
		}
	}
	for i, j := 0, 0; i < a.len() && j < b.len(); {
		at := i*columns + j
		switch {
		case m.before[a.first+i] == m.after[b.first+j]:
			m.add(a.first+i, b.first+j, 1)
			i, j = i+1, j+1
		case best[at+columns] >= best[at+1]:
			i++
		default:
			j++
		}
	}
}

// add appends a run.
func (m *rowMatcher) add(before, after, rows int) {
	if rows > 0 {
		m.runs = append(m.runs, run{before, after, rows})
	}
}

// joinRuns joins runs that continue each other and leaves out empty ones.
func joinRuns(runs []run) []run {
	joined := runs[:0]
	for _, r := range runs {
		if r.rows == 0 {
			continue
		}
		if n := len(joined); n > 0 && joined[n-1].before+joined[n-1].rows == r.before &&
			joined[n-1].after+joined[n-1].rows == r.after {
			joined[n-1].rows += r.rows
			continue
		}
		joined = append(joined, r)
	}
	return joined
}

// rowPair is one row of each picture.
type rowPair struct{ before, after int }

// uniquePairs pairs the rows that occur exactly once in each range, in the
// order of the before picture.
func uniquePairs(before, after []uint64, a, b span) []rowPair {
	t := newRowTable(a.len())
	for y := a.first; y < a.end; y++ {
		p := t.find(before[y], true)
		p.before, p.counts[0] = int32(y), min(p.counts[0]+1, 2)
	}
	for y := b.first; y < b.end; y++ {
		if p := t.find(after[y], false); p != nil {
			p.after, p.counts[1] = int32(y), min(p.counts[1]+1, 2)
		}
	}
	var pairs []rowPair
	for y := a.first; y < a.end; y++ {
		if p := t.find(before[y], false); p.counts == [2]uint8{1, 1} {
			pairs = append(pairs, rowPair{y, int(p.after)})
		}
	}
	return pairs
}

// rowTable is a hash table of rows with open addressing; the keys are hashes
// already.
type rowTable struct {
	places []rowPlace
	shift  int
}

// rowPlace is where rows with one hash are, and how many up to two.
type rowPlace struct {
	hash          uint64
	before, after int32
	counts        [2]uint8
	used          bool
}

// newRowTable returns a table for some number of different rows, at most half
// full.
func newRowTable(rows int) rowTable {
	size := bits.Len(uint(2 * rows))
	return rowTable{places: make([]rowPlace, 1<<size), shift: 64 - size}
}

// find returns the place of a hash. If there is none yet, it adds one or
// returns nil.
func (t *rowTable) find(hash uint64, add bool) *rowPlace {
	for i := int(hash >> t.shift); ; i++ {
		p := &t.places[i&(len(t.places)-1)]
		if p.used && p.hash == hash {
			return p
		}
		if !p.used {
			if !add {
				return nil
			}
			p.hash, p.used = hash, true
			return p
		}
	}
}

// longestIncreasing keeps the most pairs whose rows are in order in both
// pictures. The pairs come in the order of the before picture.
func longestIncreasing(pairs []rowPair) []rowPair {
	var ends []int // ends[n] is the pair that ends the best sequence of n+1
	previous := make([]int, len(pairs))
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(ends, p.after, func(end, after int) int { return pairs[end].after - after })
		previous[i] = -1
		if n > 0 {
			previous[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	kept := make([]rowPair, len(ends))
	if len(ends) > 0 {
		for n, i := len(ends)-1, ends[len(ends)-1]; i >= 0; n, i = n-1, previous[i] {
			kept[n] = pairs[i]
		}
	}
	return kept
}
