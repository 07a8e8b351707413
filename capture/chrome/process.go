package chrome

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// firstUID is the first user id for our browsers when we are root. Each lane has its own, so that one lane's renderers
// cannot even signal another's. No distribution assigns 60578–61183 (systemd's "Users, Groups, UIDs and GIDs").
const (
	firstUID = 60700
	uidCount = 400
)

const (
	stopGrace   = 3 * time.Second // for a browser to exit by itself after its pipe is closed
	outputLimit = 16 << 10        // bytes of a browser's error output kept for the report of its end
)

// process is one running browser: its pipe, its profile folder and its termination.
type process struct {
	pipe    *pipe
	profile *profile
	pid     int
	output  *tail
	exited  chan struct{} // closed when the browser and all its children have ended

	children struct { // see family
		sync.Mutex

		first  []int // the browser's first process and its own children
		listed time.Time
	}
}

// startProcess starts a browser with the given switches in a fresh profile folder below tempDir. slot distinguishes
// lanes.
func startProcess(binary, tempDir string, flags []string, slot int, logger *slog.Logger) (*process, error) {
	uid := -1
	if os.Geteuid() == 0 {
		uid = firstUID + slot%uidCount
	}
	folder, err := newProfile(tempDir, uid)
	if err != nil {
		return nil, err
	}
	p, err := launch(binary, folder, flags, uid, logger)
	if err != nil {
		return nil, errors.Join(err, folder.remove())
	}
	return p, nil
}

func launch(binary string, folder *profile, flags []string, uid int, logger *slog.Logger) (*process, error) {
	commandsOut, commandsIn, err := os.Pipe() // the browser reads commands at its file descriptor 3
	if err != nil {
		return nil, fmt.Errorf("make a pipe for the browser: %w", err)
	}
	answersOut, answersIn, err := os.Pipe() // and writes answers to its file descriptor 4
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe for the browser: %w", err), commandsOut.Close(), commandsIn.Close())
	}
	p := &process{profile: folder, output: &tail{limit: outputLimit}, exited: make(chan struct{})}
	// No context ends a browser: stop and kill do, which know its process group.
	cmd := exec.CommandContext(context.Background(), binary,
		append([]string{"--headless", "--remote-debugging-pipe", "--user-data-dir=" + folder.dir}, flags...)...)
	cmd.Dir = folder.dir
	cmd.Env = environment(folder.dir)
	cmd.Stdout, cmd.Stderr = p.output, p.output
	cmd.ExtraFiles = []*os.File{commandsOut, answersIn}
	cmd.WaitDelay = stopGrace
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if uid >= 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid), NoSetGroups: false}
	}
	started := make(chan error, 1)
	go p.supervise(cmd, started)
	err = <-started
	closeErr := errors.Join(commandsOut.Close(), answersIn.Close()) // ours; the browser has its own
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the browser %s: %w", binary, err), commandsIn.Close(), answersOut.Close())
	}
	p.pipe = newPipe(commandsIn, answersOut, logger)
	if closeErr != nil {
		return nil, errors.Join(closeErr, p.stop())
	}
	return p, nil
}

// supervise starts the browser and waits for it on one locked thread: the kernel sends Pdeathsig when the *thread* that
// forked ends, so the thread has to live as long as the browser.
func (p *process) supervise(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	p.pid = cmd.Process.Pid
	started <- nil
	// Wait returns when the process has ended and all holders of its error output have closed it: every child has
	// ended.
	_ = cmd.Wait() // how it ended is of no interest: either we stopped it, or its pipe has told so already
	p.reap()
	close(p.exited)
}

// reap kills what is left of the process group and reaps it where it has become our child: as process 1 of a container
// we inherit the browser's orphans, and no other process would reap them.
func (p *process) reap() {
	_ = syscall.Kill(-p.pid, syscall.SIGKILL) // usually none is left
	for {
		if _, err := syscall.Wait4(-p.pid, nil, 0, nil); err != nil && !errors.Is(err, syscall.EINTR) {
			return // ECHILD: none of them is ours
		}
	}
}

// stop ends the browser, first by closing the pipe and after stopGrace by force, and removes its profile.
func (p *process) stop() error {
	p.pipe.close()
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	select {
	case <-p.exited:
	case <-grace.C:
	}
	return p.kill()
}

// kill kills the browser's whole process group immediately and removes its profile.
func (p *process) kill() error {
	select {
	case <-p.exited:
	default:
		_ = syscall.Kill(-p.pid, syscall.SIGKILL) // fails only if all of them have just ended
	}
	p.pipe.close()
	<-p.exited
	return p.profile.remove()
}

func environment(home string) []string {
	return []string{
		"HOME=" + home, "TMPDIR=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home, "XDG_RUNTIME_DIR=" + home,
		"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=en_US.UTF-8", "TZ=UTC",
		"DBUS_SESSION_BUS_ADDRESS=disabled:", "DBUS_SYSTEM_BUS_ADDRESS=disabled:",
	}
}

// tail keeps the last bytes written to it.
type tail struct {
	limit int

	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.kept))
}
