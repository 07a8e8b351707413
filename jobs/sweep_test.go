package jobs_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"afterimage/internal/blob"
	"afterimage/jobs"
)

// toldSweeps tells of each sweep.
type toldSweeps struct {
	jobs.FileRows
	swept chan sweep
}

// sweep is how many files were removed, and when the round ends of which it is a part.
type sweep struct {
	removed int
	round   time.Time
}

// SweepBlobs implements jobs.FileRows.
func (s toldSweeps) SweepBlobs(
	ctx context.Context, since time.Time, limit int, remove func(ctx context.Context, hashes []string) (gone []string, err error),
) (swept int, err error) {
	swept, err = s.FileRows.SweepBlobs(ctx, since, limit, remove)
	round, _ := ctx.Deadline()
	s.swept <- sweep{removed: swept, round: round}
	return swept, err
}

// As many files become unused in a minute as many captures store: one round of the sweep removes more than one transaction does.
func TestARoundRemovesAllUnusedFiles(t *testing.T) {
	t.Parallel()
	const unused = 1200
	var config jobs.Config
	swept := make(chan sweep, 100)
	newWorldWith(t, nil, func(c *jobs.Config) {
		c.Images = toldSweeps{FileRows: c.Images, swept: swept}
		config = *c
		for n := range unused {
			file := fmt.Appendf(nil, "picture %d", n)
			if err := c.Files.Put(t.Context(), blob.Hash(file), file); err != nil {
				t.Fatal(err)
			}
			_, err := c.Pool.Exec(t.Context(), `INSERT INTO blobs (hash, size, reserved_at, unsettled_at)
				VALUES ($1, $2, now() - interval '2 hours', now() - interval '2 hours')`, blob.Hash(file), len(file))
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	first := <-swept
	for removed := first.removed; removed < unused; {
		next := <-swept
		if !next.round.Equal(first.round) {
			t.Fatalf("the first round removed %d of %d files", removed, unused)
		}
		removed += next.removed
	}
	if first.removed == unused {
		t.Error("one transaction removes them all: the test shows nothing")
	}
	var left int
	if err := config.Pool.QueryRow(t.Context(), "SELECT count(*) FROM blobs").Scan(&left); err != nil {
		t.Fatal(err)
	}
	if left > 0 {
		t.Errorf("%d of %d files are left in the database after the first round", left, unused)
	}
	for _, n := range []int{0, unused - 1} {
		if _, err := config.Files.Get(t.Context(), blob.Hash(fmt.Appendf(nil, "picture %d", n))); err == nil {
			t.Errorf("file %d is still there", n)
		}
	}
}
