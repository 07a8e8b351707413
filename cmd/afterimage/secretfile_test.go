package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// secretFlags are the flags that may hold a secret, with the one that names a file.
func secretFlags(t *testing.T) map[string]*kong.Flag {
	t.Helper()
	found, all := map[string]*kong.Flag{}, map[string]*kong.Flag{}
	var visit func(node *kong.Node)
	visit = func(node *kong.Node) {
		for _, flag := range node.Flags {
			all[flag.Name] = flag
			if flag.Tag.Has(secretTag) {
				found[flag.Name] = flag
			}
		}
		for _, child := range node.Children {
			visit(child)
		}
	}
	visit(newParser(&commandLine{}).Model.Node)
	for name := range found {
		file := all[name+"-file"]
		if file == nil || file.Target.Kind() != reflect.String || len(file.Envs) == 0 || !strings.HasSuffix(file.Envs[0], "_FILE") {
			t.Errorf("--%s has no flag and variable for a file", name)
		}
	}
	return found
}

// secretOf is what a command line makes of --smtp, --secret-key and the like, with what was told the operator.
func secretOf(t *testing.T, flag string, args ...string) (value, told string, err error) {
	t.Helper()
	var c commandLine
	command, err := newParser(&c).Parse(args)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	err = readSecrets(command, slog.New(slog.NewTextHandler(&log, nil)))
	for _, f := range command.Flags() {
		if f.Name == flag {
			value = f.Target.String()
		}
	}
	return value, log.String(), err
}

func TestSecretsComeFromFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	secret, open := file("secret", "from the file\n", 0o600), file("open", "from the file\n", 0o644)
	flags := secretFlags(t)
	if len(flags) != 7 {
		t.Errorf("%d flags may hold a secret, want 7", len(flags))
	}
	for name, flag := range flags {
		t.Run(name, func(t *testing.T) {
			value, told, err := secretOf(t, name, "serve", "--"+name+"-file", secret)
			if err != nil || value != "from the file" || told != "" {
				t.Errorf("%q, %v, told %q", value, err, told)
			}
			t.Setenv(flag.Envs[0]+"_FILE", open)
			value, told, err = secretOf(t, name, "serve")
			if err != nil || value != "from the file" || !strings.Contains(told, "chmod o-r") || strings.Contains(told, "from the file") {
				t.Errorf("%q, %v, told %q", value, err, told)
			}
			if value, _, err := secretOf(t, name, "serve", "--"+name, "typed"); err != nil || value != "typed" {
				t.Errorf("what was typed does not come before a variable: %q, %v", value, err)
			}
			t.Setenv(flag.Envs[0], "in a variable")
			if _, _, err := secretOf(t, name, "serve"); err == nil || !strings.Contains(err.Error(), "--"+name+"-file exclude each other") {
				t.Errorf("two variables: %v", err)
			}
			if value, _, err := secretOf(t, name, "serve", "--"+name+"-file", secret); err != nil || value != "from the file" {
				t.Errorf("a typed file does not come before a variable: %q, %v", value, err)
			}
			if value, _, err := secretOf(t, name, "serve", "--"+name+"-file", secret, "--"+name, "typed"); err == nil {
				t.Errorf("both were typed: %q", value)
			}
		})
	}
	for content, problem := range map[string]string{"": "only the secret", "\n": "only the secret", "a\nb\n": "on one line"} {
		path := file("bad", content, 0o600)
		if _, _, err := secretOf(t, "smtp", "serve", "--smtp-file", path); err == nil || !strings.Contains(err.Error(), problem) ||
			!strings.Contains(err.Error(), "--smtp-file") {
			t.Errorf("%q: %v", content, err)
		}
	}
	keys := file("keys", "a\nb\n", 0o600)
	if value, _, err := secretOf(t, "secret-key", "doctor", "--secret-key-file", keys); err != nil || value != "a\nb" {
		t.Errorf("two keys: %q, %v", value, err)
	}
	t.Setenv("AFTERIMAGE_DATABASE_URL_FILE", "/nowhere/url")
	if _, _, err := secretOf(t, "database-url", "doctor"); err == nil || !strings.Contains(err.Error(), "AFTERIMAGE_DATABASE_URL_FILE") ||
		!strings.Contains(err.Error(), "no such file") {
		t.Errorf("a missing file: %v", err)
	}
	if _, _, err := secretOf(t, "database-url", "diff", secret, secret); err != nil {
		t.Errorf("a command that needs no database: %v", err)
	}
}

func TestSecretsComeFromCredentials(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(credentialsVariable, dir)
	for name, content := range map[string]string{"secrets_database-url": "postgres://x\n", "smtp": "smtp://y\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o400); err != nil {
			t.Fatal(err)
		}
	}
	for flag, want := range map[string]string{"database-url": "postgres://x", "smtp": "smtp://y", "secret-key": ""} {
		if value, told, err := secretOf(t, flag, "work"); err != nil || value != want || told != "" {
			t.Errorf("%s: %q, %v, told %q", flag, value, err, told)
		}
	}
	if value, _, err := secretOf(t, "smtp", "work", "--smtp", "smtp://typed"); err != nil || value != "smtp://typed" {
		t.Errorf("%q, %v", value, err)
	}
}

func TestSecretsOfAWSComeFromFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte("the key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY_FILE", path)
	if _, _, err := secretOf(t, "", "doctor"); err != nil || os.Getenv("AWS_SECRET_ACCESS_KEY") != "the key" {
		t.Errorf("%q, %v", os.Getenv("AWS_SECRET_ACCESS_KEY"), err)
	}
	if _, _, err := secretOf(t, "", "doctor"); err == nil || !strings.Contains(err.Error(), "exclude each other") {
		t.Errorf("both are set: %v", err)
	}
}
