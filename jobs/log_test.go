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
	closed := errors.New(`error unlistening on topic "river_control": conn closed`)
	logger.Error("notifier.Notifier: Error unlistening on topic", "err", closed, "topic", "river_control")
	logger.Error("broken", "error", errors.New("no such table"))
	logger.Error("broken listener", "error", errors.New("conn closed"))
	if text := out.String(); strings.Contains(text, "counts") || strings.Contains(text, "stopping") ||
		strings.Contains(text, "unlistening") || strings.Count(text, "broken") != 2 {
		t.Errorf("logged:\n%s", text)
	}
}

func TestWhatIsTriedAgainIsAWarning(t *testing.T) {
	for _, message := range []string{
		"producer: Error fetching jobs", "producer: Error fetching initial queue settings",
		"leadership.Elector: Error attempting reelection", "Client: Failed to send job insert notification",
	} {
		var out strings.Builder
		slog.New(riverLog{slog.NewTextHandler(&out, nil)}).Error(message, "err", "timeout: context deadline exceeded")
		if text := out.String(); !strings.Contains(text, "level=WARN") {
			t.Errorf("logged:\n%s", text)
		}
	}
}
