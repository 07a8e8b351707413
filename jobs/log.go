package jobs

import (
	"context"
	"log/slog"
)

// riverLog keeps River's own reports below warnings out of the log: it counts its jobs there every few seconds.
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
