package db

import (
	"context"
	_ "embed"
	"fmt"
)

// Invariants is a query whose rows (name, times, example) are the rules that the data breaks; none when all is well. It
// must run as the system, see [DB.CheckInvariants].
//
//go:embed invariants.sql
var Invariants string

// Violation is a rule that the data breaks.
type Violation struct {
	Name    string `bun:"name"`
	Times   int    `bun:"times"`
	Example string `bun:"example"`
}

func (v Violation) String() string {
	return fmt.Sprintf("%s (%d times, for example %s)", v.Name, v.Times, v.Example)
}

// CheckInvariants looks for broken rules over all accounts. It reads everything: it is meant for tests and for doctors.
func (d *DB) CheckInvariants(ctx context.Context) ([]Violation, error) {
	var found []Violation
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		return t.bun.NewRaw(Invariants).Scan(ctx, &found)
	})
	if err != nil {
		return nil, fmt.Errorf("check the invariants: %w", err)
	}
	return found, nil
}

// Blobs lists the hashes of all files that there may be, and for each whether there must be one because an image names
// it. Like CheckInvariants it reads everything.
func (d *DB) Blobs(ctx context.Context) (map[string]bool, error) {
	var rows []struct {
		Hash string `bun:"hash"`
		Used bool   `bun:"used"`
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		const question = "SELECT b.hash, NOT (" + unnamed + ") AS used FROM blobs AS b"
		return t.bun.NewRaw(question).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("list the blobs: %w", err)
	}
	blobs := make(map[string]bool, len(rows))
	for _, row := range rows {
		blobs[row.Hash] = row.Used
	}
	return blobs, nil
}
