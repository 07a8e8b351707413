package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// keptMemory lets each process of the server keep up to 8 MiB that it has freed. Without it, the C library of GNU gives back what a
// statement was planned in and takes it page by page for the next one: with it, 300 joins of system tables took 766 page faults instead of
// 9,443, and half of the processor time on a virtual machine. Other C libraries ignore it.
var keptMemory = []string{"MALLOC_TRIM_THRESHOLD_=8388608", "MALLOC_MMAP_THRESHOLD_=8388608", "MALLOC_TOP_PAD_=262144"}

// launch starts the server process and leaves it to run on its own. The caller holds the start lock and knows that no
// server runs.
func (s *Server) launch(ctx context.Context) (postmaster, error) {
	if err := s.disownStaleLocks(ctx); err != nil {
		return postmaster{}, err
	}
	logFile, err := openServerLog(s.folder.logFile())
	if err != nil {
		return postmaster{}, err
	}
	defer logFile.Close() // the server has its own copy
	// The server outlives this call and, when we are killed, this process: no context may end it.
	command := exec.CommandContext(context.WithoutCancel(ctx), s.bin.postgres(), s.arguments()...)
	command.Dir = s.folder.data()
	command.Env = append(environment(s.folder), keptMemory...)
	command.SysProcAttr = s.folder.account.attributes()
	command.Stdout, command.Stderr = logFile, logFile
	if err := command.Start(); err != nil {
		return postmaster{}, fmt.Errorf("start %s as user id %d: %w", s.bin.postgres(), s.folder.account.uid, err)
	}
	started := postmaster{pid: command.Process.Pid, dataDir: s.folder.data(), socketDir: s.folder.socketDir, child: true}
	return started, command.Process.Release()
}

// arguments configure the server by command line, so that a cluster made by an older version of this program gets the
// settings of this one.
func (s *Server) arguments() []string {
	settings := [][2]string{
		{"listen_addresses", ""},
		{"unix_socket_directories", s.folder.socketDir},
		{"unix_socket_permissions", "0700"},
		{"port", strconv.Itoa(port)},
		{"max_connections", "100"},
		{"shared_buffers", "128MB"},
		{"max_wal_size", "512MB"},
		{"wal_level", "minimal"}, // nobody replicates from a private cluster
		{"max_wal_senders", "0"},
		{"fsync", "on"},
		{"synchronous_commit", "on"},
		{"jit", "off"}, // pays off for long analytical queries only
		{"timezone", "UTC"},
		{"log_timezone", "UTC"},
		{"log_destination", "stderr"},
		{"logging_collector", "off"}, // its files are not bounded in size; ours is, see trimServerLog
		{"log_line_prefix", "%m [%p] "},
	}
	if s.cfg.Ephemeral {
		settings = append(settings, [2]string{"fsync", "off"}, [2]string{"full_page_writes", "off"},
			[2]string{"synchronous_commit", "off"}, [2]string{"max_connections", "300"})
	}
	arguments := []string{"-D", s.folder.data()}
	for _, setting := range settings {
		arguments = append(arguments, "-c", setting[0]+"="+setting[1])
	}
	return arguments
}

// disownStaleLocks lets the server start over the lock files of a killed one whose number now belongs to an unrelated
// process or to a zombie. The server would take that process for a living server, by either file: postmaster.pid guards the data
// folder, the other one guards the socket.
func (s *Server) disownStaleLocks(ctx context.Context) error {
	return errors.Join(
		disownStale(ctx, pidFile(s.folder.data()), s.folder.data()),
		disownStale(ctx, socketFile(s.folder.socketDir)+".lock", s.folder.data()),
	)
}

// disownStale replaces the number in a lock file by ours: the server knows that its parent is not a server. Removing
// postmaster.pid would also remove its shared memory key, by which the server finds out that orphaned backends of the old one
// still write.
//
// A process that may be a server is left to PostgreSQL, which refuses to start next to it: at worst somebody has to remove
// a stale file by hand, where two servers on one folder would destroy the data.
func disownStale(ctx context.Context, path, dataDir string) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the old server's lock file: %w", err)
	}
	first, rest, _ := strings.Cut(string(raw), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err == nil && pid > 1 && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return nil // plainly dead: the server sees that itself
	}
	if err == nil && pid > 1 && !isOtherProgram(ctx, pid) && identify(pid, dataDir) != isStranger {
		return nil
	}
	if err := overwrite(path, strconv.Itoa(os.Getpid())+"\n"+rest); err != nil {
		return fmt.Errorf("disown the old server's lock file: %w", err)
	}
	return nil
}

// overwrite keeps the file's owner and mode.
func overwrite(path, content string) error {
	file, err := os.OpenFile(filepath.Clean(path), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(content); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
