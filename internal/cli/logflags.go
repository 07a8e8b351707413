package cli

import (
	"fmt"
	"io"
	"log/slog"
)

// LogFlags say what a command logs, and how.
type LogFlags struct {
	LogLevel  string `help:"Minimum log level: ${enum}." enum:"debug,info,warn,error" default:"info"`
	LogFormat string `help:"Log format: ${enum}." enum:"text,json" default:"text"`
}

// Logger writes to w, which is standard error for everything but the demo.
func (f *LogFlags) Logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.LogLevel)); err != nil {
		return nil, fmt.Errorf("--log-level: %w", err)
	}
	options := &slog.HandlerOptions{Level: level}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return slog.New(slog.NewTextHandler(w, options)), nil
}
