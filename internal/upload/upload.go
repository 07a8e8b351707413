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
	rows  vcd.ImageStore
	files blob.Store
}

// New returns a store of uploaded pictures in the files of a database.
func New(rows vcd.ImageStore, files blob.Store) *Pictures {
	return &Pictures{rows: rows, files: files}
}

// Keep stores a PNG file as it is, once it has been read to its end without an error. A file that is none, or too large, is
// vcd.CodeInvalid.
func (p *Pictures) Keep(ctx context.Context, file []byte) (run.Picture, error) {
	width, height, err := imgdiff.CheckPNG(ctx, file, MaxPixels)
	if err != nil {
		return run.Picture{}, refusal(err)
	}
	hash, err := blob.PutReserved(ctx, p.files, p.rows, file)
	if errors.Is(err, syscall.ENOSPC) {
		return run.Picture{}, vcd.DiskFull(err)
	}
	if errors.Is(err, blob.ErrUnavailable) {
		return run.Picture{}, vcd.Unavailable(err)
	}
	return run.Picture{Hash: hash, MediaType: "image/png", Width: width, Height: height, Size: len(file)}, err
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
		return vcd.Invalid("picture", "png", fmt.Sprintf("The {field} must be a PNG file with 8 bits a sample, not interlaced: %s.",
			bad.Reason))
	}
	return vcd.Invalid("picture", "png", fmt.Sprintf("The {field} is a damaged PNG file: %s. Take the screenshot again.", bad.Reason))
}
