package db_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"afterimage/db"
	"afterimage/internal/pgtest"
	"afterimage/vcd"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// database is a fresh migrated database's connection string.
func database(t testing.TB) string {
	t.Helper()
	print, err := pgtest.Fingerprint(db.Migrations)
	if err != nil {
		t.Fatal(err)
	}
	return pgtest.Template(t, "db-"+print, func(ctx context.Context, url string) error {
		return db.Migrate(ctx, url, slog.New(slog.DiscardHandler))
	})
}

func openURL(t testing.TB, url string, queue func(pgx.Tx) vcd.Queue) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), db.Config{URL: url, Logger: slog.New(slog.DiscardHandler), Queue: queue})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}
