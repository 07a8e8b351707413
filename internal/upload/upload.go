// Package upload checks pictures that clients send, and stores them.
package upload

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"afterimage/imgdiff"
	"afterimage/internal/blob"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// MaxPixels is the size limit of a picture, far more than a page of usual height has even at a double pixel density.
const MaxPixels = 100_000_000

// Pictures stores uploaded pictures.
type Pictures struct {
	rows  blob.Reserver
	files blob.Store
}

// New returns a store of uploaded pictures in the files of a database.
func New(rows blob.Reserver, files blob.Store) *Pictures {
	return &Pictures{rows: rows, files: files}
}

// Keep stores a PNG file as it is, once it has been read to its end without an error, and the elements that it shows, if any. A file
// that is none, or too large, is vcd.CodeInvalid.
func (p *Pictures) Keep(ctx context.Context, file, elements []byte) (run.Uploaded, error) {
	width, height, err := imgdiff.CheckPNG(ctx, file, MaxPixels)
	if err != nil {
		return run.Uploaded{}, refusal(err)
	}
	var kept run.Uploaded
	if len(elements) > 0 {
		if kept.Elements, err = p.keepElements(ctx, elements, width, height); err != nil {
			return run.Uploaded{}, err
		}
	}
	hash, err := p.put(ctx, file)
	kept.Picture = run.Picture{Hash: hash, MediaType: "image/png", Width: width, Height: height, Size: len(file)}
	return kept, err
}

func (p *Pictures) keepElements(ctx context.Context, elements []byte, width, height int) (hash string, err error) {
	content, err := readElements(elements, width, height)
	if err != nil || content.Empty() {
		return "", err
	}
	file, err := content.Encode()
	if err != nil {
		return "", err
	}
	return p.put(ctx, file)
}

func (p *Pictures) put(ctx context.Context, file []byte) (hash string, err error) {
	hash, err = blob.PutReserved(ctx, p.files, p.rows, file)
	if errors.Is(err, syscall.ENOSPC) {
		return "", vcd.DiskFull(err)
	}
	if errors.Is(err, blob.ErrUnavailable) {
		return "", vcd.Unavailable(err)
	}
	return hash, err
}

// refusal says what is wrong with a picture.
func refusal(err error) error {
	var bad *imgdiff.PictureError
	if !errors.As(err, &bad) {
		return err
	}
	switch {
	case errors.Is(err, imgdiff.ErrTooLarge):
		return vcd.Invalid("picture", "max", fmt.Sprintf("The {field} is too large: %s. Take a screenshot of a part of the page.",
			bad.Reason))
	case errors.Is(err, imgdiff.ErrFormat):
		return vcd.Invalid("picture", "png",
			fmt.Sprintf("The {field} must be a PNG file with at most 8 bits per sample, not interlaced: %s.",
				bad.Reason))
	}
	return vcd.Invalid("picture", "png", fmt.Sprintf("The {field} is a damaged PNG file: %s. Take the screenshot again.", bad.Reason))
}
