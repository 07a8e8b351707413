package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTables writes the tables of a run that did not happen.
func TestTables(t *testing.T) {
	r := newReport(settings{pages: 12}, []tool{{Name: "ours", Ours: true, About: "as it is"}, {Name: "other"}})
	damaged := []place{{"/p/3", "desktop"}, {"/p/3", "mobile"}, {"/p/5", "mobile"}}
	price := ownChange{Kind: "text_changed", Description: "€ 0.00", Places: damaged[:2]}
	r.Tools[0].Quiet = []outcome{{Seconds: 2, CPUSeconds: 4, Red: damaged}}
	r.Tools[0].Preview = []outcome{{Seconds: 2, CPUSeconds: 4, Red: damaged, Changes: []ownChange{price}}}
	r.Tools[0].Unchanged = []outcome{{Seconds: 2, CPUSeconds: 4}, {Seconds: 2, CPUSeconds: 4}}
	other := outcome{Seconds: 3, CPUSeconds: 3, Red: []place{{"/p/3", "desktop"}, {"/p/1", "desktop"}, {"/p/10", "desktop"}}}
	r.Tools[1].Quiet, r.Tools[1].Preview = []outcome{other}, []outcome{other}
	r.Tools[1].Unchanged = []outcome{other, {Seconds: 3, CPUSeconds: 3}}
	var b strings.Builder
	r.markdown(&b)
	for _, want := range []string{
		"| **ours** | 3 of 10 | 0 of 14 | 2.0 | 4.0 |", "| other | 1 of 10 | 2 of 14 | 3.0 (1.50 ×) | 3.0 (0.75 ×) |",
		"| **ours** | 1 changes | 1 of 12 | 2.0 | 4.0 |", "| other | 3 pictures | none | 3.0 (1.50 ×) | 3.0 (0.75 ×) |",
		"| **ours** | 0 of 2 | 0 | 0 | 2.0 | 4.0 |", "| other | 1 of 2 | 3 | 2 | 3.0 (1.50 ×) | 3.0 (0.75 ×) |", "- ours: as it is",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the tables do not have %q:\n%s", want, b.String())
		}
	}
}

// TestOwnReportIsRead: pages that are equal or harmless are not red, and changes due to the hosts are none to look at.
func TestOwnReportIsRead(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "report"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"pages": [{"path": "/a", "device": "mobile", "verdict": "alert"}, {"path": "/b", "device": "mobile", "verdict": "harmless"}],
		"changes": [{"description": "x", "verdict": "alert"}, {"verdict": "alert", "host": "It differs in the address."},
			{"verdict": "harmless"}]}`
	if err := os.WriteFile(filepath.Join(folder, "report", "report.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if red, err := ownAlarms(folder); err != nil || !slices.Equal(red, []place{{"/a", "mobile"}}) {
		t.Errorf("red are %v, %v", red, err)
	}
	if changes, err := ownChanges(folder); err != nil || len(changes) != 1 || changes[0].Description != "x" {
		t.Errorf("changes are %v, %v", changes, err)
	}
}

// TestEveryToolHasACommand for each phase.
func TestEveryToolHasACommand(t *testing.T) {
	for _, tool := range contenders(settings{afterimage: "bin/afterimage", peers: "peers"}) {
		for _, p := range []phase{reference, test, both} {
			argv := tool.argv(p, "folder", task{Before: "http://before.test", After: "http://after.test", Devices: devices, Concurrency: 2})
			if tool.About == "" || len(argv) < 5 {
				t.Errorf("%s: %q", tool.Name, argv)
			}
		}
	}
}
