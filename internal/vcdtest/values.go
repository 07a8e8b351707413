package vcdtest

import (
	"errors"

	"afterimage/vcd"
)

// Pointer is a pointer to a value.
func Pointer[T any](v T) *T { return &v }

// CodeOf is the code of an error; empty for none.
func CodeOf(err error) vcd.Code {
	if err == nil {
		return ""
	}
	return vcd.CodeOf(err)
}

// ErrOnPurpose is for what is to fail.
var ErrOnPurpose = errors.New("on purpose")
