package imgdiff

import (
	"bytes"
	"context"
	"image"
)

// source is what a result can be pictured from later: the after picture, as a
// file or as an image.
type source struct {
	file      []byte
	image     image.Image
	maxPixels int
}

// Compare compares two encoded images, PNG or any other format registered with package image. The result keeps a
// reference to after for Result.Compose, so the caller must not modify it. Errors unwrap to ErrFormat, ErrCorrupt,
// ErrTooLarge or ErrOptions, or to the error of the context, to which it reacts within a few milliseconds.
func Compare(ctx context.Context, before, after []byte, o Options) (r *Result, err error) {
	defer finish(&err)
	if err := o.validate(); err != nil {
		return nil, err
	}
	e := newEffort(ctx)
	src := source{file: after, maxPixels: o.maxPixels()}
	if bytes.Equal(before, after) {
		return compareSame(e, before, src)
	}
	var pictures [2]*picture
	var errs [2]error
	e.inBands(2, func(i int) { pictures[i], errs[i] = decode(e, [][]byte{before, after}[i], src.maxPixels) })
	for i, side := range []string{"before", "after"} {
		if errs[i] != nil {
			pictures[1-i].release()
			return nil, onSide(errs[i], side)
		}
	}
	return comparePictures(e, pictures[0], pictures[1], o, src)
}

// CompareImages compares two decoded images. The result keeps a reference to after for Result.Compose, so the caller
// must not modify it. Errors are those of Compare.
func CompareImages(ctx context.Context, before, after image.Image, o Options) (r *Result, err error) {
	defer finish(&err)
	if err := o.validate(); err != nil {
		return nil, err
	}
	e := newEffort(ctx)
	src := source{image: after, maxPixels: o.maxPixels()}
	for _, side := range []struct {
		img  image.Image
		name string
	}{{before, "before"}, {after, "after"}} {
		if err := checkImage(side.img, src.maxPixels); err != nil {
			return nil, onSide(err, side.name)
		}
	}
	if p, ok := borrowPair(e, before, after); ok {
		if err := checkUnion(p.a, p.b, src.maxPixels); err != nil {
			return nil, err
		}
		return comparePair(p, o, src), nil
	}
	a, err := fromImage(e, before, src.maxPixels)
	if err != nil {
		return nil, onSide(err, "before")
	}
	b, err := fromImage(e, after, src.maxPixels)
	if err != nil {
		a.release()
		return nil, onSide(err, "after")
	}
	return comparePictures(e, a, b, o, src)
}

// compareSame answers for byte-equal files, which browsers write for pages
// that did not change. It looks at their pixels only as far as it takes to
// see that they are not blank.
func compareSame(e *effort, data []byte, src source) (*Result, error) {
	size, blank, err := glance(e, data, src.maxPixels)
	if err != nil {
		return nil, onSide(err, "before")
	}
	return &Result{Width: size.X, Height: size.Y, Before: size, After: size, Equal: true, MinSSIM: 1,
		BlankBefore: blank, BlankAfter: blank, source: src}, nil
}

// comparePictures compares two decoded pictures and releases them, unless they
// are to be kept.
func comparePictures(e *effort, a, b *picture, o Options, src source) (*Result, error) {
	kept := false
	defer func() { // also when the context ends
		if !kept {
			a.release()
			b.release()
		}
	}()
	if a.bpp != b.bpp {
		a, b = a.withAlpha(e), b.withAlpha(e)
	}
	if err := checkUnion(a, b, src.maxPixels); err != nil {
		return nil, err
	}
	r := comparePair(newPair(e, a, b), o, src)
	if o.Keep {
		r.keep(a, b)
		kept = true
	}
	return r, nil
}

// checkUnion refuses two pictures that are too large together, as a very wide
// and a very tall one.
func checkUnion(a, b *picture, maxPixels int) error {
	if err := checkSize(max(a.width, b.width), max(a.height, b.height), maxPixels); err != nil {
		return onSide(err, "both together")
	}
	return nil
}

// comparePair does everything after decoding.
func comparePair(p *pair, o Options, src source) *Result {
	a, b := p.a, p.b
	r := &Result{
		Width: max(a.width, b.width), Height: max(a.height, b.height),
		Before: image.Pt(a.width, a.height), After: image.Pt(b.width, b.height),
		MinSSIM: 1, source: src,
	}
	r.BlankBefore, r.BlankAfter = isBlank(p.effort, a), isBlank(p.effort, b)
	c := newCounter(p, r, o)
	r.limit = c.limit
	aligned := c.aligned(o)
	plain := aligned == nil || !o.AlignedOnly || !aligned.explains()
	if plain {
		p.compareRows()
		c.count()
		r.Equal = p.allEqual()
		c.fill()
		r.Residual, r.AlignedPercent = r.Changed, r.Percent
	}
	if aligned != nil {
		aligned.plain = plain
		aligned.apply()
	}
	r.AlignmentCut, r.AlignmentWork = p.effort.cut.Load(), min(p.effort.spent.Load(), p.effort.limit)
	c.cluster()
	r.see(aligned)
	return r
}

// aligned aligns the pair where that is asked for and can tell anything, and
// returns nil otherwise, and when the bound on its work does not even
// let it find the rows that correspond.
func (c *counter) aligned(o Options) *alignedCount {
	if !o.Align && !o.AlignedOnly || !c.shared {
		return nil
	}
	c.effort.bound(o.Effort, c.a, c.b)
	al := newAligner(c.pair, c.tolerance)
	var found *alignment
	if !c.effort.within(func() { found = al.align() }) {
		return nil
	}
	return &alignedCount{aligner: al, counter: c, layout: al.resolve(found), runs: found.runs}
}
