package imgdiff

import (
	"errors"
	"fmt"
)

// The kinds of failure; test for them with errors.Is.
var (
	// ErrFormat: the bytes are no picture in a format this program decodes.
	ErrFormat = errors.New("unsupported image format")
	// ErrCorrupt: the picture is damaged, truncated or contradicts itself.
	ErrCorrupt = errors.New("corrupt image")
	// ErrTooLarge: the picture has more pixels than the limit allows.
	ErrTooLarge = errors.New("image too large")
	// ErrOptions: the options contradict themselves.
	ErrOptions = errors.New("invalid options")
)

// PictureError tells which picture could not be used and why. Unwrap leads
// to one of ErrFormat, ErrCorrupt and ErrTooLarge.
type PictureError struct {
	Side   string // "before", "after", "mask", or "" where there is one picture
	Kind   error  // ErrFormat, ErrCorrupt or ErrTooLarge
	Reason string // one line for a person
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
