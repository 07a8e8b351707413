package run

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type batchChangeRow struct {
	bun.BaseModel `bun:"table:batch_changes,alias:x"`

	Account     vcd.ID         `bun:"account_id,pk"`
	ID          vcd.ID         `bun:"id,pk"`
	BatchID     vcd.ID         `bun:"batch_id"`
	Fingerprint string         `bun:"fingerprint"`
	Kind        vcd.ChangeKind `bun:"kind"`
	Description string         `bun:"description"`
	Comparisons int            `bun:"comparisons"`
	Desktop     int            `bun:"desktop"`
	AllGood     int            `bun:"all_good"`
	NotSure     int            `bun:"not_sure"`
	Alerts      int            `bun:"alerts"`
	CreatedAt   time.Time      `bun:"created_at"`
}

func (r *batchChangeRow) change() *vcd.BatchChange {
	return &vcd.BatchChange{
		ID: r.ID, Account: r.Account, BatchID: r.BatchID, Fingerprint: r.Fingerprint, Kind: r.Kind, Description: r.Description,
		Comparisons: r.Comparisons, Desktop: r.Desktop, CreatedAt: r.CreatedAt.UTC(),
		Verdicts: vcd.VerdictCounts{AllGood: r.AllGood, NotSure: r.NotSure, Alerts: r.Alerts},
	}
}

var batchChanges = query.Source{
	Table: "batch_changes AS x", Alias: "x", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

type comparisonChangeRow struct {
	bun.BaseModel `bun:"table:comparison_changes"`

	Account     vcd.ID       `bun:"account_id,pk"`
	Comparison  vcd.ID       `bun:"comparison_id,pk"`
	Fingerprint string       `bun:"fingerprint,pk"`
	Category    vcd.Category `bun:"category"`
	Ruled       vcd.Category `bun:"ruled"`
	Element     string       `bun:"element"`
	Rule        *vcd.ID      `bun:"rule_id"`
	CreatedAt   time.Time    `bun:"created_at"`
}

// RecordChanges implements run.Tx. Deciding a comparison needs the lock of its batch anyway, to end the entry;
// that lock also gives exclusive access to the rows of the batch's changes.
func (t *Tx) RecordChanges(ctx context.Context, c *vcd.Comparison, shown []*vcd.ShownChange) error {
	if len(shown) == 0 {
		return nil
	}
	if _, err := t.LockBatch(ctx, c.BatchID); err != nil {
		return err
	}
	rows, changes := make([]comparisonChangeRow, len(shown)), make([]batchChangeRow, len(shown))
	for i, s := range shown {
		rows[i] = comparisonChangeRow{
			Account: c.Account, Comparison: c.ID, Fingerprint: s.Fingerprint, Category: s.Category, Ruled: s.Ruled,
			Element: query.Plain(s.Element), Rule: s.RuleID, CreatedAt: c.CreatedAt,
		}
		changes[i] = batchChangeRow{
			Account: c.Account, ID: s.ID, BatchID: c.BatchID, Fingerprint: s.Fingerprint, Kind: s.Kind,
			Description: query.Plain(s.Description),
			Comparisons: 1, CreatedAt: c.CreatedAt,
		}
		if c.Device == vcd.Desktop {
			changes[i].Desktop = 1
		}
		*map[vcd.Category]*int{
			vcd.CategoryAllGood: &changes[i].AllGood, vcd.CategoryNotSure: &changes[i].NotSure, vcd.CategoryAlert: &changes[i].Alerts,
		}[s.Category] = 1
	}
	if _, err := t.Bun.NewInsert().Model(&rows).Exec(ctx); err != nil {
		return fmt.Errorf("note the changes of comparison %s: %w", c.ID, err)
	}
	_, err := t.Bun.NewInsert().Model(&changes).On("CONFLICT (account_id, batch_id, fingerprint) DO UPDATE").
		Set("comparisons = x.comparisons + 1, desktop = x.desktop + excluded.desktop, all_good = x.all_good + excluded.all_good").
		Set("not_sure = x.not_sure + excluded.not_sure, alerts = x.alerts + excluded.alerts").Exec(ctx)
	if err != nil {
		return fmt.Errorf("count the changes of batch %s: %w", c.BatchID, err)
	}
	return nil
}

// ChangesOfBatches implements review.Tx.
func (t *Tx) ChangesOfBatches(
	ctx context.Context, wanted []vcd.ID, f vcd.ChangeFilter, p vcd.Page,
) (map[vcd.ID]*vcd.List[*vcd.BatchChange], error) {
	o, where := query.Order{Ascending: f.Ascending}, func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(q, "x.kind", f.Kinds)
		return query.Among(q, "CASE WHEN x.alerts > 0 THEN 'alert' WHEN x.not_sure > 0 THEN 'not_sure' ELSE 'all_good' END", f.Categories)
	}
	if f.Order == vcd.OrderComparisons {
		o.Lead = "x.comparisons"
	}
	lists, err := query.FetchPages(ctx, t.Scope, batchChanges, wanted, "batch_id", where, o, p,
		func(r *batchChangeRow) vcd.ID { return r.BatchID }, (*batchChangeRow).change)
	if err != nil || !p.Total {
		return lists, err
	}
	var counts []struct {
		Batch vcd.ID `bun:"batch_id"`
		Count int    `bun:"n"`
	}
	err = t.Base(batchChanges, where).ColumnExpr("x.batch_id, count(*) AS n").Where("x.batch_id = ANY(?)", query.Array(wanted)).
		GroupExpr("x.batch_id").Scan(ctx, &counts)
	if err != nil {
		return nil, fmt.Errorf("count the changes of batches: %w", err)
	}
	for _, c := range counts {
		lists[c.Batch].Total = c.Count
	}
	return lists, nil
}

