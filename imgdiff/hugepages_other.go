//go:build !linux

package imgdiff

// adviseLargePages does nothing where the kernel takes no such advice.
func adviseLargePages([]byte) {}
