package schema

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/internal/backup"
)

// dumpPart is about how large the parts are in which a dump hands rows on, in bytes.
const dumpPart = 8 << 20

var _ backup.Source = (*Store)(nil)

// HoldFiles implements backup.Source. A transaction that reads nothing holds a lock, so that nothing keeps the database from removing
// old versions of rows.
func (d *Store) HoldFiles(ctx context.Context) (check func(context.Context) error, release func(), err error) {
	held, err := d.SystemPool().Begin(ctx)
	if err != nil {
		return nil, nil, pg.Fault(ctx, fmt.Errorf("hold files: %w", err))
	}
	release = func() { _ = held.Rollback(context.WithoutCancel(ctx)) }
	for _, statement := range []string{
		"SET LOCAL idle_in_transaction_session_timeout = 0",
		fmt.Sprintf("SELECT pg_advisory_xact_lock_shared(%d)", int64(pg.FileHold)),
	} {
		if _, err := held.Exec(ctx, statement); err != nil {
			release()
			return nil, nil, pg.Fault(ctx, fmt.Errorf("hold files: %w", err))
		}
	}
	check = func(ctx context.Context) error {
		_, err := held.Exec(ctx, "SELECT")
		return err
	}
	return check, release, nil
}

// Dump implements backup.Source.
func (d *Store) Dump(ctx context.Context, rows, files backup.Sink) (*backup.Contents, error) {
	contents, err := d.dump(ctx, rows, files)
	if err != nil {
		return nil, fmt.Errorf("dump the database: %w", err)
	}
	return contents, nil
}

func (d *Store) dump(ctx context.Context, rows, files backup.Sink) (*backup.Contents, error) {
	snapshot, err := d.SystemPool().BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer func() { _ = snapshot.Rollback(context.WithoutCancel(ctx)) }()
	// Row level security would hide all rows. Writing parts to a slow bucket may take longer than a transaction may be idle.
	const set = `SELECT set_config('afterimage.system', 'on', true), set_config('idle_in_transaction_session_timeout', '0', true)`
	if _, err := snapshot.Exec(ctx, set); err != nil {
		return nil, err
	}
	contents := new(backup.Contents)
	if err := describe(ctx, snapshot, contents); err != nil {
		return nil, err
	}
	for i := range contents.Tables {
		t := &contents.Tables[i]
		t.Rows, err = copyOut(ctx, snapshot, t.Name, "SELECT "+identifiers(t.Columns)+" FROM "+identifier(t.Name), rows)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	const named = "SELECT b.hash, b.size FROM blobs AS b WHERE NOT (" + query.Unnamed + ") ORDER BY b.hash"
	if _, err := copyOut(ctx, snapshot, "", named, files); err != nil {
		return nil, fmt.Errorf("list of files: %w", err)
	}
	return contents, nil
}

// notDumped are tables that migrations fill in, and the secret of one database.
const notDumped = "'schema_migrations', 'schema_migration_locks', 'river_migration', 'tenant_seal'"

// describe reads everything about a database but its rows.
func describe(ctx context.Context, tx pgx.Tx, c *backup.Contents) error {
	const facts = `SELECT (SELECT array_agg(name ORDER BY name) FROM schema_migrations),
		(SELECT max(version) FROM river_migration WHERE line = 'main'), (SELECT coalesce(max(mark), '') FROM image_store)`
	if err := tx.QueryRow(ctx, facts).Scan(&c.Migrations, &c.Queue, &c.Store); err != nil {
		return err
	}
	var err error
	if c.Tables, err = dumpedTables(ctx, tx); err != nil {
		return err
	}
	const sequences = `SELECT sequencename::text, last_value FROM pg_sequences
		WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`
	found, err := tx.Query(ctx, sequences)
	if err != nil {
		return err
	}
	c.Sequences, err = pgx.CollectRows(found, pgx.RowToStructByPos[backup.Sequence])
	return err
}

// dumpedTables are the tables with their columns. Tables that a crash of the database empties hold nothing that lasts.
func dumpedTables(ctx context.Context, tx pgx.Tx) ([]backup.Table, error) {
	const question = `SELECT c.relname::text, array_agg(a.attname::text ORDER BY a.attnum)
		FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
			AND c.relname NOT IN (` + notDumped + `)
			AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')
		GROUP BY c.oid, c.relname ORDER BY c.relname`
	found, err := tx.Query(ctx, question)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(found, func(row pgx.CollectableRow) (t backup.Table, err error) {
		return t, row.Scan(&t.Name, &t.Columns)
	})
}

// copyOut hands the rows of a query on in parts.
func copyOut(ctx context.Context, tx pgx.Tx, table, query string, sink backup.Sink) (rows int64, err error) {
	parts := &partWriter{ctx: ctx, table: table, sink: sink}
	tag, err := tx.Conn().PgConn().CopyTo(ctx, parts, "COPY ("+query+") TO STDOUT")
	if err := errors.Join(parts.failed, err); err != nil {
		return 0, err
	}
	return tag.RowsAffected(), parts.flush()
}

// partWriter gathers lines, which come one a call, until they make a part.
type partWriter struct {
	ctx    context.Context //nolint:containedctx // of the one call that it is made for
	table  string
	sink   backup.Sink
	lines  bytes.Buffer
	failed error
}

func (p *partWriter) Write(line []byte) (int, error) {
	p.lines.Write(line)
	if p.lines.Len() >= dumpPart {
		p.failed = p.flush()
	}
	return len(line), p.failed
}

func (p *partWriter) flush() error {
	if p.lines.Len() == 0 {
		return nil
	}
	part := bytes.Clone(p.lines.Bytes())
	p.lines.Reset()
	return p.sink(p.ctx, p.table, part)
}

func identifier(name string) string { return pgx.Identifier{name}.Sanitize() }

func identifiers(names []string) string {
	var list bytes.Buffer
	for i, name := range names {
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString(identifier(name))
	}
	return list.String()
}
