package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"afterimage/internal/pgtest"
)

// TestAnInstallationOfRolesThatOwnNothing: its owner makes the tables and grants rights, and all else works as the two other roles, but
// for what makes tables.
func TestAnInstallationOfRolesThatOwnNothing(t *testing.T) {
	pgtest.MakeRoles(t)
	dir, place, owner := t.TempDir(), filepath.Join(t.TempDir(), "backups"), pgtest.New(t)
	file := filepath.Join(t.TempDir(), "url")
	if err := os.WriteFile(file, []byte(pgtest.As(pgtest.EverydayRole, owner)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	as := func(data string, command ...string) []string {
		return append(command, "--data-dir", data, "--database-url-file", file,
			"--database-system-url", pgtest.As(pgtest.SystemRole, owner))
	}
	asOwner := func(data, url string, command ...string) []string {
		return append(command, "--data-dir", data, "--database-url", url)
	}
	elsewhere, empty := t.TempDir(), pgtest.New(t)
	copyKey := func() {
		t.Helper()
		key, err := os.ReadFile(filepath.Join(dir, "secret.key"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(elsewhere, "secret.key"), key, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	grant := []string{"migrate", "--grant-to", pgtest.EverydayRole, "--grant-system-to", pgtest.SystemRole}
	for _, step := range []struct {
		args []string
		code int
		then func()
	}{
		{args: as(dir, "doctor"), code: 1},  // there are no tables
		{args: as(dir, "migrate"), code: 1}, // and these roles cannot make them
		{args: asOwner(dir, owner, grant...)},
		{args: as(dir, "migrate")}, // nothing is to be done
		{args: as(dir, "account", "create", "owner@example.com"), then: copyKey},
		{args: as(dir, "token", "create", "owner@example.com", "--name", "first")},
		{args: as(dir, "account", "list")},
		{args: as(dir, "secret", "rotate")},
		{args: as(dir, "doctor", "--deep")},
		{args: as(dir, "backup", "create", place)},
		{args: as(elsewhere, "restore", place), code: 1}, // it has accounts, and another owner
		{args: asOwner(elsewhere, empty, "restore", place)},
		{args: asOwner(elsewhere, empty, grant...)},
		{args: asOwner(elsewhere, empty, "doctor", "--deep")}, // the owner goes on as before
	} {
		if code := execute(slices.Clone(step.args)); code != step.code {
			t.Fatalf("%q: exit code %d, want %d", step.args, code, step.code)
		}
		if step.then != nil {
			step.then()
		}
	}
}
