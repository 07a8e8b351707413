package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

type changeVerdictRow struct {
	bun.BaseModel `bun:"table:change_verdicts,alias:d"`

	Account     vcd.ID               `bun:"account_id,pk"`
	Review      vcd.ID               `bun:"review_id,pk"`
	Batch       vcd.ID               `bun:"batch_id"`
	Fingerprint string               `bun:"fingerprint"`
	Status      vcd.ComparisonStatus `bun:"status"`
}

// HasChange implements vcd.ChangeVerdictStore.
func (t *tx) HasChange(ctx context.Context, batch vcd.ID, fingerprint string) (bool, error) {
	has, err := t.bun.NewSelect().Table("batch_changes").
		Where("account_id = ? AND batch_id = ? AND fingerprint = ?", t.account, batch, plain(fingerprint)).Exists(ctx)
	if err != nil {
		return false, fmt.Errorf("look for a change of batch %s: %w", batch, err)
	}
	return has, nil
}

// InsertChangeVerdict implements vcd.ChangeVerdictStore.
func (t *tx) InsertChangeVerdict(ctx context.Context, v *vcd.ChangeVerdict) error {
	row := &changeVerdictRow{Account: t.account, Review: v.Review, Batch: v.Batch, Fingerprint: plain(v.Fingerprint), Status: v.Status}
	if _, err := t.bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the verdict on a change of batch %s: %w", v.Batch, err)
	}
	return nil
}

// ChangeVerdicts implements vcd.ChangeVerdictStore.
func (t *tx) ChangeVerdicts(ctx context.Context, batches []vcd.ID) (map[vcd.ID]map[string]*vcd.ChangeVerdict, error) {
	var rows []struct {
		changeVerdictRow `bun:",extend"`
		By               reviewRow `bun:"embed:by_"`
	}
	err := t.bun.NewRaw(`SELECT DISTINCT ON (d.batch_id, d.fingerprint) d.*, v.id AS by_id, v.reviewer_kind AS by_reviewer_kind,
			v.reviewer_id AS by_reviewer_id, v.reviewer_name AS by_reviewer_name, v.created_at AS by_created_at
		FROM change_verdicts AS d `+lookUp("reviews", "v", "o.account_id = d.account_id AND o.id = d.review_id")+`
		WHERE d.account_id = ? AND d.batch_id = ANY(?) AND d.undone_by IS NULL
		ORDER BY d.batch_id, d.fingerprint, d.review_id DESC`, t.account, array(batches)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the verdicts on changes of %d batches: %w", len(batches), err)
	}
	found := make(map[vcd.ID]map[string]*vcd.ChangeVerdict, len(batches))
	for _, r := range rows {
		if found[r.Batch] == nil {
			found[r.Batch] = map[string]*vcd.ChangeVerdict{}
		}
		review := r.By.review()
		found[r.Batch][r.Fingerprint] = &vcd.ChangeVerdict{
			Account: t.account, Batch: r.Batch, Fingerprint: r.Fingerprint, Status: r.Status, Review: r.Review,
			Reviewer: review.Reviewer, CreatedAt: review.CreatedAt,
		}
	}
	return found, nil
}

// LockJudgedChange implements vcd.ChangeVerdictStore. It looks again once it has the lock, which another review may have held.
func (t *tx) LockJudgedChange(ctx context.Context, review vcd.ID) (*vcd.Batch, error) {
	batch, err := t.batchOfJudgedChange(ctx, review)
	if batch == "" || err != nil {
		return nil, err
	}
	locked, err := t.LockBatch(ctx, batch)
	if err != nil {
		return nil, err
	}
	if batch, err = t.batchOfJudgedChange(ctx, review); batch == "" || err != nil {
		return nil, err
	}
	return locked, nil
}

func (t *tx) batchOfJudgedChange(ctx context.Context, review vcd.ID) (batch vcd.ID, err error) {
	err = t.bun.NewRaw(`SELECT batch_id FROM change_verdicts
		WHERE account_id = ?0 AND (review_id = ?1 AND undone_by IS NULL OR undone_by = ?1)`, t.account, review).Scan(ctx, &batch)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("look for the change that review %s judged: %w", review, err)
	}
	return batch, nil
}

// UndoChangeVerdict implements vcd.ChangeVerdictStore.
func (t *tx) UndoChangeVerdict(ctx context.Context, undone, by vcd.ID) error {
	_, err := t.bun.NewRaw(`WITH again AS (INSERT INTO change_verdicts (account_id, review_id, batch_id, fingerprint, status)
			SELECT account_id, ?2, batch_id, fingerprint, status FROM change_verdicts WHERE account_id = ?0 AND undone_by = ?1)
		UPDATE change_verdicts SET undone_by = ?2 WHERE account_id = ?0 AND review_id = ?1 AND undone_by IS NULL`,
		t.account, undone, by).Exec(ctx)
	if err != nil {
		return fmt.Errorf("undo the verdict on a change by review %s: %w", undone, err)
	}
	return nil
}
