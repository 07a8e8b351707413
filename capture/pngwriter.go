package capture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"github.com/klauspost/compress/zlib"
)

const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	pngRGB       = 2 // colour type of IHDR
	pngUp        = 2 // filter type: each byte is the difference to the one above
	bytesRGB     = 3
)

// pngWriter encodes an opaque picture row by row, in the form in which Chromium writes its own screenshots: RGB, filter
// Up, compressed quickly (PNG specification, sections 9 to 11). Equal rows give equal bytes. It holds the compressed
// picture and one row; image/png needs all pixels at once.
type pngWriter struct {
	file   bytes.Buffer
	pixels *zlib.Writer
	above  []byte // the previous row
	line   []byte // filter type and filtered row
}

func newPNGWriter(width, height int) (*pngWriter, error) {
	w := &pngWriter{above: make([]byte, width*bytesRGB), line: make([]byte, 1+width*bytesRGB)}
	w.line[0] = pngUp
	w.file.WriteString(pngSignature)
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	header = append(binary.BigEndian.AppendUint32(header, uint32(height)), 8, pngRGB, 0, 0, 0) // bits a sample, the only methods
	w.chunk("IHDR", header)
	var err error
	w.pixels, err = zlib.NewWriterLevel(idat{w}, zlib.BestSpeed)
	return w, err
}

// add appends a row of four bytes per pixel. Transparency is ignored: a page is opaque.
func (w *pngWriter) add(pixels []byte) error {
	for x, at := 0, 0; x < len(w.above); x, at = x+bytesRGB, at+bytesPixel {
		p, above, line := pixels[at:at+bytesRGB], w.above[x:x+bytesRGB], w.line[x+1:x+1+bytesRGB]
		line[0], line[1], line[2] = p[0]-above[0], p[1]-above[1], p[2]-above[2]
		copy(above, p)
	}
	_, err := w.pixels.Write(w.line)
	return err
}

// finish ends the picture and returns the file.
func (w *pngWriter) finish() ([]byte, error) {
	if err := w.pixels.Close(); err != nil {
		return nil, err
	}
	w.chunk("IEND", nil)
	return w.file.Bytes(), nil
}

func (w *pngWriter) chunk(kind string, data []byte) {
	w.file.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	body := append([]byte(kind), data...)
	w.file.Write(body)
	w.file.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}

// idat makes chunks of compressed pixels.
type idat struct{ *pngWriter }

// Write implements io.Writer.
func (w idat) Write(data []byte) (int, error) {
	w.chunk("IDAT", data)
	return len(data), nil
}
