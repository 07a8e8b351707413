package vcdtest

import (
	"context"
	"strings"
	"sync"

	"github.com/uptrace/bun"

	"afterimage/db"
)

// Statements records what a DB asks the database, leaving out the beginning and end of transactions.
type Statements struct {
	mu    sync.Mutex
	texts []string
}

// RecordStatements makes d record its statements from here on.
func RecordStatements(d *db.DB) *Statements {
	s := &Statements{}
	d.Observe(s)
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
