package imgdiff

import (
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"
)

// block is one part of a generated page, some rows high.
type block struct {
	rows int
	seed uint64 // of its content; 0 is blank
}

const pageWidth = 96

// drawPage draws blocks one below the other.
func drawPage(blocks []block) *image.NRGBA {
	height := 0
	for _, b := range blocks {
		height += b.rows
	}
	page := newCanvas(pageWidth, height, color.NRGBA{255, 255, 255, 255})
	top := 0
	for _, b := range blocks {
		if b.seed != 0 {
			drawBlock(page, b, top)
		}
		top += b.rows
	}
	return page.NRGBA
}

// drawBlock draws a card: a border, a heading and something like words, all
// of its own, so that its rows are not those of other blocks.
func drawBlock(page canvas, b block, top int) {
	r := newRand(b.seed)
	ink := randomColour(r)
	for y := top; y < top+b.rows; y++ {
		for x := 4; x < pageWidth-4; x++ {
			edge := y == top || y == top+b.rows-1 || x == 4 || x == pageWidth-5
			if edge || r.IntN(5) == 0 {
				page.SetNRGBA(x, y, ink)
			}
		}
	}
}

// edit is what was done to a page.
type edit struct {
	before, after []block
	want          []Band
	shiftsOnly    bool
}

// newEdit makes a page and does a few things to it.
func newEdit(r *rand.Rand) edit {
	var e edit
	n := 8 + r.IntN(10)
	seed := r.Uint64()>>8 + 1
	var page []block
	for i := range n {
		page = append(page, block{10 + r.IntN(60), seed + uint64(i)}, block{6 + r.IntN(20), 0})
	}
	e.before = page
	e.after = slices.Clone(page)
	e.shiftsOnly = true
	// Blocks are touched at most once, and never two neighbours.
	places := r.Perm(n)[:1+r.IntN(3)]
	slices.Sort(places)
	places = slices.CompactFunc(places, func(a, b int) bool { return b-a < 2 })
	type change struct {
		kind BandKind
		at   int
	}
	var changes []change
	for _, at := range places {
		kind := []BandKind{BandInserted, BandDeleted, BandChanged}[r.IntN(3)]
		changes = append(changes, change{kind, 2 * at})
	}
	yBefore, yAfter := 0, 0
	e.after = nil
	for i, b := range page {
		kind := BandKind("")
		for _, c := range changes {
			if c.at == i {
				kind = c.kind
			}
		}
		band := Band{Kind: kind, YBefore: yBefore, YAfter: yAfter, Rows: b.rows, X1: pageWidth}
		switch kind {
		case BandInserted:
			fresh := block{10 + r.IntN(80), seed + 1000 + uint64(i)}
			band.Rows = fresh.rows
			e.after = append(e.after, fresh)
			yAfter += fresh.rows
			fallthrough
		case "":
			e.after = append(e.after, b)
			yAfter += b.rows
		case BandChanged:
			e.after = append(e.after, block{b.rows, seed + 2000 + uint64(i)})
			yAfter += b.rows
			e.shiftsOnly = false
		}
		yBefore += b.rows
		if kind != "" {
			e.want = append(e.want, band)
		}
	}
	return e
}

// newMove makes a page of which one block moved across larger ones.
func newMove(r *rand.Rand) edit {
	seed := r.Uint64()>>8 + 1
	small := block{10 + r.IntN(30), seed}
	var others []block
	for i := range 5 + r.IntN(5) {
		others = append(others, block{60 + r.IntN(40), seed + 1 + uint64(i)})
	}
	from, to := 0, 0
	for from == to {
		from, to = r.IntN(len(others)+1), r.IntN(len(others)+1)
	}
	place := func(at int) (page []block, y int) {
		page = slices.Insert(slices.Clone(others), at, small)
		for _, b := range page[:at] {
			y += b.rows
		}
		return page, y
	}
	e := edit{shiftsOnly: true}
	var band Band
	e.before, band.YBefore = place(from)
	e.after, band.YAfter = place(to)
	band.Kind, band.Rows, band.X1 = BandMoved, small.rows, pageWidth
	e.want = []Band{band}
	return e
}

// TestAlignsGeneratedPages: at least 99 of 100 pages must give exactly the
// bands that were made, pure shifts must leave nothing, and no page may come
// out worse than without alignment.
func TestAlignsGeneratedPages(t *testing.T) {
	const pages = 300
	exact := 0
	for seed := range uint64(pages) {
		r := newRand(seed)
		e := newEdit(r)
		if seed%4 == 0 {
			e = newMove(r)
		}
		a, b := drawPage(e.before), drawPage(e.after)
		name := fmt.Sprintf("page %d", seed)
		result, err := Compare(t.Context(), encode(t, a), encode(t, b), DefaultOptions())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if slices.Equal(places(result.Bands), e.want) {
			exact++
		} else {
			t.Logf("%s: bands %+v, want %+v", name, result.Bands, e.want)
		}
		if e.shiftsOnly && result.Residual != 0 {
			t.Errorf("%s: %d pixels remain though blocks only shifted", name, result.Residual)
		}
		if result.AlignedPercent > result.Percent {
			t.Errorf("%s: aligned %v %% is worse than plain %v %%", name, result.AlignedPercent, result.Percent)
		}
		only := DefaultOptions()
		only.AlignedOnly = true
		again, err := Compare(t.Context(), encode(t, a), encode(t, b), only)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again.Residual != result.Residual || !slices.Equal(again.Bands, result.Bands) {
			t.Errorf("%s: aligned only gives %d, %+v; with the plain count %d, %+v",
				name, again.Residual, again.Bands, result.Residual, result.Bands)
		}
	}
	if exact < pages*99/100 {
		t.Errorf("%d of %d pages have exact bands, want 99 %%", exact, pages)
	}
}

