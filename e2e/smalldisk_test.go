package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// diskSize holds a database with its log, and the pictures of a test, in bytes.
const diskSize = "768m"

// smallDisk is a file system of its own under a data folder, which a test can fill. Only root may mount one: for everybody else
// the folder stays on the machine's disk, which is left alone.
type smallDisk struct {
	t   *testing.T
	dir string // empty when there is none
}

func newSmallDisk(t *testing.T, dir string) *smallDisk {
	t.Helper()
	err := syscall.Mount("afterimage-test", dir, "tmpfs", 0, "mode=755,size="+diskSize)
	if errors.Is(err, syscall.EPERM) {
		t.Log("only root can have a small disk: it is not filled in this run")
		return &smallDisk{t: t}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return &smallDisk{t: t, dir: dir}
}

// fill takes all the space that is left and returns what gives it back.
func (d *smallDisk) fill() (free func()) {
	d.t.Helper()
	if d.dir == "" {
		return func() {}
	}
	path := filepath.Join(d.dir, "ballast")
	ballast, err := os.Create(path)
	if err != nil {
		d.t.Fatal(err)
	}
	block := make([]byte, 1<<20)
	for len(block) > 0 { // to the last page
		if _, err = ballast.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		d.t.Errorf("the disk was not filled: %v", err)
	}
	if err := ballast.Close(); err != nil {
		d.t.Error(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			d.t.Error(err)
		}
	}
}
