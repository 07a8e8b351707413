package schema

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"afterimage/db/pg"
)

// Roles are those that work with the tables and do not own them.
type Roles struct {
	Everyday string // for the account that a transaction is bound to
	System   string // for all accounts
}

// Grant gives roles what they need, instead of those that had it before. The owner of the tables calls it once; Migrate extends it to
// later tables.
func Grant(ctx context.Context, url string, logger *slog.Logger, r Roles) (err error) {
	pool, err := openOwner(ctx, url, 1)
	if err != nil {
		return err
	}
	defer pool.Close()
	lock, err := lockMigrations(ctx, pool)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlockMigrations(ctx, lock)) }()
	s, err := pg.StandingOf(ctx, pool)
	if err != nil {
		return err
	}
	if err := s.RefuseOthers(); err != nil {
		return err
	}
	if err := r.check(ctx, pool, s.Owned); err != nil {
		return err
	}
	logger.DebugContext(ctx, "granted rights", "everyday", r.Everyday, "system", r.System)
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return r.grant(ctx, tx) })
}

// keepGrants extends what was granted to tables that were made since.
func keepGrants(ctx context.Context, pool *pgxpool.Pool) error {
	const question = `SELECT coalesce(max(pg_get_userbyid(role)) FILTER (WHERE polname = 'everyday'), ''),
			coalesce(max(pg_get_userbyid(role)) FILTER (WHERE polname = 'tenant' AND role NOT IN (0, c.relowner)), '')
		FROM pg_policy JOIN pg_class AS c ON c.oid = polrelid CROSS JOIN LATERAL unnest(polroles) AS role
		WHERE polrelid = to_regclass('accounts')`
	var r Roles
	if err := pool.QueryRow(ctx, question).Scan(&r.Everyday, &r.System); err != nil {
		return fmt.Errorf("look for roles: %w", err)
	}
	if r.Everyday == "" || r.System == "" {
		return nil
	}
	if err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return r.grant(ctx, tx) }); err != nil {
		return fmt.Errorf("grant the roles %s and %s their rights: %w", r.Everyday, r.System, err)
	}
	return nil
}

// check refuses roles whose other rights would make the guards void.
func (r Roles) check(ctx context.Context, pool *pgxpool.Pool, owner string) error {
	if r.Everyday == r.System {
		return errors.New("--grant-to and --grant-system-to must be different roles")
	}
	for _, role := range []string{r.Everyday, r.System} {
		var there, exempt, member bool
		const question = `SELECT count(*) > 0, coalesce(bool_or(rolsuper OR rolbypassrls), false),
			coalesce(bool_or(pg_has_role(oid, $2::name, 'MEMBER')), false) FROM pg_roles WHERE rolname = $1::name`
		if err := pool.QueryRow(ctx, question, role, owner).Scan(&there, &exempt, &member); err != nil {
			return fmt.Errorf("look for the role %s: %w", role, err)
		}
		switch {
		case !there:
			return fmt.Errorf("there is no role %s: ask an administrator of the database to run CREATE ROLE %s LOGIN PASSWORD '…'", role,
				identifier(role))
		case exempt:
			return fmt.Errorf("the role %s is a superuser or BYPASSRLS, and row level security does not apply to it: use another", role)
		case member:
			return fmt.Errorf("the role %s owns the tables or is a member of %s, which does: use another one", role, owner)
		}
	}
	var member bool
	err := pool.QueryRow(ctx, "SELECT pg_has_role($1::name, $2::name, 'MEMBER')", r.Everyday, r.System).Scan(&member)
	if err != nil || !member {
		return err
	}
	return fmt.Errorf("the role %s is a member of %s and could see all accounts: use another one", r.Everyday, r.System)
}

// withoutAccount are the tables of no account that everyday work needs, with what it does there.
var withoutAccount = map[string]string{
	"allowances":        "SELECT, INSERT, UPDATE",
	"blobs":             "SELECT, INSERT, UPDATE",
	"host_refusals":     "SELECT, INSERT, UPDATE, DELETE",
	"hosts":             "SELECT, INSERT, UPDATE",
	"river_job":         "SELECT, INSERT, UPDATE, DELETE",
	"river_migration":   "SELECT",
	"schema_migrations": "SELECT",
}

// definers are the functions that the program calls and that run with the rights of the owner.
const definers = `SELECT p.oid::regprocedure::text FROM pg_proc AS p WHERE p.pronamespace = current_schema()::regnamespace AND p.prosecdef`

// ofProgram are the tables of the program and of its queue.
const ofProgram = `SELECT c.relname::text FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace
	AND c.relkind = 'r' AND c.relowner = (SELECT relowner FROM pg_class WHERE oid = to_regclass('accounts')) ORDER BY 1`

