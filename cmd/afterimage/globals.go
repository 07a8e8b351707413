package main

import (
	"os"
	"path/filepath"

	"afterimage/internal/cli"
)

// globals are the flags of every command.
type globals struct {
	developmentFlags
	imageFlags

	databaseFlags

	DataDir       string `installation:"" help:"Data folder: private database, images, mails and secret key." default:"${dataDir}" type:"path"`
	SecretKey     string `installation:"" secret:"lines" help:"Key that encrypts stored secrets, 32 bytes in base64, optionally followed by older keys that only decrypt; default: a file in the data folder. Other users can read command lines: prefer the environment variable or the file." placeholder:"KEY"`
	SecretKeyFile string `installation:"" help:"File that contains the secret key." type:"path" placeholder:"FILE"`
	HomeRegion    string `installation:"" help:"Region of sites with an unknown location: ${enum}." enum:"us,eu" default:"eu"`

	cli.LogFlags
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
