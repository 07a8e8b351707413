package capture

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"slices"

	"afterimage/internal/page"
)

const (
	tileSize   = 16  // pixels; the granularity in which differences between pictures of the same page are kept
	maxBoxes   = 100 // rectangles kept per page; beyond that, neighbours are merged
	bytesPixel = 4
)

// difference collects where pictures of the same page differ. The zero value is empty.
type difference struct {
	tiles map[image.Point]bool // by column and row
	last  image.Rectangle      // the largest extent of the pictures seen
}

// add compares two pictures of the same page. It holds the pixels of one slice of each.
func (d *difference) add(before, after picture) error {
	if d.tiles == nil {
		d.tiles = make(map[image.Point]bool)
	}
	height := max(before.height, after.height)
	d.last = d.last.Union(image.Rect(0, 0, max(before.width, after.width), height))
	a, b := rowReader{picture: before}, rowReader{picture: after}
	for y := 0; y < height; y++ {
		if before.sharesSlice(after, y) {
			y += before.step - 1
			continue
		}
		rowA, err := a.row(y)
		if err != nil {
			return err
		}
		rowB, err := b.row(y)
		if err != nil {
			return err
		}
		if !bytes.Equal(rowA, rowB) {
			d.addRow(y/tileSize, rowA, rowB)
		}
	}
	return nil
}

// addRow marks the tiles of one row of pixels. Pixels that only one picture has count as different.
func (d *difference) addRow(tileRow int, a, b []byte) {
	const step = tileSize * bytesPixel
	for x := 0; x < max(len(a), len(b)); x += step {
		if !bytes.Equal(part(a, x, step), part(b, x, step)) {
			d.tiles[image.Pt(x/step, tileRow)] = true
		}
	}
}

// spread extends a difference inside one of the given rectangles to the whole rectangle.
func (d *difference) spread(boxes []page.Box) {
	found := make(map[image.Point]bool)
	for _, b := range boxes {
		area := image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height).Intersect(d.last)
		var tiles []image.Point
		differs := false
		for y := area.Min.Y / tileSize; y*tileSize < area.Max.Y; y++ {
			for x := area.Min.X / tileSize; x*tileSize < area.Max.X; x++ {
				tiles = append(tiles, image.Pt(x, y))
				differs = differs || d.tiles[image.Pt(x, y)]
			}
		}
		for _, tile := range tiles {
			found[tile] = differs || found[tile]
		}
	}
	for tile, differs := range found {
		if differs {
			d.tiles[tile] = true
		}
	}
}

func part(row []byte, from, length int) []byte {
	return row[min(from, len(row)):min(from+length, len(row))]
}

func row(picture *image.RGBA, y int) []byte {
	if y >= picture.Rect.Max.Y {
		return nil
	}
	return picture.Pix[y*picture.Stride:][:picture.Rect.Dx()*bytesPixel]
}

// boxes covers all differences with at most maxBoxes rectangles, from top to bottom.
func (d *difference) boxes() []page.Box {
	tiles, size := d.tiles, tileSize
	for {
		if rects := rectangles(tiles, size); len(rects) <= maxBoxes {
			boxes := make([]page.Box, 0, len(rects))
			for _, r := range rects {
				boxes = append(boxes, page.BoxOf(r.Intersect(d.last)))
			}
			return boxes
		}
		coarser := make(map[image.Point]bool)
		for tile := range tiles {
			coarser[tile.Div(2)] = true
		}
		tiles, size = coarser, 2*size
	}
}

// rectangles merges tiles into runs, and runs of the same extent in consecutive rows into rectangles in pixels.
func rectangles(tiles map[image.Point]bool, size int) []image.Rectangle {
	sorted := make([]image.Point, 0, len(tiles))
	for tile := range tiles {
		sorted = append(sorted, tile)
	}
	slices.SortFunc(sorted, func(a, b image.Point) int {
		if a.Y != b.Y {
			return a.Y - b.Y
		}
		return a.X - b.X
	})
	var runs []image.Rectangle
	for _, tile := range sorted {
		if n := len(runs); n > 0 && runs[n-1].Min.Y == tile.Y && runs[n-1].Max.X == tile.X {
			runs[n-1].Max.X++
			continue
		}
		runs = append(runs, image.Rectangle{tile, tile.Add(image.Pt(1, 1))})
	}
	var joined []image.Rectangle
	above := make(map[image.Rectangle]int) // by the run that would continue a rectangle: its index
	for _, run := range runs {
		i, continues := above[run]
		if continues {
			joined[i].Max.Y++
		} else {
			i = len(joined)
			joined = append(joined, run)
		}
		above[run.Add(image.Pt(0, 1))] = i
	}
	for i, r := range joined {
		joined[i] = image.Rectangle{r.Min.Mul(size), r.Max.Mul(size)}
	}
	return joined
}

// decode decodes a picture made by the browser. The requested size limits its size.
func decode(picture []byte) (*image.RGBA, error) {
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("decode the screenshot: %w", err)
	}
	if rgba, ok := decoded.(*image.RGBA); ok {
		return rgba, nil
	}
	rgba := image.NewRGBA(decoded.Bounds())
	draw.Draw(rgba, rgba.Rect, decoded, decoded.Bounds().Min, draw.Src)
	return rgba, nil
}
