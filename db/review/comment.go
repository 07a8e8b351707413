package review

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type commentRow struct {
	bun.BaseModel `bun:"table:comparison_comments,alias:m"`

	Account    vcd.ID        `bun:"account_id,pk"`
	ID         vcd.ID        `bun:"id,pk"`
	Comparison vcd.ID        `bun:"comparison_id"`
	Kind       vcd.ActorKind `bun:"author_kind"`
	Author     vcd.ID        `bun:"author_id,nullzero"`
	Name       string        `bun:"author_name"`
	Text       string        `bun:"text"`
	CreatedAt  time.Time     `bun:"created_at"`
	EditedAt   *time.Time    `bun:"edited_at"`
}

func (r *commentRow) comment() *vcd.Comment {
	return &vcd.Comment{
		ID: r.ID, Account: r.Account, Comparison: r.Comparison, Text: r.Text, CreatedAt: r.CreatedAt.UTC(), EditedAt: query.UTC(r.EditedAt),
		Author: vcd.Person{Kind: r.Kind, ID: r.Author, Name: r.Name},
	}
}

// InsertComment implements review.Tx.
func (t *Tx) InsertComment(ctx context.Context, c *vcd.Comment) error {
	row := &commentRow{
		Account: t.Tenant, ID: c.ID, Comparison: c.Comparison, Kind: c.Author.Kind, Author: c.Author.ID, Name: query.Plain(c.Author.Name),
		Text: c.Text, CreatedAt: c.CreatedAt, EditedAt: c.EditedAt,
	}
	if _, err := t.Bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the comment: %w", err)
	}
	return nil
}

// LockComment implements review.Tx.
func (t *Tx) LockComment(ctx context.Context, id vcd.ID) (*vcd.Comment, error) {
	row := &commentRow{}
	q := t.Bun.NewSelect().Model(row).Where("m.account_id = ? AND m.id = ?", t.Tenant, id)
	if err := query.ForChange(q).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock the comment: %w", query.NotFound(err, "Comment", id))
	}
	return row.comment(), nil
}

// UpdateComment implements review.Tx.
func (t *Tx) UpdateComment(ctx context.Context, c *vcd.Comment) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Table("comparison_comments").Set("text = ?, edited_at = ?", c.Text, c.EditedAt).
		Where("account_id = ? AND id = ?", t.Tenant, c.ID), "Comment", c.ID)
}

// DeleteComment implements review.Tx.
func (t *Tx) DeleteComment(ctx context.Context, id vcd.ID) error {
	_, err := t.Bun.NewDelete().Table("comparison_comments").Where("account_id = ? AND id = ?", t.Tenant, id).Exec(ctx)
	if err != nil {
		return fmt.Errorf("delete the comment: %w", err)
	}
	return nil
}

// CountComments implements review.Tx.
func (t *Tx) CountComments(ctx context.Context, comparison vcd.ID) (int, error) {
	n, err := t.Bun.NewSelect().Table("comparison_comments").
		Where("account_id = ? AND comparison_id = ?", t.Tenant, comparison).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count the comments of comparison %s: %w", comparison, err)
	}
	return int(n), nil
}

// CommentsOfComparisons implements review.Tx.
func (t *Tx) CommentsOfComparisons(ctx context.Context, comparisons []vcd.ID) (map[vcd.ID][]*vcd.Comment, error) {
	var rows []*commentRow
	err := t.Bun.NewSelect().Model(&rows).Where("m.account_id = ? AND m.comparison_id = ANY(?)", t.Tenant, query.Array(comparisons)).
		OrderExpr("m.id").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the comments of %d comparisons: %w", len(comparisons), err)
	}
	out := make(map[vcd.ID][]*vcd.Comment, len(comparisons))
	for _, r := range rows {
		out[r.Comparison] = append(out[r.Comparison], r.comment())
	}
	return out, nil
}
