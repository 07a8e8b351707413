package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// settle makes the names in a folder of the store outlast a power failure, and the first time also the names of the
// folders that lead to it: whoever made them may not have come to that.
func (f *Folder) settle(folder string) error {
	if f.fleeting {
		return nil
	}
	if err := syncFolder(folder); err != nil {
		return err
	}
	if _, known := f.lasting.Load(folder); known {
		return nil
	}
	for above := folder; above != f.dir; {
		above = filepath.Dir(above)
		if err := syncFolder(above); err != nil {
			return err
		}
	}
	f.lasting.Store(folder, true)
	return nil
}

// makeFolder makes a folder and those above it that are missing, so that they outlast a power failure.
func makeFolder(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := makeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(parent)
}

// syncFolder writes the names in a folder to the disk. Some network file systems cannot, and need not: their server does.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open an image folder: %w", err)
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return fmt.Errorf("write an image folder to the disk: %w", err)
	}
	return nil
}
