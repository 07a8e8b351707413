package cli

import (
	"fmt"
	"os"
	"strings"

	"afterimage/internal/compare"
)

// ExitStatus ends the program with a code and without a word.
type ExitStatus int

func (s ExitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Undone tells in one line why a command that exits like compare could not do its work.
func Undone(err error) error {
	fmt.Fprintf(os.Stderr, "afterimage: %s\n", strings.Join(strings.Fields(err.Error()), " "))
	return ExitStatus(compare.ExitUnknown)
}

// Ended is how the program ends with the exit code of a command like compare, or without having done its work.
func Ended(code int, err error) error {
	switch {
	case err != nil:
		return Undone(err)
	case code == compare.ExitEqual:
		return nil
	}
	return ExitStatus(code)
}
