package schema_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"afterimage/db/schema"
	"afterimage/internal/health"
	"afterimage/internal/vcdtest"
)

func TestReadinessOfTheDatabase(t *testing.T) {
	for name, c := range map[string]struct {
		spoil string // with DB for the name of the database
		want  string // empty for ready
	}{
		"as it should be":       {"SELECT 1", ""},
		"a newer schema":        {"INSERT INTO schema_migrations (name, group_id, migrated_at) VALUES ('9999', 99, now())", ""},
		"an older schema":       {"DELETE FROM schema_migrations WHERE name = '0034'", "older than this program (migration 0034"},
		"a read-only database":  {"ALTER DATABASE DB SET default_transaction_read_only = on", "read-only"},
		"no connection allowed": {"ALTER DATABASE DB CONNECTION LIMIT 0", "connection limit"},
		"no tables":             {"ALTER TABLE schema_migrations RENAME TO moved", "run 'afterimage migrate'"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := vcdtest.OpenURL(t, vcdtest.Database(t), nil)
			config := d.Pool().Config()
			spoil := strings.ReplaceAll(c.spoil, "DB", `"`+config.ConnConfig.Database+`"`)
			if _, err := d.Pool().Exec(t.Context(), spoil); err != nil {
				t.Fatal(err)
			}
			d.Pool().Reset() // settings of a database hold for new connections
			err := d.Ready(t.Context())
			var problem *health.Problem
			switch {
			case c.want == "" && err != nil:
				t.Errorf("it is not ready: %v", err)
			case c.want != "" && (!errors.As(err, &problem) || !strings.Contains(problem.Sentence, c.want)):
				t.Errorf("got %v, want a sentence with %q", err, c.want)
			}
			if ahead, err := d.Ahead(t.Context()); name == "a newer schema" && (err != nil || ahead != "9999") {
				t.Errorf("the schema is ahead by %q, %v", ahead, err)
			}
		})
	}
}

// A database that is away is told in a sentence without its address.
func TestADatabaseThatIsAwayIsTold(t *testing.T) {
	pool, err := pgxpool.New(t.Context(), "postgres://nobody:geheim@127.0.0.1:1/none")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	said := schema.Advice(pool.Ping(t.Context()))
	if !strings.Contains(said, "cannot be reached") || strings.Contains(said, "127.0.0.1") || strings.Contains(said, "geheim") {
		t.Errorf("it said %q", said)
	}
}
