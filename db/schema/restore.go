package schema

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"afterimage/db/pg"
	"afterimage/internal/backup"
)

// ErrInUse means that a database cannot be restored into because it has accounts.
var ErrInUse = errors.New("this database already has accounts, and a restore never overwrites data: restore into an empty database, " +
	"for example with another --data-dir")

// Restore fills a database without accounts with the rows of a backup, all or none of them. The tables are first brought into the form
// in which they were backed up, and in the end into that of this program. part returns the lines of a part of a table.
func Restore(
	ctx context.Context, url string, logger *slog.Logger, c *backup.Contents,
	part func(ctx context.Context, table string, number int) ([]byte, error),
) error {
	files, err := migrationsOf(c.Migrations)
	if err != nil {
		return err
	}
	if err := RefuseAccounts(ctx, url); err != nil {
		return err
	}
	if err := migrateFrom(ctx, url, logger, files); err != nil {
		return err
	}
	if err := load(ctx, url, logger, c, part); err != nil {
		return fmt.Errorf("restore the database: %w", err)
	}
	return Migrate(ctx, url, logger)
}

// migrationsOf are those of ours that had been applied to a database.
func migrationsOf(applied []string) (fs.FS, error) {
	names, err := fs.Glob(Migrations, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	files, known := fstest.MapFS{}, 0
	for _, name := range names {
		number, _, _ := strings.Cut(strings.TrimPrefix(name, "migrations/"), "_")
		if !slices.Contains(applied, number) {
			continue
		}
		content, err := fs.ReadFile(Migrations, name)
		if err != nil {
			return nil, err
		}
		files[name] = &fstest.MapFile{Data: content}
		known++
	}
	if known < len(applied) {
		return nil, errors.New("the backup was made by a newer version of afterimage: restore it with that version or a later one")
	}
	return files, nil
}

// RefuseAccounts fails with ErrInUse if a database has accounts, and if its tables are those of another role. It need not have any.
func RefuseAccounts(ctx context.Context, url string) error {
	pool, err := openOwner(ctx, url, 1)
	if err != nil {
		return err
	}
	defer pool.Close()
	s, err := pg.StandingOf(ctx, pool)
	if err != nil {
		return err
	}
	if err := s.RefuseOthers(); err != nil {
		return err
	}
	var tables, accounts bool
	if err := pool.QueryRow(ctx, "SELECT to_regclass('accounts') IS NOT NULL").Scan(&tables); err != nil || !tables {
		return err
	}
	if err := pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM accounts)").Scan(&accounts); err != nil {
		return err
	}
	if accounts {
		return ErrInUse
	}
	return nil
}

// load replaces the rows of all tables in one transaction.
func load(
	ctx context.Context, url string, logger *slog.Logger, c *backup.Contents,
	part func(ctx context.Context, table string, number int) ([]byte, error),
) error {
	pool, err := openOwner(ctx, url, 1)
	if err != nil {
		return err
	}
	defer pool.Close()
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		tables, err := dumpedTables(ctx, tx)
		if err != nil {
			return err
		}
		if tables, err = knownTables(tables, c.Tables, logger); err != nil {
			return err
		}
		unguarded, guards, err := guardsOf(ctx, tx, tables)
		if err != nil {
			return err
		}
		if err := executeAll(ctx, tx, unguarded); err != nil {
			return err
		}
		var accounts bool // that came since they were looked for
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM accounts)").Scan(&accounts); err != nil || accounts {
			return errors.Join(err, ErrInUse)
		}
		if err := fill(ctx, tx, tables, c.Sequences, part); err != nil {
			return err
		}
		return executeAll(ctx, tx, guards)
	})
}

