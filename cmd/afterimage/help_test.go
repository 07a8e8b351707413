package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestHelpShowsFlagsThatTheCommandHeeds, and no others: a reader would set them in vain.
func TestHelpShowsFlagsThatTheCommandHeeds(t *testing.T) {
	for command, want := range map[string]bool{
		"capture": false, "compare": false, "check": false, "upload": false, "approve": false, "import": false, "diff": false,
		"demo": false, "flow check": false, "flow run": false, "flow import": false,
		"serve": true, "work": true, "migrate": true, "doctor": true, "restore": true, "backup verify": true, "images copy": true,
		"token create": true,
	} {
		parser := newParser(new(commandLine))
		var out bytes.Buffer
		parser.Stdout, parser.Exit = &out, func(int) {}
		_, _ = parser.Parse(append(strings.Fields(command), "--help")) // which goes on after the help, and misses arguments
		if !strings.Contains(out.String(), "--log-level") || strings.Contains(out.String(), "--data-dir") != want {
			t.Errorf("the help of %s names --data-dir: %t, want %t\n%s", command, !want, want, out.String())
		}
	}
}
