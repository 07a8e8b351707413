package chrome

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"
	"golang.org/x/sys/unix"

	"afterimage/capture"
)

// ownConfig is testConfig with a temporary folder of its own that the browser's user may enter.
func ownConfig(t *testing.T, lanes int) Config {
	t.Helper()
	dir, err := os.MkdirTemp("", "chrome-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	config := testConfig()
	config.Lanes, config.TempDir = lanes, dir
	return config
}

// probeTab does something just before the picture is taken.
type probeTab struct {
	*tab
	before func()
}

func (p *probeTab) Begin(command proto.Request) capture.Answer {
	if _, ok := command.(proto.PageCaptureScreenshot); ok {
		p.before()
	}
	return p.tab.Begin(command)
}

// openTab takes a tab from the first lane for a test that drives the pipeline itself.
func openTab(t *testing.T, p *Pool) *tab {
	t.Helper()
	tab, err := p.lanes[0].ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tab.visit = p.lanes[0].proxy.Begin(capture.MaxPageBytes)
	t.Cleanup(tab.visit.End)
	return tab
}

func wantReason(t *testing.T, err error, want capture.Reason) {
	t.Helper()
	var failure *capture.Failure
	if !errors.As(err, &failure) || failure.Reason != want {
		t.Errorf("error is %v, want a failure with reason %q", err, want)
	}
}

// descendants lists a process and all its children's children.
func descendants(t *testing.T, root int) []int {
	t.Helper()
	all, err := descendantsOf(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// watchEnds takes hold of processes; the returned function expects all of them to have ended within seconds.
func watchEnds(t *testing.T, pids []int) func() {
	t.Helper()
	var handles []unix.PollFd
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		if errors.Is(err, unix.ESRCH) {
			continue // it has ended already
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = unix.Close(fd) })
		handles = append(handles, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	return func() {
		for i := range handles {
			n, err := unix.Poll(handles[i:i+1], 5000)
			for errors.Is(err, unix.EINTR) { // by a signal of the runtime
				n, err = unix.Poll(handles[i:i+1], 5000)
			}
			if n != 1 || err != nil {
				t.Errorf("one of the processes %v lives on (%d, %v)", pids, n, err)
			}
		}
	}
}

func commandOf(pid int) string {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // empty when the process has gone
	return strings.ReplaceAll(string(line), "\x00", " ")
}

func readStatus(t *testing.T, pid int) map[string]string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	status := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		status[key] = strings.TrimSpace(value)
	}
	return status
}

// childVariable makes the test binary a program that starts a pool in the named folder, says so, and waits for ever.
const childVariable = "AFTERIMAGE_TEST_POOL_IN"

func asChild() bool {
	dir := os.Getenv(childVariable)
	if dir == "" {
		return false
	}
	p, err := Start(context.Background(), Config{TempDir: dir})
	if err != nil {
		fmt.Println("error:", err)
		return true
	}
	fmt.Println(p.lanes[0].browser.process.pid)
	select {}
}

// TestBrowserDiesWithUs: kill -9 of our process takes its browsers along, and the next start removes what it left.
func TestBrowserDiesWithUs(t *testing.T) {
	config := ownConfig(t, 1)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+config.TempDir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	browser, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("child said %q", line)
	}
	gone := watchEnds(t, descendants(t, browser))
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // "signal: killed" is what we wanted
	gone()
	left := func() []string {
		dirs, _ := filepath.Glob(filepath.Join(config.TempDir, profilePrefix+"*"))
		return dirs
	}
	if len(left()) != 1 {
		t.Fatalf("profile folders after the kill: %q", left())
	}
	if err := sweepProfiles(config.TempDir); err != nil || len(left()) != 0 {
		t.Errorf("sweeping left %q (%v)", left(), err)
	}
}
