package run

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// LockComparisonsOn implements run.Tx. One statement locks both kinds in one order, so that two entries of
// the same place that end at the same moment cannot deadlock. The condition on waiting comparisons matches the index
// queue_entries_waiting.
func (t *Tx) LockComparisonsOn(ctx context.Context, e *vcd.QueueEntry) ([]*vcd.QueueEntry, error) {
	own := t.Bun.NewSelect().TableExpr("queue_entries AS own").ColumnExpr("own.id").
		Where("own.account_id = ? AND own.subject_id IN (?, ?)", t.Tenant, e.ID, cmp.Or(e.ConfirmsID, &e.ID))
	waiting := t.Bun.NewSelect().TableExpr("queue_entries AS w").ColumnExpr("w.id").
		Join("JOIN queue_entries AS subject ON subject.account_id = w.account_id AND subject.id = w.subject_id").
		Where("w.account_id = ? AND w.group_id = ? AND w.url_id = ? AND w.device = ?", t.Tenant, e.GroupID, e.URLID, e.Device).
		Where("w.type = 'compare' AND w.status = 'open' AND NOT w.dispatched").
		Where("subject.type = ANY(?) AND (subject.created_at, subject.id) > (?, ?)", query.Array(comparedWith(e.Type)), e.CreatedAt, e.ID)
	var rows []*entryRow
	q := t.Bun.NewSelect().Model(&rows).Where("q.account_id = ? AND q.id IN (?)", t.Tenant, own.UnionAll(waiting))
	if err := query.ForChange(q.OrderExpr("q.created_at, q.id")).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock the comparisons of entry %s: %w", e.ID, err)
	}
	return query.ConvertAll(rows, (*entryRow).entry), nil
}

// comparedWith lists the types of screenshots whose baseline is a screenshot of type t.
func comparedWith(t vcd.QueueType) []vcd.QueueType {
	var types []vcd.QueueType
	for _, later := range []vcd.QueueType{vcd.QueuePost, vcd.QueueAuto} {
		if later.Baseline() == t {
			types = append(types, later)
		}
	}
	return types
}

// olderBaselines finds the entries that may be the baseline of e: same place, of the baseline type, and created before
// it. An entry that repeats e's own screenshot is created after e, but its timestamp may not be later.
func (t *Tx) olderBaselines(q *bun.SelectQuery, e *vcd.QueueEntry) *bun.SelectQuery {
	return q.Where("q.account_id = ? AND q.group_id = ? AND q.url_id = ? AND q.device = ?", t.Tenant, e.GroupID, e.URLID, e.Device).
		Where("q.type = ? AND (q.created_at, q.id) < (?, ?)", e.Type.Baseline(), e.CreatedAt, e.ID).
		Where("q.confirms_id IS NULL OR q.confirms_id <> ?", e.ID).Where(query.Undeleted("q.batch_id"), t.Tenant)
}

// HasPendingBaseline implements run.Tx.
func (t *Tx) HasPendingBaseline(ctx context.Context, e *vcd.QueueEntry) (bool, error) {
	var newest []string // status of the newest baseline that did not fail
	err := t.olderBaselines(t.Bun.NewSelect().TableExpr("queue_entries AS q").ColumnExpr("q.status"), e).
		Where("q.status <> 'failed'").OrderExpr("q.created_at DESC, q.id DESC").Limit(1).Scan(ctx, &newest)
	if err != nil {
		return false, fmt.Errorf("look for pending baselines of entry %s: %w", e.ID, err)
	}
	return len(newest) > 0 && newest[0] != string(vcd.QueueDone), nil
}

// BaselineOf implements run.Tx.
func (t *Tx) BaselineOf(ctx context.Context, e *vcd.QueueEntry) (*vcd.Screenshot, error) {
	return t.newestOf(ctx, t.doneBaselines(e))
}

// BaselineOfVersion implements run.Tx.
func (t *Tx) BaselineOfVersion(ctx context.Context, e *vcd.QueueEntry, version string) (*vcd.Screenshot, error) {
	return t.newestOf(ctx, t.baselinesOfVersion(e, version))
}

