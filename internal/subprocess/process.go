package subprocess

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Cause is why a process ended before answering.
type Cause string

// The causes.
const (
	OverMemory Cause = "memory" // it exceeded its memory limit
	OverTime   Cause = "time"   // it exceeded its CPU time limit
	Crashed    Cause = "crash"  // its program failed
	Killed     Cause = "killed" // it was killed from outside, for example by the OOM killer
)

// Ended reports that a process ended before it answered.
type Ended struct {
	Cause  Cause
	Detail string // for the log: exit status and last output
}

func (e *Ended) Error() string {
	return fmt.Sprintf("the process ended early (%s): %s", e.Cause, e.Detail)
}

// Process is a running process in a conversation. It is not safe for concurrent use.
type Process struct {
	pool      *Pool
	cmd       *exec.Cmd
	questions *os.File // its input
	answers   *os.File // its output
	send      *gob.Encoder
	receive   *gob.Decoder
	said      *head         // what it wrote as an error
	exited    chan struct{} // closed once it is gone
	talks     int           // conversations so far
	broken    bool          // it cannot be asked any more
	idle      *time.Timer   // ends it when nobody needs it
}

// stopGrace is how long a process may take to end by itself.
const stopGrace = 2 * time.Second

// start starts a process and waits until it is ready: what keeps it from that is no fault of what it is asked later.
func start(ctx context.Context, p *Pool) (*Process, error) {
	inputOut, inputIn, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe to a process: %w", err)
	}
	outputOut, outputIn, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe from a process: %w", err), inputOut.Close(), inputIn.Close())
	}
	c := &Process{
		pool: p, questions: inputIn, answers: outputOut, send: gob.NewEncoder(inputIn), receive: gob.NewDecoder(outputOut),
		said: &head{}, exited: make(chan struct{}),
	}
	// No context ends a process: Ask and stop do.
	c.cmd = exec.CommandContext(context.Background(), p.config.Command[0], p.config.Command[1:]...)
	c.cmd.Env = append([]string{}, p.config.Env...) // not nil, which would be ours
	c.cmd.Env = append(c.cmd.Env, p.config.Limits.environment()...)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = inputOut, outputIn, c.said
	c.cmd.WaitDelay = stopGrace
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error, 1)
	go c.supervise(started)
	err = <-started
	closeErr := errors.Join(inputOut.Close(), outputIn.Close()) // ours; the process has its own
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", p.config.Command[0], err), inputIn.Close(), outputOut.Close())
	}
	if closeErr == nil {
		closeErr = c.ready(ctx)
	}
	if closeErr != nil {
		c.broken = true
		c.stop() // after it all that it said is there
		return nil, errors.Join(fmt.Errorf("start %s: %w: %s", p.config.Command[0], closeErr, c.said), ctx.Err())
	}
	return c, nil
}

// ready waits until the process has set its limits.
func (c *Process) ready(ctx context.Context) error {
	defer context.AfterFunc(ctx, c.kill)()
	var head replyHead
	if err := c.receive.Decode(&head); err != nil {
		return fmt.Errorf("it did not get ready: %w", err)
	}
	return nil
}

// supervise starts the process and waits for it on one locked thread: the kernel sends Pdeathsig when the *thread* that
// forked ends, so the thread has to live as long as the process.
func (c *Process) supervise(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := c.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	_ = c.cmd.Wait() // ProcessState tells
	close(c.exited)
}

// Pid returns the process id.
func (c *Process) Pid() int { return c.cmd.Process.Pid }

// Ask sends a request and decodes the answer into a pointer. If ctx ends, the process is killed and the error is
// that of the context; if the process ends by itself, the error is an *Ended. After an error, no further request can
// be sent.
func (c *Process) Ask(ctx context.Context, question, answer any) error {
	if c.broken {
		return errors.New("the process has ended")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	killed := context.AfterFunc(ctx, c.kill)
	var head replyHead
	err := c.send.Encode(question)
	if err == nil {
		err = c.receive.Decode(&head)
	}
	if err == nil && head.Panic == "" {
		err = c.receive.Decode(answer)
	}
	if unhurt := killed(); err == nil && unhurt && head.Panic == "" {
		return nil
	}
	c.broken = true
	if cause := ctx.Err(); cause != nil {
		c.stop()
		return cause
	}
	if head.Panic != "" {
		c.stop()
		return &Ended{Cause: Crashed, Detail: head.Panic}
	}
	select { // it has ended, as a rule, since its output has
	case <-c.exited:
	case <-time.After(stopGrace):
		c.stop()
		return fmt.Errorf("talk to a process: %w", err)
	}
	return c.ended()
}

// ended says why a process ended that nobody of us did.
func (c *Process) ended() *Ended {
	state, said := c.cmd.ProcessState, c.said.String()
	e := &Ended{Cause: Crashed, Detail: state.String() + ": " + said}
	status, _ := state.Sys().(syscall.WaitStatus)
	switch {
	case state.ExitCode() == exitOverTime:
		e.Cause = OverTime
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		e.Cause = Killed
	case slices.ContainsFunc(lackOfMemory, func(words string) bool { return strings.Contains(said, words) }):
		e.Cause = OverMemory
	}
	return e
}

// lackOfMemory is what the runtime says last when it gets no more memory: for its heap, for a thread, and for a thread of C.
var lackOfMemory = []string{"out of memory", "cannot allocate memory", "failed to create new OS thread", "pthread_create failed"}

// Release ends the conversation. The process is kept for the next one, unless it has ended or served its maximum
// number.
func (c *Process) Release() { c.pool.give(c) }

// gone reports whether the process has ended, also when nobody has noticed so far.
func (c *Process) gone() bool {
	var ended unix.Siginfo
	err := unix.Waitid(unix.P_PID, c.Pid(), &ended, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return err != nil || ended.Signo != 0
}

func (c *Process) kill() {
	select {
	case <-c.exited:
	default:
		_ = c.cmd.Process.Kill() // fails only if it has just gone
	}
}

// stop ends the process and waits until it is gone: by the end of its input, by force after a grace, and at once when it
// is at work.
func (c *Process) stop() {
	if c.broken {
		c.kill()
	}
	_ = c.questions.Close()
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	select {
	case <-c.exited:
	case <-grace.C:
		c.kill()
		<-c.exited
	}
	_ = c.answers.Close()
}

// head keeps the beginning of what is written: the runtime names the reason first.
type head struct {
	mu   sync.Mutex
	text []byte
}

// headLimit is how much is kept, in bytes.
const headLimit = 2 << 10

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, p[:min(len(p), headLimit-len(h.text))]...)
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.text)
}
