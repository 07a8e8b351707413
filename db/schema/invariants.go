package schema

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"afterimage/db/pg"
	"afterimage/db/query"
)

// Invariants is a query that returns a row (name, times, example) for each rule that the data violates. It must run as the
// system, see [DB.CheckInvariants].
//
//go:embed invariants.sql
var Invariants string

// Violation is a rule that the data violates.
type Violation struct {
	Name    string `bun:"name"`
	Times   int    `bun:"times"`
	Example string `bun:"example"`
}

func (v Violation) String() string {
	return fmt.Sprintf("%s (%d times, for example %s)", v.Name, v.Times, v.Example)
}

// CheckInvariants looks for violated rules across all accounts. It reads everything; it is meant for tests and
// diagnosis.
func (d *Store) CheckInvariants(ctx context.Context) ([]Violation, error) {
	var found []Violation
	err := d.AsSystem(ctx, func(ctx context.Context, t *pg.Tx) error {
		return t.Bun.NewRaw(Invariants).Scan(ctx, &found)
	})
	if err != nil {
		return nil, fmt.Errorf("check the invariants: %w", err)
	}
	return found, nil
}

// Blob describes a stored file.
type Blob struct {
	Size int64 // bytes
	Used bool  // an image or a screenshot references it, so the file must exist
}

// Blobs lists all files that may exist, by hash. Like CheckInvariants it reads everything.
func (d *Store) Blobs(ctx context.Context) (map[string]Blob, error) {
	var rows []struct {
		Hash string `bun:"hash"`
		Size int64  `bun:"size"`
		Used bool   `bun:"used"`
	}
	err := d.AsSystem(ctx, func(ctx context.Context, t *pg.Tx) error {
		const question = "SELECT b.hash, b.size, NOT (" + query.Unnamed + ") AS used FROM blobs AS b"
		return t.Bun.NewRaw(question).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("list the blobs: %w", err)
	}
	blobs := make(map[string]Blob, len(rows))
	for _, row := range rows {
		blobs[row.Hash] = Blob{Size: row.Size, Used: row.Used}
	}
	return blobs, nil
}

// SizedBlob is a stored file and its size in bytes.
type SizedBlob struct {
	Hash string `bun:"hash"`
	Size int64  `bun:"size"`
}

// BlobsAfter lists files that may exist and were reserved since a time, by hash, from the one after a hash on.
func (d *Store) BlobsAfter(ctx context.Context, hash string, since time.Time, limit int) (found []SizedBlob, err error) {
	err = d.AsSystem(ctx, func(ctx context.Context, t *pg.Tx) error {
		return t.Bun.NewRaw("SELECT hash, size FROM blobs WHERE hash > ? AND reserved_at >= ? ORDER BY hash LIMIT ?", hash, since, limit).
			Scan(ctx, &found)
	})
	if err != nil {
		return nil, fmt.Errorf("list the blobs: %w", err)
	}
	return found, nil
}

// UsedBlobs returns those of the hashes that an image or a screenshot references.
func (d *Store) UsedBlobs(ctx context.Context, hashes []string) ([]string, error) {
	return d.selectBlobs(ctx, "SELECT b.hash FROM blobs AS b WHERE b.hash = ANY(?) AND NOT ("+query.Unnamed+")", hashes)
}

// KnownBlobs returns those of the hashes that have a row.
func (d *Store) KnownBlobs(ctx context.Context, hashes []string) ([]string, error) {
	return d.selectBlobs(ctx, "SELECT hash FROM blobs WHERE hash = ANY(?)", hashes)
}

func (d *Store) selectBlobs(ctx context.Context, question string, hashes []string) (found []string, err error) {
	err = d.AsSystem(ctx, func(ctx context.Context, t *pg.Tx) error {
		return t.Bun.NewRaw(question, query.Array(hashes)).Scan(ctx, &found)
	})
	if err != nil {
		return nil, fmt.Errorf("look up blobs: %w", err)
	}
	return found, nil
}
