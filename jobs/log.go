package jobs

import (
	"context"
	"log/slog"
	"strings"
)

// riverLog keeps two kinds of River's own reports out of the log: those below warnings, for it counts its jobs there every
// few seconds; and that something was cancelled, which is what happens when we stop.
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
	return h.Handler.Handle(ctx, record)
}
