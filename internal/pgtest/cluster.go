package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// place is the folder that all test processes of a user share.
//
//	cluster/     the private cluster, see package localpg
//	url          its connection string, while it runs
//	keeper.log   what the keeper had to say
//	start.lock   held while a keeper is started
//	users.lock   held in shared mode by every test process, exclusively by a keeper that is closing
type place struct{ dir string }

func (p place) cluster() string   { return filepath.Join(p.dir, "cluster") }
func (p place) urlFile() string   { return filepath.Join(p.dir, "url") }
func (p place) keeperLog() string { return filepath.Join(p.dir, "keeper.log") }
func (p place) startLock() string { return filepath.Join(p.dir, "start.lock") }
func (p place) usersLock() string { return filepath.Join(p.dir, "users.lock") }

// openPlace makes the folder and refuses one that another user has laid out under our name.
func openPlace() (place, error) {
	dir := filepath.Join(TempDir(), "afterimage-pgtest-"+strconv.Itoa(os.Geteuid()))
	err := os.Mkdir(dir, 0o755) //nolint:gosec // root's server, another account, passes through
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return place{}, err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return place{}, err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || int(stat.Uid) != os.Geteuid() {
		return place{}, fmt.Errorf("%s is not a folder of this user: remove it", dir)
	}
	return place{dir: dir}, nil
}

// joinCluster registers this process as a user of the shared cluster, starts a keeper when there is none, and returns
// the connection string.
func joinCluster(ctx context.Context) (string, error) {
	at, err := openPlace()
	if err != nil {
		return "", err
	}
	// Registered until the process ends: nobody closes the file, and the variable keeps it from being collected.
	if shared.membership, err = lockFile(at.usersLock(), syscall.LOCK_SH); err != nil {
		return "", err
	}
	gate, err := lockFile(at.startLock(), syscall.LOCK_EX)
	if err != nil {
		return "", err
	}
	defer gate.Close()
	if url, err := os.ReadFile(at.urlFile()); err == nil && answers(ctx, string(url)) {
		return string(url), nil
	}
	return startKeeper(at)
}

func answers(ctx context.Context, url string) bool {
	conn, err := pgx.Connect(ctx, url)
	return err == nil && conn.Close(ctx) == nil
}

// lockFile opens a file and waits for a flock(2) lock on it. Closing the file, or the end of the process, releases it.
func lockFile(path string, how int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return file, nil
}

// startKeeper runs this very test binary once more, as the keeper: no other program of ours is at hand in a test. It
// returns when the keeper has the cluster ready or has failed.
func startKeeper(at place) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	answer, tell, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer answer.Close()
	defer tell.Close()
	// The keeper outlives us, so it must not hold our output open: `go test` would wait for it.
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer null.Close()
	process, err := os.StartProcess(program, []string{program}, &os.ProcAttr{
		Dir:   "/",
		Env:   append(os.Environ(), keeperEnv+"="+at.dir),
		Files: []*os.File{null, null, null, tell},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return "", fmt.Errorf("start the keeper of the test cluster: %w", err)
	}
	if err := errors.Join(process.Release(), tell.Close(), answer.SetReadDeadline(time.Now().Add(setupTimeout))); err != nil {
		return "", err
	}
	said, err := io.ReadAll(io.LimitReader(answer, 64<<10))
	if err != nil {
		return "", fmt.Errorf("wait for the keeper of the test cluster: %w", err)
	}
	url, ready := strings.CutPrefix(string(said), readyPrefix)
	if !ready {
		return "", fmt.Errorf("the keeper of the test cluster failed: %s (see %s)", said, at.keeperLog())
	}
	return url, nil
}
