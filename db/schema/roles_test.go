package schema_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"afterimage/db"
	"afterimage/db/pg"
	"afterimage/db/schema"
	"afterimage/internal/pgtest"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// asRoles opens the database of a world as roles that own nothing.
func asRoles(t *testing.T, w *world) (*db.DB, db.Config) {
	t.Helper()
	c := vcdtest.AsRoles(t, db.Config{URL: w.URL, Queue: vcdtest.NewTableQueue, Reach: 2 * vcdtest.Patience})
	w.Exec("GRANT SELECT, INSERT ON test_jobs TO PUBLIC")
	return vcdtest.OpenWith(t, c), c
}

// TestSmuggledStatementsStayInTheirAccount takes the place of somebody who can put SQL of theirs into a statement of ours.
func TestSmuggledStatementsStayInTheirAccount(t *testing.T) {
	w := newWorld(t)
	w.FillEverything("mine")
	bob := w.NewAccount("bob@example.com", 0)
	w.Actor = vcd.Actor{Account: bob.ID}
	w.FillEverything("theirs")
	d, _ := asRoles(t, w)
	tables, err := namesIn(t, d, `SELECT relname::text FROM pg_class WHERE relrowsecurity ORDER BY 1`)
	must(t, err)
	if len(tables) < 30 {
		t.Fatalf("only %d tables are guarded", len(tables))
	}
	proof := proofOf(t, d, w.Account.ID)
	for name, settings := range map[string][]string{
		"an account without proof": {"afterimage.account", string(bob.ID)},
		"the system":               {"afterimage.account", "", "afterimage.system", "on"},
		"the system of an account": {"afterimage.account", string(w.Account.ID), "afterimage.proof", proof, "afterimage.system", "on"},
		"the proof of another":     {"afterimage.account", string(bob.ID), "afterimage.proof", proof, "afterimage.system", "on"},
	} {
		t.Run(name, func(t *testing.T) { w.seesNothingOf(t, d, bob.ID, tables, settings) })
	}
	own := []string{"afterimage.account", string(w.Account.ID), "afterimage.proof", proof}
	if n := w.seenWith(t, d, "groups", own); n == 0 {
		t.Error("the settings of our own transactions show no groups")
	}
	for name, statement := range map[string]string{
		"the key of proofs":    "SELECT key FROM tenant_seal",
		"a table":              "CREATE TABLE mine (id integer)",
		"a temporary table":    "CREATE TEMPORARY TABLE accounts (id integer)",
		"a column":             "ALTER TABLE groups ADD COLUMN mine text",
		"a policy":             "DROP POLICY everyday ON groups",
		"the guard":            "ALTER TABLE groups DISABLE ROW LEVEL SECURITY",
		"all rows":             "TRUNCATE groups CASCADE",
		"a function":           "CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
		"the owner":            "SET ROLE " + ownerOf(t, w),
		"the system role":      "SET ROLE " + pgtest.SystemRole,
		"the system role, too": "SELECT set_config('role', '" + pgtest.SystemRole + "', true)",
		"sealed probe":         "SELECT sealed FROM secret_probe",
		"checks of others":     fmt.Sprintf("SELECT settle_checks_above('%s', 0, 1, 0)", bob.ID),
		"tokens of others":     fmt.Sprintf("SELECT limit_tokens_of('%s', '%s', '{}', now())", bob.ID, bob.ID),
	} {
		_, err := d.Pool().Exec(t.Context(), statement)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "42501" {
			t.Errorf("%s: %v, want that it is denied", name, err)
		}
	}
}

// seesNothingOf reads and writes all guarded tables under settings of an attacker's.
func (w *world) seesNothingOf(t *testing.T, d *db.DB, other vcd.ID, tables, settings []string) {
	t.Helper()
	column := func(table string) string {
		if table == "accounts" {
			return "id"
		}
		return "account_id"
	}
	for _, table := range tables {
		tx, err := d.Pool().Begin(t.Context())
		must(t, err)
		for i := 0; i < len(settings); i += 2 {
			_, err := tx.Exec(t.Context(), "SELECT set_config($1, $2, true)", settings[i], settings[i+1])
			must(t, err)
		}
		var seen int
		theirs := fmt.Sprintf("FROM %s WHERE %s = $1", table, column(table))
		must(t, tx.QueryRow(t.Context(), "SELECT count(*) "+theirs, string(other)).Scan(&seen))
		tag, err := tx.Exec(t.Context(), "DELETE "+theirs, string(other))
		must(t, errors.Join(err, tx.Rollback(t.Context())))
		if seen != 0 || tag.RowsAffected() != 0 {
			t.Errorf("%s: %d rows are seen, and %d removed", table, seen, tag.RowsAffected())
		}
	}
}

// seenWith is how many rows of a table are seen under some settings.
func (w *world) seenWith(t *testing.T, d *db.DB, table string, settings []string) (n int) {
	t.Helper()
	must(t, pgx.BeginFunc(t.Context(), d.Pool(), func(tx pgx.Tx) error {
		for i := 0; i < len(settings); i += 2 {
			if _, err := tx.Exec(t.Context(), "SELECT set_config($1, $2, true)", settings[i], settings[i+1]); err != nil {
				return err
			}
		}
		return tx.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n)
	}))
	return n
}

