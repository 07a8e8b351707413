package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTheModelsConfiguration(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv(keyVariable, "from-the-environment")
	const address = "https://models.example.com/v1"
	for name, c := range map[string]struct {
		url, model, keyFile string
		timeout             time.Duration
		budget              int
		want                string // of the error; "" for a model, "none" for neither
	}{
		"none":           {"", "", "", time.Second, 1, "none"},
		"one":            {address, "m", "", time.Second, 1, ""},
		"with a key":     {address, "m", file("key", "secret\n"), time.Minute, 100, ""},
		"no address":     {"", "m", "", time.Second, 1, "--verify-url"},
		"no name":        {address, "", "", time.Second, 1, "name of the model"},
		"no web address": {"models.example.com", "m", "", time.Second, 1, "http"},
		"no such file":   {address, "m", filepath.Join(dir, "missing"), time.Second, 1, "--verify-key-file"},
		"empty file":     {address, "m", file("empty", "\n"), time.Second, 1, "only the key"},
		"two lines":      {address, "m", file("two", "a\nb\n"), time.Second, 1, "only the key"},
		"no time":        {address, "m", "", 0, 1, "--verify-timeout"},
		"no budget":      {address, "m", "", time.Second, 0, "--verify-budget"},
	} {
		f := modelFlags{VerifyURL: c.url, VerifyModel: c.model, VerifyKeyFile: c.keyFile, VerifyTimeout: c.timeout, VerifyBudget: c.budget}
		model, err := f.model()
		switch {
		case c.want == "" && (err != nil || model == nil), c.want == "none" && (err != nil || model != nil):
			t.Errorf("%s: %v, %v", name, model, err)
		case c.want != "" && c.want != "none" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "secret")):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