// places are bands without what they look like.
func places(bands []Band) []Band {
	bare := slices.Clone(bands)
	for i := range bare {
		bare[i].Surface = Surface{}
	}
	return bare
}

// TestAlignsAcrossEncoders: files filtered in different ways are aligned by
// their pixels.
func TestAlignsAcrossEncoders(t *testing.T) {
	for seed := range uint64(12) {
		e := newEdit(newRand(seed))
		a, b := drawPage(e.before), drawPage(e.after)
		var rows []byte
		for y := range b.Rect.Dy() {
			rows = append(rows, 0) // no filter
			for x := range b.Rect.Dx() {
				rows = append(rows, b.Pix[b.PixOffset(x, y):][:3]...)
			}
		}
		header := pngHeader{width: b.Rect.Dx(), height: b.Rect.Dy(), depth: 8, colour: pngRGB}
		result, err := Compare(t.Context(), encode(t, a), rawPNG(t, header, rows, 1<<13), DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(places(result.Bands), e.want) {
			t.Errorf("page %d: bands %+v, want %+v", seed, result.Bands, e.want)
		}
	}
}

// TestAlignmentKeepsWhatStaysInPlace: where nothing moved, what remains after
// alignment is what the plain comparison counts, whatever filters the rows
// have.
func TestAlignmentKeepsWhatStaysInPlace(t *testing.T) {
	before := encode(t, benchPage{height: 1300}.draw())
	for _, page := range []benchPage{{height: 1300, words: true}, {height: 1300, photos: true}, {height: 1300, nudge: 0.4}} {
		result, err := Compare(t.Context(), before, encode(t, page.draw()), DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if result.Changed == 0 || result.Residual != result.Changed || result.AlignedPercent != result.Percent {
			t.Errorf("%+v: %d pixels changed, %d remain", page, result.Changed, result.Residual)
		}
		for _, band := range result.Bands {
			if band.Kind != BandChanged || band.YBefore != band.YAfter {
				t.Errorf("%+v: band %+v", page, band)
			}
		}
	}
}

// TestAlignsColumns: a sidebar that moves alone is told as a band of its own
// columns, and nothing of it remains.
func TestAlignsColumns(t *testing.T) {
	const mainWidth, sideWidth = 203, 90
	side := []block{{40, 21}, {10, 0}, {60, 22}, {10, 0}, {70, 23}, {300, 0}}
	text := []block{{200, 31}, {20, 0}, {180, 32}, {90, 0}}
	inserted := block{50, 24}
	draw := func(side []block) *image.NRGBA {
		page := newCanvas(mainWidth+sideWidth, 490, color.NRGBA{255, 255, 255, 255})
		column := func(blocks []block, x0, width int) {
			top := 0
			for _, b := range blocks {
				card := newCanvas(pageWidth*4, b.rows, color.NRGBA{255, 255, 255, 255})
				if b.seed != 0 {
					drawWide(card, b, width)
				}
				for y := range min(b.rows, 490-top) {
					for x := range width {
						page.SetNRGBA(x0+x, top+y, card.NRGBAAt(x, y))
					}
				}
				top += b.rows
			}
		}
		column(text, 0, mainWidth)
		column(side, mainWidth, sideWidth)
		return page.NRGBA
	}
	before := draw(side)
	after := draw(slices.Insert(slices.Clone(side), 2, inserted))
	result, err := Compare(t.Context(), encode(t, before), encode(t, after), DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if result.Residual != 0 {
		t.Errorf("%d pixels remain", result.Residual)
	}
	found := slices.ContainsFunc(result.Bands, func(b Band) bool {
		return b.Kind == BandInserted && b.YAfter == 50 && b.Rows == 50 && b.X0 > mainWidth-5 && b.X0 <= mainWidth+4 &&
			b.X1 == mainWidth+sideWidth
	})
	if !found {
		t.Errorf("bands %+v, want one inserted into the sidebar", result.Bands)
	}
}

// drawWide draws the content of a block across a width.
func drawWide(page canvas, b block, width int) {
	r := newRand(b.seed)
	ink := randomColour(r)
	for y := range b.rows {
		for x := 4; x < width-4; x++ {
			if y == 0 || y == b.rows-1 || x == 4 || x == width-5 || r.IntN(5) == 0 {
				page.SetNRGBA(x, y, ink)
			}
		}
	}
}

// TestAbsorbsRoundedRows: a page that became one or two rows taller by
// rounding shows no band, and nothing counts.
func TestAbsorbsRoundedRows(t *testing.T) {
	for rows := 1; rows <= 2; rows++ {
		before := []block{{30, 5}, {12, 0}, {40, 6}, {12, 0}, {30, 7}}
		after := slices.Clone(before)
		after[1].rows += rows
		result, err := CompareImages(t.Context(), drawPage(before), drawPage(after), DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if result.Percent < 1 || result.AlignedPercent != 0 || len(result.Bands) != 0 {
			t.Errorf("%d rows: plain %v %%, aligned %v %%, bands %+v", rows, result.Percent, result.AlignedPercent, result.Bands)
		}
	}
}
