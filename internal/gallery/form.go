package gallery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"afterimage/imgdiff"
	"afterimage/internal/blob"
	"afterimage/vcd"
)

// The endings of links with a picture's own token.
const (
	pictureEnding = ".png"
	previewEnding = "_compressed.jpeg"
	maskEnding    = "_mask.png"
)

// ending is what follows the token in a link.
type ending struct {
	part  vcd.PublicPart // of the public page whose token it is; empty for a picture's own token
	form  string         // the ending with a picture's own token
	strip int            // number of a strip of it; noStrip for all of it
}

// noStrip is the number for a picture as a whole.
const noStrip = -1

var endings = map[string]ending{
	pictureEnding:      {form: pictureEnding, strip: noStrip},
	previewEnding:      {form: previewEnding, strip: noStrip},
	maskEnding:         {form: maskEnding, strip: noStrip},
	"_before.png":      {vcd.PublicBefore, pictureEnding, noStrip},
	"_after.png":       {vcd.PublicAfter, pictureEnding, noStrip},
	"_differences.png": {vcd.PublicMask, maskEnding, noStrip},

	"_after_compressed.jpeg":       {vcd.PublicAfter, previewEnding, noStrip},
	"_differences_compressed.jpeg": {vcd.PublicMask, previewEnding, noStrip},
}

// endingOf reads what follows the token in a link. "_before_strip-3.png" is the fourth strip of "_before.png".
func endingOf(text string) (e ending, ok bool) {
	base, number, isStrip := strings.Cut(text, "_strip-")
	if !isStrip {
		e, ok = endings[text]
		return e, ok
	}
	number, isPNG := strings.CutSuffix(number, pictureEnding)
	n, err := strconv.ParseUint(number, 10, 16)
	if !isPNG || err != nil || strconv.FormatUint(n, 10) != number { // one address for a strip
		return ending{}, false
	}
	e, ok = endings[base+pictureEnding]
	e.strip = int(n)
	return e, ok
}

const (
	previewQuality = 72
	makeTimeout    = time.Minute
	largePixels    = 30_000_000 // from which on a picture is made alone: it keeps a processor busy for a second or more
	overDigits     = 16         // of the hash of the picture after, in the names of what is made over it
)

// form is a way to show a stored picture: its file as it is, or a variant of it that is made when first asked for.
type form struct {
	mediaType string
	variant   string                                            // empty for the file as it is
	make      func(context.Context, *vcd.Image) ([]byte, error) // nil for the file as it is
}

// name tells the forms of all pictures apart.
func (f form) name(img *vcd.Image) string {
	if f.variant == "" {
		return img.Hash
	}
	return img.Hash + "." + f.variant
}

// errNoForm is the error for a form that a picture does not have.
var errNoForm = errors.New("the picture has no such version")

// formOf is what an ending means for a picture; errNoForm for the mask of a picture that is none. The same mask may lie
// over several pictures, so what is made of it is named after both.
func (h *Handler) formOf(img *vcd.Image, ending string) (form, error) {
	over := "over-" + img.Over[:min(overDigits, len(img.Over))]
	switch {
	case ending == previewEnding && img.Over != "":
		return form{mediaType: "image/jpeg", variant: over + ".half.jpeg", make: h.preview}, nil
	case ending == previewEnding:
		return form{mediaType: "image/jpeg", variant: "half.jpeg", make: h.preview}, nil
	case ending == pictureEnding && img.Over != "":
		return form{mediaType: "image/png", variant: over + ".png", make: h.compose}, nil
	case ending == maskEnding && img.Over == "":
		return form{}, errNoForm
	}
	return form{mediaType: "image/png"}, nil
}

