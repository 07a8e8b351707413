package db

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

type imageRow struct {
	bun.BaseModel `bun:"table:images,alias:i"`

	Account   vcd.ID    `bun:"account_id,pk"`
	ID        vcd.ID    `bun:"id,pk"`
	Token     string    `bun:"token"`
	Hash      string    `bun:"hash"`
	Over      string    `bun:"over,nullzero"`
	MediaType string    `bun:"media_type"`
	Width     int       `bun:"width"`
	Height    int       `bun:"height"`
	Size      int       `bun:"size"`
	CreatedAt time.Time `bun:"created_at"`
}

// imageColumns selects the columns of a joined image under the names of an embedded struct: "i.token AS i_token".
func imageColumns(alias string) string {
	names := []string{"account_id", "id", "token", "hash", "over", "media_type", "width", "height", "size", "created_at"}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s.%s AS %[1]s_%[2]s", alias, name)
	}
	return strings.Join(names, ", ")
}

// image returns nil for a row that an outer join left empty.
func (r *imageRow) image() *vcd.Image {
	if r.ID == "" {
		return nil
	}
	return &vcd.Image{
		ID: r.ID, Account: r.Account, Token: r.Token, Hash: r.Hash, Over: r.Over, MediaType: r.MediaType, Width: r.Width,
		Height: r.Height, Size: r.Size, CreatedAt: r.CreatedAt.UTC(),
	}
}

func (t *tx) InsertImage(ctx context.Context, img *vcd.Image) error {
	row := &imageRow{
		Account: img.Account, ID: img.ID, Token: img.Token, Hash: img.Hash, Over: img.Over, MediaType: img.MediaType, Width: img.Width,
		Height: img.Height, Size: img.Size, CreatedAt: img.CreatedAt,
	}
	if _, err := t.bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the image: %w", err)
	}
	return nil
}

// ImageByToken implements vcd.ImageStore. It runs one statement, like AccountByToken.
func (d *DB) ImageByToken(ctx context.Context, token string) (*vcd.Image, error) {
	return d.imageBy(ctx, token, "SELECT * FROM image_by_token(?)", plain(token))
}

// ImageByPublicLink implements vcd.ImageStore.
func (d *DB) ImageByPublicLink(ctx context.Context, token string, part vcd.PublicPart) (*vcd.Image, error) {
	return d.imageBy(ctx, token, "SELECT * FROM image_by_comparison(?, ?)", plain(token), part)
}

func (d *DB) imageBy(ctx context.Context, token, question string, arguments ...any) (*vcd.Image, error) {
	var found []imageRow
	err := d.ask(ctx, func(ctx context.Context, db bun.IDB) error {
		return db.NewRaw(question, arguments...).Scan(ctx, &found)
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("look the image up: %w", err)
	case len(found) == 0:
		return nil, vcd.NotFound("Image", vcd.ID(token))
	}
	return found[0].image(), nil
}

// ImageByBatchLink implements vcd.ImageStore.
func (d *DB) ImageByBatchLink(
	ctx context.Context, hash []byte, now time.Time, comparison vcd.ID, part vcd.PublicPart,
) (*vcd.Image, error) {
	return d.imageBy(ctx, string(comparison), "SELECT * FROM image_by_batch_link(?, ?, ?, ?)", hash, now, string(comparison), part)
}

// ReserveBlob implements vcd.ImageStore. The age of an existing row is reset, which keeps the sweeper from removing it.
func (d *DB) ReserveBlob(ctx context.Context, hash string, size int) error {
	err := d.ask(ctx, func(ctx context.Context, db bun.IDB) error {
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

// SweepBlobs implements vcd.ImageStore. It first locks a blob and only then looks for rows that name it: the lock
// prevents new references, so a blob that this second look finds unused stays unused. When remove fails, the rows of
// files removed before are deleted all the same. All removals together must not take longer than a transaction may be
// idle (one minute).
func (d *DB) SweepBlobs(
	ctx context.Context, before time.Time, limit int, remove func(context.Context, []string) ([]string, error),
) (int, error) {
	swept := 0
	var failure error
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		swept, failure = 0, nil
		var free bool // of backups, which rely on files whose rows others delete meanwhile
		if err := t.bun.NewRaw("SELECT pg_try_advisory_xact_lock(?)", int64(fileHold)).Scan(ctx, &free); err != nil || !free {
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
		_, err = t.bun.NewRaw("DELETE FROM blobs WHERE hash = ANY(?)", array(removed)).Exec(ctx)
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

// SettleBlobs implements vcd.ImageStore. A row that is removed meanwhile waits for the lock of its blob, and unsettles it again.
func (d *DB) SettleBlobs(ctx context.Context, before time.Time, limit int) (settled int, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		return t.bun.NewRaw(`WITH old AS (
				SELECT hash FROM blobs WHERE unsettled_at < ? ORDER BY unsettled_at LIMIT ? FOR NO KEY UPDATE SKIP LOCKED
			), settled AS (
				UPDATE blobs AS b SET unsettled_at = NULL FROM old WHERE b.hash = old.hash AND NOT (`+unnamed+`) RETURNING b.hash)
			SELECT count(*) FROM settled`, before, limit).Scan(ctx, &settled)
	})
	if err != nil {
		return 0, fmt.Errorf("settle blobs: %w", err)
	}
	return settled, nil
}

// unnamed is the condition for a blob b that is referenced neither by an image, as its content or as the picture
// beneath it, nor by a screenshot as the content of its page.
const unnamed = `NOT EXISTS (SELECT FROM images AS i WHERE i.hash = b.hash)
		AND NOT EXISTS (SELECT FROM images AS i WHERE i.over = b.hash)
		AND NOT EXISTS (SELECT FROM screenshots AS s WHERE s.elements_hash = b.hash)`

func (t *tx) lockUnusedBlobs(ctx context.Context, before time.Time, limit int) ([]string, error) {
	var locked, unused []string
	err := t.bun.NewRaw(`SELECT b.hash FROM blobs AS b
		WHERE b.unsettled_at < ?0 AND b.reserved_at < ?0 AND `+unnamed+`
		ORDER BY b.unsettled_at LIMIT ?1 FOR UPDATE SKIP LOCKED`, before, limit).Scan(ctx, &locked)
	if err != nil || len(locked) == 0 {
		return nil, err
	}
	err = t.bun.NewRaw(`SELECT b.hash FROM blobs AS b
		WHERE b.hash = ANY(?) AND `+unnamed, array(locked)).Scan(ctx, &unused)
	return unused, err
}
