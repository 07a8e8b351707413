// Package prometheus_test tests the alert rules with Prometheus's own tool.
package prometheus_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"afterimage/internal/toolpath"
)

// promtool runs Prometheus's tool, which make setup installs.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	tool := toolpath.Find("promtool", filepath.Join("promtool", "promtool"))
	if tool == "" {
		t.Fatal("promtool is missing: run make setup, or install the package prometheus")
	}
	if out, err := exec.CommandContext(t.Context(), tool, args...).CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func TestEachAlertFiresForItsCauseOnly(t *testing.T) {
	promtool(t, "test", "rules", "alerts_test.yml")
	promtool(t, "check", "config", "prometheus.example.yml")
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEachAlertIsTestedAndHasAnEntryInTheRunbook(t *testing.T) {
	tests, runbook := read(t, "alerts_test.yml"), read(t, "../../docs/runbook.md")
	alerts := regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(read(t, "alerts.yml"), -1)
	if len(alerts) < 10 {
		t.Fatalf("found %d alerts only", len(alerts))
	}
	for _, alert := range alerts {
		if strings.Count(tests, "alertname: "+alert[1]+"\n") != 1 || strings.Count(tests, "alertname: "+alert[1]+",") != 1 {
			t.Errorf("alerts_test.yml must let %s fire once and keep it quiet once", alert[1])
		}
		if !strings.Contains(runbook, "\n## "+alert[1]+"\n") {
			t.Errorf("docs/runbook.md says nothing about %s", alert[1])
		}
	}
	if entries := strings.Count(runbook, "\n## Afterimage"); entries != len(alerts) {
		t.Errorf("docs/runbook.md has %d entries for %d alerts", entries, len(alerts))
	}
}
