package imgdiff

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // JPEG pictures are accepted
	"image/png"
	"io"

	"afterimage/imgdiff/internal/pngrows"
)

// maxScans is the largest number of passes over the picture that a JPEG file
// may ask for. A few bytes are enough for one; programs that write progressive
// files use ten or so.
const maxScans = 100

// decodeUncommonPNG reads palettes, greys, 16 bits and transparent colours row by row, and leaves interlaced files to image/png.
func decodeUncommonPNG(e *effort, f *pngrows.File, data []byte, maxPixels int) (*picture, error) {
	if !f.Interlaced {
		return scanWhole(e, f)
	}
	if f.Depth == 16 {
		// image/png holds such pictures in eight bytes a pixel.
		if err := checkSize(f.Width, f.Height, maxPixels/2); err != nil {
			return nil, err
		}
	}
	img, err := foreign(e, data, png.Decode)
	if err != nil {
		return nil, corrupt(err)
	}
	return fromImage(e, img, maxPixels)
}

// scanWhole keeps all rows of a file.
func scanWhole(e *effort, f *pngrows.File) (*picture, error) {
	s, err := scanFile(e, f)
	if err != nil {
		return nil, err
	}
	p := newPicture(s.width, s.height, s.bpp)
	for y := range p.height {
		row, err := s.next()
		if err != nil {
			p.release()
			return nil, err
		}
		copy(p.row(y), row)
		p.markFinished(y)
	}
	if err := s.finish(); err != nil {
		p.release()
		return nil, err
	}
	return p, nil
}

// decodeOther leaves other formats to the decoders registered with package
// image: JPEG always, more if the program imports them.
func decodeOther(e *effort, data []byte, maxPixels int) (*picture, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if errors.Is(err, image.ErrFormat) {
		return nil, &PictureError{Kind: ErrFormat, Reason: "not a PNG, JPEG or other supported file"}
	}
	if err != nil {
		return nil, corrupt(err)
	}
	if err := checkSize(config.Width, config.Height, maxPixels); err != nil {
		return nil, err
	}
	if scans := bytes.Count(data, []byte{0xff, 0xda}); format == "jpeg" && scans > maxScans {
		return nil, &PictureError{Kind: ErrTooLarge, Reason: fmt.Sprintf("it draws its pixels in %d passes; the limit is %d",
			scans, maxScans)}
	}
	img, err := foreign(e, data, func(r io.Reader) (image.Image, error) {
		decoded, _, err := image.Decode(r)
		return decoded, err
	})
	if err != nil {
		return nil, corrupt(err)
	}
	return fromImage(e, img, maxPixels)
}

// foreign runs a decoder that is not ours. It is not waited for when the
// context ends: what it reads ends then, and so does the decoder soon.
func foreign(e *effort, data []byte, decode func(io.Reader) (image.Image, error)) (image.Image, error) {
	type outcome struct {
		img image.Image
		err error
	}
	decoded := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() { decoded <- o }()
		o.img, o.err = guarded(func() (image.Image, error) { return decode(&heardReader{e, bytes.NewReader(data)}) })
	}()
	select {
	case o := <-decoded:
		e.check() // rather than that the file ended too early
		return o.img, o.err
	case <-e.done:
		e.check()
		return nil, e.ctx.Err()
	}
}

// heardReader reads until the context ends.
type heardReader struct {
	effort *effort
	io.Reader
}

func (r *heardReader) Read(p []byte) (int, error) {
	if err := r.effort.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// heardWriter writes until the context ends.
type heardWriter struct {
	effort *effort
	io.Writer
}

func (w heardWriter) Write(p []byte) (int, error) {
	w.effort.check()
	return w.Writer.Write(p)
}

// guarded reports the panic of a decoder as an error: pictures come from
// outside.
func guarded(decode func() (image.Image, error)) (img image.Image, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("its decoder failed: %v", cause)
		}
	}()
	return decode()
}
