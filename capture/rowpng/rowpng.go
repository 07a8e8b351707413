// Package rowpng writes pictures row by row, without all of their pixels in memory.
package rowpng

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"github.com/klauspost/compress/zlib"
)

const (
	signature  = "\x89PNG\r\n\x1a\n"
	rgb        = 2 // colour type of IHDR
	up         = 2 // filter type: each byte is the difference to the one above
	bytesRGB   = 3
	bytesPixel = 4 // of a row that is added
)

// Writer encodes an opaque picture row by row, in the form in which Chromium writes its own screenshots: RGB, filter
// Up, compressed quickly (PNG specification, sections 9 to 11). Equal rows give equal bytes. It holds the compressed
// picture and one row; image/png needs all pixels at once.
type Writer struct {
	file   bytes.Buffer
	pixels *zlib.Writer
	above  []byte // the previous row
	line   []byte // filter type and filtered row
}

// New begins a picture of a size in pixels.
func New(width, height int) (*Writer, error) {
	w := &Writer{above: make([]byte, width*bytesRGB), line: make([]byte, 1+width*bytesRGB)}
	w.line[0] = up
	w.file.WriteString(signature)
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	header = append(binary.BigEndian.AppendUint32(header, uint32(height)), 8, rgb, 0, 0, 0) // bits per sample, the only methods
	w.chunk("IHDR", header)
	var err error
	w.pixels, err = zlib.NewWriterLevel(idat{w}, zlib.BestSpeed)
	return w, err
}

// Add appends a row of four bytes per pixel. Transparency is ignored: a page is opaque.
func (w *Writer) Add(pixels []byte) error {
	for x, at := 0, 0; x < len(w.above); x, at = x+bytesRGB, at+bytesPixel {
		p, above, line := pixels[at:at+bytesRGB], w.above[x:x+bytesRGB], w.line[x+1:x+1+bytesRGB]
		line[0], line[1], line[2] = p[0]-above[0], p[1]-above[1], p[2]-above[2]
		copy(above, p)
	}
	_, err := w.pixels.Write(w.line)
	return err
}

// Finish ends the picture and returns the file.
func (w *Writer) Finish() ([]byte, error) {
	if err := w.pixels.Close(); err != nil {
		return nil, err
	}
	w.chunk("IEND", nil)
	return w.file.Bytes(), nil
}

func (w *Writer) chunk(kind string, data []byte) {
	w.file.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	body := append([]byte(kind), data...)
	w.file.Write(body)
	w.file.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}

// idat makes chunks of compressed pixels.
type idat struct{ *Writer }

// Write implements io.Writer.
func (w idat) Write(data []byte) (int, error) {
	w.chunk("IDAT", data)
	return len(data), nil
}
