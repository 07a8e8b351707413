package review

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
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

// HasChange implements review.Tx.
func (t *Tx) HasChange(ctx context.Context, batch vcd.ID, fingerprint string) (bool, error) {
	has, err := t.Bun.NewSelect().Table("batch_changes").
		Where("account_id = ? AND batch_id = ? AND fingerprint = ?", t.Tenant, batch, query.Plain(fingerprint)).Exists(ctx)
	if err != nil {
		return false, fmt.Errorf("look for a change of batch %s: %w", batch, err)
	}
	return has, nil
}

// InsertChangeVerdict implements review.Tx.
func (t *Tx) InsertChangeVerdict(ctx context.Context, v *vcd.ChangeVerdict) error {
	row := &changeVerdictRow{Account: t.Tenant, Review: v.Review, Batch: v.Batch, Fingerprint: query.Plain(v.Fingerprint), Status: v.Status}
	if _, err := t.Bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the verdict on a change of batch %s: %w", v.Batch, err)
	}
	return nil
}

// ChangeVerdicts implements review.Tx.
func (t *Tx) ChangeVerdicts(ctx context.Context, batches []vcd.ID) (map[vcd.ID]map[string]*vcd.ChangeVerdict, error) {
	var rows []struct {
		changeVerdictRow `bun:",extend"`
		By               reviewRow `bun:"embed:by_"`
	}
	err := t.Bun.NewRaw(`SELECT DISTINCT ON (d.batch_id, d.fingerprint) d.*, v.id AS by_id, v.reviewer_kind AS by_reviewer_kind,
			v.reviewer_id AS by_reviewer_id, v.reviewer_name AS by_reviewer_name, v.created_at AS by_created_at
		FROM change_verdicts AS d `+query.LookUp("reviews", "v", "o.account_id = d.account_id AND o.id = d.review_id")+`
		WHERE d.account_id = ? AND d.batch_id = ANY(?) AND d.undone_by IS NULL
		ORDER BY d.batch_id, d.fingerprint, d.review_id DESC`, t.Tenant, query.Array(batches)).Scan(ctx, &rows)
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
			Account: t.Tenant, Batch: r.Batch, Fingerprint: r.Fingerprint, Status: r.Status, Review: r.Review,
			Reviewer: review.Reviewer, CreatedAt: review.CreatedAt,
		}
	}
	return found, nil
}

// UndoChangeVerdict implements review.Tx.
func (t *Tx) UndoChangeVerdict(ctx context.Context, undone, by vcd.ID) error {
	_, err := t.Bun.NewRaw(`WITH again AS (INSERT INTO change_verdicts (account_id, review_id, batch_id, fingerprint, status)
			SELECT account_id, ?2, batch_id, fingerprint, status FROM change_verdicts WHERE account_id = ?0 AND undone_by = ?1)
		UPDATE change_verdicts SET undone_by = ?2 WHERE account_id = ?0 AND review_id = ?1 AND undone_by IS NULL`,
		t.Tenant, undone, by).Exec(ctx)
	if err != nil {
		return fmt.Errorf("undo the verdict on a change by review %s: %w", undone, err)
	}
	return nil
}
