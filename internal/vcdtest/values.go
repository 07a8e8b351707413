package vcdtest

import (
	"errors"

	"afterimage/vcd"
)

// Pointer returns a pointer to v.
func Pointer[T any](v T) *T { return &v }

// CodeOf returns the code of an error; empty for none.
func CodeOf(err error) vcd.Code {
	if err == nil {
		return ""
	}
	return vcd.CodeOf(err)
}

// ErrOnPurpose is the error for intended failures.
var ErrOnPurpose = errors.New("on purpose")
