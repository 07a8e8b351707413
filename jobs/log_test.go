package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestRiverIsHeardOnlyWhenItMatters(t *testing.T) {
	var out strings.Builder
	logger := slog.New(riverLog{slog.NewTextHandler(&out, nil)}).With("component", "river")
	logger.Info("counts")
	logger.Error("stopping", "error", fmt.Errorf("begin: %w", context.Canceled))
	logger.Error("broken", "error", errors.New("no such table"))
	if text := out.String(); strings.Contains(text, "counts") || strings.Contains(text, "stopping") || !strings.Contains(text, "broken") {
		t.Errorf("logged:\n%s", text)
	}
}

func TestJobsThatCannotBeFetchedAreAWarning(t *testing.T) {
	var out strings.Builder
	slog.New(riverLog{slog.NewTextHandler(&out, nil)}).Error("producer: Error fetching jobs", "err", "timeout: context deadline exceeded")
	if text := out.String(); !strings.Contains(text, "level=WARN") {
		t.Errorf("logged:\n%s", text)
	}
}
