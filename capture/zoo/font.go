package zoo

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// Glyphs of the block font: none, the space, and a block that fills the em.
const (
	unitsPerEm = 1000
	spaceGlyph = 1
	blockGlyph = 2
	firstRune  = ' '
	lastRune   = '~'
)

// blockFont is a TrueType font in which every printable ASCII character is a full block, so that text set in it is an area of
// one colour. The tables are those that browsers insist on, by Apple's and Microsoft's OpenType specification.
func blockFont() []byte {
	glyph := words(1, 0, 0, unitsPerEm, unitsPerEm, 3, 0) // one contour, its box, its last point, no instructions
	glyph = append(glyph, 1, 1, 1, 1)                     // four points on the curve, both coordinates as words
	glyph = append(glyph, words(0, 0, unitsPerEm, 0)...)  // x, each relative to the one before
	glyph = append(glyph, words(0, unitsPerEm, 0, neg(unitsPerEm))...)
	end := uint16(len(glyph) / 2) // loca in its short form counts words
	return assemble(map[string][]byte{
		"OS/2": os2(),
		"cmap": characterMap(),
		"glyf": glyph,
		"head": slices.Concat(words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 3, unitsPerEm), make([]byte, 16), words(0, 0, unitsPerEm, unitsPerEm,
			0, 8, 2, 0, 0)),
		"hhea": slices.Concat(words(1, 0, unitsPerEm, 0, 0, unitsPerEm, 0, 0, unitsPerEm, 1), make([]byte, 14), words(3)),
		"hmtx": words(unitsPerEm, 0, unitsPerEm, 0, unitsPerEm, 0),
		"loca": words(0, 0, 0, end),
		"maxp": words(1, 0, 3, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
		"name": words(0, 0, 6),
		"post": slices.Concat(words(3, 0), make([]byte, 28)),
	})
}

// characterMap is a cmap of format 4 with one segment that names the glyph of each character, and the closing one.
func characterMap() []byte {
	const segments, characters = 2, lastRune - firstRune + 1
	glyphs := make([]uint16, characters)
	for i := range glyphs {
		glyphs[i] = blockGlyph
	}
	glyphs[0] = spaceGlyph
	return slices.Concat(
		words(0, 1, 3, 1, 0, 12), // one table, for Windows and Unicode, at byte 12
		words(4, 16+8*segments+2*characters, 0, 2*segments, 4, 1, 0),
		words(lastRune, 0xffff), words(0), words(firstRune, 0xffff), words(0, 1),
		words(2*segments, 0), // the glyphs stand behind both offsets
		words(glyphs...),
	)
}

func os2() []byte {
	return slices.Concat(
		words(4, unitsPerEm, 400, 5, 0), // version, width, weight, width class, may be embedded
		make([]byte, 20+2+10+16+4),      // sub- and superscripts, family, panose, ranges, vendor
		words(0x40, firstRune, lastRune, unitsPerEm, 0, 0, unitsPerEm, 0),
		make([]byte, 8), words(500, 700, 0, ' ', 1), // code pages, heights, default and break characters, context
	)
}

// assemble writes the table directory and the tables. Check sums are left 0: no browser looks at them.
func assemble(tables map[string][]byte) []byte {
	names := slices.SortedFunc(maps.Keys(tables), cmp.Compare[string])
	n := uint16(len(names))
	directory := words(1, 0, n, 128, 3, 16*n-128)
	offset := uint32(len(directory) + 16*len(names))
	var body []byte
	for _, name := range names {
		directory = append(directory, name...)
		directory = binary.BigEndian.AppendUint32(directory, 0)
		directory = binary.BigEndian.AppendUint32(directory, offset+uint32(len(body)))
		directory = binary.BigEndian.AppendUint32(directory, uint32(len(tables[name])))
		body = append(body, tables[name]...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	return append(directory, body...)
}

func words(values ...uint16) []byte {
	var b []byte
	for _, v := range values {
		b = binary.BigEndian.AppendUint16(b, v)
	}
	return b
}

// neg is -v in two's complement.
func neg(v uint16) uint16 { return ^v + 1 }