func (r Roles) grant(ctx context.Context, tx pgx.Tx) error {
	if err := makeSeal(ctx, tx); err != nil {
		return err
	}
	guarded, err := r.guard(ctx, tx)
	if err != nil {
		return err
	}
	statements := make([]string, 0, 2*len(guarded))
	for _, table := range guarded {
		statements = append(statements, "GRANT SELECT, INSERT, UPDATE, DELETE ON "+identifier(table)+" TO "+identifier(r.Everyday))
	}
	for table, rights := range withoutAccount {
		statements = append(statements, "GRANT "+rights+" ON "+identifier(table)+" TO "+identifier(r.Everyday))
	}
	slices.Sort(statements)
	tables, err := namesOf(ctx, tx, ofProgram)
	if err != nil {
		return err
	}
	for _, table := range tables {
		statements = append(statements, "GRANT SELECT, INSERT, UPDATE, DELETE ON "+identifier(table)+" TO "+identifier(r.System))
	}
	functions, err := namesOf(ctx, tx, definers)
	if err != nil {
		return err
	}
	both := identifiers([]string{r.Everyday, r.System})
	for _, function := range functions {
		statements = append(statements, "GRANT EXECUTE ON FUNCTION "+function+" TO "+both)
	}
	var schema, database string
	if err := tx.QueryRow(ctx, "SELECT current_schema(), current_database()").Scan(&schema, &database); err != nil {
		return err
	}
	schema, database = identifier(schema), identifier(database)
	// What they could make would come before ours in the next transaction on the same connection.
	closing := []string{"REVOKE CREATE ON SCHEMA " + schema + " FROM PUBLIC", "REVOKE TEMPORARY ON DATABASE " + database + " FROM PUBLIC"}
	statements = append(statements, "GRANT USAGE ON SCHEMA "+schema+" TO "+both,
		"GRANT USAGE ON ALL SEQUENCES IN SCHEMA "+schema+" TO "+both, "GRANT SELECT ON ALL SEQUENCES IN SCHEMA "+schema+" TO "+
			identifier(r.System))
	if err := executeAll(ctx, tx, append(statements, closing...)); err != nil {
		return err
	}
	var open bool
	const question = `SELECT has_schema_privilege($1::name, current_schema(), 'CREATE') OR
		has_database_privilege($1::name, current_database(), 'CREATE, TEMPORARY')`
	if err := tx.QueryRow(ctx, question, r.Everyday).Scan(&open); err != nil || !open {
		return err
	}
	return fmt.Errorf("the role %s may create tables, and this role cannot revoke that right: ask an administrator of the "+
		"database to run %s", r.Everyday, strings.Join(closing, "; "))
}

// makeSeal makes the key of proofs unless there is one.
func makeSeal(ctx context.Context, tx pgx.Tx) error {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	padded := func(with byte) []byte {
		block := make([]byte, sha256.BlockSize)
		copy(block, key)
		for i := range block {
			block[i] ^= with
		}
		return block
	}
	_, err := tx.Exec(ctx, "INSERT INTO tenant_seal (key, inner_key, outer_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
		key, padded(0x36), padded(0x5c))
	if err != nil {
		return fmt.Errorf("make the key that binds transactions to accounts: %w", err)
	}
	return nil
}

// guard makes a policy for everyday work in each table that has one already, which is for the owner and the system from then on. It
// returns these tables. What is right already is left alone: changing a policy waits for all that is done with its table.
func (r Roles) guard(ctx context.Context, tx pgx.Tx) (tables []string, err error) {
	const question = `SELECT c.relname::text, o.rolname::text, coalesce(t.polroles = ARRAY[c.relowner, s.oid], false),
			CASE WHEN e.oid IS NULL THEN 'CREATE' WHEN e.polroles = ARRAY[d.oid] THEN '' ELSE 'ALTER' END
		FROM pg_class AS c JOIN pg_roles AS o ON o.oid = c.relowner
		JOIN pg_roles AS d ON d.rolname = $1::name JOIN pg_roles AS s ON s.rolname = $2::name
		LEFT JOIN pg_policy AS t ON t.polrelid = c.oid AND t.polname = 'tenant'
		LEFT JOIN pg_policy AS e ON e.polrelid = c.oid AND e.polname = 'everyday'
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relrowsecurity ORDER BY 1`
	rows, err := tx.Query(ctx, question, r.Everyday, r.System)
	if err != nil {
		return nil, err
	}
	var table, owner, verb string
	var restricted bool
	var statements []string
	_, err = pgx.ForEachRow(rows, []any{&table, &owner, &restricted, &verb}, func() error {
		tables = append(tables, table)
		if !restricted {
			statements = append(statements, "ALTER POLICY tenant ON "+identifier(table)+" TO "+identifiers([]string{owner, r.System}))
		}
		bound := "account_id = (SELECT bound_account())"
		if table == "accounts" {
			bound = "(SELECT bound_account()) IN (id, parent_id)"
		}
		bound = "CASE WHEN " + bound + " THEN true ELSE false END" // without CASE, a list of nine tables takes 3 ms more to plan
		if verb != "" {
			policy := verb + " POLICY everyday ON " + identifier(table) + " TO " + identifier(r.Everyday)
			statements = append(statements, policy+" USING ("+bound+")")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tables, executeAll(ctx, tx, statements)
}

func namesOf(ctx context.Context, tx pgx.Tx, question string) ([]string, error) {
	rows, err := tx.Query(ctx, question)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
