package jobs

import (
	"context"
	"log/slog"
	"strings"
)

// fetchFailed is the end of River's message about jobs that it could not fetch.
const fetchFailed = "Error fetching jobs"

// riverLog drops two kinds of River's log records: those below warning level, because River logs its job counts every
// few seconds; and cancellations, which are normal on shutdown. A failure to fetch jobs is logged as a warning: River
// tries again a second later, and a database that stays away is reported by its other users.
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

// Handle passes a record on unless it is about a cancellation.
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
