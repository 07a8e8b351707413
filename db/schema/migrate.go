package schema

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/uptrace/bun/migrate"

	"afterimage/db/pg"
)

// Migrations are the SQL files that make our tables, applied in the order of their names.
//
//go:embed migrations/*.sql
var Migrations embed.FS

// Names in the database that only migrations use.
const (
	migrationTable     = "schema_migrations"
	migrationLockTable = "schema_migration_locks" // created by bun; we use the advisory lock instead
	migrationLock      = 0x6166746572696d67       // "afterimg"
	migrationPoll      = 100 * time.Millisecond
	migrationConns     = 3
)

// Migrate updates the tables of the background queue and our own. Any number of processes may call it at the same time:
// one does the work while the others wait, then find nothing left to do.
func Migrate(ctx context.Context, url string, logger *slog.Logger) error {
	return migrateFrom(ctx, url, logger, Migrations)
}

func migrateFrom(ctx context.Context, url string, logger *slog.Logger, files fs.FS) (err error) {
	pool, err := openOwner(ctx, url, migrationConns)
	if err != nil {
		return err
	}
	defer pool.Close()
	s, err := pg.StandingOf(ctx, pool)
	if err != nil {
		return err
	}
	if s.RefuseOthers() != nil {
		return checkMigrated(ctx, pool, s)
	}
	lock, err := lockMigrations(ctx, pool)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlockMigrations(ctx, lock)) }()
	if err := migrateQueue(ctx, pool, logger); err != nil {
		return mayMake(s, err)
	}
	if err := migrateTables(ctx, pool, logger, files); err != nil {
		return err
	}
	return keepGrants(ctx, pool)
}

// openOwner opens the database for changes of its tables. Row level security would hide all rows from what migrations compute of them,
// and a setting against that must not be left behind in a pooler.
func openOwner(ctx context.Context, url string, conns int) (*pgxpool.Pool, error) {
	c := pg.Config{URL: url, MaxConns: 1}
	plain, err := pg.OpenPool(ctx, c)
	if err != nil {
		return nil, err
	}
	err = pg.CheckListening(ctx, plain.Config().ConnConfig)
	plain.Close()
	if err != nil {
		return nil, err
	}
	c.MaxConns, c.System = conns, true
	return pg.OpenPool(ctx, c)
}

// mayMake tells a role that may make no tables what to do.
func mayMake(s pg.Standing, err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "42501" { // insufficient privilege
		return fmt.Errorf("the role %s may not create tables in this database: run 'afterimage migrate' as the role that will own them: %w",
			s.Role, err)
	}
	return err
}

// ErrOlderSchema means that the tables have to be brought up to date by their owner.
var ErrOlderSchema = errors.New("the database schema is older than this program")

// checkMigrated makes sure that there is nothing to migrate, for roles that could not do it.
func checkMigrated(ctx context.Context, pool *pgxpool.Pool, s pg.Standing) error {
	behind := fmt.Errorf("%w, and the role %s may not change it: run 'afterimage migrate' as the owner of the tables, %s", ErrOlderSchema,
		s.Role, s.Owned)
	var applied []string
	if err := pool.QueryRow(ctx, "SELECT coalesce(array_agg(name::text), '{}') FROM schema_migrations").Scan(&applied); err != nil {
		return fmt.Errorf("read the table of migrations: %w", err)
	}
	missing, err := missingMigrations(applied)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return behind
	}
	known, err := knownMigrations()
	if err != nil {
		return err
	}
	for _, name := range applied {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%w (migration %s)", ErrNewerSchema, name)
		}
	}
	queue, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("prepare the migrations of the background queue: %w", err)
	}
	result, err := queue.Validate(ctx, nil)
	if err != nil {
		return fmt.Errorf("check the tables of the background queue: %w", err)
	}
	if !result.OK {
		return behind
	}
	return nil
}

// lockMigrations polls for the lock: a statement that waited inside the server would hold a snapshot, and an index that
// the holder of the lock builds concurrently waits for all snapshots.
func lockMigrations(ctx context.Context, pool *pgxpool.Pool) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("connect for the migration lock: %w", err)
	}
	ticker := time.NewTicker(migrationPoll)
	defer ticker.Stop()
	for {
		var mine bool
		if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(migrationLock)).Scan(&mine); err != nil {
			return nil, errors.Join(fmt.Errorf("take the migration lock: %w", err), conn.Close(context.WithoutCancel(ctx)))
		}
		if mine {
			return conn, nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), conn.Close(context.WithoutCancel(ctx)))
		}
	}
}

// unlockMigrations releases the lock by closing the connection that holds it.
func unlockMigrations(ctx context.Context, lock *pgx.Conn) error {
	if err := lock.Close(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("release the migration lock: %w", err)
	}
	return nil
}

func migrateQueue(ctx context.Context, pool *pgxpool.Pool, logger *slog.Logger) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("prepare the migrations of the background queue: %w", err)
	}
	result, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	if err != nil {
		return fmt.Errorf("migrate the background queue: %w", err)
	}
	for _, v := range result.Versions {
		logger.DebugContext(ctx, "migrated the background queue", "version", v.Version, "name", v.Name)
	}
	return nil
}

// migrateTables applies our own files. Each runs in one transaction and is recorded as applied only when it succeeds,
// so that a failed one is tried again.
func migrateTables(ctx context.Context, pool *pgxpool.Pool, logger *slog.Logger, from fs.FS) error {
	files := migrate.NewMigrations()
	if err := files.Discover(from); err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	db := pg.OpenBun(pool)
	defer func() { _ = db.Close() }() // holds no connection of its own
	migrator := migrate.NewMigrator(db, files, migrate.WithMarkAppliedOnSuccess(true),
		migrate.WithTableName(migrationTable), migrate.WithLocksTableName(migrationLockTable))
	if err := migrator.Init(ctx); err != nil {
		return fmt.Errorf("make the table of migrations: %w", err)
	}
	if err := refuseNewer(ctx, migrator, files); err != nil {
		return err
	}
	group, err := migrator.Migrate(ctx)
	if err != nil {
		return fmt.Errorf("migrate the tables: %w", err)
	}
	for _, m := range group.Migrations {
		logger.DebugContext(ctx, "migrated the tables", "name", m.String())
	}
	return nil
}

// ErrNewerSchema means that a newer program has changed the tables in ways that this one does not know.
var ErrNewerSchema = errors.New("the database schema belongs to a newer version of afterimage: start that version, " +
	"or restore the database " +
	"as it was before the upgrade")

// refuseNewer fails when migrations have been applied that this program does not have.
func refuseNewer(ctx context.Context, migrator *migrate.Migrator, ours *migrate.Migrations) error {
	applied, err := migrator.AppliedMigrations(ctx)
	if err != nil {
		return fmt.Errorf("read the table of migrations: %w", err)
	}
	known := make(map[string]bool)
	for _, m := range ours.Sorted() {
		known[m.Name] = true
	}
	for _, m := range applied {
		if !known[m.Name] {
			return fmt.Errorf("%w (migration %s)", ErrNewerSchema, m.Name)
		}
	}
	return nil
}