// proofOf is what a statement of an account can read of its own transaction.
func proofOf(t *testing.T, d *db.DB, account vcd.ID) string {
	t.Helper()
	var proof string
	must(t, d.DB.Read(t.Context(), vcd.Actor{Account: account}, func(ctx context.Context, tx *pg.Tx) error {
		return tx.Bun.NewRaw("SELECT current_setting('afterimage.proof')").Scan(ctx, &proof)
	}))
	if proof == "" {
		t.Fatal("transactions carry no proof")
	}
	return proof
}

func ownerOf(t *testing.T, w *world) string {
	t.Helper()
	return vcdtest.Value[string](w.World, "SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class WHERE oid = 'accounts'::regclass")
}

func namesIn(t *testing.T, d *db.DB, question string) ([]string, error) {
	t.Helper()
	rows, err := d.Pool().Query(t.Context(), question)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func TestOnlyTheOwnerMigrates(t *testing.T) {
	w := newWorld(t)
	quiet := slog.New(slog.DiscardHandler)
	_, c := asRoles(t, w)
	must(t, schema.Migrate(t.Context(), c.URL, quiet)) // there is nothing to do
	w.Exec("DELETE FROM schema_migrations WHERE name = '0046'")
	err := schema.Migrate(t.Context(), c.URL, quiet)
	if !errors.Is(err, schema.ErrOlderSchema) || !strings.Contains(err.Error(), "run 'afterimage migrate' as the owner of the tables, "+
		ownerOf(t, w)) {
		t.Errorf("everyday work with an older schema: %v", err)
	}
	w.Exec("CREATE TABLE later (account_id uuid NOT NULL, id integer)") // as a later migration would
	w.Exec("SELECT guard_tenant('later')")
	must(t, schema.Migrate(t.Context(), w.URL, quiet))
	d := vcdtest.OpenWith(t, c)
	must(t, d.InTx(t.Context(), w.Actor, func(context.Context, *db.Tx) error { return nil }))
	for role, url := range map[string]string{"everyday": c.URL, "system": c.SystemURL} {
		if _, err := readAs(t, url, "SELECT count(*) FROM later"); err != nil {
			t.Errorf("%s: a table that came later: %v", role, err)
		}
	}
	if err := schema.RefuseAccounts(t.Context(), c.SystemURL); err == nil || !strings.Contains(err.Error(), "connect as their owner") {
		t.Errorf("a restore by another role: %v", err)
	}
}

func readAs(t *testing.T, url, question string) (n int, err error) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	err = conn.QueryRow(t.Context(), question).Scan(&n)
	return n, errors.Join(err, conn.Close(t.Context()))
}

func TestRolesThatDoNotFitAreRefused(t *testing.T) {
	w := newWorld(t)
	_, c := asRoles(t, w)
	owner, err := pgx.ParseConfig(w.URL)
	must(t, err)
	for name, try := range map[string]struct {
		config db.Config
		want   string
	}{
		"nobody for all accounts":   {db.Config{URL: c.URL}, "--database-system-url"},
		"the system for everything": {db.Config{URL: c.SystemURL}, "sees all accounts"},
		"everyday as the system":    {db.Config{URL: c.URL, SystemURL: c.URL}, "has no rights"},
	} {
		d, err := db.Open(t.Context(), try.config)
		if err == nil {
			d.Close()
		}
		if err == nil || !strings.Contains(err.Error(), try.want) {
			t.Errorf("%s: %v, want %q", name, err, try.want)
		}
	}
	for name, try := range map[string]struct {
		roles schema.Roles
		want  string
	}{
		"one role":     {schema.Roles{Everyday: pgtest.SystemRole, System: pgtest.SystemRole}, "different roles"},
		"no such role": {schema.Roles{Everyday: "nobody_here", System: pgtest.SystemRole}, "CREATE ROLE"},
		"the owner":    {schema.Roles{Everyday: owner.User, System: pgtest.SystemRole}, "owns the tables"},
	} {
		err := schema.Grant(t.Context(), w.URL, slog.New(slog.DiscardHandler), try.roles)
		if err == nil || !strings.Contains(err.Error(), try.want) {
			t.Errorf("%s: %v, want %q", name, err, try.want)
		}
	}
}

// TestABackupAsRoles: the role that sees all accounts has all rows of a backup, and the owner goes on as before.
func TestABackupAsRoles(t *testing.T) {
	w := seeded(t)
	want := dump(t, w)
	d, _ := asRoles(t, w)
	w.DB = d
	got := dump(t, w)
	for i, table := range want.Tables {
		if got.Tables[i].Rows != table.Rows {
			t.Errorf("%s: %d rows, want %d", table.Name, got.Tables[i].Rows, table.Rows)
		}
	}
	url := pgtest.New(t)
	must(t, schema.Restore(t.Context(), url, slog.New(slog.DiscardHandler), got.Contents, got.part))
	restored := vcdtest.OpenWith(t, vcdtest.AsRoles(t, db.Config{URL: url}))
	if want, got := facts(t, d, w.Account.ID), facts(t, restored, w.Account.ID); want != got {
		t.Errorf("there are %s\nwant %s", got, want)
	}
}
