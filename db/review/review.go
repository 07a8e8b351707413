package review

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type reviewRow struct {
	bun.BaseModel `bun:"table:reviews,alias:v"`

	Account   vcd.ID        `bun:"account_id,pk"`
	ID        vcd.ID        `bun:"id,pk"`
	Undoes    *vcd.ID       `bun:"undoes_id"`
	Kind      vcd.ActorKind `bun:"reviewer_kind"`
	Reviewer  vcd.ID        `bun:"reviewer_id,nullzero"`
	Name      string        `bun:"reviewer_name"`
	CreatedAt time.Time     `bun:"created_at"`
}

func (r *reviewRow) review() vcd.Review {
	return vcd.Review{
		ID: r.ID, Account: r.Account, Undoes: r.Undoes, CreatedAt: r.CreatedAt.UTC(),
		Reviewer: vcd.Person{Kind: r.Kind, ID: r.Reviewer, Name: r.Name},
	}
}

type reviewItemRow struct {
	bun.BaseModel `bun:"table:review_items,alias:i"`

	Account    vcd.ID               `bun:"account_id,pk"`
	Review     vcd.ID               `bun:"review_id,pk"`
	Comparison vcd.ID               `bun:"comparison_id,pk"`
	Before     vcd.ComparisonStatus `bun:"before"`
	After      vcd.ComparisonStatus `bun:"after"`
}

// InsertReview implements review.Tx.
func (t *Tx) InsertReview(ctx context.Context, r *vcd.Review, items []vcd.ReviewItem) error {
	row := &reviewRow{
		Account: t.Tenant, ID: r.ID, Undoes: r.Undoes, Kind: r.Reviewer.Kind, Reviewer: r.Reviewer.ID,
		Name: query.Plain(r.Reviewer.Name), CreatedAt: r.CreatedAt,
	}
	if _, err := t.Bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the review: %w", err)
	}
	if len(items) == 0 { // of a change that is accepted, but on no page alone
		return nil
	}
	comparisons, before, after := make([]vcd.ID, len(items)), make([]vcd.ComparisonStatus, len(items)),
		make([]vcd.ComparisonStatus, len(items))
	for i, item := range items {
		comparisons[i], before[i], after[i] = item.Comparison, item.Before, item.After
	}
	// Of thousands, three arrays are read much faster than as many rows of values.
	if _, err := t.Bun.NewRaw(`INSERT INTO review_items (account_id, review_id, comparison_id, before, after)
		SELECT ?, ?, i.* FROM unnest(?::uuid[], ?::text[], ?::text[]) AS i`, t.Tenant, r.ID, query.Array(comparisons), query.Array(before),
		query.Array(after)).Exec(ctx); err != nil {
		return fmt.Errorf("insert what review %s changed: %w", r.ID, err)
	}
	err := t.InBulk(ctx, len(items), func() error {
		_, err := t.Bun.NewRaw(`UPDATE comparisons AS c SET status = i.after, review_id = i.review_id,
				reviewer_id = nullif(?, '')::uuid, updated_at = ?
			FROM review_items AS i WHERE i.account_id = ? AND i.review_id = ? AND c.account_id = i.account_id AND c.id = i.comparison_id`,
			r.Reviewer.ID, r.CreatedAt, t.Tenant, r.ID).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("set the states of %d comparisons: %w", len(items), err)
	}
	return nil
}

// LockUndoable implements review.Tx.
func (t *Tx) LockUndoable(ctx context.Context, review vcd.ID) (items []vcd.UndoableItem, changed int, err error) {
	var total int
	err = t.Bun.NewRaw(`SELECT count(i.comparison_id) FROM reviews AS v
		LEFT JOIN review_items AS i ON i.account_id = v.account_id AND i.review_id = v.id
		WHERE v.account_id = ? AND v.id = ? GROUP BY v.id`, t.Tenant, review).Scan(ctx, &total)
	if err != nil {
		return nil, 0, fmt.Errorf("read what review %s changed: %w", review, query.NotFound(err, "Review", review))
	}
	var rows []struct {
		reviewItemRow `bun:",extend"`
		Batch         vcd.ID `bun:"batch_id"`
	}
	err = t.InBulk(ctx, total, func() error {
		return t.Bun.NewRaw(`SELECT i.*, c.batch_id FROM review_items AS i
			JOIN comparisons AS c ON c.account_id = i.account_id AND c.id = i.comparison_id
			WHERE i.account_id = ? AND i.review_id = ? AND c.review_id = i.review_id AND c.status = i.after
			ORDER BY c.id FOR NO KEY UPDATE OF c`, t.Tenant, review).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("lock what review %s changed: %w", review, err)
	}
	for _, r := range rows {
		item := vcd.ReviewItem{Comparison: r.Comparison, Before: r.Before, After: r.After}
		items = append(items, vcd.UndoableItem{ReviewItem: item, Batch: r.Batch})
	}
	return items, total - len(items), nil
}

// Reviewer implements review.Tx.
func (t *Tx) Reviewer(ctx context.Context, review vcd.ID) (vcd.Person, error) {
	row := &reviewRow{}
	if err := t.Bun.NewSelect().Model(row).Where("v.account_id = ? AND v.id = ?", t.Tenant, review).Scan(ctx); err != nil {
		return vcd.Person{}, fmt.Errorf("read who made review %s: %w", review, query.NotFound(err, "Review", review))
	}
	return row.review().Reviewer, nil
}

// ReviewsOfComparisons implements review.Tx.
func (t *Tx) ReviewsOfComparisons(
	ctx context.Context, comparisons []vcd.ID, limit int,
) (map[vcd.ID][]*vcd.ReviewOfComparison, error) {
	var rows []struct {
		reviewRow  `bun:",extend"`
		Comparison vcd.ID               `bun:"comparison_id"`
		Before     vcd.ComparisonStatus `bun:"before"`
		After      vcd.ComparisonStatus `bun:"after"`
	}
	err := t.Bun.NewRaw(`SELECT v.*, i.comparison_id, i.before, i.after FROM unnest(?::uuid[]) AS c (id)
		CROSS JOIN LATERAL (SELECT * FROM review_items AS i WHERE i.account_id = ? AND i.comparison_id = c.id
			ORDER BY i.review_id DESC LIMIT ?) AS i
		`+query.LookUp("reviews", "v", "o.account_id = i.account_id AND o.id = i.review_id")+`
		ORDER BY v.id DESC`, query.Array(comparisons), t.Tenant, limit).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the reviews of %d comparisons: %w", len(comparisons), err)
	}
	out := make(map[vcd.ID][]*vcd.ReviewOfComparison, len(comparisons))
	for _, r := range rows {
		item := vcd.ReviewItem{Comparison: r.Comparison, Before: r.Before, After: r.After}
		out[r.Comparison] = append(out[r.Comparison], &vcd.ReviewOfComparison{Review: r.review(), ReviewItem: item})
	}
	return out, nil
}
