package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"afterimage/internal/pgtest"
)

// installation is where a service keeps what it knows: a folder, and a database that is its own. The database is one of the server
// that all tests of this machine share, unless the private one is what a test is about: to make one takes longer than most tests.
type installation struct {
	dir      string
	database string // its URL; empty for a private one in the folder
}

// at are the flags that lead a command to the installation. On a shared server it waits for a connection as long as that is busy.
func (i installation) at() []string {
	if i.database == "" {
		return []string{"--data-dir", i.dir}
	}
	return []string{"--data-dir", i.dir, "--database-url", i.database, "--development", "--development-reach=30s"}
}

// secretKey is that of all installations on the shared server: their databases are copies of one, which knows the key.
const secretKey = "bm90IGEgc2VjcmV0OiBhbiBleGFtcGxlIGZvciB0ZXM="

// install makes an installation that is ready to be served. What uninstall returns removes it.
func install(ctx context.Context) (made installation, uninstall func() error, err error) {
	remove := func() error { return os.RemoveAll(made.dir) }
	if made.dir, err = newKeyedDir(); err != nil {
		return made, remove, err
	}
	print, err := pgtest.Fingerprint(os.DirFS("../db/schema/migrations"))
	if err != nil {
		return made, remove, err
	}
	var drop func() error
	made.database, drop, err = pgtest.Copy(ctx, "e2e-"+print, func(ctx context.Context, url string) error {
		dir, err := newKeyedDir() // of its own: the program makes folders in it
		if err == nil {
			err = migrate(ctx, installation{dir: dir, database: url})
		}
		return errors.Join(err, os.RemoveAll(dir))
	})
	if err != nil {
		return made, remove, err
	}
	return made, func() error {
		if err := drop(); err != nil {
			return err
		}
		return remove()
	}, nil
}

// migrate makes the tables, by the program.
func migrate(ctx context.Context, to installation) error {
	command := exec.CommandContext(ctx, binary, append([]string{"migrate", "--log-level", "error"}, to.at()...)...)
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("migrate: %w: %s", err, said)
	}
	return nil
}

// installed is an installation for one test.
func installed(t *testing.T) installation {
	t.Helper()
	made, uninstall, err := install(t.Context())
	if uninstall != nil {
		t.Cleanup(func() {
			if err := uninstall(); err != nil {
				t.Error(err)
			}
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// dataDir is a folder that the database's own user can reach too.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := newDataDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// newKeyedDir is a new folder that holds the secret key.
func newKeyedDir() (string, error) {
	dir, err := newDataDir()
	if err != nil {
		return dir, err
	}
	return dir, os.WriteFile(filepath.Join(dir, "secret.key"), []byte(secretKey+"\n"), 0o600)
}

func newDataDir() (string, error) {
	dir, err := os.MkdirTemp(pgtest.TempDir(), "afterimage-e2e-data-")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755)
}
