package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"afterimage/vcd"
)

func TestTheClockOfTestsRunsBehindAsItsFileSays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clock")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("48h\n")
	quiet := slog.New(slog.DiscardHandler)
	clock, err := developmentFlags{Development: true, DevelopmentClock: file}.clock(vcd.SystemClock{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	behind := func(want time.Duration) {
		t.Helper()
		if got := time.Since(clock.Now()); got < want || got > want+time.Minute {
			t.Errorf("behind by %s, want %s", got, want)
		}
	}
	behind(48 * time.Hour)
	write("90m")
	behind(90 * time.Minute)
	for _, bad := range []string{"", "soon", "-1h"} {
		write(bad)
		behind(90 * time.Minute)
		if _, err := (developmentFlags{Development: true, DevelopmentClock: file}).clock(vcd.SystemClock{}, quiet); err == nil {
			t.Errorf("a clock that says %q was taken", bad)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	behind(90 * time.Minute)
}

func TestTheClockOfTestsIsNotForServices(t *testing.T) {
	if _, err := (developmentFlags{DevelopmentClock: "clock"}).clock(vcd.SystemClock{}, slog.New(slog.DiscardHandler)); err == nil ||
		!strings.Contains(err.Error(), "needs --development") {
		t.Errorf("taken without --development: %v", err)
	}
	clock, err := developmentFlags{Development: true}.clock(vcd.SystemClock{}, slog.New(slog.DiscardHandler))
	if err != nil || time.Since(clock.Now()).Abs() > time.Minute {
		t.Errorf("without a file: %v", err)
	}
}
