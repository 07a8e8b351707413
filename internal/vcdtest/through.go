package vcdtest

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// RunThrough runs tests of this program once more, with databases that are reached in another way: see ThroughEnv.
func RunThrough(t *testing.T, way string, names ...string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		names[i] = regexp.QuoteMeta(name)
	}
	child := exec.CommandContext(t.Context(), program, "-test.count=1", "-test.v", "-test.run=^("+strings.Join(names, "|")+")$")
	child.Env = append(os.Environ(), ThroughEnv+"="+way)
	output, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", way, err, output)
	}
	for _, name := range names {
		if !strings.Contains(string(output), "--- PASS: "+name+" ") {
			t.Errorf("%s was not run", name)
		}
	}
}
