package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"afterimage/capture/zoo"
	"afterimage/internal/page"
)

// keeperCommand makes a process of this test a keeper of its arguments.
const keeperCommand = "PEERBENCH_TEST_KEEPER"

func TestMain(m *testing.M) {
	if os.Getenv(keeperCommand) != "" {
		if err := keep(os.Args[1:]); err != nil {
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

func TestProcessorTime(t *testing.T) {
	before := processorTime(os.Getpid())
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
	if used := processorTime(os.Getpid()) - before; used < 50*time.Millisecond {
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

// TestReport writes the tables of a run of two tools that did not happen.
func TestReport(t *testing.T) {
	tools := []tool{{Name: "ours", Ours: true, About: "as it is"}, {Name: "other"}}
	r, err := newReport(settings{peers: ".", browser: "/usr/bin/browser", runs: 2, concurrency: 4, speedRounds: 2, gateRounds: 2}, tools)
	if err != nil {
		t.Fatal(err)
	}
	r.begin()
	pages := []zoo.Page{{Name: "still", Kind: zoo.Steady}, {Name: "noise", Kind: zoo.Restless}}
	for i, other := range []image.Point{{1, 1}, {2, 2}} { // the second tool takes pictures of two sizes
		tallies := make(map[string]*zoo.Tally)
		for _, p := range pages {
			tallies[p.Name] = zoo.NewTally(p)
			tallies[p.Name].Add(blank(t, image.Pt(1, 1)), nil)
			tallies[p.Name].Add(blank(t, other), nil)
		}
		seconds := time.Duration(i+1) * time.Second
		samples := []sample{{Pictures: 4, Took: seconds, CPU: seconds / 2}, {Pictures: 4, Took: 3 * seconds, CPU: seconds / 2}}
		r.addZoo(tools[i], samples, tallies, pages)
		r.addSpeed(tools[i], 2, samples)
		r.addGate(tools[i], 1, samples)
	}
	r.addStages(1, [][]page.StageTime{{{Stage: "goto", Milliseconds: 5}, {Stage: gateStage, Milliseconds: 10}},
		{{Stage: "goto", Milliseconds: 7}, {Stage: gateStage, Milliseconds: 30}}})
	r.end()
	var b strings.Builder
	if err := r.writeMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| **ours** | 2 | 1 of 1 | 1 of 1 | 2.00 | 0.12 |", "| other | 2 | 0 of 1 | 0 of 1 | 1.00 | 0.25 |",
		"| still |  | steady | ✓ | differs |", "| 2 | 2.7 | 1.3 (0.50 ×) |", "| 1 | 500 | 1000 (2.00 ×) |", "goto 6.0, settle 20",
		"- ours: as it is", "puppeteer-core",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the tables do not have %q:\n%s", want, b.String())
		}
	}
}

func blank(t *testing.T, size image.Point) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rectangle{Max: size})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestContenders(t *testing.T) {
	all := contenders("self", "peers", "browser", []string{"a:1", "b:2"})
	if !all[0].Ours {
		t.Error("ours is not the first")
	}
	for _, tool := range all {
		if tool.About == "" || strings.Join(tool.argv[:4], " ") != "self -serve keeper --" {
			t.Errorf("%s runs as %q", tool.Name, tool.argv)
		}
	}
	if !wants("a,b", "b") || wants("a,b", "c") || !wants("", "c") {
		t.Error("lists of names are not understood")
	}
	for _, name := range speedPages {
		if _, err := zoo.Find(name); err != nil {
			t.Error(err)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{4, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}} {
		if got := median(test.values); got != test.want {
			t.Errorf("median of %v is %v", test.values, got)
		}
	}
}
