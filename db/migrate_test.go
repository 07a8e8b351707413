package db_test

import (
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/internal/pgtest"
)

func TestManyProcessesMigrateAtOnce(t *testing.T) {
	url := pgtest.New(t)
	logger := slog.New(slog.DiscardHandler)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if err := db.Migrate(t.Context(), url, logger); err != nil {
				t.Errorf("migrate: %v", err)
			}
		})
	}
	all.Wait()
	must(t, db.Migrate(t.Context(), url, logger))
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { must(t, conn.Close(t.Context())) }()
	var applied, twice, jobs int
	must(t, conn.QueryRow(t.Context(), `SELECT count(*), count(*) - count(DISTINCT name),
		(SELECT count(*) FROM pg_tables WHERE tablename = 'river_job') FROM schema_migrations`).Scan(&applied, &twice, &jobs))
	files, err := fs.Glob(db.Migrations, "migrations/*.up.sql")
	must(t, err)
	if applied != len(files) || twice != 0 || jobs != 1 {
		t.Errorf("%d of %d migrations applied, %d of them twice; %d job tables", applied, len(files), twice, jobs)
	}
}

func TestOpenRefusesWhatIsNotThere(t *testing.T) {
	for _, url := range []string{"postgres://nobody@127.0.0.1:1/none", "::", "postgres://localhost/?sslmode=perhaps"} {
		if d, err := db.Open(t.Context(), db.Config{URL: url}); err == nil {
			d.Close()
			t.Errorf("%s was opened", url)
		}
	}
}

// TestTablesOfANewerProgramAreRefused: a program that does not know what was changed could damage it.
func TestTablesOfANewerProgramAreRefused(t *testing.T) {
	url := pgtest.New(t)
	logger := slog.New(slog.DiscardHandler)
	must(t, db.Migrate(t.Context(), url, logger))
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { must(t, conn.Close(t.Context())) }()
	_, err = conn.Exec(t.Context(), "INSERT INTO schema_migrations (name, group_id) VALUES ('20991231235959', 9)")
	must(t, err)
	if err := db.Migrate(t.Context(), url, logger); !errors.Is(err, db.ErrNewerSchema) {
		t.Errorf("migrate: %v, want ErrNewerSchema", err)
	}
}
