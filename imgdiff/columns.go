package imgdiff

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// The constants of alignment by columns.
const (
	// stripWidth is the width, in pixels, of the strips in which columns
	// that move by themselves are looked for.
	stripWidth = 32
	// columnRows is the least height of a difference that is looked at by
	// columns.
	columnRows = 48
	// stripVotes is how many rows of a strip must agree on how far it
	// moved.
	stripVotes = 8
	// stayRows is how many rows are looked at to see whether a strip stayed
	// in place.
	stayRows = 16
	// columnGain is the share of the cost of whole rows that columns must
	// stay under, so that they are worth telling.
	columnGain = 0.8
	// maxColumns is the largest number of columns of one gap. Pages have a
	// few; more are noise, and each is work on all rows of the gap.
	maxColumns = 16
)

// byColumns aligns a gap in columns that moved by different distances, such
// as a sidebar beside the main text. It tells false when there are none.
//
// It recurs once at most: it divides a page, and what aligns a column is
// cropped, which pairUp never divides again.
func (al *aligner) byColumns(g gap) (layout, bool) {
	al.finishBoth(g)
	if g.before == g.after && !al.someStay(g.before) {
		return layout{}, false
	}
	edges := al.columnEdges(g)
	if len(edges) < 3 || len(edges) > maxColumns+1 {
		return layout{}, false
	}
	var l layout
	for i := range len(edges) - 1 {
		column := al.column(edges[i], edges[i+1])
		part := column.resolve(column.alignGap(g))
		// A column that grew uses up the blank space below it.
		part.inserted = slices.DeleteFunc(part.inserted, func(s surplus) bool { return column.blank(al.b, s.rows) })
		part.deleted = slices.DeleteFunc(part.deleted, func(s surplus) bool { return column.blank(al.a, s.rows) })
		l.add(part)
	}
	return l, true
}

// someStay reports whether any strip stayed in place, judged by a few rows: where
// rows are as many as before, columns can have moved only beside others that
// stayed.
func (al *aligner) someStay(rows span) bool {
	bpp := al.a.bpp
	for x0 := 0; x0 < al.width; x0 += stripWidth {
		x1 := min(x0+stripWidth, al.width)
		equal := 0
		for i := range stayRows {
			y := rows.first + i*rows.len()/stayRows
			if bytes.Equal(al.a.row(y)[x0*bpp:x1*bpp], al.b.row(y)[x0*bpp:x1*bpp]) {
				equal++
			}
		}
		if 2*equal > stayRows {
			return true
		}
	}
	return false
}

// blank reports whether some finished rows have one colour in the columns.
func (al *aligner) blank(p *picture, rows span) bool {
	first := al.compared(p, rows.first)
	for y := rows.first; y < rows.end; y++ {
		al.effort.spend(al.x1 - al.x0)
		row := al.compared(p, y)
		if !bytes.Equal(row, first) || !bytes.Equal(row[p.bpp:], row[:len(row)-p.bpp]) {
			return false
		}
	}
	return true
}

// columnEdges divides the page where neighbouring strips moved by different
// distances: the left edge, the dividing columns, the right edge. Every edge is
// right of the one before, so no column is empty, and with more than two no
// column is as wide as the page.
func (al *aligner) columnEdges(g gap) []int {
	strips := (al.width + stripWidth - 1) / stripWidth
	distances := make([]int, strips)
	told := make([]bool, strips)
	al.effort.inBands(strips, func(strip int) {
		distances[strip], told[strip] = al.stripDistance(g, strip*stripWidth, min((strip+1)*stripWidth, al.width))
	})
	edges := []int{0}
	last := -1 // the last strip that tells a distance
	for strip, distance := range distances {
		if !told[strip] {
			continue
		}
		if last >= 0 && distance != distances[last] {
			from := max(last*stripWidth, edges[len(edges)-1])
			edge := al.divide(g, from, min((strip+1)*stripWidth, al.width), distances[last], distance)
			if edge > edges[len(edges)-1] && edge < al.width {
				edges = append(edges, edge)
			}
		}
		last = strip
	}
	return append(edges, al.width)
}

// stripDistance is how far most rows of a strip moved down, judged by the
// rows that occur once in each picture. The rows are finished.
func (al *aligner) stripDistance(g gap, x0, x1 int) (distance int, ok bool) {
	var hashes [2][]uint64
	for i, p := range []*picture{al.a, al.b} {
		rows := []span{g.before, g.after}[i]
		hashes[i] = make([]uint64, rows.len())
		for y := range hashes[i] {
			al.effort.spend(x1 - x0)
			hashes[i][y] = maphash.Bytes(al.seed, p.row(rows.first + y)[x0*p.bpp:x1*p.bpp])
		}
	}
	votes := map[int]int{}
	most := 0
	al.effort.spend(tableWork * (g.before.len() + g.after.len()))
	for _, p := range uniquePairs(hashes[0], hashes[1], span{0, g.before.len()}, span{0, g.after.len()}) {
		d := p.after + g.after.first - p.before - g.before.first
		votes[d]++
		if votes[d] > most || votes[d] == most && d < distance {
			most, distance = votes[d], d
		}
	}
	return distance, most >= stripVotes
}

// divide finds the column that best divides pixels that moved by one distance
// from those right of them that moved by another.
func (al *aligner) divide(g gap, x0, x1, left, right int) int {
	differ := func(distance int) []int {
		counts := make([]int, x1-x0)
		bpp := al.a.bpp
		for y := g.before.first; y < g.before.end; y++ {
			al.effort.spend(2 * (x1 - x0))
			if y+distance < g.after.first || y+distance >= g.after.end {
				continue
			}
			a, b := al.a.row(y)[x0*bpp:x1*bpp], al.b.row(y + distance)[x0*bpp:x1*bpp]
			for i := range a {
				if a[i] != b[i] {
					counts[i/bpp]++
				}
			}
		}
		return counts
	}
	wrongLeft, wrongRight := differ(left), differ(right)
	cost := 0
	for _, n := range wrongRight {
		cost += n
	}
	best, edge := cost, x0
	for i := range wrongLeft {
		cost += wrongLeft[i] - wrongRight[i]
		if cost < best {
			best, edge = cost, x0+i+1
		}
	}
	return edge
}
