package db

import (
	"context"
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
