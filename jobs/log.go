package jobs

import (
	"context"
	"log/slog"
	"strings"
)

// fetchFailed ends River's message about jobs that it could not fetch.
const fetchFailed = "Error fetching jobs"

// riverLog keeps two kinds of River's own reports out of the log: those below warnings, for it counts its jobs there every
// few seconds; and that something was cancelled, which is what happens when we stop. That jobs could not be fetched is a
// warning: River tries again a second later, and a database that stays away is reported by those who need it.
type riverLog struct {
	slog.Handler
}

func (h riverLog) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

func (h riverLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return riverLog{h.Handler.WithAttrs(attrs)}
}

func (h riverLog) WithGroup(name string) slog.Handler { return riverLog{h.Handler.WithGroup(name)} }

// Handle passes a record on unless it tells of a cancellation.
func (h riverLog) Handle(ctx context.Context, record slog.Record) error {
	cancelled := false
	record.Attrs(func(a slog.Attr) bool {
		cancelled = strings.HasSuffix(a.Value.String(), context.Canceled.Error())
		return !cancelled
	})
	if cancelled {
		return nil
	}
	if strings.HasSuffix(record.Message, fetchFailed) {
		record.Level = slog.LevelWarn
	}
	return h.Handler.Handle(ctx, record)
}
