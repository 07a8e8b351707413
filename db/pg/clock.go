package pg

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// clockTolerance is how far the clock of a machine may be from that of the database before it is corrected. Machines that keep
	// their clocks by NTP are within it, so that their time does not jump.
	clockTolerance = 50 * time.Millisecond
	// clockAlarm is the difference from which the operator is told.
	clockAlarm = 5 * time.Second
	// clockPeriod is how often the clocks are compared.
	clockPeriod = 30 * time.Second
)

// Clock is the clock of the database, which all processes of an installation use: that of this machine, corrected by the
// difference to the database's. The zero value is the machine's. It implements vcd.Clock and is safe for concurrent use.
type Clock struct{ ahead atomic.Int64 }

// Now returns the current time in UTC, at the resolution of Postgres.
func (c *Clock) Now() time.Time { return time.Now().Add(-c.Ahead()).UTC().Truncate(time.Microsecond) }

// Ahead returns by how much the machine's clock is ahead of this one.
func (c *Clock) Ahead() time.Duration { return time.Duration(c.ahead.Load()) }

// compare asks the database for its time. The answer is from a moment between question and answer, so it is known to half of the
// time in between: a difference that this may explain is none.
func (c *Clock) compare(ctx context.Context, pool *pgxpool.Pool, logger *slog.Logger) error {
	var there time.Time
	asked := time.Now()
	if err := pool.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&there); err != nil {
		return fmt.Errorf("ask the database for the time: %w", err)
	}
	uncertain := time.Since(asked) / 2
	ahead, changed := corrected(c.Ahead(), asked.Add(uncertain).Sub(there), uncertain)
	if !changed {
		return nil
	}
	c.ahead.Store(int64(ahead))
	if ahead.Abs() >= clockAlarm {
		logger.WarnContext(ctx, "the clock of this machine is wrong, using the database's: synchronize it, for example with "+
			"timedatectl set-ntp true", "ahead", ahead.Round(time.Millisecond))
	}
	return nil
}

// corrected returns by how much a clock is ahead after a measurement, and whether that is news.
func corrected(before, measured, uncertain time.Duration) (ahead time.Duration, changed bool) {
	if (measured - before).Abs() <= clockTolerance+uncertain {
		return before, false
	}
	return measured, true
}

// follow compares from time to time until ctx ends. The database may be away meanwhile.
func (c *Clock) follow(ctx context.Context, pool *pgxpool.Pool, logger *slog.Logger) {
	ticker := time.NewTicker(clockPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := c.compare(ctx, pool, logger); err != nil && ctx.Err() == nil {
			logger.DebugContext(ctx, "the clocks were not compared", "cause", err)
		}
	}
}
