// Package story tells in the log what happens to runs: a line for each event, with the ids of its account and batch. What
// workers do with single pages they log themselves.
package story

import (
	"context"
	"log/slog"

	"afterimage/internal/figures"
	"afterimage/vcd"
)

// Of returns a function to call with events that were just committed.
func Of(logger *slog.Logger, counted *figures.Figures) func(ctx context.Context, events []*vcd.Event) {
	return func(ctx context.Context, events []*vcd.Event) {
		for _, e := range events {
			line, known := lines[e.Kind]
			if !known {
				continue
			}
			if line.run != "" {
				counted.Ran(line.run)
			}
			logger.LogAttrs(ctx, line.level, line.text, attributes(e)...)
		}
	}
}

// line is what is told of a kind of event.
type line struct {
	text  string
	level slog.Level
	run   string // what it is to a run, for the figures
}

var lines = map[vcd.EventKind]line{
	vcd.EventBatchCreated:            {"run started", slog.LevelInfo, "started"},
	vcd.EventBatchFinished:           {"run finished", slog.LevelInfo, "finished"},
	vcd.EventBatchDeleted:            {"run deleted", slog.LevelInfo, ""},
	vcd.EventRunMissed:               {"run missed", slog.LevelWarn, "missed"},
	vcd.EventFlowFailed:              {"flow failed", slog.LevelInfo, ""},
	vcd.EventComparisonStatusNew:     {"change found", slog.LevelInfo, ""},
	vcd.EventComparisonSilenced:      {"change silenced", slog.LevelInfo, ""},
	vcd.EventComparisonStatusChanged: {"comparison reviewed", slog.LevelInfo, ""},
	vcd.EventURLImportStarted:        {"import started", slog.LevelInfo, ""},
	vcd.EventURLImportFinished:       {"import finished", slog.LevelInfo, ""},
	vcd.EventWebhookDisabled:         {"webhook disabled by the service", slog.LevelWarn, ""},
	vcd.EventAccountPaused:           {"account paused", slog.LevelInfo, ""},
	vcd.EventAccountReactivated:      {"account reactivated", slog.LevelInfo, ""},
	vcd.EventChecksExhausted:         {"checks exhausted", slog.LevelWarn, ""},
	vcd.EventStorageFull:             {"storage full", slog.LevelWarn, ""},
}

// attributes are ids and counts only: names and addresses belong to accounts.
func attributes(e *vcd.Event) []slog.Attr {
	attrs := []slog.Attr{slog.String("account", string(e.Account))}
	if e.BatchID != nil {
		attrs = append(attrs, slog.String("batch", string(*e.BatchID)))
	}
	if e.BatchID == nil || e.SubjectID != *e.BatchID {
		attrs = append(attrs, slog.String(string(e.SubjectType), string(e.SubjectID)))
	}
	if p := e.Progress; p != nil && e.SubjectType == vcd.SubjectBatch {
		attrs = append(attrs, slog.Int("open", p.Open+p.Processing), slog.Int("done", p.Done), slog.Int("failed", p.Failed))
	}
	return append(attrs, slog.Int64("event", e.Number))
}
