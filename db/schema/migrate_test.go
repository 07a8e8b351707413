package schema_test

import (
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/db/schema"
	"afterimage/internal/pgtest"
	"afterimage/vcd/inventory"
)

func TestManyProcessesMigrateAtOnce(t *testing.T) {
	url := pgtest.New(t)
	logger := slog.New(slog.DiscardHandler)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if err := schema.Migrate(t.Context(), url, logger); err != nil {
				t.Errorf("migrate: %v", err)
			}
		})
	}
	all.Wait()
	must(t, schema.Migrate(t.Context(), url, logger))
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { must(t, conn.Close(t.Context())) }()
	var applied, twice, jobs int
	must(t, conn.QueryRow(t.Context(), `SELECT count(*), count(*) - count(DISTINCT name),
		(SELECT count(*) FROM pg_tables WHERE tablename = 'river_job') FROM schema_migrations`).Scan(&applied, &twice, &jobs))
	files, err := fs.Glob(schema.Migrations, "migrations/*.up.sql")
	must(t, err)
	if applied != len(files) || twice != 0 || jobs != 1 {
		t.Errorf("%d of %d migrations applied, %d of them twice; %d job tables", applied, len(files), twice, jobs)
	}
}

// TestMigrationsSeeTheRowsOfAllAccounts: what a migration computes of rows must not be computed of none.
func TestMigrationsSeeTheRowsOfAllAccounts(t *testing.T) {
	w := newWorld(t)
	w.NewAccount("second@example.com", 1)
	w.Group("shop", 2, inventory.GroupChange{})
	const probe = "CREATE TABLE seen AS SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM urls) AS urls"
	files := fstest.MapFS{"migrations/9999_probe.tx.up.sql": &fstest.MapFile{Data: []byte(probe)}}
	names, err := fs.Glob(schema.Migrations, "migrations/*.sql")
	must(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(schema.Migrations, name)
		must(t, err)
		files[name] = &fstest.MapFile{Data: text}
	}
	must(t, schema.MigrateFrom(t.Context(), w.DB.Pool().Config().ConnString(), files))
	var accounts, urls int
	must(t, w.DB.Pool().QueryRow(t.Context(), "SELECT accounts, urls FROM seen").Scan(&accounts, &urls))
	if accounts != 2 || urls != 2 {
		t.Errorf("the migration saw %d accounts and %d URLs", accounts, urls)
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
	must(t, schema.Migrate(t.Context(), url, logger))
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { must(t, conn.Close(t.Context())) }()
	_, err = conn.Exec(t.Context(), "INSERT INTO schema_migrations (name, group_id) VALUES ('20991231235959', 9)")
	must(t, err)
	if err := schema.Migrate(t.Context(), url, logger); !errors.Is(err, schema.ErrNewerSchema) {
		t.Errorf("migrate: %v, want ErrNewerSchema", err)
	}
}
