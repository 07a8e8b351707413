package zoo

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image"
	"slices"
	"strings"
)

// Tally holds pictures of one page against each other. It is not safe for concurrent use.
type Tally struct {
	Page      Page
	Pictures  int      // added
	Distinct  int      // different ones among them
	Faults    []string // of any picture, each once
	Failures  []string // captures that gave no picture
	Uncovered int      // most pixels in which a picture differs from the first outside of what both call unstable

	first    []byte // PNG
	unstable []image.Rectangle
	files    map[[sha256.Size]byte]bool
	pixels   map[[sha256.Size]byte]bool
}

// NewTally begins with no picture.
func NewTally(p Page) *Tally {
	return &Tally{Page: p, files: make(map[[sha256.Size]byte]bool), pixels: make(map[[sha256.Size]byte]bool)}
}

// Fail counts a capture that gave no picture.
func (t *Tally) Fail(err error) {
	if text := err.Error(); !slices.Contains(t.Failures, text) {
		t.Failures = append(t.Failures, text)
	}
}

// Add counts a picture in PNG. Unstable is where the tool says that the page did not hold still.
func (t *Tally) Add(picture []byte, unstable []image.Rectangle) {
	t.Pictures++
	file := sha256.Sum256(picture)
	if t.files[file] {
		return // in every respect like one before
	}
	t.files[file] = true
	decoded, err := Decode(picture)
	if err != nil {
		t.Fail(err)
		return
	}
	for _, fault := range t.Page.Faults(decoded) {
		if !slices.Contains(t.Faults, fault) {
			t.Faults = append(t.Faults, fault)
		}
	}
	pixels := sum(decoded)
	if t.pixels[pixels] {
		return
	}
	t.pixels[pixels] = true
	t.Distinct++
	if t.first == nil {
		t.first, t.unstable = bytes.Clone(picture), unstable
		return
	}
	first, err := Decode(t.first)
	if err != nil {
		t.Fail(err)
		return
	}
	t.Uncovered = max(t.Uncovered, Uncovered(first, decoded, slices.Concat(t.unstable, unstable)))
}

// sum is a fingerprint of the pixels.
func sum(picture *image.RGBA) [sha256.Size]byte {
	size := binary.BigEndian.AppendUint64(nil, uint64(picture.Rect.Dx()))
	return sha256.Sum256(append(size, picture.Pix...))
}

// Right reports whether every capture gave a complete picture, and the same one as far as the page allows.
func (t *Tally) Right() bool { return t.Pictures > 0 && len(t.Verdict()) == 0 }

// Verdict says what is wrong, "" when nothing is.
func (t *Tally) Verdict() string {
	wrong := slices.Concat(t.Failures, t.Faults)
	switch {
	case t.Page.Kind == Steady && t.Distinct > 1:
		wrong = append(wrong, fmt.Sprintf("%d different pictures of %d, up to %d pixels apart", t.Distinct, t.Pictures, t.Uncovered))
	case t.Page.Kind == Restless && t.Uncovered > 0:
		wrong = append(wrong, fmt.Sprintf("%d pixels differ outside of what is called unstable", t.Uncovered))
	}
	return strings.Join(wrong, "; ")
}