// openEnding opens what a link names; name tells it apart from all others.
func (h *Handler) openEnding(ctx context.Context, img *vcd.Image, e ending) (file io.ReadSeekCloser, f form, name string, err error) {
	if f, err = h.formOf(img, e.form); err != nil {
		return nil, form{}, "", err
	}
	if e.strip == noStrip {
		file, err = h.open(ctx, img, f)
		return file, f, f.name(img), err
	}
	if f.make != nil { // only what is stored as a picture has strips
		return nil, form{}, "", errNoForm
	}
	file, err = h.openStrip(ctx, img, e.strip)
	return file, stripFormat, fmt.Sprintf("%s.%s.%d", img.Hash, stripsVariant, e.strip), err
}

// open opens a form of a picture, and makes it first when nobody has asked for it before.
func (h *Handler) open(ctx context.Context, img *vcd.Image, f form) (io.ReadSeekCloser, error) {
	if f.make == nil {
		return h.files.OpenVerified(ctx, img.Hash, int64(img.Size))
	}
	file, err := h.files.Variant(ctx, img.Hash, f.variant)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if err := h.await(ctx, img, f); err != nil {
		return nil, err
	}
	return h.files.Variant(ctx, img.Hash, f.variant)
}

// await returns when the form is there. It waits for a slot while others are made, unless ctx ends.
func (h *Handler) await(ctx context.Context, img *vcd.Image, f form) error {
	leave, err := h.enter(ctx, img.Width*img.Height > largePixels)
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTimeout) // others may wait for it too
	defer cancel()
	return h.ensure(ctx, img, f)
}

// enter waits for a slot, unless ctx ends; leave gives it back. Large pictures are made one after the other.
func (h *Handler) enter(ctx context.Context, large bool) (leave func(), err error) {
	release := func() {
		if large {
			<-h.large
		}
	}
	if large {
		select {
		case h.large <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots; release() }, nil
	case <-ctx.Done():
		release()
		return nil, ctx.Err()
	}
}

// ensure makes a form unless it is there, or waits for whoever is making it. The caller holds a slot.
func (h *Handler) ensure(ctx context.Context, img *vcd.Image, f form) error {
	_, err, _ := h.making.Do(f.name(img), func() (any, error) {
		if file, err := h.files.Variant(ctx, img.Hash, f.variant); err == nil {
			return nil, file.Close() // made while we waited
		}
		content, err := f.make(ctx, img)
		if err != nil {
			return nil, err
		}
		return nil, h.files.PutVariant(ctx, img.Hash, f.variant, content)
	})
	return err
}

// preview makes the small form of what the plain link shows: exactly half, since clients lay boxes over it.
func (h *Handler) preview(ctx context.Context, img *vcd.Image) ([]byte, error) {
	content, err := h.plain(ctx, img)
	if err != nil {
		return nil, err
	}
	return imgdiff.Preview(ctx, content, previewQuality)
}

// plain is what the plain link shows. A composed picture is kept on the way: whoever sees its preview may open it next.
func (h *Handler) plain(ctx context.Context, img *vcd.Image) ([]byte, error) {
	f, err := h.formOf(img, pictureEnding)
	if err != nil {
		return nil, err
	}
	if f.make == nil {
		return h.files.GetVerified(ctx, img.Hash, int64(img.Size))
	}
	if err := h.ensure(ctx, img, f); err != nil {
		return nil, err
	}
	file, err := h.files.Variant(ctx, img.Hash, f.variant)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(file)
}

// compose lays a mask over its picture.
func (h *Handler) compose(ctx context.Context, img *vcd.Image) ([]byte, error) {
	mask, err := h.files.GetVerified(ctx, img.Hash, int64(img.Size))
	if err != nil {
		return nil, err
	}
	after, err := h.files.GetVerified(ctx, img.Over, blob.AnySize)
	if err != nil {
		return nil, err
	}
	var picture bytes.Buffer
	if err := imgdiff.Overlay(ctx, &picture, after, mask, imgdiff.ComposeOptions{}); err != nil {
		return nil, fmt.Errorf("lay the mask of image %s over its picture: %w", img.ID, err)
	}
	return picture.Bytes(), nil
}
