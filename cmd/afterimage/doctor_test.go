package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/db/schema"
	"afterimage/internal/blob"
	"afterimage/internal/pgtest"
	"afterimage/vcd"
)

// changing are rows that differ each time they are listed; happen runs between the first two times.
type changing struct {
	lists  []map[string]schema.Blob
	happen func()
}

func (c *changing) Blobs(context.Context) (map[string]schema.Blob, error) {
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
		if err := files.Put(t.Context(), hash, []byte(content)); err != nil {
			t.Error(err)
		}
		return hash
	}
	hash := func(content string) string { return blob.Hash([]byte(content)) }
	strange, kept := put("strange"), put("kept")
	lost, stored, dropped := hash("lost"), hash("stored"), hash("dropped")
	used := func(content string) schema.Blob { return schema.Blob{Size: int64(len(content)), Used: true} }
	rows := &changing{
		lists: []map[string]schema.Blob{
			{kept: used("kept"), lost: used("lost"), dropped: used("dropped")},
			{kept: used("kept"), lost: used("lost"), stored: used("stored")},
		},
		happen: func() { put("stored") },
	}
	got, err := fileCheck{rows: rows, files: files}.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"file without a database row: " + strange, "database row without a file: " + lost}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDamagedFilesAreFound: a cut file shows by its size, a changed one by its content.
func TestDamagedFilesAreFound(t *testing.T) {
	dir := t.TempDir()
	files, err := blob.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := &changing{lists: []map[string]schema.Blob{{}}}
	damage := func(content, by string) (hash string) {
		t.Helper()
		hash = blob.Hash([]byte(content))
		if err := files.Put(t.Context(), hash, []byte(content)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, hash[:2], hash[2:4], hash+".bin")
		if err := os.WriteFile(path, []byte(by), 0o600); err != nil {
			t.Fatal(err)
		}
		rows.lists[0][hash] = schema.Blob{Size: int64(len(content)), Used: true}
		return hash
	}
	damage("whole", "whole")
	cut, flipped := damage("cut short", "cut"), damage("flipped", "flopped")
	unused := damage("no longer used", "x")
	rows.lists[0][unused] = schema.Blob{Size: 14}
	for deep, want := range map[bool][]string{false: {cut}, true: {cut, flipped}} {
		got, err := fileCheck{rows: rows, files: files, deep: deep, progress: io.Discard}.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		if len(got) != len(want) {
			t.Fatalf("deep %v: got %q, want those of %q", deep, got, want)
		}
		for i := range want {
			if !strings.Contains(got[i], "corrupt") || !strings.Contains(got[i], want[i]) {
				t.Errorf("deep %v: got %q, want that of %s", deep, got[i], want[i])
			}
		}
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
	if err := schema.Migrate(t.Context(), url, quiet); err != nil {
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

// TestCheckTellsWhatWasGivenUp: it contradicts nothing, and yet an operator has to learn of it.
func TestCheckTellsWhatWasGivenUp(t *testing.T) {
	var out bytes.Buffer
	writeGivenUp(&out, []vcd.GivenUp{{
		Account: "owner@example.com", Entry: "7", Page: "https://example.com/\x1b[2J", Device: vcd.Mobile, Reason: vcd.ReasonTooHeavy,
		Sentence: "It was too much.", At: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC),
	}}, 3)
	want := "Comparisons given up: 3; newest:\n  2026-11-22 10:00:00  owner@example.com  https://example.com/[2J on mobile, " +
		"entry 7 (too_heavy): It was too much.\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	out.Reset()
	if writeGivenUp(&out, nil, 0); out.Len() != 0 {
		t.Errorf("nothing was given up: %q", out.String())
	}
}
