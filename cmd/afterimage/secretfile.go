package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"afterimage/internal/cli"
)

// secretTag marks flags that may hold a secret. Each has a flag beside it, with the ending -file, that names a file with its value,
// which is one line unless the tag says lines.
const secretTag = "secret"

// credentialsVariable is where systemd tells a service of its folder of credentials.
const credentialsVariable = "CREDENTIALS_DIRECTORY"

// ofAWS are secrets that its libraries read from the environment by themselves.
var ofAWS = []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}

// readSecrets fills in the secrets of a command that are in files: those that flags or variables name, and else those that systemd
// hands to a service. What is given on the command line comes before what is in the environment.
func readSecrets(command *kong.Context, logger *slog.Logger) error {
	if !ofInstallation(command.Selected()) {
		return nil
	}
	flags, typed := map[string]*kong.Flag{}, map[string]bool{}
	for _, flag := range command.Flags() {
		flags[flag.Name] = flag
	}
	for _, step := range command.Path {
		if step.Flag != nil {
			typed[step.Flag.Name] = true
		}
	}
	for _, flag := range flags {
		if !flag.Tag.Has(secretTag) {
			continue
		}
		file := flags[flag.Name+"-file"]
		if err := fillSecret(flag, file, typed, logger); err != nil {
			return err
		}
	}
	return readAWS(logger)
}

func ofInstallation(command *kong.Node) bool {
	for ; command != nil; command = command.Parent {
		if command.Tag != nil && command.Tag.Has(installationTag) {
			return true
		}
	}
	return false
}

// fillSecret gives a flag the content of the file that the flag beside it names.
func fillSecret(flag, file *kong.Flag, typed map[string]bool, logger *slog.Logger) error {
	value, path, setting := flag.Target.String(), file.Target.String(), "--"+file.Name
	if len(file.Envs) > 0 && !typed[file.Name] {
		setting += " (" + strings.Join(file.Envs, ", ") + ")"
	}
	if value != "" && path != "" {
		switch {
		case typed[flag.Name] == typed[file.Name]:
			return fmt.Errorf("--%s and --%s exclude each other, as flags and as variables: set one of them", flag.Name, file.Name)
		case typed[flag.Name]:
			path = ""
		}
	} else if value == "" && path == "" {
		path, setting = credential(flag.Name), "the credential "+flag.Name
	}
	file.Target.SetString("")
	if path == "" {
		return nil
	}
	secret, err := cli.ReadSecret(setting, path, flag.Tag.Get(secretTag) == "lines", logger)
	if err != nil {
		return err
	}
	flag.Target.SetString(secret)
	return nil
}

// credential is the file of a credential that systemd hands to the service, alone or with a folder named secrets; empty without.
func credential(name string) string {
	folder := os.Getenv(credentialsVariable)
	if folder == "" {
		return ""
	}
	for _, name := range []string{name, "secrets_" + name} {
		if path := filepath.Join(folder, name); isThere(path) {
			return path
		}
	}
	return ""
}

func isThere(path string) bool {
	_, err := os.Stat(path) //nolint:gosec // systemd names the folder
	return !errors.Is(err, fs.ErrNotExist)
}

// readAWS sets the variables of AWS whose values are in files: its libraries know only a file in a format of theirs.
func readAWS(logger *slog.Logger) error {
	for _, name := range ofAWS {
		path := os.Getenv(name + "_FILE")
		if path == "" {
			continue
		}
		if os.Getenv(name) != "" {
			return fmt.Errorf("%s and %s_FILE exclude each other: set one of them", name, name)
		}
		secret, err := cli.ReadSecret(name+"_FILE", path, false, logger)
		if err != nil {
			return err
		}
		if err := os.Setenv(name, secret); err != nil {
			return fmt.Errorf("%s_FILE: %w", name, err)
		}
	}
	return nil
}
