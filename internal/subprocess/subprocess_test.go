package subprocess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// role tells this test's program to be the other side.
const role = "SUBPROCESS_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "child":
		if err := Serve(os.Stdin, os.Stdout, misbehave); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "parent":
		beParent()
	}
	goleak.VerifyTestMain(m)
}

// order is what a child is told to do.
type order struct {
	Do   string
	Data []byte
}

type outcome struct {
	Pid  int
	Env  []string
	Data []byte
}

var hoard [][]byte

func misbehave(o *order) *outcome {
	switch o.Do {
	case "allocate":
		for {
			block := make([]byte, 16<<20)
			for i := range block {
				block[i] = byte(i) // touched, and not all zeros
			}
			hoard = append(hoard, block)
		}
	case "spin":
		for n := 0; ; n++ {
			if n < 0 {
				return nil
			}
		}
	case "panic":
		panic("a picture that nobody thought of")
	case "panic elsewhere":
		go panic("in another goroutine")
		select {}
	case "exit":
		os.Exit(3)
	case "hang":
		select {}
	}
	return &outcome{Pid: os.Getpid(), Env: os.Environ(), Data: o.Data}
}

func newPool(t *testing.T, c Config) *Pool {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c.Command, c.Env = []string{program}, []string{role + "=child"}
	if c.Limits == (Limits{}) {
		c.Limits = Limits{Memory: 400 << 20, Time: time.Second}
	}
	p := NewPool(c)
	t.Cleanup(p.Close)
	return p
}

// ask has one conversation of one question.
func ask(ctx context.Context, t *testing.T, p *Pool, do string) (*outcome, error) {
	t.Helper()
	c, err := p.Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	var o outcome
	err = c.Ask(ctx, &order{Do: do, Data: []byte(do)}, &o)
	return &o, err
}

// TestAProcessIsKeptWarm: one process serves one conversation after the other, and as many as it may.
func TestAProcessIsKeptWarm(t *testing.T) {
	p := newPool(t, Config{Talks: 5})
	pids := map[int]int{}
	for range 10 {
		o, err := ask(t.Context(), t, p, "echo")
		if err != nil || string(o.Data) != "echo" {
			t.Fatalf("%+v, %v", o, err)
		}
		pids[o.Pid]++
	}
	if len(pids) != 2 {
		t.Errorf("conversations by process: %v, want 5 each", pids)
	}
}

// TestAProcessThatDoesNotGetReady is an error of its start, and counts against nobody's work.
func TestAProcessThatDoesNotGetReady(t *testing.T) {
	p := NewPool(Config{Command: []string{"/bin/sh", "-c", "echo limits are refused >&2; exit 1"}, Limits: Limits{Memory: 1 << 30,
		Time: time.Second}})
	defer p.Close()
	_, err := p.Take(t.Context())
	var ended *Ended
	if err == nil || errors.As(err, &ended) || !strings.Contains(err.Error(), "limits are refused") {
		t.Errorf("error %v", err)
	}
}

// TestAProcessKnowsNoSecrets: the program's environment holds its database's password.
func TestAProcessKnowsNoSecrets(t *testing.T) {
	t.Setenv("AFTERIMAGE_DATABASE_URL", "postgres://secret")
	o, err := ask(t.Context(), t, newPool(t, Config{}), "echo")
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range o.Env {
		if !strings.HasPrefix(variable, "SUBPROCESS_") {
			t.Errorf("the process has %s", variable)
		}
	}
}

// TestMisdeedsEndTheProcessAlone: whatever the work does, the caller is told why it ended, and the next one is served.
func TestMisdeedsEndTheProcessAlone(t *testing.T) {
	usual := newPool(t, Config{})
	// On a busy machine, memory is used up more slowly than the second that is usual.
	patient := newPool(t, Config{Limits: Limits{Memory: 400 << 20, Time: time.Minute}})
	for do, want := range map[string]Cause{
		"allocate": OverMemory, "spin": OverTime, "panic": Crashed, "panic elsewhere": Crashed, "exit": Crashed,
	} {
		p := usual
		if want == OverMemory {
			p = patient
		}
		_, err := ask(t.Context(), t, p, do)
		var ended *Ended
		if !errors.As(err, &ended) || ended.Cause != want {
			t.Errorf("%s: error %v, want the cause %s", do, err, want)
		}
		if o, err := ask(t.Context(), t, p, "echo"); err != nil || string(o.Data) != "echo" {
			t.Errorf("after %s: %+v, %v", do, o, err)
		}
	}
}

