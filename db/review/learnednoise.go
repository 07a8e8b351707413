package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/internal/noise"
	"afterimage/vcd"
)

type learnedNoiseRow struct {
	bun.BaseModel `bun:"table:learned_noise,alias:ln"`

	Account   vcd.ID     `bun:"account_id,pk"`
	URLID     vcd.ID     `bun:"url_id,pk"`
	Device    vcd.Device `bun:"device,pk"`
	Version   int64      `bun:"version"`
	Visits    int        `bun:"visits"`
	Knowledge []byte     `bun:"knowledge"`
	UpdatedAt time.Time  `bun:"updated_at"`
}

// LearnedNoise implements review.RuleTx.
func (t *Tx) LearnedNoise(ctx context.Context, url vcd.ID, device vcd.Device) (*vcd.LearnedNoise, error) {
	row := &learnedNoiseRow{URLID: url, Device: device}
	err := t.Bun.NewSelect().Model(row).Where("ln.account_id = ? AND ln.url_id = ? AND ln.device = ?", t.Tenant, url, device).Scan(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read what is known of URL %s: %w", url, err)
	}
	knowledge, err := noise.Decode(row.Knowledge)
	if err != nil {
		return nil, fmt.Errorf("URL %s: %w", url, err)
	}
	if err := t.applyReviews(ctx, knowledge); err != nil {
		return nil, fmt.Errorf("read the reviews of what is known of URL %s: %w", url, err)
	}
	return &vcd.LearnedNoise{URLID: url, Device: device, Version: row.Version, Knowledge: knowledge, UpdatedAt: row.UpdatedAt.UTC()}, nil
}

// applyReviews tells the knowledge which of the comparisons that it was learned from have been reviewed. It names them by their
// queue entries.
func (t *Tx) applyReviews(ctx context.Context, k *noise.Knowledge) error {
	entries := k.Comparisons()
	if len(entries) == 0 {
		return nil
	}
	var rows []struct {
		QueueID string
		Status  vcd.ComparisonStatus
	}
	// A comparison that is OK without ever having alarmed was not reviewed.
	err := t.Bun.NewRaw(`SELECT queue_id, status FROM comparisons
		WHERE account_id = ? AND queue_id = ANY(?::uuid[]) AND status <> 'new' AND (alarmed OR status <> 'ok')`,
		t.Tenant, query.Array(entries)).Scan(ctx, &rows)
	if err != nil {
		return err
	}
	var rejected, confirmed []string
	for _, r := range rows {
		if r.Status == vcd.ComparisonFalsePositive {
			confirmed = append(confirmed, r.QueueID)
		} else {
			rejected = append(rejected, r.QueueID)
		}
	}
	k.Review(rejected, confirmed)
	return nil
}

// KeepLearnedNoise implements review.RuleTx.
func (t *Tx) KeepLearnedNoise(ctx context.Context, n *vcd.LearnedNoise) (kept bool, err error) {
	file, err := n.Knowledge.Encode()
	if err != nil {
		return false, fmt.Errorf("URL %s: %w", n.URLID, err)
	}
	// The lock on the URL keeps it from being deleted meanwhile.
	result, err := t.Bun.NewRaw(`INSERT INTO learned_noise AS ln (account_id, url_id, device, version, visits, knowledge, updated_at)
		SELECT account_id, id, ?2, ?3 + 1, ?4, ?5::bytea, ?6::timestamptz FROM (
			SELECT account_id, id FROM urls WHERE account_id = ?0 AND id = ?1 AND deleted_at IS NULL FOR SHARE) AS u
		WHERE ?3 = 0 OR EXISTS (SELECT FROM learned_noise WHERE account_id = ?0 AND url_id = ?1 AND device = ?2)
		ON CONFLICT (account_id, url_id, device) DO UPDATE
			SET version = excluded.version, visits = excluded.visits, knowledge = excluded.knowledge, updated_at = excluded.updated_at
			WHERE ln.version = ?3`,
		t.Tenant, n.URLID, n.Device, n.Version, len(n.Knowledge.Visits), file, n.UpdatedAt).Exec(ctx)
	if err != nil {
		return false, fmt.Errorf("store what is known of URL %s: %w", n.URLID, err)
	}
	rows, err := result.RowsAffected()
	return rows > 0, err
}

// ForgetLearnedNoise implements review.RuleTx.
func (t *Tx) ForgetLearnedNoise(ctx context.Context, url vcd.ID, device vcd.Device) error {
	_, err := t.Bun.NewDelete().Model((*learnedNoiseRow)(nil)).
		Where("account_id = ? AND url_id = ? AND device = ?", t.Tenant, url, device).Exec(ctx)
	if err != nil {
		return fmt.Errorf("forget what is known of URL %s: %w", url, err)
	}
	return nil
}

// RemoveLearnedNoise implements run.Store.
func (d *Store) RemoveLearnedNoise(ctx context.Context, before time.Time, limit int) (int, error) {
	key := []string{"account_id", "url_id", "device"}
	return d.RemoveKept(ctx, pg.Kept{Table: "learned_noise", Key: key, Since: "updated_at"}, before, limit)
}