// PageBaselineOfVersion implements run.Tx. It reads manifests until one has no wall, which is rarely asked for.
func (t *Tx) PageBaselineOfVersion(ctx context.Context, e *vcd.QueueEntry, version string) (*vcd.Screenshot, error) {
	return t.newestOf(ctx, t.baselinesOfVersion(e, version).Where("(taken.manifest -> 'wall') IS NULL"))
}

func (t *Tx) baselinesOfVersion(e *vcd.QueueEntry, version string) *bun.SelectQuery {
	return t.doneBaselines(e).
		Join(query.LookUp("screenshots", "taken", "o.account_id = q.account_id AND o.queue_id = q.id")).
		Where("taken.sc_version = ?", version)
}

// RepeatedBy implements run.Tx.
func (t *Tx) RepeatedBy(ctx context.Context, e *vcd.QueueEntry, version string) (*vcd.Screenshot, error) {
	return t.newestOf(ctx, t.Bun.NewSelect().TableExpr("queue_entries AS q").ColumnExpr("q.id").
		Join(query.LookUp("screenshots", "taken", "o.account_id = q.account_id AND o.queue_id = q.id")).
		Where("q.account_id = ? AND q.group_id = ? AND q.url_id = ? AND q.device = ?", t.Tenant, e.GroupID, e.URLID, e.Device).
		Where("q.type IN (?, ?) AND (q.created_at, q.id) < (?, ?)", vcd.QueuePre, vcd.QueuePost, e.CreatedAt, e.ID).
		Where("q.status = 'done' AND q.confirms_id IS NULL AND taken.sc_version = ?", version).Where(query.Undeleted("q.batch_id"),
		t.Tenant))
}

func (t *Tx) doneBaselines(e *vcd.QueueEntry) *bun.SelectQuery {
	return t.olderBaselines(t.Bun.NewSelect().TableExpr("queue_entries AS q").ColumnExpr("q.id"), e).Where("q.status = 'done'")
}

// newestOf reads the screenshot of the newest of the given entries. It returns nil when there is none.
func (t *Tx) newestOf(ctx context.Context, entries *bun.SelectQuery) (*vcd.Screenshot, error) {
	newest := entries.OrderExpr("q.created_at DESC, q.id DESC").Limit(1)
	row, err := query.FetchOne[screenshotRead](ctx, t.Scope, screenshots, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("sh.queue_id = (?)", newest)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return row.screenshot(), nil
}

// placeRow is a vcd.Place as a row of a JSON array.
type placeRow struct {
	GroupID vcd.ID     `json:"group_id" bun:"group_id"`
	URLID   vcd.ID     `json:"url_id" bun:"url_id"`
	Device  vcd.Device `json:"device" bun:"device"`
}

// WithBaseline implements run.Tx.
func (t *Tx) WithBaseline(ctx context.Context, baseline vcd.QueueType, before time.Time, places []vcd.Place) (map[vcd.Place]bool, error) {
	wanted := make([]placeRow, len(places))
	for i, p := range places {
		wanted[i] = placeRow(p)
	}
	document, err := json.Marshal(wanted)
	if err != nil {
		return nil, fmt.Errorf("write places as JSON: %w", err)
	}
	var found []placeRow
	err = t.Bun.NewRaw(`
		SELECT p.group_id, p.url_id, p.device FROM jsonb_to_recordset(?1::jsonb) AS p (group_id uuid, url_id uuid, device text)
		WHERE EXISTS (SELECT FROM queue_entries AS q
			WHERE q.account_id = ?0 AND q.group_id = p.group_id AND q.url_id = p.url_id AND q.device = p.device
				AND q.type = ?2 AND q.status <> 'failed' AND q.created_at < ?3 AND `+query.Undeleted("q.batch_id")+")",
		t.Tenant, string(document), baseline, before).Scan(ctx, &found)
	if err != nil {
		return nil, fmt.Errorf("look for baselines: %w", err)
	}
	paired := make(map[vcd.Place]bool, len(found))
	for _, p := range found {
		paired[vcd.Place(p)] = true
	}
	return paired, nil
}
