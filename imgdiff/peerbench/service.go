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
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// service is a contender's process that answers questions.
type service struct {
	contender contender
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       *bufio.Reader
}

// startService starts a process that ends with ctx or by stop.
func startService(ctx context.Context, c contender) (*service, error) {
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	return &service{contender: c, cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

// ask sends a line and reads the line that answers it.
func (s *service) ask(question, answer any) error {
	line, err := json.Marshal(question)
	if err != nil {
		return err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("%s: %w", s.contender.Name, err)
	}
	line, err = s.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s ended without an answer: %w", s.contender.Name, err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return fmt.Errorf("%s answered %q: %w", s.contender.Name, line, err)
	}
	return nil
}

// compare measures one pair.
func (s *service) compare(p pair) sample {
	var r reply
	if err := s.ask(question{Before: p.Before, After: p.After}, &r); err != nil {
		return sample{err: err}
	}
	if r.Error != "" {
		return sample{err: errors.New(r.Error)}
	}
	return sample{took: time.Duration(r.NS), cpu: time.Duration(r.CPU), changed: r.Changed}
}

// stop ends the process.
func (s *service) stop() error {
	err := s.in.Close()
	if werr := s.cmd.Wait(); werr != nil {
		err = errors.Join(err, fmt.Errorf("%s: %w", s.contender.Name, werr))
	}
	return err
}

// peakMemory is the largest resident size so far of the process and the
// processes that it started, in bytes.
func (s *service) peakMemory() int64 { return peakOf(s.cmd.Process.Pid) }

func peakOf(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0 // the process is gone, or this is no Linux
	}
	var peak int64
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmHWM:" {
			kib, _ := strconv.ParseInt(fields[1], 10, 64)
			peak = kib << 10
		}
	}
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is well formed
	for _, task := range tasks {
		children, err := os.ReadFile(task)
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(children)) {
			if id, err := strconv.Atoi(child); err == nil {
				peak += peakOf(id)
			}
		}
	}
	return peak
}
