package machine

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTheLoadOfThisMachine(t *testing.T) {
	m, err := NewMeter()
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); { // keeps a processor busy
		continue
	}
	load, err := m.Read()
	if err != nil {
		t.Fatal(err)
	}
	if load.Busy <= 0 || load.Busy > 1 || load.Free <= 0 {
		t.Errorf("the load is %+v", load)
	}
}

func TestTheBusyShareOfTheProcessorsThatAreAllowed(t *testing.T) {
	start := time.Unix(0, 0)
	before := used{at: start}
	for name, c := range map[string]struct {
		after               used
		allowed, processors int
		want                float64
	}{
		"half of four":              {used{at: start.Add(time.Second), idle: 2, total: 4, group: 2 * time.Second}, 4, 4, 0.5},
		"all of the one it may use": {used{at: start.Add(time.Second), idle: 3, total: 4, group: time.Second}, 1, 4, 1},
		"others keep all busy":      {used{at: start.Add(time.Second), idle: 0, total: 4, group: 0}, 2, 4, 1},
		"no time passed":            {used{at: start}, 1, 4, 0},
		"idle time went backwards":  {used{at: start.Add(time.Second), idle: -1, total: 4}, 4, 4, 1},
	} {
		if got := busyBetween(before, c.after, c.allowed, c.processors); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestTheMemoryThatControlGroupsLeave(t *testing.T) {
	root := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := group{root: root, name: "/a/b"}
	if left, limited := g.memoryLeft(); limited || left != 0 {
		t.Errorf("without groups: %d, %v", left, limited)
	}
	write("a/memory.max", "1000\n")
	write("a/memory.current", "800\n")
	write("a/memory.stat", "anon 500\ninactive_file 100\n")
	write("a/b/memory.max", "max\n")
	write("a/b/cpu.stat", "usage_usec 1500000\nuser_usec 1\n")
	if left, limited := g.memoryLeft(); !limited || left != 300 {
		t.Errorf("by the outer group: %d, %v", left, limited)
	}
	write("a/b/memory.max", "500\n")
	write("a/b/memory.current", "700\n")
	if left, limited := g.memoryLeft(); !limited || left != 0 {
		t.Errorf("by the inner group: %d, %v", left, limited)
	}
	if used := g.cpuTime(); used != 1500*time.Millisecond {
		t.Errorf("used %s", used)
	}
}
