package vcdtest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/internal/pgtest"
	"afterimage/vcd"
)

// Database returns the connection string of a fresh migrated database.
func Database(t testing.TB) string {
	t.Helper()
	print, err := pgtest.Fingerprint(db.Migrations)
	if err != nil {
		t.Fatal(err)
	}
	return pgtest.Template(t, "db-"+print, func(ctx context.Context, url string) error {
		return db.Migrate(ctx, url, slog.New(slog.DiscardHandler))
	})
}

// OpenURL opens a store that tolerates a slow database, since the machine may be busy; only the outage tests are about
// slowness.
func OpenURL(t testing.TB, url string, queue func(pgx.Tx) vcd.Queue) *db.DB {
	t.Helper()
	return OpenWith(t, db.Config{URL: url, Queue: queue, Reach: 20 * time.Second})
}

// OpenWith opens a store that is closed at the end of the test.
func OpenWith(t testing.TB, c db.Config) *db.DB {
	t.Helper()
	c.Logger = slog.New(slog.DiscardHandler)
	d, err := db.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}
