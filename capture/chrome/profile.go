package chrome

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const profilePrefix = "afterimage-chrome-"

// profile is a browser's folder. We hold a lock on it while we run. The kernel releases the lock however we end, so a
// later process can distinguish an abandoned folder from one in use.
type profile struct {
	dir  string
	lock *os.File
}

// newProfile creates a folder below tempDir that only the browser's user can enter; uid < 0 means the current user.
func newProfile(tempDir string, uid int) (*profile, error) {
	p, err := lockedProfile(tempDir)
	if err != nil {
		return nil, err
	}
	if uid < 0 {
		return p, nil
	}
	if err := os.Chown(p.dir, uid, uid); err != nil {
		return nil, errors.Join(fmt.Errorf("give the profile folder to the browser's user: %w", err), p.remove())
	}
	if closed := closedParent(p.dir); closed != "" {
		err := fmt.Errorf("the browser runs as an unprivileged user, who cannot enter %s: choose another temporary folder", closed)
		return nil, errors.Join(err, p.remove())
	}
	return p, nil
}

// lockedProfile creates a folder and locks it. Between the two, another process that starts may take the folder for
// an abandoned one and remove it; then a further one is made.
func lockedProfile(tempDir string) (*profile, error) {
	var swept error
	for range 20 {
		dir, err := os.MkdirTemp(tempDir, profilePrefix)
		if err != nil {
			return nil, fmt.Errorf("make the browser's profile folder: %w", err)
		}
		lock, err := lockFolder(dir)
		if err == nil && isFolder(dir, lock) {
			return &profile{dir: dir, lock: lock}, nil
		}
		if lock != nil {
			err = errors.Join(err, lock.Close())
		}
		swept = errors.Join(err, os.RemoveAll(dir))
	}
	return nil, errors.Join(errors.New("lock the browser's profile folder: it was removed each time before it was locked"), swept)
}

// isFolder reports whether path still names the open folder.
func isFolder(path string, open *os.File) bool {
	named, err := os.Lstat(path)
	if err != nil {
		return false
	}
	opened, err := open.Stat()
	return err == nil && os.SameFile(named, opened)
}

func (p *profile) remove() error {
	err := os.RemoveAll(p.dir)
	if p.lock != nil {
		err = errors.Join(err, p.lock.Close())
	}
	if err != nil {
		return fmt.Errorf("remove the browser's profile folder: %w", err)
	}
	return nil
}

func lockFolder(dir string) (*os.File, error) {
	// Another user's file of such a name must not block us or redirect us.
	folder, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

// closedParent returns the first folder above path that other users cannot enter, "" when there is none.
func closedParent(path string) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// sweepProfiles removes the folders of processes that were killed before they could remove them.
func sweepProfiles(tempDir string) error {
	left, err := filepath.Glob(filepath.Join(tempDir, profilePrefix+"*"))
	if err != nil {
		return fmt.Errorf("look for left profile folders: %w", err)
	}
	var errs []error
	for _, dir := range left {
		folder, err := lockFolder(dir)
		if err != nil {
			continue // in use, or not ours
		}
		errs = append(errs, os.RemoveAll(dir), folder.Close())
	}
	return errors.Join(errs...)
}
