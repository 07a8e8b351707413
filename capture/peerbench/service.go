package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/internal/processtree"
)

// batch asks a service to take pictures, some at a time.
type batch struct {
	Concurrency int   `json:"concurrency"`
	Jobs        []job `json:"jobs"`
}

// job is one picture, written to a file as PNG.
type job struct {
	URL    string         `json:"url"`
	File   string         `json:"file"`
	Device capture.Device `json:"device,omitempty"` // desktop if empty
}

// answer is how a batch went. Only ours tells more than the errors.
type answer struct {
	NS       int64              `json:"ns"`
	Errors   []*string          `json:"errors"` // of each job, nil = there is a picture
	Unstable [][]page.Box       `json:"unstable,omitempty"`
	Stages   [][]page.StageTime `json:"stages,omitempty"`
}

// service is a tool's process that answers batches.
type service struct {
	tool tool
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

// startService starts a process that ends with ctx or by stop.
func startService(ctx context.Context, t tool) (*service, error) {
	cmd := exec.CommandContext(ctx, t.argv[0], t.argv[1:]...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) } // the keeper ends what is below it
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", t.Name, err)
	}
	return &service{tool: t, cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

// sample is one batch, measured.
type sample struct {
	Pictures int           `json:"pictures"`
	Failed   int           `json:"failed,omitempty"` // of them
	Took     time.Duration `json:"took_ns"`
	CPU      time.Duration `json:"cpu_ns"` // of the whole process tree
}

// take has a batch done and measures it. The clock runs in the service.
func (s *service) take(b batch) (answer, sample, error) {
	before := processtree.CPUTime(s.cmd.Process.Pid)
	var a answer
	if err := s.ask(b, &a); err != nil {
		return answer{}, sample{}, err
	}
	if len(a.Errors) != len(b.Jobs) {
		return answer{}, sample{}, fmt.Errorf("%s answered %d of %d jobs", s.tool.Name, len(a.Errors), len(b.Jobs))
	}
	used := processtree.CPUTime(s.cmd.Process.Pid) - before
	return a, sample{Pictures: len(b.Jobs), Took: time.Duration(a.NS), CPU: used}, nil
}

// ask sends a line and reads the line that answers it.
func (s *service) ask(question, reply any) error {
	line, err := json.Marshal(question)
	if err != nil {
		return err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("%s: %w", s.tool.Name, err)
	}
	line, err = s.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s ended without an answer: %w", s.tool.Name, err)
	}
	if err := json.Unmarshal(line, reply); err != nil {
		return fmt.Errorf("%s answered %.200q: %w", s.tool.Name, line, err)
	}
	return nil
}

// stop ends the process.
func (s *service) stop() error {
	err := s.in.Close()
	if werr := s.cmd.Wait(); werr != nil {
		err = errors.Join(err, fmt.Errorf("%s: %w", s.tool.Name, werr))
	}
	return err
}

// startAll starts a service for each tool that is wanted.
func (b *bench) startAll(ctx context.Context, wanted func(tool) bool) (services []*service, stop func() error, err error) {
	stop = func() error {
		var errs []error
		for _, s := range services {
			errs = append(errs, s.stop())
		}
		return errors.Join(errs...)
	}
	for _, t := range b.tools {
		if !wanted(t) {
			continue
		}
		s, err := startService(ctx, t)
		if err != nil {
			return nil, nil, errors.Join(err, stop())
		}
		services = append(services, s)
	}
	return services, stop, nil
}
