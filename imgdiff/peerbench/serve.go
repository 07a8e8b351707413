package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"afterimage/imgdiff"
)

// question asks a service to compare two files.
type question struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// reply is how long it took and what was counted; peers that do not count
// leave Changed nil, and those that work in a further process CPU 0.
type reply struct {
	NS      int64  `json:"ns"`
	CPU     int64  `json:"cpu"` // nanoseconds, of all threads
	Changed *int   `json:"changed"`
	Error   string `json:"error,omitempty"`
}

// serve is our own service, with the protocol of peers/adapter.mjs.
func serve(ctx context.Context, mode string, in io.Reader, out io.Writer) error {
	files := map[string][]byte{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return fmt.Errorf("read a question: %w", err)
		}
		for _, path := range []string{q.Before, q.After} {
			if files[path] != nil {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files[path] = data
		}
		start, cpu := time.Now(), processorTime()
		changed, err := compare(ctx, files[q.Before], files[q.After], mode)
		r := reply{NS: time.Since(start).Nanoseconds(), CPU: processorTime() - cpu, Changed: &changed}
		if err != nil {
			r = reply{Error: err.Error()}
		}
		if err := json.NewEncoder(out).Encode(r); err != nil {
			return fmt.Errorf("write a reply: %w", err)
		}
	}
	return lines.Err()
}

// processorTime is what this process has used, in nanoseconds.
func processorTime() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// compare is what our service is measured by.
func compare(ctx context.Context, before, after []byte, mode string) (int, error) {
	o := imgdiff.DefaultOptions()
	o.Align = mode == "aligned"
	r, err := imgdiff.Compare(ctx, before, after, o)
	if err != nil {
		return 0, err
	}
	switch mode {
	case "mask":
		_, err = r.MaskPNG(ctx)
	case "composed":
		err = r.Compose(ctx, io.Discard, imgdiff.ComposeOptions{})
	}
	return r.Changed, err
}
