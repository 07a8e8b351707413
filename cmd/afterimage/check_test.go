package main

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"testing"

	"afterimage/db"
	"afterimage/internal/blob"
	"afterimage/internal/pgtest"
)

// changing are rows that differ each time they are listed; happen runs between the first two times.
type changing struct {
	lists  []map[string]bool
	happen func()
}

func (c *changing) Blobs(context.Context) (map[string]bool, error) {
	now := c.lists[0]
	if len(c.lists) > 1 {
		c.lists = c.lists[1:]
		defer c.happen()
	}
	return maps.Clone(now), nil
}

// TestACaptureDuringTheCheckIsNoContradiction stores and sweeps files between the listing of the rows and the walk.
func TestACaptureDuringTheCheckIsNoContradiction(t *testing.T) {
	files, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put := func(content string) string {
		hash := blob.Hash([]byte(content))
		if err := files.Put(hash, []byte(content)); err != nil {
			t.Error(err)
		}
		return hash
	}
	hash := func(content string) string { return blob.Hash([]byte(content)) }
	strange, kept := put("strange"), put("kept")
	lost, stored, dropped := hash("lost"), hash("stored"), hash("dropped")
	rows := &changing{
		lists: []map[string]bool{
			{kept: true, lost: true, dropped: true},
			{kept: true, lost: true, stored: true},
		},
		happen: func() { put("stored") },
	}
	got, err := checkFiles(t.Context(), rows, files)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"file without a row: " + strange, "row without a file: " + lost}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTheCheckLeavesTheTablesAlone wants a clear word where tables are missing or old, and no migration.
func TestTheCheckLeavesTheTablesAlone(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	url := pgtest.New(t)
	store, err := db.Open(t.Context(), db.Config{URL: url, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := checkTables(t.Context(), store.Pool()); err != errTables { //nolint:errorlint // it comes bare
		t.Errorf("on an empty database: %v", err)
	}
	if err := db.Migrate(t.Context(), url, quiet); err != nil {
		t.Fatal(err)
	}
	change := func(sql string) {
		if _, err := store.Pool().Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if err := checkTables(t.Context(), store.Pool()); err != nil {
		t.Errorf("on this program's tables: %v", err)
	}
	change("INSERT INTO schema_migrations (name, group_id) VALUES ('20991231235959', 9)")
	if err := checkTables(t.Context(), store.Pool()); err != nil {
		t.Errorf("on newer tables: %v", err)
	}
	change("DELETE FROM schema_migrations WHERE name = (SELECT min(name) FROM schema_migrations)")
	if err := checkTables(t.Context(), store.Pool()); err != errTables { //nolint:errorlint // it comes bare
		t.Errorf("on older tables: %v", err)
	}
}
