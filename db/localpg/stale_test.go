package localpg

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestStaleLockFiles: what a killed server leaves behind names a process number, and after a restart of the machine or
// of a container the number belongs to nobody, to something else, or to a zombie that nobody reaps.
func TestStaleLockFiles(t *testing.T) {
	dead := exec.CommandContext(t.Context(), "true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	dir := readyDir(t)
	server := start(t, dir)
	execute(t, server.URL(), "CREATE TABLE kept (id int)")
	account := server.folder.account // a server heeds processes of its own account only
	left := map[string]string{}      // the lock files of a running server
	for _, path := range []string{pidFile(server.folder.data()), socketFile(server.folder.socketDir) + ".lock"} {
		content, err := os.ReadFile(filepath.Clean(path))
		if err != nil {
			t.Fatal(err)
		}
		_, left[path], _ = strings.Cut(string(content), "\n")
	}
	stop(t, server)
	stranger := exec.CommandContext(t.Context(), "sleep", "600")
	stranger.SysProcAttr = account.attributes()
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stranger.Process.Kill(); _ = stranger.Wait() })

	for whose, pid := range map[string]int{"dead process": dead.Process.Pid, "unrelated process": stranger.Process.Pid,
		"zombie": zombie(t, account)} {
		for path, rest := range left {
			t.Run(filepath.Base(path)+" of "+whose, func(t *testing.T) {
				leaveBehind(t, account, path, strconv.Itoa(pid)+"\n"+rest)
				again := start(t, dir)
				if again.pm.pid == pid {
					t.Fatal("adopted a process that is no server")
				}
				query[int](t, again.URL(), "SELECT count(*)::int FROM kept")
				stop(t, again)
			})
		}
	}
	if err := stranger.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the unrelated process was harmed: %v", err)
	}
}

// TestTheOldServerIsAZombie: its parent was killed too, and whoever inherited it does not reap.
func TestTheOldServerIsAZombie(t *testing.T) {
	dir := readyDir(t)
	server := start(t, dir)
	execute(t, server.URL(), "CREATE TABLE kept (id int)")
	stop(t, server)

	command := exec.CommandContext(t.Context(), server.bin.postgres(), server.arguments()...)
	command.Dir, command.Env, command.SysProcAttr = server.folder.data(), environment(server.folder), server.folder.account.attributes()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Wait() })
	// A child: asked by number alone, it could still be in the middle of exec, when /proc shows no command line, as of a zombie.
	byHand := postmaster{pid: command.Process.Pid, dataDir: server.folder.data(), child: true}
	if err := server.waitReady(t.Context(), &byHand); err != nil {
		t.Fatal(err)
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	awaitEnd(t, command.Process.Pid)

	again := start(t, dir)
	query[int](t, again.URL(), "SELECT count(*)::int FROM kept")
	stop(t, again)
}

// leaveBehind writes a file as the server's account would.
func leaveBehind(t *testing.T, a account, path, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Clean(path), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, a.uid, a.gid); err != nil {
		t.Fatal(err)
	}
}

// zombie is the number of a process of the account that has ended and is reaped only when the test ends.
func zombie(t *testing.T, a account) int {
	t.Helper()
	command := exec.CommandContext(t.Context(), "true")
	command.SysProcAttr = a.attributes()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Wait() })
	awaitEnd(t, command.Process.Pid)
	return command.Process.Pid
}

// awaitEnd waits until a child has ended, and leaves it a zombie.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err == nil {
			return
		}
		if err != unix.EINTR {
			t.Fatal(err)
		}
	}
}