// ChangeStandings implements review.Tx. It takes time in proportion to the comparisons that show the changes.
func (t *Tx) ChangeStandings(ctx context.Context, changes []vcd.ID) (map[vcd.ID]vcd.ChangeStanding, error) {
	var rows []struct {
		ID      vcd.ID `bun:"id"`
		Open    int    `bun:"open"`
		Example vcd.ID `bun:"example"`
	}
	err := t.Bun.NewRaw(`
		SELECT b.id, count(*) FILTER (WHERE c.status = 'new') AS open, (array_agg(c.id ORDER BY c.status <> 'new',
			array_position(ARRAY['alert', 'not_sure', 'all_good'], x.category), c.created_at, c.id))[1] AS example
		FROM batch_changes AS b
		JOIN comparisons AS c ON c.account_id = b.account_id AND c.batch_id = b.batch_id
		JOIN comparison_changes AS x ON x.account_id = c.account_id AND x.comparison_id = c.id AND x.fingerprint = b.fingerprint
		WHERE b.account_id = ? AND b.id = ANY(?)
		GROUP BY b.id`, t.Tenant, query.Array(changes)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the state of changes: %w", err)
	}
	standings := make(map[vcd.ID]vcd.ChangeStanding, len(rows))
	for _, r := range rows {
		standings[r.ID] = vcd.ChangeStanding{Open: r.Open, Example: r.Example}
	}
	return standings, nil
}

// OtherChanges implements review.Tx.
func (t *Tx) OtherChanges(ctx context.Context, wanted []vcd.ID, accepted []string) (map[vcd.ID]vcd.OtherChanges, error) {
	changes := make([]vcd.ID, len(accepted))
	for i, fingerprint := range accepted {
		changes[i] = vcd.ID(query.Plain(fingerprint))
	}
	var rows []struct {
		Comparison   vcd.ID   `bun:"comparison_id"`
		Count        int      `bun:"n"`
		Descriptions []string `bun:"descriptions,array"`
	}
	err := t.Bun.NewRaw(`
		SELECT x.comparison_id, count(*) AS n, (array_agg(b.description ORDER BY b.id))[1:?] AS descriptions
		FROM comparison_changes AS x
		`+query.LookUp("comparisons", "c", "o.account_id = x.account_id AND o.id = x.comparison_id")+`
		`+query.LookUp("batch_changes", "b", "o.account_id = x.account_id AND o.batch_id = c.batch_id AND o.fingerprint = x.fingerprint")+`
		WHERE x.account_id = ? AND x.comparison_id = ANY(?) AND x.category <> 'all_good' AND x.fingerprint <> ALL(?)
		GROUP BY x.comparison_id`, vcd.MaxOtherChanges, t.Tenant, query.Array(wanted), query.Array(changes)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("look for changes that were not accepted: %w", err)
	}
	others := make(map[vcd.ID]vcd.OtherChanges, len(rows))
	for _, r := range rows {
		others[r.Comparison] = vcd.OtherChanges{Count: r.Count, Descriptions: r.Descriptions}
	}
	return others, nil
}

// LockJudgedChange implements review.Tx. It looks again once it has the lock, which another review may have held.
func (t *Tx) LockJudgedChange(ctx context.Context, review vcd.ID) (*vcd.Batch, error) {
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

func (t *Tx) batchOfJudgedChange(ctx context.Context, review vcd.ID) (batch vcd.ID, err error) {
	err = t.Bun.NewRaw(`SELECT batch_id FROM change_verdicts
		WHERE account_id = ?0 AND (review_id = ?1 AND undone_by IS NULL OR undone_by = ?1)`, t.Tenant, review).Scan(ctx, &batch)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("look for the change that review %s judged: %w", review, err)
	}
	return batch, nil
}
