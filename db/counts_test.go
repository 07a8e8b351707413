package db_test

import (
	"cmp"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db/seed"
)

// TestManyRowsAreCountedByWhoCountedFew: a connection keeps the plans that triggers made for their first rows. Whatever those are, a
// statement that changes many rows must not compare each with each other.
func TestManyRowsAreCountedByWhoCountedFew(t *testing.T) {
	w := newWorld(t)
	must(t, seed.Fill(t.Context(), w.DB.Pool(), w.Account.ID, seed.Size{Groups: 1, URLs: 5000, Batches: 3}, false))
	w.AsSystem(`INSERT INTO blobs (hash, size, reserved_at)
		SELECT encode(sha256(n::text::bytea), 'hex'), 1, now() FROM generate_series(1, 10008) AS n`)
	w.AsSystem(`INSERT INTO images (account_id, id, token, hash, media_type, width, height, size, created_at)
		SELECT $1, gen_random_uuid(), hash, hash, 'image/png', 1, 1, 1, now() FROM blobs WHERE size = 1`, w.Account.ID)
	w.AsSystem("UPDATE blobs SET unsettled_at = NULL")
	for name, sql := range map[string]struct {
		few, many string
		rows      int64
	}{
		"entries": {
			"UPDATE queue_entries SET status = 'failed' WHERE id = (SELECT id FROM queue_entries WHERE status = 'done' LIMIT 1)",
			"UPDATE queue_entries SET status = 'open' WHERE batch_id IN (SELECT batch_id FROM comparisons)", 20_000,
		},
		"comparisons": {
			"UPDATE comparisons SET status = 'new' WHERE id = (SELECT id FROM comparisons WHERE status = 'ok' LIMIT 1)",
			"UPDATE comparisons SET status = 'to_fix'", 10_000,
		},
		"files": {
			"DELETE FROM images WHERE id = (SELECT id FROM images WHERE size = 1 LIMIT 1)",
			"DELETE FROM images WHERE size = 1", 10_000,
		},
	} {
		t.Run(name, func(t *testing.T) { must(t, w.fewThenMany(sql.few, sql.many, sql.rows)) })
	}
	w.soundCounts()
}

// fewThenMany changes single rows by one connection, often enough for PostgreSQL to settle for its plans, and then many by one statement.
// Twenty seconds are many times what that takes, and a small part of what comparing each row with each other takes. A busy machine gets
// ten times as long as a connection without plans.
func (w *world) fewThenMany(few, many string, rows int64) error {
	limit := max(20*time.Second, 10*w.timeOf(many))
	held, err := w.DB.SystemPool().Acquire(w.T.Context())
	must(w.T, err)
	conn := held.Hijack()
	defer func() { _ = conn.Close(w.T.Context()) }()
	change := func(sql string, rows int64) error {
		return pgx.BeginFunc(w.T.Context(), conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(w.T.Context(), `SELECT set_config('afterimage.system', 'on', true),
				set_config('join_collapse_limit', '1', true), set_config('statement_timeout', $1, true)`, fmt.Sprint(limit.Milliseconds()))
			if err != nil {
				return err
			}
			tag, err := tx.Exec(w.T.Context(), sql)
			if err == nil && tag.RowsAffected() != rows {
				err = fmt.Errorf("%d rows were changed by %s", tag.RowsAffected(), sql)
			}
			return err
		})
	}
	for range 8 {
		if err := change(few, 1); err != nil {
			return err
		}
	}
	return change(many, rows)
}

// timeOf is how long a statement takes that is undone again.
func (w *world) timeOf(sql string) time.Duration {
	w.T.Helper()
	undo := errors.New("undo")
	began := time.Now()
	err := pgx.BeginFunc(w.T.Context(), w.DB.SystemPool(), func(tx pgx.Tx) error {
		_, err := tx.Exec(w.T.Context(), "SELECT set_config('afterimage.system', 'on', true)")
		if err == nil {
			_, err = tx.Exec(w.T.Context(), sql)
		}
		return cmp.Or(err, undo)
	})
	if !errors.Is(err, undo) {
		w.T.Fatal(err)
	}
	return time.Since(began)
}

// TestWhatIsNotCountedLocksNoBatch: most changes of an entry, such as those of its attempts, do not wait for others of its batch.
func TestWhatIsNotCountedLocksNoBatch(t *testing.T) {
	w := newWorld(t)
	must(t, seed.Fill(t.Context(), w.DB.Pool(), w.Account.ID, seed.Size{Groups: 1, URLs: 1, Batches: 2}, false))
	must(t, w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SELECT FROM batches FOR NO KEY UPDATE"); err != nil {
			return err
		}
		w.AsSystem("SELECT set_config('lock_timeout', '20s', true); UPDATE queue_entries SET attempts = attempts + 1; " +
			"UPDATE comparisons SET updated_at = updated_at + interval '1 second'")
		return nil
	}))
}
