package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

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
		ID: r.ID, Account: r.Account, Comparison: r.Comparison, Text: r.Text, CreatedAt: r.CreatedAt.UTC(), EditedAt: utc(r.EditedAt),
		Author: vcd.Person{Kind: r.Kind, ID: r.Author, Name: r.Name},
	}
}

// InsertComment implements vcd.CommentStore.
func (t *tx) InsertComment(ctx context.Context, c *vcd.Comment) error {
	row := &commentRow{
		Account: t.account, ID: c.ID, Comparison: c.Comparison, Kind: c.Author.Kind, Author: c.Author.ID, Name: plain(c.Author.Name),
		Text: c.Text, CreatedAt: c.CreatedAt, EditedAt: c.EditedAt,
	}
	if _, err := t.bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the comment: %w", err)
	}
	return nil
}

// LockComment implements vcd.CommentStore.
func (t *tx) LockComment(ctx context.Context, id vcd.ID) (*vcd.Comment, error) {
	row := &commentRow{}
	q := t.bun.NewSelect().Model(row).Where("m.account_id = ? AND m.id = ?", t.account, id)
	if err := forChange(q).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock the comment: %w", notFound(err, "Comment", id))
	}
	return row.comment(), nil
}

// UpdateComment implements vcd.CommentStore.
func (t *tx) UpdateComment(ctx context.Context, c *vcd.Comment) error {
	return t.updateOne(ctx, t.bun.NewUpdate().Table("comparison_comments").Set("text = ?, edited_at = ?", c.Text, c.EditedAt).
		Where("account_id = ? AND id = ?", t.account, c.ID), "Comment", c.ID)
}

// DeleteComment implements vcd.CommentStore.
func (t *tx) DeleteComment(ctx context.Context, id vcd.ID) error {
	_, err := t.bun.NewDelete().Table("comparison_comments").Where("account_id = ? AND id = ?", t.account, id).Exec(ctx)
	if err != nil {
		return fmt.Errorf("delete the comment: %w", err)
	}
	return nil
}

// CountComments implements vcd.CommentStore.
func (t *tx) CountComments(ctx context.Context, comparison vcd.ID) (int, error) {
	n, err := t.bun.NewSelect().Table("comparison_comments").
		Where("account_id = ? AND comparison_id = ?", t.account, comparison).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count the comments of comparison %s: %w", comparison, err)
	}
	return int(n), nil
}

// CommentsOfComparisons implements vcd.CommentStore.
func (t *tx) CommentsOfComparisons(ctx context.Context, comparisons []vcd.ID) (map[vcd.ID][]*vcd.Comment, error) {
	var rows []*commentRow
	err := t.bun.NewSelect().Model(&rows).Where("m.account_id = ? AND m.comparison_id = ANY(?)", t.account, array(comparisons)).
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
