package chrome

import (
	"io"
	"syscall"

	"golang.org/x/sys/unix"
)

// immediate writes to a pipe what fits into it at once, without waiting for the reader. A command that goes through it
// reaches the browser without waking another goroutine first, which costs more than the write itself.
type immediate struct{ raw syscall.RawConn }

// newImmediate returns nil for what is not a file that can be written to without blocking.
func newImmediate(w io.Writer) *immediate {
	file, ok := w.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	flags := 0
	if err := raw.Control(func(fd uintptr) { flags, err = unix.FcntlInt(fd, unix.F_GETFL, 0) }); err != nil || flags&unix.O_NONBLOCK == 0 {
		return nil
	}
	return &immediate{raw}
}

// write returns what is left to be written. Errors are left to whoever writes the rest.
func (i *immediate) write(text []byte) []byte {
	if i == nil {
		return text
	}
	written := 0
	if err := i.raw.Write(func(fd uintptr) bool {
		written, _ = syscall.Write(int(fd), text)
		return true // do not wait
	}); err != nil {
		return text
	}
	return text[max(written, 0):]
}
