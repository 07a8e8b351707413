package localpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// postmaster is a running server process, started by this process or found.
type postmaster struct {
	pid       int
	dataDir   string
	socketDir string
	child     bool // started by this process, which must therefore reap it
}

// findPostmaster reads postmaster.pid and tells which server runs on the data folder. ok is false when none does: the
// file is missing, or stale because the server was killed or the machine restarted.
func findPostmaster(dataDir string) (found postmaster, ok bool, err error) {
	raw, err := os.ReadFile(pidFile(dataDir))
	if errors.Is(err, os.ErrNotExist) {
		return postmaster{}, false, nil
	}
	if err != nil {
		return postmaster{}, false, fmt.Errorf("look for a running server: %w", err)
	}
	// Lines: pid, data folder, start time, port, socket folder, listen address, shared memory key and id, status.
	// A server that has just begun has written the first ones only.
	lines := strings.Split(string(raw), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil || pid <= 1 {
		return postmaster{}, false, nil // PostgreSQL itself judges a file it cannot have written
	}
	found = postmaster{pid: pid, dataDir: dataDir}
	if len(lines) > 4 {
		found.socketDir = strings.TrimSpace(lines[4])
	}
	return found, found.alive(), nil
}

func pidFile(dataDir string) string { return filepath.Join(dataDir, "postmaster.pid") }

// socketFile is the server's socket. Its lock file, with the suffix .lock, begins with the server's number too.
func socketFile(socketDir string) string {
	return filepath.Join(socketDir, ".s.PGSQL."+strconv.Itoa(port))
}

// alive reports whether the process exists and is the server of this data folder. After a restart of the machine or the
// container the number often belongs to something else, which must be neither adopted nor signalled.
func (p postmaster) alive() bool {
	if p.child {
		// Waiting is the certain way, and an ended child would stay as a zombie without it. ECHILD: reaped before.
		var status syscall.WaitStatus
		ended, err := syscall.Wait4(p.pid, &status, syscall.WNOHANG, nil)
		return err == nil && ended == 0
	}
	if err := syscall.Kill(p.pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	switch identify(p.pid, p.dataDir) {
	case isServer:
		return true
	case isStranger:
		return false
	default:
		return p.accepts() // the open socket is the proof
	}
}

func (p postmaster) accepts() bool {
	if p.socketDir == "" {
		return false
	}
	dialer := net.Dialer{Timeout: time.Second}
	conn, err := dialer.DialContext(context.Background(), "unix", socketFile(p.socketDir))
	return err == nil && conn.Close() == nil
}

// shutdown stops the server and waits until it is gone. The steps are PostgreSQL's own: fast (roll back, write a
// checkpoint), immediate (recovery at the next start), kill.
func (p postmaster) shutdown(ctx context.Context, log *slog.Logger) error {
	steps := []struct {
		signal syscall.Signal
		grace  time.Duration
	}{{syscall.SIGINT, 10 * time.Second}, {syscall.SIGQUIT, 5 * time.Second}, {syscall.SIGKILL, 5 * time.Second}}
	for i, step := range steps {
		if !p.alive() {
			return nil
		}
		if i > 0 {
			log.Warn("private Postgres did not stop, escalating the signal", "pid", p.pid, "signal", step.signal.String())
		}
		if err := syscall.Kill(p.pid, step.signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("signal process %d: %w", p.pid, err)
		}
		if p.waitGone(ctx, step.grace) {
			return nil
		}
		ctx = context.WithoutCancel(ctx) // the caller's patience ends the polite step only
	}
	return fmt.Errorf("process %d survived SIGKILL", p.pid)
}

func (p postmaster) waitGone(ctx context.Context, grace time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for p.alive() {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}
