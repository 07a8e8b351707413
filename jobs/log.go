package jobs

import (
	"context"
	"log/slog"
	"slices"
	"strings"
)

// triedAgain are parts of River's messages about what is tried again: it could not fetch jobs, did not hear in time whether it leads,
// could not start, which we try again, or could not tell workers of a new job, who look for themselves.
var triedAgain = []string{
	"Error fetching jobs", "leadership.Elector: Error attempting", "Error fetching initial queue settings",
	"Failed to send job insert notification",
}

// unlistenFailed is the end of its message about a listener that could not leave a topic.
const unlistenFailed = "Error unlistening on topic"

// connClosed ends what the driver says of a connection that is closed already. On shutdown, River closes the one that listens before
// all listeners have left.
const connClosed = "conn closed"

// riverLog drops two kinds of River's log records: those below warning level, because River logs its job counts every
// few seconds; and what is normal on shutdown, cancellations and listeners that leave a closed connection. What is tried
// again within seconds is logged as a warning; a database that stays away is reported by its other users.
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

// Handle passes a record on unless it is about what is normal on shutdown.
func (h riverLog) Handle(ctx context.Context, record slog.Record) error {
	leaving, normal := strings.HasSuffix(record.Message, unlistenFailed), false
	record.Attrs(func(a slog.Attr) bool {
		text := a.Value.String()
		normal = strings.HasSuffix(text, context.Canceled.Error()) || leaving && strings.HasSuffix(text, connClosed)
		return !normal
	})
	if normal {
		return nil
	}
	if slices.ContainsFunc(triedAgain, func(part string) bool { return strings.Contains(record.Message, part) }) {
		record.Level = slog.LevelWarn
	}
	return h.Handler.Handle(ctx, record)
}
