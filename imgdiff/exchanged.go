package imgdiff

import (
	"bytes"
	"image"
	"iter"
)

// Exchange is a colour that gave way to another one; nil is any colour.
type Exchange struct{ Before, After *[3]uint8 }

// Exchanged counts the pixels within a box of the after image of which a channel differs by at least so many levels from that before the
// displacement, whatever the threshold of the comparison is, and also where anti-aliasing may be the reason. Their colours are those of the
// exchange. Pixels outside of either image do not count. The error is that of the context.
func (d *Displaced) Exchanged(box image.Rectangle, by image.Point, levels int, e Exchange) (n int, err error) {
	defer finish(&err)
	bpp := d.b.bpp
	for before, after := range d.rows(box, by) {
		if bytes.Equal(before, after) {
			continue
		}
		for i := 0; i < len(after); i += bpp {
			was, is := [3]uint8(before[i:]), [3]uint8(after[i:])
			if differsBy(was, is, levels) && (e.Before == nil || *e.Before == was) && (e.After == nil || *e.After == is) {
				n++
			}
		}
	}
	return n, nil
}

// rows are the pixels of a box of the after image, row by row, and those before the displacement that they are compared with, as far as
// both images have them.
func (d *Displaced) rows(box image.Rectangle, by image.Point) iter.Seq2[[]byte, []byte] {
	box = box.Intersect(image.Rect(max(0, by.X), max(0, by.Y), min(d.b.width, d.a.width+by.X), min(d.b.height, d.a.height+by.Y)))
	bpp := d.b.bpp
	return func(yield func(before, after []byte) bool) {
		for y := box.Min.Y; y < box.Max.Y; y++ {
			d.effort.check()
			d.a.finish(y - by.Y)
			d.b.finish(y)
			before := d.a.row(y - by.Y)[(box.Min.X-by.X)*bpp : (box.Max.X-by.X)*bpp]
			if !yield(before, d.b.row(y)[box.Min.X*bpp:box.Max.X*bpp]) {
				return
			}
		}
	}
}

// differsBy reports whether a channel of two colours differs by at least so many levels.
func differsBy(was, is [3]uint8, levels int) bool {
	for i := range was {
		if d := int(was[i]) - int(is[i]); d >= levels || -d >= levels {
			return true
		}
	}
	return false
}

// Tinted counts the pixels within a box of the after image of which a channel differs by at least so many levels from that before the
// displacement, and among them those that lie in an area whose colour changed evenly: by exactly as much as to the left of them and
// above. Areas, gradients and shadows in another colour are even; other letters, photographs and encodings of a photograph are not.
// Pixels outside of either image do not count. The error is that of the context.
func (d *Displaced) Tinted(box image.Rectangle, by image.Point, levels int) (even, all int, err error) {
	defer finish(&err)
	none := [3]int16{}
	var above [][3]int16 // by how much the row above differs
	bpp := d.b.bpp
	for before, after := range d.rows(box, by) {
		if above == nil {
			above = make([][3]int16, len(after)/bpp)
		}
		if bytes.Equal(before, after) {
			clear(above)
			continue
		}
		left := none
		for x := range above {
			was, is := [3]uint8(before[x*bpp:]), [3]uint8(after[x*bpp:])
			change := none
			if was != is {
				change = [3]int16{int16(is[0]) - int16(was[0]), int16(is[1]) - int16(was[1]), int16(is[2]) - int16(was[2])}
				if differsBy(was, is, levels) {
					all++
					if left == change && above[x] == change {
						even++
					}
				}
			}
			left, above[x] = change, change
		}
	}
	return even, all, nil
}
