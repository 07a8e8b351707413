package pgtest

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	memory     = "/dev/shm"
	roomNeeded = 4 << 30 // bytes: far more than all clusters of a run of all tests take
)

// TempDir is where databases of tests are kept: in memory where there is plenty of it, for a copy of a database is hundreds of small
// files, and to make them is most of what the tests of the store take otherwise. TMPDIR selects another place.
func TempDir() string {
	var there unix.Statfs_t
	if os.Getenv("TMPDIR") != "" || unix.Statfs(memory, &there) != nil || unix.Access(memory, unix.W_OK) != nil {
		return os.TempDir()
	}
	if there.Type != unix.TMPFS_MAGIC || int64(there.Bavail)*there.Bsize < roomNeeded {
		return os.TempDir()
	}
	return memory
}
