package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"afterimage/vcd"
)

// reachTimeout bounds the way to a ready connection unless Config says otherwise: whoever needs longer is told that the
// service is unavailable, within the second that callers are promised.
const reachTimeout = 800 * time.Millisecond

const defaultMaxConns = 16

// How long a database may take to answer when it is opened, and how often it is asked.
const (
	startTimeout = 15 * time.Second
	startPause   = 100 * time.Millisecond
)

// Config says how to reach the database.
type Config struct {
	URL      string // a PostgreSQL connection string
	Logger   *slog.Logger
	MaxConns int // size of the pool; 0 means 16
	// Queue hands background jobs over within a transaction. The transaction is borrowed: it can neither be committed nor
	// rolled back. Without it jobs cannot be enqueued.
	Queue func(pgx.Tx) vcd.Queue
	// Reach bounds the way to a ready connection: waiting for a free one, dialling, and binding a transaction; 0 means 800 ms.
	Reach time.Duration
	// Tracer hears of every statement; nil for none.
	Tracer pgx.QueryTracer
}

// DB is a database with the tables of this package. It is a vcd.Store and a vcd.Feed, and safe for concurrent use.
type DB struct {
	pool   *pgxpool.Pool
	bun    *bun.DB
	queue  func(pgx.Tx) vcd.Queue
	logger *slog.Logger
	feed   *feed
	reach  time.Duration
}

var (
	_ vcd.Store = (*DB)(nil)
	_ vcd.Feed  = (*DB)(nil)
)

// Open connects to a database that Migrate has brought up to date. It fails when the database cannot be reached; one that
// goes away later makes calls fail with CodeUnavailable until it is back.
func Open(ctx context.Context, c Config) (*DB, error) {
	logger := c.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	c.Reach = cmp.Or(c.Reach, reachTimeout)
	pool, err := openPool(ctx, c)
	if err != nil {
		return nil, err
	}
	d := &DB{pool: pool, bun: openBun(pool), queue: c.Queue, logger: logger, reach: c.Reach}
	d.feed = newFeed(pool.Config().ConnConfig, logger)
	if err := d.checkRole(ctx); err != nil {
		d.Close()
		return nil, fmt.Errorf("ask the database about its role: %w", err)
	}
	return d, nil
}

func openPool(ctx context.Context, c Config) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("read the database's address: %w", err)
	}
	// bun writes values into the text of a query, so no two texts are alike: preparing them would only fill caches.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.ConnConfig.ConnectTimeout = c.Reach
	config.ConnConfig.Tracer = c.Tracer
	if !strings.Contains(c.URL, "pool_max_conns") { // the operator's word in the address stands
		config.MaxConns = int32(min(cmp.Or(c.MaxConns, defaultMaxConns), 1000))
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the pool of database connections: %w", err)
	}
	if err := awaitServer(ctx, pool); err != nil {
		pool.Close()
		return nil, fmt.Errorf("reach the database: %w", err)
	}
	return pool, nil
}

// awaitServer makes sure that the database answers. One that is there but not ready yet, because it starts up or its
// machine is busy, is given a while; where nobody listens there is nothing to wait for.
func awaitServer(ctx context.Context, pool *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	ticker := time.NewTicker(startPause)
	defer ticker.Stop()
	for {
		err := pool.Ping(ctx)
		if err == nil || !startingUp(err) {
			return err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return err
		}
	}
}

// openBun lays bun over the pool. Columns that a newer release has added are passed over, so that both can run at once.
func openBun(pool *pgxpool.Pool) *bun.DB {
	return bun.NewDB(stdlib.OpenDBFromPool(pool), pgdialect.New(), bun.WithDiscardUnknownColumns())
}

// checkRole warns of a role that row level security does not bind: the queries are right without it, but the net under
// them is gone.
func (d *DB) checkRole(ctx context.Context) error {
	var role string
	var exempt bool
	const question = "SELECT rolname, rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
	if err := d.pool.QueryRow(ctx, question).Scan(&role, &exempt); err != nil {
		return err
	}
	if exempt {
		d.logger.WarnContext(ctx, "the database role is exempt from row level security: use one that is neither a superuser nor BYPASSRLS",
			"role", role)
	}
	return nil
}

// Pool is the pool that the background queue shares.
func (d *DB) Pool() *pgxpool.Pool { return d.pool }

// Close ends the feed and waits until every connection is given back.
func (d *DB) Close() {
	d.feed.close()
	_ = d.bun.Close() // holds no connection of its own
	d.pool.Close()
}

// Watch is vcd.Feed's.
func (d *DB) Watch(account vcd.ID) (wake <-chan struct{}, stop func()) {
	return d.feed.watch(topic{eventsChannel, account})
}

// WatchAuthority is vcd.Feed's.
func (d *DB) WatchAuthority(account vcd.ID) (wake <-chan struct{}, stop func()) {
	return d.feed.watch(topic{authorityChannel, account})
}

// notFound turns "no rows" into the answer for an unknown id.
func notFound(err error, resource string, id vcd.ID) error {
	if errors.Is(err, sql.ErrNoRows) {
		return vcd.NotFound(resource, id)
	}
	return err
}
