package schema_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/db/schema"
	"afterimage/internal/pgtest"
	"afterimage/vcd"
)

// TestFilledDatabasesAreUpgraded fills the tables as they were in earlier versions with thousands of comparisons, and migrates
// them. What is counted and derived then has to agree with the rows.
func TestFilledDatabasesAreUpgraded(t *testing.T) {
	w := seeded(t)
	w.AsSystem("UPDATE comparisons SET status = 'to_fix', ai_alerts = 1 WHERE hashtext(id::text) % 7 = 0")
	w.AsSystem("UPDATE comparisons SET ai_status = 'verified', ai_all_good = 1 WHERE hashtext(id::text) % 5 = 0")
	for _, before := range []string{"0019", "0026"} {
		t.Run("from before "+before, func(t *testing.T) {
			url := pgtest.New(t)
			must(t, schema.MigrateFrom(t.Context(), url, migrationsBefore(t, before)))
			copyRows(t, w.DB.Pool().Config().ConnString(), url)
			must(t, schema.Migrate(t.Context(), url, slog.New(slog.DiscardHandler)))
			upgraded, err := db.Open(t.Context(), db.Config{URL: url})
			must(t, err)
			defer upgraded.Close()
			broken, err := upgraded.CheckInvariants(t.Context())
			must(t, err)
			for _, b := range broken {
				// a seeded account has no events
				if text := fmt.Sprint(b); !strings.Contains(text, "event") && !strings.Contains(text, "batch_finished") {
					t.Errorf("broken invariant: %s", b)
				}
			}
			want, got := facts(t, w.DB, w.Account.ID), facts(t, upgraded, w.Account.ID)
			if want != got {
				t.Errorf("after the upgrade there are %s\nwant %s", got, want)
			}
		})
	}
}

// migrationsBefore are the migrations with smaller numbers.
func migrationsBefore(t *testing.T, number string) fs.FS {
	t.Helper()
	names, err := fs.Glob(schema.Migrations, "migrations/*.sql")
	must(t, err)
	files := fstest.MapFS{}
	for _, name := range names {
		if strings.TrimPrefix(name, "migrations/") >= number {
			continue
		}
		text, err := fs.ReadFile(schema.Migrations, name)
		must(t, err)
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}

// facts are figures of an account, of which some are read from counts.
func facts(t *testing.T, d *db.DB, account vcd.ID) (text string) {
	t.Helper()
	must(t, d.Read(t.Context(), vcd.Actor{Account: account}, func(ctx context.Context, tx *db.Tx) error {
		alarms, err := tx.CountOpenAlarms(ctx, nil)
		if err != nil {
			return err
		}
		facets, err := tx.ComparisonFacets(ctx, vcd.ComparisonFilter{})
		if err != nil {
			return err
		}
		list, err := tx.Batches(ctx, vcd.BatchFilter{}, vcd.Page{Size: 100, Total: true})
		if err != nil {
			return err
		}
		text = fmt.Sprintf("%d alarms; %+v; %d batches", alarms, *facets, list.Total)
		for _, b := range list.Items {
			text += fmt.Sprintf(" %s %d", b.Type, b.Planned)
		}
		return nil
	}))
	return text
}

// copyRows copies the rows of all of our tables, as far as both databases have their columns. Triggers count them as they did then.
func copyRows(t *testing.T, from, to string) {
	t.Helper()
	source, target := connectAsSystem(t, from), connectAsSystem(t, to)
	known := columnsOf(t, source)
	for _, table := range tablesInOrder(t, target) {
		columns := slices.DeleteFunc(columnsOf(t, target)[table], func(c string) bool { return !slices.Contains(known[table], c) })
		if len(columns) == 0 {
			continue
		}
		names := `"` + strings.Join(columns, `", "`) + `"`
		var rows bytes.Buffer
		_, err := source.PgConn().CopyTo(t.Context(), &rows, "COPY (SELECT "+names+" FROM "+table+") TO STDOUT")
		must(t, err)
		_, err = target.Exec(t.Context(), "CREATE TEMP TABLE arriving AS SELECT "+names+" FROM "+table+" LIMIT 0")
		must(t, err)
		_, err = target.PgConn().CopyFrom(t.Context(), &rows, "COPY arriving FROM STDIN") // which tables with policies do not take
		must(t, err)
		if _, err := target.Exec(t.Context(), "INSERT INTO "+table+" ("+names+") SELECT * FROM arriving"); err != nil {
			t.Fatalf("copy %s: %v", table, err)
		}
		_, err = target.Exec(t.Context(), "DROP TABLE arriving")
		must(t, err)
	}
}

func connectAsSystem(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	_, err = conn.Exec(t.Context(), "SELECT set_config('afterimage.system', 'on', false)")
	must(t, err)
	return conn
}

// columnsOf lists the columns of each table that can be written.
func columnsOf(t *testing.T, conn *pgx.Conn) map[string][]string {
	t.Helper()
	rows, err := conn.Query(t.Context(), `SELECT table_name::text, column_name::text FROM information_schema.columns
		WHERE table_schema = 'public' AND is_generated = 'NEVER' ORDER BY 1, ordinal_position`)
	must(t, err)
	columns := map[string][]string{}
	var table, column string
	_, err = pgx.ForEachRow(rows, []any{&table, &column}, func() error {
		columns[table] = append(columns[table], column)
		return nil
	})
	must(t, err)
	return columns
}

// tablesInOrder lists our tables, each after those that it refers to.
func tablesInOrder(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), `WITH RECURSIVE ours AS (
			SELECT oid, relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
				AND relname !~ '^(river_|schema_migration)|_counts$'
		), behind (oid, depth) AS (
			SELECT oid, 0 FROM ours UNION
			SELECT k.conrelid, b.depth + 1 FROM behind AS b JOIN pg_constraint AS k ON k.confrelid = b.oid AND k.contype = 'f'
			WHERE k.conrelid <> k.confrelid AND b.depth < 20
		) SELECT o.name FROM ours AS o JOIN behind AS b ON b.oid = o.oid GROUP BY 1 ORDER BY max(b.depth), 1`)
	must(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	return tables
}
