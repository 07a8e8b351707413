package main

import (
	"strings"
	"testing"
	"time"
)

func TestTheModelsConfiguration(t *testing.T) {
	const address = "https://models.example.com/v1"
	for name, c := range map[string]struct {
		url, model string
		timeout    time.Duration
		budget     int
		want       string // of the error; "" for a model, "none" for neither
	}{
		"none":           {"", "", time.Second, 1, "none"},
		"one":            {address, "m", time.Second, 1, ""},
		"no address":     {"", "m", time.Second, 1, "--verify-url"},
		"no name":        {address, "", time.Second, 1, "name of the model"},
		"no web address": {"models.example.com", "m", time.Second, 1, "http"},
		"no time":        {address, "m", 0, 1, "--verify-timeout"},
		"no budget":      {address, "m", time.Second, 0, "--verify-budget"},
	} {
		f := modelFlags{VerifyURL: c.url, VerifyModel: c.model, VerifyKey: "secret", VerifyTimeout: c.timeout, VerifyBudget: c.budget}
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
