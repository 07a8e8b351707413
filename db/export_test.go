package db

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// MigrateFrom is Migrate with other files.
func MigrateFrom(ctx context.Context, url string, files fs.FS) error {
	return migrateFrom(ctx, url, slog.New(slog.DiscardHandler), files)
}

// Proof is what binds a transaction of d to an account.
func Proof(d *DB, account vcd.ID) string { return d.seal.prove(account) }

// Statements records what a DB asks the database, leaving out the beginning and end of transactions.
type Statements struct {
	mu    sync.Mutex
	texts []string
}

// RecordStatements makes d record its statements from here on.
func RecordStatements(d *DB) *Statements {
	s := &Statements{}
	d.bun = d.bun.WithQueryHook(s)
	return s
}

// BeforeQuery is bun.QueryHook's.
func (s *Statements) BeforeQuery(ctx context.Context, e *bun.QueryEvent) context.Context {
	if verb, _, _ := strings.Cut(e.Query, " "); verb != "BEGIN" && verb != "COMMIT" && verb != "ROLLBACK" {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.texts = append(s.texts, e.Query)
	}
	return ctx
}

// AfterQuery is bun.QueryHook's.
func (s *Statements) AfterQuery(context.Context, *bun.QueryEvent) {}

// Take returns what was recorded since the last call.
func (s *Statements) Take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := s.texts
	s.texts = nil
	return texts
}

// FreezeHandingOut does what handing out begins with, and then nothing, as a machine that has lost its network, until the database
// ends the transaction or ctx ends. It calls frozen in between.
func FreezeHandingOut(ctx context.Context, d *DB, frozen func()) error {
	return d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		if _, err := t.bun.NewRaw("SELECT pg_advisory_xact_lock(?)", handOutLock).Exec(ctx); err != nil {
			return err
		}
		frozen()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(7 * time.Second):
		}
		_, err := t.bun.NewRaw("SELECT 1").Exec(ctx)
		return err
	})
}

// HandOutTurns hands out captures of regions to so many free places and ahead of so many others. It returns whose, in this order.
func HandOutTurns(ctx context.Context, d *DB, now time.Time, queues []string, free, ahead, payerLimit, hostLimit int) ([]vcd.ID, error) {
	var entries []vcd.ID
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		entries = nil
		_, err := t.handOut(ctx, now, hand{kind: vcd.TurnCapture, queues: queues, free: free, ahead: ahead, payerLimit: payerLimit,
			hostLimit: hostLimit})
		for _, job := range t.outbox.captures {
			entries = append(entries, job.Entry)
		}
		t.outbox = outbox{}
		return err
	})
	return entries, err
}

// HandOutEffort counts the searches of indexes and the rows of turns that were read or written to hand so many captures out.
func HandOutEffort(ctx context.Context, d *DB, now time.Time, free int) (effort int, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		before, err := t.effort(ctx)
		if err != nil {
			return err
		}
		h := hand{kind: vcd.TurnCapture, queues: []string{"eu", "auto"}, free: free, hostLimit: 4}
		n, err := t.handOut(ctx, now, h)
		if err != nil || n != free {
			return fmt.Errorf("%d turns were handed out: %w", n, err)
		}
		t.outbox = outbox{}
		after, err := t.effort(ctx)
		effort = after - before
		return err
	})
	return effort, err
}

// effort also counts what this connection did before, of which the database has not been told yet.
func (t *tx) effort(ctx context.Context) (n int, err error) {
	err = t.bun.NewRaw(`SELECT coalesce(sum(idx_scan + idx_tup_fetch + seq_scan + seq_tup_read + n_tup_ins + n_tup_upd), 0)
		FROM pg_stat_xact_user_tables WHERE relname = 'turns'`).Scan(ctx, &n)
	return n, err
}
