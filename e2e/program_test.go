package e2e

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// patience is far more than anything here takes on a machine that is busy with other things, too: what has not come by then does not
// come. What is limited in time on purpose has limits of its own.
const patience = 10 * time.Minute

// promised is a limit that the product promises to keep: at full size as it is, in every run ten times as long, for the machine may be
// busy with other things.
func promised(limit time.Duration) time.Duration {
	return sized(10*limit, limit)
}

// sized is a size of a test: small in every run, full with AFTERIMAGE_SOAK=1 (make soak).
func sized[T any](small, full T) T {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return full
	}
	return small
}

// program is a process of the binary as a test sees it.
type program struct {
	*process
	t       *testing.T
	since   int      // so many lines of its log are from before the test
	allowed []string // how the messages of errors begin that this test provokes
}

// start runs the binary until the test ends. Afterwards the test fails if it logged an error that was not allowed.
func start(t *testing.T, name string, args ...string) *program {
	t.Helper()
	return startCommand(t, name, exec.Command(binary, append(args, "--log-format=json")...))
}

// startCommand is start of a prepared command, which must log JSON.
func startCommand(t *testing.T, name string, cmd *exec.Cmd) *program {
	t.Helper()
	running, err := launch(name, cmd)
	if err != nil {
		t.Fatal(err)
	}
	p := &program{process: running, t: t}
	t.Cleanup(func() {
		p.stop()
		p.checkLog()
	})
	return p
}

// stop asks the program to end and waits until it has; a program that was killed already is fine.
func (p *program) stop() {
	p.t.Helper()
	if err := p.end(); err != nil {
		p.t.Error(err)
	}
}

// exitCode waits for the end of the program.
func (p *program) exitCode() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.t.Fatalf("%s did not end", p.name)
	}
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// logged returns what was written to standard error so far.
func (p *program) logged() []logLine { return p.loggedSince(p.since) }

// checkLog fails the test on error lines that it did not allow.
func (p *program) checkLog() {
	for _, line := range errorsIn(p.logged()) {
		if !p.expects(line) {
			p.t.Errorf("%s logged an error: %s", p.name, line.raw)
		}
	}
	if p.t.Failed() {
		lines := p.logged()
		for i, line := range lines {
			if line.Level != "INFO" || i >= len(lines)-5 {
				p.t.Logf("%s: %s", p.name, line.raw)
			}
		}
	}
}

// expects reports whether an error is one that the test provokes; a panic never is.
func (p *program) expects(line logLine) bool {
	begins := func(beginning string) bool { return strings.HasPrefix(line.Msg, beginning) }
	return slices.ContainsFunc(p.allowed, begins) && !strings.Contains(line.raw, "panic")
}

// expect waits for a line of standard output and returns what the pattern's group matched.
func (p *program) expect(pattern string) string {
	p.t.Helper()
	found, err := p.printed(regexp.MustCompile(pattern))
	if err != nil {
		p.t.Fatal(err)
	}
	return found
}

// text is all of the log as it was written.
func (p *program) text() string { return textOf(p.logged()) }

// waitFor asks again and again until the condition holds. It asks the less often the longer it has waited: each question takes from the
// work that is waited for.
func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	waitAtMost(t, patience, what, condition)
}

// waitAtMost is waitFor with a limit of its own.
func waitAtMost(t *testing.T, limit time.Duration, what string, condition func() bool) {
	t.Helper()
	for began := time.Now(); !condition(); {
		waited := time.Since(began)
		if waited > limit {
			t.Fatalf("waited %s in vain for %s", limit, what)
		}
		<-time.After(min(max(waited/10, 50*time.Millisecond), time.Second))
	}
}

// sitesAddress is where the sites of tests are, and the receivers of webhooks: an address of loopback on which the service itself does
// not listen. A service that may reach it may not reach this machine.
const sitesAddress = "127.0.7.1"

// pages serves test pages on loopback for as long as the test runs.
func pages(t *testing.T, handler http.Handler) (host string) {
	t.Helper()
	listener, err := net.Listen("tcp", sitesAddress+":0")
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: handler}}
	server.Start()
	t.Cleanup(server.Close)
	return listener.Addr().String()
}

// closedPort is an address on loopback where nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	address, err := unusedAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// given counts the ports that unusedAddress has given away.
var given atomic.Int32

// unusedAddress is below the ports that the kernel gives to connections, which would take it while a service restarts, and apart from
// those of other processes that run these tests.
func unusedAddress() (string, error) {
	for range 1000 {
		port := 20_000 + (os.Getpid()*37+int(given.Add(1)))%12_000
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue // somebody else has it
		}
		return listener.Addr().String(), listener.Close()
	}
	return "", errors.New("no port is unused")
}
