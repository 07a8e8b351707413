package pg

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// directConns is how many connections to the database itself there may be beside that of the feed: one listens for jobs.
const directConns = 2

// system is access as the role that sees all accounts.
type system struct {
	pool *pgxpool.Pool
	bun  *bun.DB
}

// openOthers makes the connections that differ from those of the pool, and checks that each can do what it is for.
func (d *DB) openOthers(ctx context.Context, c Config) error {
	listening := c
	if c.DirectURL != "" {
		listening.URL, listening.MaxConns = c.DirectURL, directConns
		config, err := poolConfig(listening)
		if err != nil {
			return fmt.Errorf("--database-direct-url: %w", err)
		}
		if d.direct, err = pgxpool.NewWithConfig(ctx, config); err != nil {
			return fmt.Errorf("--database-direct-url: %w", err)
		}
		if err := awaitServer(ctx, d.direct.Ping); err != nil {
			return fmt.Errorf("--database-direct-url: connect to the database: %w", err)
		}
		d.feed = newFeed(d.direct.Config().ConnConfig, d.logger)
	}
	if err := CheckListening(ctx, d.ListenPool().Config().ConnConfig); err != nil {
		return err
	}
	if c.SystemURL != "" {
		asSystem := c
		asSystem.URL = c.SystemURL
		pool, err := OpenPool(ctx, asSystem)
		if err != nil {
			return fmt.Errorf("--database-system-url: %w", err)
		}
		d.system = &system{pool: pool, bun: OpenBun(pool)}
	}
	return d.checkRoles(ctx)
}

func (d *DB) closeOthers() {
	if d.system != nil {
		_ = d.system.bun.Close() // holds no connection of its own
		d.system.pool.Close()
	}
	if d.direct != nil {
		d.direct.Close()
	}
}

// SystemPool is the pool of what concerns all accounts, which the background queue shares.
func (d *DB) SystemPool() *pgxpool.Pool {
	if d.system == nil {
		return d.pool
	}
	return d.system.pool
}

// ListenPool is the pool of connections that may listen, because no pooler takes them away.
func (d *DB) ListenPool() *pgxpool.Pool {
	if d.direct == nil {
		return d.pool
	}
	return d.direct
}

// of is where transactions of an account run, or those of none.
func (d *DB) of(account vcd.ID) *bun.DB {
	if account == "" && d.system != nil {
		return d.system.bun
	}
	return d.bun
}
