package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
)

// globals are the flags of every command.
type globals struct {
	developmentFlags
	imageFlags

	databaseFlags

	DataDir       string `installation:"" help:"Data folder: private database, images, mails and secret key." default:"${dataDir}" type:"path"`
	SecretKey     string `installation:"" secret:"lines" help:"Key that encrypts stored secrets, 32 bytes in base64, optionally followed by older keys that only decrypt; default: a file in the data folder. Other users can read command lines: prefer the variable or the file." placeholder:"KEY"`
	SecretKeyFile string `installation:"" help:"File with that key." type:"path" placeholder:"FILE"`
	HomeRegion    string `installation:"" help:"Region of sites with an unknown location: ${enum}." enum:"us,eu" default:"eu"`
	LogLevel      string `help:"Minimum log level: ${enum}." enum:"debug,info,warn,error" default:"info"`
	LogFormat     string `help:"Log format: ${enum}." enum:"text,json" default:"text"`
}

// logger writes to w, which is standard error for everything but the demo.
func (g *globals) logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(g.LogLevel)); err != nil {
		return nil, fmt.Errorf("--log-level: %w", err)
	}
	options := &slog.HandlerOptions{Level: level}
	if g.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return slog.New(slog.NewTextHandler(w, options)), nil
}

// defaultDataDir is where data of this user's programs belongs.
func defaultDataDir() string {
	if os.Geteuid() == 0 {
		return "/var/lib/afterimage"
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "afterimage")
	}
	if home, err := os.UserHomeDir(); err == nil {
		return filepath.Join(home, ".local", "share", "afterimage")
	}
	return "afterimage-data"
}