// knownTables are the tables of the backup that are ours; each must have the columns that it has here. Others were made in our
// database by somebody else.
func knownTables(ours, theirs []backup.Table, logger *slog.Logger) ([]backup.Table, error) {
	columns := make(map[string][]string)
	for _, t := range ours {
		columns[t.Name] = slices.Sorted(slices.Values(t.Columns)) // they may have been added in another order
	}
	var known []backup.Table
	for _, t := range theirs {
		wanted, ok := columns[t.Name]
		if !ok {
			logger.Warn("a table of the backup is not restored: it does not belong to this program", "table", t.Name, "rows", t.Rows)
			continue
		}
		if !slices.Equal(wanted, slices.Sorted(slices.Values(t.Columns))) {
			return nil, fmt.Errorf("the table %s of the backup does not match the backup's list of migrations", t.Name)
		}
		known = append(known, t)
	}
	if len(known) < len(ours) {
		return nil, errors.New("the backup lacks tables that its list of migrations creates")
	}
	return known, nil
}

// guardsOf returns the statements that take away what stands in the way of loading rows, and those that put it back: foreign keys
// (which have no order that works for all tables), triggers (whose effects are in the backup) and row level security, under which
// COPY does not write. Foreign keys that are put back are checked.
func guardsOf(ctx context.Context, tx pgx.Tx, tables []backup.Table) (away, back []string, err error) {
	const keys = `SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
		WHERE connamespace = current_schema()::regnamespace AND contype = 'f' ORDER BY 1, 2`
	rows, err := tx.Query(ctx, keys)
	if err != nil {
		return nil, nil, err
	}
	var table, name, definition string
	_, err = pgx.ForEachRow(rows, []any{&table, &name, &definition}, func() error {
		away = append(away, "ALTER TABLE "+table+" DROP CONSTRAINT "+name)
		back = append(back, "ALTER TABLE "+table+" ADD CONSTRAINT "+name+" "+definition)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, t := range tables {
		alter := "ALTER TABLE " + identifier(t.Name)
		away = append(away, alter+" DISABLE TRIGGER USER")
		back = append(back, alter+" ENABLE TRIGGER USER")
	}
	const secured = `SELECT oid::regclass::text FROM pg_class
		WHERE relnamespace = current_schema()::regnamespace AND relforcerowsecurity ORDER BY 1`
	rows, err = tx.Query(ctx, secured)
	if err != nil {
		return nil, nil, err
	}
	_, err = pgx.ForEachRow(rows, []any{&table}, func() error {
		away = append(away, "ALTER TABLE "+table+" NO FORCE ROW LEVEL SECURITY")
		back = append(back, "ALTER TABLE "+table+" FORCE ROW LEVEL SECURITY")
		return nil
	})
	return away, back, err
}

func executeAll(ctx context.Context, tx pgx.Tx, statements []string) error {
	for _, s := range statements {
		if _, err := tx.Exec(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// fill loads the rows, instead of those that migrations have made, and sets the sequences.
func fill(
	ctx context.Context, tx pgx.Tx, tables []backup.Table, sequences []backup.Sequence,
	part func(ctx context.Context, table string, number int) ([]byte, error),
) error {
	names := make([]string, len(tables))
	for i := range tables {
		names[i] = tables[i].Name
	}
	if _, err := tx.Exec(ctx, "TRUNCATE "+identifiers(names)); err != nil {
		return err
	}
	for i := range tables {
		if err := fillTable(ctx, tx, &tables[i], part); err != nil {
			return fmt.Errorf("table %s: %w", tables[i].Name, err)
		}
	}
	for _, s := range sequences {
		if _, err := tx.Exec(ctx, "SELECT setval(quote_ident($1)::regclass, $2)", s.Name, s.Last); err != nil {
			return fmt.Errorf("sequence %s: %w", s.Name, err)
		}
	}
	return nil
}

func fillTable(
	ctx context.Context, tx pgx.Tx, t *backup.Table, part func(ctx context.Context, table string, number int) ([]byte, error),
) error {
	rows := int64(0)
	for number := range t.Parts {
		lines, err := part(ctx, t.Name, number)
		if err != nil {
			return err
		}
		question := "COPY " + identifier(t.Name) + " (" + identifiers(t.Columns) + ") FROM STDIN"
		tag, err := tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(lines), question)
		if err != nil {
			return err
		}
		rows += tag.RowsAffected()
	}
	if rows != t.Rows {
		return fmt.Errorf("the backup has %d rows instead of %d", rows, t.Rows)
	}
	return nil
}
