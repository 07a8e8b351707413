package review

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

// ImageByToken finds a picture by its own token, which only the account knows. It runs one statement, like AccountByToken. A picture
// is CodeNotFound once its group or URL is deleted or its account cancelled.
func (d *Store) ImageByToken(ctx context.Context, token string) (*vcd.Image, error) {
	return d.imageBy(ctx, token, "SELECT * FROM image_by_token(?)", query.Plain(token))
}

// ImageByPublicLink finds a picture on the public page of a comparison by the comparison's public token.
func (d *Store) ImageByPublicLink(ctx context.Context, token string, part vcd.PublicPart) (*vcd.Image, error) {
	return d.imageBy(ctx, token, "SELECT * FROM image_by_comparison(?, ?)", query.Plain(token), part)
}

func (d *Store) imageBy(ctx context.Context, token, question string, arguments ...any) (*vcd.Image, error) {
	var found []query.ImageRow
	err := d.Ask(ctx, func(ctx context.Context, db bun.IDB) error {
		return db.NewRaw(question, arguments...).Scan(ctx, &found)
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("look up the image: %w", err)
	case len(found) == 0:
		return nil, vcd.NotFound("Image", vcd.ID(token))
	}
	return found[0].Image(), nil
}

// ImageByBatchLink implements review.Store.
func (d *Store) ImageByBatchLink(
	ctx context.Context, hash []byte, now time.Time, comparison vcd.ID, part vcd.PublicPart,
) (*vcd.Image, error) {
	return d.imageBy(ctx, string(comparison), "SELECT * FROM image_by_batch_link(?, ?, ?, ?)", hash, now, string(comparison), part)
}

// ReserveBlob implements jobs.FileRows. The age of an existing row is reset, which keeps the sweeper from removing it.
func (d *Store) ReserveBlob(ctx context.Context, hash string, size int) error {
	err := d.Ask(ctx, func(ctx context.Context, db bun.IDB) error {
		_, err := db.NewRaw(`INSERT INTO blobs (hash, size, reserved_at, unsettled_at) VALUES (?, ?, now(), now())
			ON CONFLICT (hash) DO UPDATE SET reserved_at = excluded.reserved_at, unsettled_at = excluded.unsettled_at`,
			hash, size).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("reserve the blob %s: %w", hash, err)
	}
	return nil
}

// SweepBlobs implements jobs.FileRows. It first locks a blob and only then looks for rows that name it: the lock
// prevents new references, so a blob that this second look finds unused stays unused. When remove fails, the rows of
// files removed before are deleted all the same. All removals together must not take longer than a transaction may be
// idle (one minute).
func (d *Store) SweepBlobs(
	ctx context.Context, before time.Time, limit int, remove func(context.Context, []string) ([]string, error),
) (int, error) {
	swept := 0
	var failure error
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		swept, failure = 0, nil
		var free bool // of backups, which rely on files whose rows others delete meanwhile
		if err := t.Bun.NewRaw("SELECT pg_try_advisory_xact_lock(?)", int64(pg.FileHold)).Scan(ctx, &free); err != nil || !free {
			return err
		}
		unused, err := t.lockUnusedBlobs(ctx, before, limit)
		if err != nil || len(unused) == 0 {
			return err
		}
		var removed []string
		removed, failure = remove(ctx, unused)
		if swept = len(removed); swept == 0 {
			return nil
		}
		_, err = t.Bun.NewRaw("DELETE FROM blobs WHERE hash = ANY(?)", query.Array(removed)).Exec(ctx)
		return err
	})
	if err == nil && failure != nil {
		err = fmt.Errorf("remove a file: %w", failure)
	}
	if err != nil {
		return swept, fmt.Errorf("sweep blobs: %w", err)
	}
	return swept, nil
}

// SettleBlobs implements jobs.FileRows. A row that is removed meanwhile waits for the lock of its blob, and unsettles it again.
func (d *Store) SettleBlobs(ctx context.Context, before time.Time, limit int) (settled int, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`WITH old AS (
				SELECT hash FROM blobs WHERE unsettled_at < ? ORDER BY unsettled_at LIMIT ? FOR NO KEY UPDATE SKIP LOCKED
			), settled AS (
				UPDATE blobs AS b SET unsettled_at = NULL FROM old WHERE b.hash = old.hash AND NOT (`+query.Unnamed+`) RETURNING b.hash)
			SELECT count(*) FROM settled`, before, limit).Scan(ctx, &settled)
	})
	if err != nil {
		return 0, fmt.Errorf("mark blobs as in use: %w", err)
	}
	return settled, nil
}

func (t *Tx) lockUnusedBlobs(ctx context.Context, before time.Time, limit int) ([]string, error) {
	var locked, unused []string
	err := t.Bun.NewRaw(`SELECT b.hash FROM blobs AS b
		WHERE b.unsettled_at < ?0 AND b.reserved_at < ?0 AND `+query.Unnamed+`
		ORDER BY b.unsettled_at LIMIT ?1 FOR UPDATE SKIP LOCKED`, before, limit).Scan(ctx, &locked)
	if err != nil || len(locked) == 0 {
		return nil, err
	}
	err = t.Bun.NewRaw(`SELECT b.hash FROM blobs AS b
		WHERE b.hash = ANY(?) AND `+query.Unnamed, query.Array(locked)).Scan(ctx, &unused)
	return unused, err
}
