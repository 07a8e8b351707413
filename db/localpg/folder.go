package localpg

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// folder knows the paths of one cluster and the account that its server runs under.
type folder struct {
	dir       string // absolute, without symbolic links
	socketDir string
	account   account
}

func (f folder) data() string      { return filepath.Join(f.dir, "data") }
func (f folder) fresh() string     { return filepath.Join(f.dir, "data.new") }
func (f folder) logFile() string   { return filepath.Join(f.dir, "postgres.log") }
func (f folder) startLock() string { return filepath.Join(f.dir, "start.lock") }
func (f folder) usersLock() string { return filepath.Join(f.dir, "users.lock") }

// openFolder creates the cluster's folder when missing and makes it reachable for the server's account. It touches
// nothing inside data.
func openFolder(dir string) (folder, error) {
	if dir == "" {
		return folder{}, errors.New("private Postgres: no data folder given")
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return folder{}, fmt.Errorf("private Postgres: %w", err)
	}
	if err := os.MkdirAll(absolute, 0o755); err != nil { //nolint:gosec // root's server, another account, passes through
		return folder{}, fmt.Errorf("create the folder of the private Postgres: %w: choose a data folder that this user may write to", err)
	}
	resolved, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return folder{}, fmt.Errorf("private Postgres: %w", err)
	}
	f := folder{dir: resolved}
	if err := f.checkWritable(); err != nil {
		return folder{}, err
	}
	if f.account, err = serverAccount(f.data()); err != nil {
		return folder{}, err
	}
	if err := f.account.openPath(f.dir); err != nil {
		return folder{}, err
	}
	if f.socketDir, err = f.prepareSocketDir(); err != nil {
		return folder{}, err
	}
	return f, nil
}

func (f folder) checkWritable() error {
	lock, err := openLock(f.startLock())
	if err != nil {
		return fmt.Errorf("the folder of the private Postgres cannot be written: %w: choose a data folder that this user may write to", err)
	}
	lock.close()
	return nil
}

// maxSocketPath is what fits into sockaddr_un: 108 bytes on Linux and 104 on macOS and the BSDs, one of them a NUL.
const maxSocketPath = 103

// prepareSocketDir makes the folder of the socket, which only the server's account and root can enter: trust
// authentication rests on that. A path too long for a socket moves to the temporary directory, named after the folder.
func (f folder) prepareSocketDir() (string, error) {
	dir := filepath.Join(f.dir, "socket")
	if tooLong(dir) {
		sum := sha256.Sum256([]byte(f.dir))
		name := "afterimage-pg-" + hex.EncodeToString(sum[:6])
		if dir = filepath.Join(os.TempDir(), name); tooLong(dir) {
			dir = filepath.Join("/tmp", name)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("create the socket folder of the private Postgres: %w", err)
	}
	if err := f.account.claim(dir); err != nil {
		return "", fmt.Errorf("socket folder of the private Postgres: %w", err)
	}
	return dir, nil
}

func tooLong(socketDir string) bool {
	return len(socketFile(socketDir)) > maxSocketPath
}

// discardData removes the cluster itself; locks and log stay.
func (f folder) discardData() error {
	for _, path := range []string{f.data(), f.fresh()} {
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("discard the data of the private Postgres: %w", err)
		}
	}
	return nil
}

// ownerOf tells who owns a file, without following a symbolic link.
func ownerOf(path string) (uid, gid int, mode fs.FileMode, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, 0, 0, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, 0, fmt.Errorf("%s: this system does not report who owns a file", path)
	}
	return int(stat.Uid), int(stat.Gid), info.Mode(), nil
}
