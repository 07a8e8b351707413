package vcdtest

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/db/schema"
	"afterimage/internal/pgtest"
	"afterimage/vcd"
)

// Database returns the connection string of a fresh migrated database.
func Database(t testing.TB) string {
	t.Helper()
	print, err := pgtest.Fingerprint(schema.Migrations)
	if err != nil {
		t.Fatal(err)
	}
	return pgtest.Template(t, "db-"+print, func(ctx context.Context, url string) error {
		return schema.Migrate(ctx, url, slog.New(slog.DiscardHandler))
	})
}

// OpenURL opens a store that tolerates a slow database, since the machine may be busy; only the outage tests are about
// slowness.
func OpenURL(t testing.TB, url string, queue func(pgx.Tx) vcd.Queue) *db.DB {
	t.Helper()
	return OpenWith(t, db.Config{URL: url, Queue: queue, Reach: 20 * time.Second})
}

// ThroughEnv is the variable that lets tests reach their databases in another way: "pooler" through a PgBouncer that pools transactions,
// "roles" as roles that own nothing, or "pooler,roles". Tests that look at the database by themselves may fail then.
const ThroughEnv = "AFTERIMAGE_TEST_THROUGH"

func isThrough(way string) bool {
	return slices.Contains(strings.Split(os.Getenv(ThroughEnv), ","), way)
}

// through is the way to a database that the variable asks for.
func through(t testing.TB, c db.Config) db.Config {
	t.Helper()
	owner := c.URL
	if isThrough("roles") {
		c = AsRoles(t, c)
	}
	if isThrough("pooler") {
		c = ThroughPooler(c, pgtest.NewPooler(t, "transaction"))
		c.DirectURL = owner
	}
	return c
}

// AsRoles is a way to a migrated database as roles that own nothing.
func AsRoles(t testing.TB, c db.Config) db.Config {
	t.Helper()
	pgtest.MakeRoles(t)
	roles := schema.Roles{Everyday: pgtest.EverydayRole, System: pgtest.SystemRole}
	if err := schema.Grant(t.Context(), c.URL, slog.New(slog.DiscardHandler), roles); err != nil {
		t.Fatal(err)
	}
	c.URL, c.SystemURL = pgtest.As(pgtest.EverydayRole, c.URL), pgtest.As(pgtest.SystemRole, c.URL)
	return c
}

// ThroughPooler is a way through a pooler for all that can go through one.
func ThroughPooler(c db.Config, p *pgtest.Pooler) db.Config {
	c.DirectURL = c.URL
	c.URL = p.URL(c.URL)
	if c.SystemURL != "" {
		c.SystemURL = p.URL(c.SystemURL)
	}
	return c
}

// OpenWith opens a store that is closed at the end of the test.
func OpenWith(t testing.TB, c db.Config) *db.DB {
	t.Helper()
	c = through(t, c)
	c.Logger = slog.New(slog.DiscardHandler)
	d, err := db.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}
