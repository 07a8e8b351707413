package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"afterimage/internal/blob"
	"afterimage/jobs"
)

// As many files become unused in a minute as many captures store: one round of the sweep removes more than one transaction does.
func TestARoundRemovesAllUnusedFiles(t *testing.T) {
	const unused = 1200
	var config jobs.Config
	newWorldWith(t, nil, func(c *jobs.Config) {
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
	left := unused
	for end := time.Now().Add(30 * time.Second); left > 0 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err := config.Pool.QueryRow(t.Context(), "SELECT count(*) FROM blobs").Scan(&left); err != nil {
			t.Fatal(err)
		}
	}
	if left > 0 {
		t.Errorf("%d of %d files are left after the first round", left, unused)
	}
	for _, n := range []int{0, unused - 1} {
		if _, err := config.Files.Get(t.Context(), blob.Hash(fmt.Appendf(nil, "picture %d", n))); err == nil {
			t.Errorf("file %d is still there", n)
		}
	}
}
