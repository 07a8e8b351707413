// Command peerbench compares imgdiff with other programs that compare
// pictures, in one run on pages that it makes itself: how fast, how much memory
// and whether the counts are pixelmatch's. README.md tells how to run it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "peerbench:", err)
		os.Exit(1) //nolint:gocritic // the process ends anyway
	}
}

// settings are the flags.
type settings struct {
	peers, cache, markdown, json string
	devices, scenes              string
	rounds, coldRounds           int
	serve                        string
}

func parseFlags() settings {
	var s settings
	flag.StringVar(&s.peers, "peers", ".", "folder with package.json and node_modules")
	flag.StringVar(&s.cache, "cache", filepath.Join(os.TempDir(), "imgdiff-peerbench"), "folder that keeps captures from run to run")
	flag.StringVar(&s.markdown, "markdown", "", "also write the tables to this file")
	flag.StringVar(&s.json, "json", "", "write everything to this file as JSON")
	flag.StringVar(&s.devices, "devices", "", "only devices with these names, by commas")
	flag.StringVar(&s.scenes, "pairs", "", "only pairs with these names, by commas")
	flag.IntVar(&s.rounds, "rounds", 7, "rounds of the warm services; 0 leaves them out")
	flag.IntVar(&s.coldRounds, "cold-rounds", 5, "rounds of the whole commands; 0 leaves them out")
	flag.StringVar(&s.serve, "serve", "", "be one of the processes of a run: plain, aligned, mask, composed or launcher")
	flag.Parse()
	return s
}

// wants reports whether a pair is asked for.
func (s settings) wants(device, scene string) bool {
	in := func(list, name string) bool { return list == "" || slices.Contains(strings.Split(list, ","), name) }
	return in(s.devices, device) && in(s.scenes, scene)
}

func run(ctx context.Context) (err error) {
	s := parseFlags()
	switch s.serve {
	case "":
	case "launcher":
		return launcher(ctx, os.Stdin, os.Stdout)
	default:
		return serve(ctx, s.serve, os.Stdin, os.Stdout)
	}
	out, err := os.MkdirTemp("", "peerbench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(out)) }()
	t, err := build(ctx, s, out)
	if err != nil {
		return err
	}
	studio, err := newStudio(ctx, s.cache)
	if err != nil {
		return err
	}
	pairs, err := studio.makePairs(ctx, s.wants)
	if err != nil {
		return err
	}
	r := &report{Machine: machine(), services: t.services(), commands: t.commands(), rounds: s.rounds, coldRounds: s.coldRounds}
	if r.Versions, err = versions(t.peers); err != nil {
		return err
	}
	if err := r.fill(ctx, t, pairs); err != nil {
		return err
	}
	return r.write(s)
}

// build finds this program and builds the command.
func build(ctx context.Context, s settings, out string) (tools, error) {
	self, err := os.Executable()
	if err != nil {
		return tools{}, err
	}
	peers, err := filepath.Abs(s.peers)
	if err != nil {
		return tools{}, err
	}
	t := tools{self: self, afterimage: filepath.Join(out, "afterimage"), peers: peers, out: out}
	if s.coldRounds == 0 {
		return t, nil
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", t.afterimage, "afterimage/cmd/afterimage")
	cmd.Dir, cmd.Stderr = peers, os.Stderr
	if err := cmd.Run(); err != nil {
		return tools{}, fmt.Errorf("build afterimage: %w", err)
	}
	return t, nil
}

// write writes the tables to standard output and the files asked for.
func (r *report) write(s settings) error {
	if err := r.writeMarkdown(os.Stdout); err != nil {
		return err
	}
	if s.json != "" {
		if err := r.writeJSON(s.json); err != nil {
			return err
		}
	}
	if s.markdown == "" {
		return nil
	}
	file, err := os.Create(s.markdown)
	if err != nil {
		return err
	}
	return errors.Join(r.writeMarkdown(file), file.Close())
}

// machine describes what the figures hold for.
func machine() string {
	model := runtime.GOARCH
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(info)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%d cores of %s, %s", runtime.NumCPU(), model, runtime.Version())
}

// sortedKeys are the keys of a map in order.
func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
