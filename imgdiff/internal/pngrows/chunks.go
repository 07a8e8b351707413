// Package pngrows reads PNG files as far as their filtered rows, and takes
// the filters off single rows, so that a caller who can do without some rows
// saves the work.
//
// Reader reads the forms that browsers write: eight bits per sample, RGB or RGBA,
// not interlaced. Stream reads all that are not interlaced. Both check every chunk's CRC and the pixel data's Adler-32,
// and Reader needs no memory but the caller's buffers.
package pngrows

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// The ways in which a file can be bad.
var (
	ErrNotPNG  = errors.New("not a PNG file")
	ErrCorrupt = errors.New("corrupt PNG file")
)

// Signature opens every PNG file.
const Signature = "\x89PNG\r\n\x1a\n"

// Colour types of IHDR.
const (
	ColourGrey      = 0
	ColourRGB       = 2
	ColourPalette   = 3
	ColourGreyAlpha = 4
	ColourRGBA      = 6
)

// maxRatio is the largest ratio by which deflate can shrink data.
const maxRatio = 1032

// File is a PNG file whose chunks have been walked and found whole.
type File struct {
	Width, Height int
	Depth, Colour uint8
	Interlaced    bool

	data      []byte
	chunks    []span // the IDAT data, in order
	length    int    // of all IDAT data
	peculiar  bool   // has a chunk that changes how pixels are read
	unknown   bool   // of a compression or filter method that does not exist
	misplaced bool   // has a chunk that changes how pixels are read where none may be
}

// The stages of a file: what was met last of the chunks whose order matters.
const (
	seenHeader = iota
	seenPalette
	seenAlphas
	seenPixels
)

type span struct{ start, end int }

// ReadHeader reads the size and form of a PNG file and looks no further.
func ReadHeader(data []byte) (File, error) {
	const headerEnd = len(Signature) + 8 + 13 + 4
	if len(data) < len(Signature) || string(data[:len(Signature)]) != Signature {
		return File{}, ErrNotPNG
	}
	if len(data) < headerEnd {
		return File{}, fmt.Errorf("%w: truncated header", ErrCorrupt)
	}
	chunk := data[len(Signature):headerEnd]
	if binary.BigEndian.Uint32(chunk) != 13 || string(chunk[4:8]) != "IHDR" ||
		crc32.ChecksumIEEE(chunk[4:21]) != binary.BigEndian.Uint32(chunk[21:]) {
		return File{}, fmt.Errorf("%w: invalid header", ErrCorrupt)
	}
	width, height := binary.BigEndian.Uint32(chunk[8:]), binary.BigEndian.Uint32(chunk[12:])
	if int32(width) <= 0 || int32(height) <= 0 {
		return File{}, fmt.Errorf("%w: invalid size of %d × %d pixels", ErrCorrupt, width, height)
	}
	return File{Width: int(width), Height: int(height), Depth: chunk[16], Colour: chunk[17],
		Interlaced: chunk[20] != 0, unknown: chunk[18]|chunk[19] != 0, data: data}, nil
}

// Walk checks the length and checksum of every chunk up to IEND and notes
// where the pixel data lies.
func (f *File) Walk() error {
	at := len(Signature)
	ended := false // the pixel data's chunks must follow each other
	stage := seenHeader
	for first := true; ; first = false {
		if len(f.data)-at < 12 {
			return fmt.Errorf("%w: unexpected end of file", ErrCorrupt)
		}
		length := binary.BigEndian.Uint32(f.data[at:])
		if uint64(length) > uint64(len(f.data)-at-12) {
			return fmt.Errorf("%w: unexpected end of file", ErrCorrupt)
		}
		start, end := at+8, at+8+int(length)
		name := string(f.data[at+4 : start])
		if crc32.ChecksumIEEE(f.data[at+4:end]) != binary.BigEndian.Uint32(f.data[end:]) {
			return fmt.Errorf("%w: the checksum of chunk %q does not match", ErrCorrupt, name)
		}
		switch name {
		case "IDAT":
			f.misplaced = f.misplaced || f.Colour == ColourPalette && stage == seenHeader
			stage = seenPixels
			if !ended {
				f.chunks = append(f.chunks, span{start, end})
				f.length += int(length)
			}
		case "IEND":
			if length != 0 || len(f.chunks) == 0 {
				return fmt.Errorf("%w: no pixel data", ErrCorrupt)
			}
			return nil
		case "IHDR":
			f.misplaced = f.misplaced || !first
		case "PLTE":
			f.misplaced = f.misplaced || stage != seenHeader
			f.peculiar, stage = true, seenPalette
		case "tRNS":
			f.misplaced = f.misplaced || !f.mayHaveAlphas(stage)
			f.peculiar, stage = true, seenAlphas
		}
		if name != "IDAT" {
			ended = len(f.chunks) > 0
		}
		at = end + 4
	}
}

// mayHaveAlphas reports whether a tRNS chunk may stand behind what was met last.
func (f *File) mayHaveAlphas(stage int) bool {
	switch f.Colour {
	case ColourPalette:
		return stage == seenPalette
	case ColourRGB:
		return stage <= seenPalette
	case ColourGrey:
		return stage == seenHeader
	}
	return false
}

// Common reports whether the file's rows, without their filters, are pixels of three or four bytes.
func (f *File) Common() bool {
	return f.Depth == 8 && (f.Colour == ColourRGB || f.Colour == ColourRGBA) && !f.Interlaced && !f.peculiar && f.Orderly()
}

// Orderly reports whether the walked file says unambiguously how its rows are to be read: its methods exist, and the chunks that
// belong to the pixels stand where the specification wants them.
func (f *File) Orderly() bool { return !f.unknown && !f.misplaced }

// Known reports whether the methods exist by which the file says that its pixels are compressed and filtered.
func (f *File) Known() bool { return !f.unknown }

// Plausible reports whether the pixel data that was found can hold all rows of
// a picture of the given bits a pixel.
func (f *File) Plausible(bitsPerPixel int) bool {
	need := uint64(f.Height) * (1 + (uint64(f.Width)*uint64(bitsPerPixel)+7)/8)
	return need <= uint64(f.length)*maxRatio+64
}

// BytesPerPixel is 3 or 4 for common files.
func (f *File) BytesPerPixel() int {
	if f.Colour == ColourRGB {
		return 3
	}
	return 4
}

// Stride is the length of a filtered row: the filter byte and the pixels.
func (f *File) Stride() int { return 1 + (f.Width*f.bitsPerPixel()+7)/8 }

// bitsPerPixel is that of the file's pixels, whatever its form.
func (f *File) bitsPerPixel() int {
	samples := 1 // grey, or an entry of a palette
	switch f.Colour {
	case ColourRGB:
		samples = 3
	case ColourRGBA:
		samples = 4
	case ColourGreyAlpha:
		samples = 2
	}
	return samples * int(f.Depth)
}

// FilterUnit is the distance in bytes to the pixel on the left that filters refer to.
func (f *File) FilterUnit() int { return max(f.bitsPerPixel()/8, 1) }

// Chunk returns the content of the first chunk of a name before the pixels; nil if there is none. The file was walked.
func (f *File) Chunk(name string) []byte {
	for at := len(Signature); ; {
		start := at + 8
		end := start + int(binary.BigEndian.Uint32(f.data[at:]))
		switch string(f.data[at+4 : start]) {
		case name:
			return f.data[start:end]
		case "IDAT":
			return nil
		}
		at = end + 4
	}
}
