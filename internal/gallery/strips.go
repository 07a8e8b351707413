package gallery

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"afterimage/imgdiff"
	"afterimage/internal/blob"
	"afterimage/vcd"
)

// StripRows is the height of the strips of a picture, but for the last one, in pixels.
const StripRows = 1024

// stripsVariant holds all strips of a picture in one file: their number, the end of each, and their content. The numbers
// have four bytes, high byte first.
const stripsVariant = "strips-1024"

// maxStrips limits the strips of a picture, which are in memory while they are made, in bytes. Those of a picture whose file is
// within the limits take about as much as the file.
const maxStrips = 128 << 20

// stripFormat is the form of all strips.
var stripFormat = form{mediaType: "image/png"}

// cutting is the strips of a picture while they are made: the first ones can be shown before the last ones are there.
type cutting struct {
	mu     sync.Mutex
	strips [][]byte
	ended  bool
	err    error         // why it ended early
	grown  chan struct{} // closed, and replaced, whenever anything above changes
}

// update changes what is known and tells everybody who waits.
func (c *cutting) update(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	close(c.grown)
	c.grown = make(chan struct{})
}

// strip returns one of the strips as soon as it is there; errNoForm when the picture has fewer.
func (c *cutting) strip(ctx context.Context, number int) ([]byte, error) {
	for {
		c.mu.Lock()
		strips, ended, err, grown := c.strips, c.ended, c.err, c.grown
		c.mu.Unlock()
		switch {
		case number < len(strips):
			return strips[number], nil
		case err != nil:
			return nil, err
		case ended:
			return nil, errNoForm
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// openStrip opens one strip of the file of a picture. The first request for any of them makes them all.
func (h *Handler) openStrip(ctx context.Context, img *vcd.Image, number int) (io.ReadSeekCloser, error) {
	if img.Height > 0 && number >= imgdiff.StripCount(img.Height, StripRows) {
		return nil, errNoForm
	}
	file, err := h.files.Variant(ctx, img.Hash, stripsVariant)
	if err == nil {
		return stripIn(file, number)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c, err := h.cut(ctx, img)
	if err != nil {
		return nil, err
	}
	strip, err := c.strip(ctx, number)
	if err != nil {
		return nil, err
	}
	return readSeekNopCloser{bytes.NewReader(strip)}, nil
}

// cut begins to make the strips of a picture, unless somebody else does already. It waits for a slot, unless ctx ends.
func (h *Handler) cut(ctx context.Context, img *vcd.Image) (*cutting, error) {
	if c := h.underWay(img, nil); c != nil {
		return c, nil
	}
	streamed, err := h.streamed(ctx, img)
	if err != nil {
		return nil, err
	}
	leave, err := h.enter(ctx, !streamed && img.Width*img.Height > largePixels)
	if err != nil {
		return nil, err
	}
	mine := &cutting{grown: make(chan struct{})}
	if c := h.underWay(img, mine); c != mine { // begun while we waited
		leave()
		return c, nil
	}
	h.background.Go(func() {
		defer leave()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTimeout) // others may wait for it too
		defer cancel()
		err := h.makeStrips(ctx, img, mine)
		mine.update(func() { mine.ended, mine.err = true, err })
		h.cuttings.CompareAndDelete(img.Hash, mine)
	})
	return mine, nil
}

// underWay is the cutting of a picture that somebody has begun; the given one from now on if nobody has.
func (h *Handler) underWay(img *vcd.Image, mine *cutting) *cutting {
	var found any
	if mine == nil {
		found, _ = h.cuttings.Load(img.Hash)
	} else {
		found, _ = h.cuttings.LoadOrStore(img.Hash, mine)
	}
	c, _ := found.(*cutting)
	return c
}

// streamed reports whether a picture can be cut without decoding it as a whole.
func (h *Handler) streamed(ctx context.Context, img *vcd.Image) (bool, error) {
	file, err := h.files.OpenVerified(ctx, img.Hash, int64(img.Size))
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()
	head := make([]byte, imgdiff.HeaderBytes)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, err
	}
	return imgdiff.Streamable(head[:n]), nil
}

// makeStrips makes the strips of a picture and keeps them, for as long as the picture.
func (h *Handler) makeStrips(ctx context.Context, img *vcd.Image, c *cutting) error {
	if file, err := h.files.Variant(ctx, img.Hash, stripsVariant); err == nil { // made while we waited
		return errors.Join(c.load(file), file.Close())
	}
	content, err := h.files.GetVerified(ctx, img.Hash, int64(img.Size))
	if err != nil {
		return err
	}
	size := 0
	err = imgdiff.Strips(ctx, content, StripRows, func(strip []byte) error {
		if size += len(strip); size > maxStrips {
			return fmt.Errorf("%w: its strips take more than %d MB", imgdiff.ErrTooLarge, maxStrips>>20)
		}
		c.update(func() { c.strips = append(c.strips, strip) })
		return nil
	})
	if err != nil {
		return fmt.Errorf("cut image %s into strips: %w", img.ID, err)
	}
	return h.files.PutVariant(ctx, img.Hash, stripsVariant, joinStrips(c.strips))
}

// load takes the strips from where they are kept.
func (c *cutting) load(file blob.File) error {
	ends, err := readEnds(file)
	if err != nil {
		return err
	}
	strips := make([][]byte, len(ends))
	for i := range ends {
		strips[i] = make([]byte, ends[i]-startOf(ends, i))
		if _, err := file.ReadAt(strips[i], startOf(ends, i)); err != nil {
			return err
		}
	}
	c.update(func() { c.strips = strips })
	return nil
}

// joinStrips is the content of the file that holds strips.
func joinStrips(strips [][]byte) []byte {
	end := 4 * (1 + len(strips))
	out := binary.BigEndian.AppendUint32(nil, uint32(len(strips)))
	for _, strip := range strips {
		end += len(strip)
		out = binary.BigEndian.AppendUint32(out, uint32(end))
	}
	return append(out, bytes.Join(strips, nil)...)
}

// readEnds reads where each strip ends.
func readEnds(file io.ReaderAt) ([]int64, error) {
	var head [4]byte
	if _, err := file.ReadAt(head[:], 0); err != nil {
		return nil, err
	}
	table := make([]byte, 4*binary.BigEndian.Uint32(head[:]))
	if _, err := file.ReadAt(table, 4); err != nil {
		return nil, err
	}
	ends := make([]int64, len(table)/4)
	for i := range ends {
		ends[i] = int64(binary.BigEndian.Uint32(table[4*i:]))
	}
	return ends, nil
}

// startOf is where a strip begins: behind the table, or behind the strip before.
func startOf(ends []int64, i int) int64 {
	if i == 0 {
		return int64(4 * (1 + len(ends)))
	}
	return ends[i-1]
}

// storedStrip is a strip within the file of all.
type storedStrip struct {
	*io.SectionReader
	io.Closer
}

func stripIn(file blob.File, number int) (io.ReadSeekCloser, error) {
	ends, err := readEnds(file)
	if err == nil && number >= len(ends) {
		err = errNoForm
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	start := startOf(ends, number)
	return storedStrip{io.NewSectionReader(file, start, ends[number]-start), file}, nil
}

// readSeekNopCloser is a strip in memory.
type readSeekNopCloser struct{ io.ReadSeeker }

// Close does nothing.
func (readSeekNopCloser) Close() error { return nil }
