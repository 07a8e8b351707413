package e2e

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// TestEachRestartInAFreshContainer kills the whole service, its database and its browsers with it, and starts it in a new pid
// namespace on the same folders, as a container is. There the numbers in the files that the dead left behind belong to others.
func TestEachRestartInAFreshContainer(t *testing.T) {
	t.Parallel()
	ordinary, kills := nemesisSize()
	n := newNemesis(t, ordinary)
	begin := func() {
		n.t.Helper()
		n.server.program = startCommand(t, "serve", contained(binary, "serve", "--data-dir", n.server.dir, "--listen", n.listen,
			"--allow-hosts", n.site.host, "--captures=2", "--capture-deadline="+captureDeadline().String(),
			"--retry-delay=100ms", "--rescue-after=1s", "--log-format=json"))
		n.server.allowed = disturbed
		n.server.url = n.server.expect(`serves at (https?://\S+)`)
	}
	begin()
	n.worker = n.server.program
	n.server.token = n.server.firstToken()
	batchID := n.server.take(n.group(), "pre")
	for range kills {
		n.awaitProgress(batchID)
		n.server.kill()
		begin()
	}
	n.awaitEnd(batchID)
	n.verifyEntries(batchID)
	n.server.stop()
	n.server.check("--deep")
}

// contained is a command that runs as process 1 of a new pid namespace, with a /proc of its own: when it is killed, all that it
// started goes too. Only root can make one; for everybody else it is the bare command, whose database survives it.
func contained(program string, args ...string) *exec.Cmd {
	if os.Geteuid() != 0 {
		return exec.Command(program, args...)
	}
	const script = `mount --make-rprivate / && mount -t proc proc /proc && exec "$0" "$@"`
	cmd := exec.Command("/bin/sh", append([]string{"-c", script, program}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS}
	return cmd
}
