// Package hugepages asks for memory in large pages.
package hugepages

import "syscall"

// Advise asks the kernel to back pixel memory with large pages:
// tens of megabytes are touched for the first time in one go, and small pages
// would cost more than everything else that a single comparison does. It is
// advice; where it is refused nothing is lost.
func Advise(b []byte) {
	const hugePage = 14 // MADV_HUGEPAGE, which package syscall does not name
	_ = syscall.Madvise(b, hugePage)
}
