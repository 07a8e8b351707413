package pg

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"afterimage/internal/figures"
	"afterimage/vcd"
)

// reachTimeout limits the time to get a ready connection unless Config sets another limit. A caller that would wait
// longer is told that the service is unavailable, within the second that callers are promised.
const reachTimeout = 800 * time.Millisecond

// dialTimeout limits how long a connection may take to be made. Callers wait no longer than Config.Reach for it; on a busy
// machine it is then ready for the next one.
const dialTimeout = 10 * time.Second

// patience is how long a patient caller waits for a ready connection: twice what making one may take.
const patience = 2 * dialTimeout

type patientKey struct{}

// Patient returns a context for work that nobody waits for within a second, such as commands and background jobs. What is
// asked of the database with it waits longer for a ready connection than Config.Reach.
func Patient(ctx context.Context) context.Context {
	return context.WithValue(ctx, patientKey{}, true)
}

// limitReach cancels a context with errSlow, unless a connection is ready in time and stop is called.
func (d *DB) limitReach(ctx context.Context, cancel context.CancelCauseFunc) (stop func() bool) {
	reach := d.reach
	if ctx.Value(patientKey{}) != nil {
		reach = max(reach, patience)
	}
	return time.AfterFunc(reach, func() { cancel(errSlow) }).Stop
}

const defaultMaxConns = 16

// How long a database may take to answer when it is opened, and how often it is tried.
const (
	startTimeout = time.Minute
	startPause   = 100 * time.Millisecond
)

// Config configures the access to the database.
type Config struct {
	URL string // a PostgreSQL connection string; may lead to a pooler that pools transactions
	// SystemURL is that of the role that sees all accounts, where URL has one that is bound to an account; empty for the same.
	SystemURL string
	// DirectURL leads to the database itself, for what a pooler cannot do; empty where URL does.
	DirectURL string
	Logger    *slog.Logger
	MaxConns  int // size of the pool; 0 means 16
	// Queue returns the job queue for a transaction, so that jobs are enqueued within it. The transaction is borrowed:
	// it can be neither committed nor rolled back. Without Queue, jobs cannot be enqueued.
	Queue func(pgx.Tx) vcd.Queue
	// Reach limits the time to get a ready connection: waiting for a free one, dialling, and binding a transaction; 0
	// means 800 ms.
	Reach time.Duration
	// Tracer is called for every statement; nil for none.
	Tracer pgx.QueryTracer
	// Figures count transactions; nil counts none.
	Figures *figures.Figures
	// Clock follows that of the database from Open to Close; nil where nobody reads it.
	Clock *Clock
	// Committed is called with the events of a transaction after its commit; nil for nobody.
	Committed func(ctx context.Context, events []*vcd.Event)
	// System lets connections see the rows of all accounts outside of bound transactions too.
	System bool
}

// DB is a database. It implements vcd.Feed and is safe for concurrent use.
type DB struct {
	pool   *pgxpool.Pool
	bun    *bun.DB
	system *system       // for what concerns all accounts; nil where the role of pool may do that
	direct *pgxpool.Pool // to the database itself; nil where pool leads there
	seal   seal          // nil where nobody asks for proof
	queue  func(pgx.Tx) vcd.Queue
	logger *slog.Logger
	feed   *feed
	clock  func() // stops following the database's clock
	reach  time.Duration

	figures   *figures.Figures
	committed func(ctx context.Context, events []*vcd.Event)
}

var _ vcd.Feed = (*DB)(nil)

// Open connects to a database whose schema is up to date. It fails when the database cannot be reached. If the
// database becomes unreachable later, calls fail with CodeUnavailable until it is back.
func Open(ctx context.Context, c Config) (*DB, error) {
	logger := c.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	c.Reach = cmp.Or(c.Reach, reachTimeout)
	pool, err := OpenPool(ctx, c)
	if err != nil {
		return nil, err
	}
	d := &DB{pool: pool, bun: OpenBun(pool), queue: c.Queue, logger: logger, reach: c.Reach, figures: c.Figures, committed: c.Committed}
	d.feed = newFeed(pool.Config().ConnConfig, logger)
	if err := d.openOthers(ctx, c); err != nil {
		d.Close()
		return nil, err
	}
	if err := d.followClock(ctx, c.Clock); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// followClock lets a clock go by that of the database, which it has been compared with when this returns.
func (d *DB) followClock(ctx context.Context, c *Clock) error {
	if c == nil {
		return nil
	}
	if err := c.compare(ctx, d.pool, d.logger); err != nil {
		return err
	}
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() { c.follow(following, d.pool, d.logger) })
	d.clock = func() { stop(); done.Wait() }
	return nil
}

// OpenPool connects to a database and waits for one that is starting up.
func OpenPool(ctx context.Context, c Config) (*pgxpool.Pool, error) {
	config, err := poolConfig(c)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the pool of database connections: %w", err)
	}
	if err := awaitServer(ctx, pool.Ping); err != nil {
		pool.Close()
		return nil, fmt.Errorf("reach the database: %w", err)
	}
	return pool, nil
}

func poolConfig(c Config) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("read the database's address: %w", err)
	}
	// bun writes values into the text of a query, so every text is different: prepared statements would only fill
	// caches. A pooler of transactions would lose them, too.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.ConnConfig.ConnectTimeout = max(c.Reach, dialTimeout)
	config.ConnConfig.Tracer = c.Tracer
	if c.System { // never through a pooler, which would hand the setting on to others
		config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, "SET afterimage.system = 'on'")
			return err
		}
	}
	if !strings.Contains(c.URL, "pool_max_conns") { // a setting in the operator's URL takes precedence
		config.MaxConns = int32(min(cmp.Or(c.MaxConns, defaultMaxConns), 1000))
	}
	return config, nil
}

// awaitServer asks the database until it answers. If it is running but not ready yet, because it is starting up or its
// machine is busy, awaitServer waits for a while; if nothing listens at the address, it fails at once.
func awaitServer(ctx context.Context, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	ticker := time.NewTicker(startPause)
	defer ticker.Stop()
	for {
		err := ask(ctx)
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

// OpenBun wraps the pool in bun. Columns added by a newer release are ignored, so that both releases can run at the
// same time.
func OpenBun(pool *pgxpool.Pool) *bun.DB {
	return bun.NewDB(stdlib.OpenDBFromPool(pool), pgdialect.New(), bun.WithDiscardUnknownColumns())
}

// Pool is the pool of transactions that are bound to an account.
func (d *DB) Pool() *pgxpool.Pool { return d.pool }

// Close ends the feed and waits until all connections are returned.
func (d *DB) Close() {
	if d.clock != nil {
		d.clock()
	}
	d.feed.close()
	d.closeOthers()
	_ = d.bun.Close() // holds no connection of its own
	d.pool.Close()
}

// Observe calls hook around every statement of an account from here on, also around the queries of bun that have no text of ours.
// Nothing else may use the database meanwhile.
func (d *DB) Observe(hook bun.QueryHook) { d.bun = d.bun.WithQueryHook(hook) }

// Watch implements vcd.Feed.
func (d *DB) Watch(account vcd.ID) (wake <-chan struct{}, stop func()) {
	return d.feed.watch(topic{eventsChannel, account})
}

// WatchAuthority implements vcd.Feed.
func (d *DB) WatchAuthority(account vcd.ID) (wake <-chan struct{}, stop func()) {
	return d.feed.watch(topic{authorityChannel, account})
}

// FileHold is the advisory lock that a backup shares with others, and without which no files are removed.
const FileHold = 0x6166746572686f6c // "afterhol"
