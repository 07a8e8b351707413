package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// datedBrowser is a browser as far as its age is concerned.
type datedBrowser struct{ released time.Time }

func (b datedBrowser) Version() string     { return "HeadlessChrome/153.0.8010.0" }
func (b datedBrowser) Released() time.Time { return b.released }

func TestAnOldBrowserIsWarnedAbout(t *testing.T) {
	released := time.Date(2026, 9, 8, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		released time.Time
		after    time.Duration
		warned   bool
	}{
		{released, 60 * 24 * time.Hour, false},
		{released, 62 * 24 * time.Hour, true},
		{time.Time{}, 0, false}, // not known
	} {
		var log bytes.Buffer
		warnOfOldBrowser(t.Context(), datedBrowser{c.released}, released.Add(c.after), slog.New(slog.NewTextHandler(&log, nil)))
		if got := strings.Contains(log.String(), "level=WARN") && strings.Contains(log.String(), "153.0.8010.0"); got != c.warned {
			t.Errorf("%v after %v: warned %v: %s", c.after, c.released, got, log.String())
		}
	}
}
