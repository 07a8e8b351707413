package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// stopLimit is far more than the program gives itself to end requests, captures and the database: 65 seconds.
const stopLimit = 10 * time.Minute

// process is a running process of the binary. It may outlive the test that has started it.
type process struct {
	name  string
	cmd   *exec.Cmd
	lines chan string // of standard output, closed at its end

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

// launch starts a prepared command, which must log JSON.
func launch(name string, cmd *exec.Cmd) (*process, error) {
	p := &process{name: name, cmd: cmd, lines: make(chan string, 100), done: make(chan struct{})}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	var readers sync.WaitGroup
	readers.Go(func() { p.readOutput(stdout) })
	readers.Go(func() { p.readLog(stderr) })
	go func() {
		readers.Wait()
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

func (p *process) readOutput(out io.Reader) {
	defer close(p.lines)
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		select {
		case p.lines <- scanner.Text():
		default: // nobody reads that much
		}
	}
}

func (p *process) readLog(out io.Reader) {
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		line := logLine{raw: scanner.Text()}
		if json.Unmarshal(scanner.Bytes(), &line) != nil {
			line.Level, line.Msg = "ERROR", line.raw // a panic, or words where none belong
		}
		p.mu.Lock()
		p.log = append(p.log, line)
		p.mu.Unlock()
	}
}

// printed waits for a line of standard output and returns what the pattern's group matched.
func (p *process) printed(want *regexp.Regexp) (string, error) {
	deadline := time.After(patience)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				<-p.done
				return "", fmt.Errorf("%s ended (%w) before it printed %q:\n%s", p.name, p.err, want, textOf(p.loggedSince(0)))
			}
			if match := want.FindStringSubmatch(line); match != nil {
				return match[len(match)-1], nil
			}
		case <-deadline:
			return "", fmt.Errorf("%s did not print %q in time:\n%s", p.name, want, textOf(p.loggedSince(0)))
		}
	}
}

// end asks the program to end and waits until it has; a program that was killed already is fine.
func (p *process) end() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
		return nil
	case <-time.After(stopLimit):
		p.kill()
		return fmt.Errorf("%s did not stop within %s", p.name, stopLimit)
	}
}

// kill ends the program at once, as a power failure would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// loggedSince returns what was written to standard error after so many lines.
func (p *process) loggedSince(line int) []logLine {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]logLine{}, p.log[line:]...)
}

// errorsIn are the lines of a log that tell of errors.
func errorsIn(log []logLine) (found []logLine) {
	for _, line := range log {
		if line.Level == "ERROR" {
			found = append(found, line)
		}
	}
	return found
}

// textOf is a log as it was written.
func textOf(log []logLine) string {
	var all strings.Builder
	for _, line := range log {
		all.WriteString(line.raw + "\n")
	}
	return all.String()
}