// TestAProcessThatOthersKill tells so, whether it was at work or not.
func TestAProcessThatOthersKill(t *testing.T) {
	p := newPool(t, Config{})
	c, err := p.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(c.Pid(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var ended *Ended
	if err := c.Ask(t.Context(), &order{Do: "hang"}, new(outcome)); !errors.As(err, &ended) || ended.Cause != Killed {
		t.Errorf("error %v", err)
	}
	c.Release()
	o, err := ask(t.Context(), t, p, "echo")
	if err != nil {
		t.Fatal(err)
	}
	gone := watch(t, o.Pid)
	if err := unix.Kill(o.Pid, unix.SIGKILL); err != nil { // it is idle
		t.Fatal(err)
	}
	gone()
	if next, err := ask(t.Context(), t, p, "echo"); err != nil || next.Pid == o.Pid {
		t.Errorf("%+v, %v", next, err)
	}
}

// TestTheContextEndsTheWork: a deadline ends what does not come to an end by itself, and is no fault of the process.
func TestTheContextEndsTheWork(t *testing.T) {
	p := newPool(t, Config{})
	for _, do := range []string{"hang", "spin"} {
		ctx, cancel := context.WithCancel(t.Context())
		c, err := p.Take(ctx)
		if err != nil {
			t.Fatal(err)
		}
		gone := watch(t, c.Pid())
		time.AfterFunc(10*time.Millisecond, cancel)
		if err := c.Ask(ctx, &order{Do: do}, new(outcome)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", do, err)
		}
		gone()
		if err := c.Ask(t.Context(), &order{Do: "echo"}, new(outcome)); err == nil {
			t.Errorf("%s: asked a process that has ended", do)
		}
		c.Release()
	}
}

// TestIdleProcessesEnd: nobody needs them, so they hold no memory.
func TestIdleProcessesEnd(t *testing.T) {
	p := newPool(t, Config{Idle: time.Millisecond})
	c, err := p.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone := watch(t, c.Pid())
	c.Release()
	gone()
}

// beParent starts two processes, one of them at work, tells their numbers and waits to be killed.
func beParent() {
	program, _ := os.Executable()
	p := NewPool(Config{Command: []string{program}, Env: []string{role + "=child"}, Limits: Limits{Memory: 400 << 20, Time: time.Hour}})
	busy, _ := p.Take(context.Background())
	idle, _ := p.Take(context.Background())
	var o outcome
	_ = idle.Ask(context.Background(), &order{Do: "echo"}, &o)
	_ = busy.Ask(context.Background(), &order{Do: "echo"}, &o)
	go func() { _ = busy.Ask(context.Background(), &order{Do: "spin"}, &o) }()
	runtime.Gosched()
	fmt.Println(busy.Pid(), idle.Pid())
	select {}
}

// TestNoOrphans: a program that is killed leaves no process behind, at work or not.
func TestNoOrphans(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.CommandContext(t.Context(), program)
	parent.Env = []string{role + "=parent"}
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 100)
	n, err := out.Read(line)
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	var gone []func()
	for _, field := range strings.Fields(string(line[:n])) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		gone = append(gone, watch(t, pid))
	}
	if len(gone) != 2 {
		t.Fatalf("the parent said %q", line[:n])
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	for _, wait := range gone {
		wait()
	}
}

// watch returns a function that waits until a process is gone.
func watch(t *testing.T, pid int) func() {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		defer unix.Close(fd)
		for {
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 60_000)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil || n != 1 {
				t.Errorf("process %d is still there: %v", pid, err)
			}
			return
		}
	}
}
