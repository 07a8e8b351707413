package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	// startLimit is how long a program may take until it says that it is ready, on a busy machine.
	startLimit = 90 * time.Second
	// stopLimit is more than the program gives itself to end requests, captures and the database: 65 seconds.
	stopLimit = 90 * time.Second
)

// program is a running process of the binary.
type program struct {
	t       *testing.T
	name    string
	cmd     *exec.Cmd
	lines   chan string // of standard output, closed at its end
	allowed []string    // how the messages of errors begin that this test provokes

	mu   sync.Mutex
	log  []logLine
	done chan struct{} // closed when the process has ended
	err  error         // of the process, after done
}

// logLine is a line of the program's JSON log.
type logLine struct {
	Level, Msg string
	raw        string
}

// start runs the binary until the test ends. Afterwards the test fails if it logged an error that was not allowed.
func start(t *testing.T, name string, args ...string) *program {
	t.Helper()
	return startBuilt(t, binary, name, args...)
}

// startBuilt is start of another build of the program.
func startBuilt(t *testing.T, built, name string, args ...string) *program {
	t.Helper()
	return startCommand(t, name, exec.Command(built, append(args, "--log-format=json")...))
}

// startCommand is start of a prepared command, which must log JSON.
func startCommand(t *testing.T, name string, cmd *exec.Cmd) *program {
	t.Helper()
	p := &program{t: t, name: name, cmd: cmd, lines: make(chan string, 100), done: make(chan struct{})}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	readers.Go(func() { p.readOutput(stdout) })
	readers.Go(func() { p.readLog(stderr) })
	go func() {
		readers.Wait()
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.stop()
		p.checkLog()
	})
	return p
}

func (p *program) readOutput(out io.Reader) {
	defer close(p.lines)
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		select {
		case p.lines <- scanner.Text():
		default: // nobody reads that much
		}
	}
}

func (p *program) readLog(out io.Reader) {
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		line := logLine{raw: scanner.Text()}
		if json.Unmarshal(scanner.Bytes(), &line) != nil {
			line.Level = "ERROR" // a panic, or words where none belong
		}
		p.mu.Lock()
		p.log = append(p.log, line)
		p.mu.Unlock()
	}
}

// stop asks the program to end and waits until it has; a program that was killed already is fine.
func (p *program) stop() {
	p.t.Helper()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(stopLimit):
		p.t.Errorf("%s did not stop within %s", p.name, stopLimit)
		p.kill()
	}
}

// kill ends the program at once, as a power failure would.
func (p *program) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// exitCode waits for the end of the program.
func (p *program) exitCode() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(startLimit):
		p.t.Fatalf("%s did not end", p.name)
	}
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// logged returns what was written to standard error so far.
func (p *program) logged() []logLine {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]logLine{}, p.log...)
}

// checkLog fails the test on error lines that it did not allow.
func (p *program) checkLog() {
	for _, line := range p.logged() {
		if line.Level == "ERROR" && !p.expects(line) {
			p.t.Errorf("%s logged an error: %s", p.name, line.raw)
		}
	}
	if p.t.Failed() {
		lines := p.logged()
		for _, line := range lines[max(0, len(lines)-40):] {
			p.t.Logf("%s: %s", p.name, line.raw)
		}
	}
}

// expects tells whether an error is one that the test provokes; a panic never is.
func (p *program) expects(line logLine) bool {
	begins := func(beginning string) bool { return strings.HasPrefix(line.Msg, beginning) }
	return slices.ContainsFunc(p.allowed, begins) && !strings.Contains(line.raw, "panic")
}

// expect waits for a line of standard output and returns what the pattern's group matched.
func (p *program) expect(pattern string) string {
	p.t.Helper()
	want := regexp.MustCompile(pattern)
	deadline := time.After(startLimit)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				<-p.done
				p.t.Fatalf("%s ended (%v) before it printed %q:\n%s", p.name, p.err, pattern, p.text())
			}
			if match := want.FindStringSubmatch(line); match != nil {
				return match[len(match)-1]
			}
		case <-deadline:
			p.t.Fatalf("%s did not print %q in time:\n%s", p.name, pattern, p.text())
		}
	}
}

// text is all of the log as it was written.
func (p *program) text() string {
	var all strings.Builder
	for _, line := range p.logged() {
		all.WriteString(line.raw + "\n")
	}
	return all.String()
}

// waitFor asks again and again until the condition holds.
func waitFor(t *testing.T, what string, limit time.Duration, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(limit)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s in vain for %s", limit, what)
		}
		<-tick.C
	}
}

// dataDir is a folder that the database's own user can reach too.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "afterimage-e2e-data-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// pages serves test pages on loopback for as long as the test runs.
func pages(t *testing.T, handler http.Handler) (host string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// closedPort is an address on loopback where nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}
