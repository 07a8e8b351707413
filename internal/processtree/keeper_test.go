package processtree

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// keeperCommand makes a process of this test a keeper of its arguments.
const keeperCommand = "PROCESSTREE_TEST_KEEPER"

func TestMain(m *testing.M) {
	if os.Getenv(keeperCommand) != "" {
		if err := Keep(os.Args[1:]); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestKeeper: what a tool leaves running ends with the tool, or when the keeper is told to.
func TestKeeper(t *testing.T) {
	for name, end := range map[string]func(*exec.Cmd, io.Closer) error{
		"the tool ends": func(_ *exec.Cmd, in io.Closer) error { return in.Close() },
		"told to":       func(keeper *exec.Cmd, _ io.Closer) error { return keeper.Process.Signal(unix.SIGTERM) },
	} {
		keeper := exec.Command(os.Args[0], "sh", "-c", "setsid sleep 600 >/dev/null & echo $!; read line; exit 0")
		keeper.Env = append(os.Environ(), keeperCommand+"=1")
		in, err := keeper.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := keeper.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := keeper.Start(); err != nil {
			t.Fatal(err)
		}
		var left int
		if _, err := fmt.Fscan(out, &left); err != nil {
			t.Fatal(err)
		}
		if err := end(keeper, in); err != nil {
			t.Fatal(err)
		}
		err = keeper.Wait()
		if told := name == "told to"; told == (err == nil) {
			t.Errorf("%s: the keeper ended with %v", name, err)
		}
		if _, err := readProcess(fmt.Sprintf("/proc/%d/stat", left)); err == nil {
			t.Errorf("%s: process %d is still there", name, left)
		}
	}
}

func TestCPUTime(t *testing.T) {
	before := CPUTime(os.Getpid())
	for deadline := spent(t) + 50*time.Millisecond; spent(t) < deadline; {
		_ = bytes.Repeat([]byte{1}, 1<<16)
	}
	// Two children: one of them has been waited for, the other is there.
	burn := "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
	if err := exec.Command("sh", "-c", burn).Run(); err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sh", "-c", burn+"; echo done; read line")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	found := below(os.Getpid())
	if len(found) < 2 || found[0].pid != os.Getpid() {
		t.Errorf("%d processes, want this one and its child", len(found))
	}
	if used := CPUTime(os.Getpid()) - before; used < 50*time.Millisecond {
		t.Errorf("%s of processor time, want 50 ms of our own and that of two children", used)
	}
	_ = in.Close()
	if err := child.Wait(); err == nil {
		t.Error("read did not meet the end of its input")
	}
	if _, err := readProcess("/proc/none/stat"); err == nil {
		t.Error("a process that is not there was read")
	}
}

// spent is the processor time of this process.
func spent(t *testing.T) time.Duration {
	t.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
