package capture

import (
	"bytes"
	"fmt"
	"image"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture/rowpng"
)

const (
	maxPainted      = 16_000    // rows of one picture by the browser: Chromium paints at most 16,384; a multiple of the margin
	sliceMargin     = 128       // rows above and below a slice that are painted too: blurred backdrops look beyond its edge
	maxPictureBytes = 128 << 20 // of all slices of a page, compressed; the page is cut before a slice that exceeds it
)

// picture is a picture of a page as the browser painted it: PNG files of the same width, from top to bottom. A page up
// to maxPainted rows has one, which is the screenshot itself.
type picture struct {
	width, height int
	step          int // rows from slice to slice
	margin        int // further rows above and below each slice, as far as the page has them
	slices        [][]byte
}

// top is the first row that the file of a slice has.
func (p picture) top(slice int) int { return max(slice*p.step-p.margin, 0) }

// wholePicture is a picture in one file.
func wholePicture(file []byte) (picture, error) {
	width, height, err := pngSize(file)
	return picture{width: width, height: height, step: max(height, 1), slices: [][]byte{file}}, err
}

// equal reports whether two pictures of the same page are equal, byte by byte.
func (p picture) equal(other picture) bool {
	return slices.EqualFunc(p.slices, other.slices, bytes.Equal)
}

// slice is the index of the slice with row y; -1 below the picture.
func (p picture) slice(y int) int {
	if y >= p.height {
		return -1
	}
	return y / p.step
}

// sharesSlice reports whether a slice that is equal in both pictures begins at row y.
func (p picture) sharesSlice(other picture, y int) bool {
	i := p.slice(y)
	return i >= 0 && y%p.step == 0 && p.step == other.step && i == other.slice(y) && bytes.Equal(p.slices[i], other.slices[i])
}

// rowReader decodes a picture from top to bottom, one slice at a time.
type rowReader struct {
	picture

	pixels  *image.RGBA // of slice number decoded-1
	decoded int
}

// row returns the pixels of row y; nil below the picture.
func (r *rowReader) row(y int) ([]byte, error) {
	i := r.slice(y)
	if i < 0 {
		return nil, nil
	}
	if r.decoded != i+1 {
		var err error
		if r.pixels, err = decode(r.slices[i]); err != nil {
			return nil, err
		}
		r.decoded = i + 1
	}
	return row(r.pixels, y-r.top(i)), nil
}

// join returns the picture as one PNG file. It holds the pixels of one slice.
func (p picture) join() ([]byte, error) {
	if len(p.slices) == 1 {
		return p.slices[0], nil
	}
	w, err := rowpng.New(p.width, p.height)
	if err != nil {
		return nil, err
	}
	rows := rowReader{picture: p}
	for y := range p.height {
		pixels, err := rows.row(y)
		if err == nil {
			err = w.Add(pixels)
		}
		if err != nil {
			return nil, fmt.Errorf("join the slices of a screenshot: %w", err)
		}
	}
	return w.Finish()
}

// paint captures a page slice by slice. The page's time stands still meanwhile and its layout remains the same, so the
// slices fit together, and what is fixed or sticks is in the one where a single picture would show it.
func (r *run) paint(width, height int, silent, last bool) (picture, error) {
	step := maxPainted
	if r.req.SliceHeight > 0 {
		step = min(r.req.SliceHeight, maxPainted)
	}
	if height <= step {
		file, err := r.slice(width, 0, height, silent, last)
		if err != nil {
			return picture{}, err
		}
		return wholePicture(file)
	}
	p := picture{width: width, height: height, step: step, margin: sliceMargin}
	r.deadline.extend(time.Duration((height-1)/maxPainted) * sliceTime)
	for i, size := 0, 0; i*step < height; i++ {
		top := p.top(i)
		rows := min((i+1)*step+p.margin, height) - top
		file, err := r.slice(width, top, rows, silent, false)
		if err == nil {
			err = checkSize(file, width, rows)
		}
		if err != nil {
			return picture{}, err
		}
		if size += len(file); size > maxPictureBytes && i > 0 {
			p.height, r.shot.Truncated = i*step, true
			break
		}
		p.slices = append(p.slices, file)
	}
	return p, nil
}

// checkSize requires that a slice has the size that was asked for.
func checkSize(file []byte, width, rows int) error {
	w, h, err := pngSize(file)
	if err == nil && (w != width || h != rows) {
		err = fmt.Errorf("the browser's picture should have %d × %d pixels and has %d × %d", width, rows, w, h)
	}
	return err
}

// fillsWindow reports whether the picture shows exactly the window, of a page that grows to the left or upwards. The browser
// shifts such a picture if it is asked for what is beyond the viewport, up to a blank one, as if the page had once been laid out
// in a window of one pixel. It does not if the picture has another size than the window.
func (r *run) fillsWindow(width, rows int) bool {
	return (r.size.Left || r.size.Up) && width == r.device.Width && rows == r.device.Height
}

// slice captures some rows of the page beyond the viewport. Enlarging the viewport instead would stretch elements that
// are as high as the screen.
func (r *run) slice(width, top, rows int, silent, last bool) ([]byte, error) {
	answer := r.tab.Begin(proto.PageCaptureScreenshot{
		Format: proto.PageCaptureScreenshotFormatPng, OptimizeForSpeed: true, FromSurface: true,
		CaptureBeyondViewport: !r.fillsWindow(width, rows),
		Clip: &proto.PageViewport{
			X: float64(r.size.ClipX), Y: float64(r.size.ClipY + top), Width: float64(width), Height: float64(rows), Scale: 1,
		},
	})
	return r.clock.Picture(r.ctx, answer, image.Pt(width, rows), silent, last)
}
