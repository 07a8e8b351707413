package imgdiff

import (
	"errors"
	"fmt"
)

// The kinds of failure; test for them with errors.Is.
var (
	// ErrFormat: the data is not an image in a supported format.
	ErrFormat = errors.New("unsupported image format")
	// ErrCorrupt: the image is corrupt, truncated or inconsistent.
	ErrCorrupt = errors.New("corrupt image")
	// ErrTooLarge: the image has more pixels than allowed.
	ErrTooLarge = errors.New("image too large")
	// ErrOptions: an option is out of range.
	ErrOptions = errors.New("invalid options")
)

// PictureError says which image could not be used and why. Unwrap returns ErrFormat, ErrCorrupt or ErrTooLarge.
type PictureError struct {
	Side   string // "before", "after", "mask", or "" if there is only one image
	Kind   error  // ErrFormat, ErrCorrupt or ErrTooLarge
	Reason string // one human-readable line
}

func (e *PictureError) Error() string {
	if e.Side == "" {
		return fmt.Sprintf("imgdiff: %v: %s", e.Kind, e.Reason)
	}
	return fmt.Sprintf("imgdiff: %s: %v: %s", e.Side, e.Kind, e.Reason)
}

// Unwrap returns the kind.
func (e *PictureError) Unwrap() error { return e.Kind }

// onSide names the picture in a decoding error.
func onSide(err error, side string) error {
	var pe *PictureError
	if errors.As(err, &pe) {
		named := *pe
		named.Side = side
		return &named
	}
	return fmt.Errorf("imgdiff: %s: %w", side, err)
}
