package db

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

type batchRow struct {
	bun.BaseModel `bun:"table:batches,alias:b"`

	Account     vcd.ID          `bun:"account_id,pk"`
	ID          vcd.ID          `bun:"id,pk"`
	Name        string          `bun:"name"`
	Source      vcd.BatchSource `bun:"source"`
	Type        vcd.QueueType   `bun:"type"`
	SCVersion   string          `bun:"sc_version"`
	Planned     int             `bun:"planned_count"`
	Open        int             `bun:"open_count"`
	Processing  int             `bun:"processing_count"`
	Done        int             `bun:"done_count"`
	Failed      int             `bun:"failed_count"`
	FinishedAt  *time.Time      `bun:"finished_at"`
	CancelledAt *time.Time      `bun:"cancelled_at"`
	ExpiredAt   *time.Time      `bun:"expired_at"`
	Reopened    int             `bun:"reopened"`
	Unpaired    int             `bun:"unpaired_count"`
	Uploading   bool            `bun:"uploading"`
	CreatedAt   time.Time       `bun:"created_at"`
	UpdatedAt   time.Time       `bun:"updated_at"`

	UpdateResults *vcd.UpdateResults  `bun:"update_results,type:jsonb"`
	Trigger       *vcd.TriggerContext `bun:"trigger_context,type:jsonb"`

	summaryColumns `bun:"embed:"`
}

// batchRead is a batch with its figures.
type batchRead struct {
	batchRow       `bun:",extend"`
	GroupIDs       []string `bun:"group_ids,array"`
	GroupNames     []string `bun:"group_names,array"`
	Domains        []string `bun:"domains,array"`
	OK             int      `bun:"ok"`
	New            int      `bun:"new"`
	FalsePositive  int      `bun:"false_positive"`
	ToFix          int      `bun:"to_fix"`
	AboveThreshold int      `bun:"above"`

	ConsoleAdded     int `bun:"console_added"`
	ConsoleRemoved   int `bun:"console_removed"`
	ConsoleMixed     int `bun:"console_mixed"`
	ConsoleUnchanged int `bun:"console_unchanged"`
	featureRow       `bun:",extend"`
}

var batches = source{
	table: "batches AS b", alias: "b", created: "created_at", id: "id", unique: true, batch: "id",
	widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("n.group_ids, n.group_names, n.domains").ColumnExpr("f.*").
			Join(`CROSS JOIN LATERAL (
				SELECT coalesce(array_agg(g.id ORDER BY g.name, g.id), '{}') AS group_ids,
					coalesce(array_agg(g.name ORDER BY g.name, g.id), '{}') AS group_names,
					coalesce(array_agg(DISTINCT w.domain ORDER BY w.domain) FILTER (WHERE w.domain IS NOT NULL), '{}') AS domains
				FROM batch_groups AS bg `+lookUp("groups", "g", "o.account_id = ?0 AND o.id = bg.group_id")+`
				`+lookUpIfAny("website_groups", "wg", "o.account_id = ?0 AND o.group_id = bg.group_id")+`
				`+lookUpIfAny("websites", "w", "o.account_id = ?0 AND o.id = wg.website_id")+`
				WHERE bg.account_id = ?0 AND bg.batch_id = b.id) AS n`, account).
			Join(`CROSS JOIN LATERAL (
				SELECT coalesce(sum(c.count) FILTER (WHERE c.status = 'ok'), 0) AS ok,
					coalesce(sum(c.count) FILTER (WHERE c.status = 'new'), 0) AS new,
					coalesce(sum(c.count) FILTER (WHERE c.status = 'false_positive'), 0) AS false_positive,
					coalesce(sum(c.count) FILTER (WHERE c.status = 'to_fix'), 0) AS to_fix,
					coalesce(sum(c.count) FILTER (WHERE c.above_threshold), 0) AS above,
					coalesce(sum(c.count) FILTER (WHERE c.console_change = 'added'), 0) AS console_added,
					coalesce(sum(c.count) FILTER (WHERE c.console_change = 'removed'), 0) AS console_removed,
					coalesce(sum(c.count) FILTER (WHERE c.console_change = 'mixed'), 0) AS console_mixed,
					coalesce(sum(c.count) FILTER (WHERE c.console_change = 'unchanged'), 0) AS console_unchanged
				FROM comparison_counts AS c WHERE c.account_id = ? AND c.batch_id = b.id) AS f`, account).
			ColumnExpr(featureColumns).Join(joinFeatures, account)
	},
}

func rowOfBatch(b *vcd.Batch) *batchRow {
	return &batchRow{
		Account: b.Account, ID: b.ID, Name: b.Name, Source: b.Source, Type: b.Type, SCVersion: b.SCVersion,
		Planned: b.Planned, Open: b.Counts.Open, Processing: b.Counts.Processing, Done: b.Counts.Done, Failed: b.Counts.Failed,
		FinishedAt: b.FinishedAt, CancelledAt: b.CancelledAt, ExpiredAt: b.ExpiredAt, Reopened: b.Reopened, Unpaired: b.UnpairedCount,
		Uploading: b.Uploading,
		CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt,
		Trigger: b.Trigger, summaryColumns: summaryOf(b),
	}
}

func (r *batchRow) batch() *vcd.Batch {
	return &vcd.Batch{
		ID: r.ID, Account: r.Account, Name: r.Name, Source: r.Source, Type: r.Type, SCVersion: r.SCVersion, Planned: r.Planned,
		Counts:     vcd.StatusCounts{Open: r.Open, Processing: r.Processing, Done: r.Done, Failed: r.Failed},
		FinishedAt: utc(r.FinishedAt), CancelledAt: utc(r.CancelledAt), ExpiredAt: utc(r.ExpiredAt), Reopened: r.Reopened,
		CreatedAt: r.CreatedAt.UTC(),
		UpdatedAt: r.UpdatedAt.UTC(), UpdateResults: r.UpdateResults, UnpairedCount: r.Unpaired, Uploading: r.Uploading,
		Trigger: r.Trigger, Summary: r.summary(), ModelRegions: r.ModelRegions,
	}
}

func (r *batchRead) batch() *vcd.Batch {
	b := r.batchRow.batch()
	b.GroupIDs, b.GroupNames, b.Domains = ids(r.GroupIDs), r.GroupNames, r.Domains
	b.Comparisons = vcd.ComparisonCounts{
		OK: r.OK, New: r.New, FalsePositive: r.FalsePositive, ToFix: r.ToFix, AboveThreshold: r.AboveThreshold,
	}
	b.Console = vcd.ConsoleCounts{
		Added: r.ConsoleAdded, Removed: r.ConsoleRemoved, Mixed: r.ConsoleMixed, Unchanged: r.ConsoleUnchanged,
	}
	b.Features = r.features()
	return b
}

func (t *tx) Batch(ctx context.Context, id vcd.ID) (*vcd.Batch, error) {
	row, err := fetchOne[batchRead](ctx, t, batches, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("b.id = ?", id) })
	if err != nil {
		return nil, notFound(err, "Batch", id)
	}
	return row.batch(), nil
}

func (t *tx) LockBatch(ctx context.Context, id vcd.ID) (*vcd.Batch, error) {
	row := &batchRow{}
	q := t.bun.NewSelect().Model(row).Where("b.account_id = ? AND b.id = ? AND b.deleted_at IS NULL", t.account, id)
	if err := forChange(q).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock the batch: %w", notFound(err, "Batch", id))
	}
	return row.batch(), nil
}

var batchOrders = map[string]string{
	vcd.BatchName: "lower(b.name)", vcd.BatchFinished: "coalesce(b.finished_at, 'infinity')",
}

func (t *tx) Batches(ctx context.Context, f vcd.BatchFilter, p vcd.Page) (*vcd.List[*vcd.Batch], error) {
	return fetchPage(ctx, t, batches, batchesOf(f), orderBy(f.Sort, batchOrders), p, (*batchRead).batch)
}

// CountBatches implements vcd.BatchStore.
func (t *tx) CountBatches(ctx context.Context, f vcd.BatchFilter) (int, error) {
	return t.count(ctx, batches, batchesOf(f))
}

func batchesOf(f vcd.BatchFilter) narrow {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		q = among(among(q, "b.id", f.IDs), "b.source", f.Sources)
		if f.Unfinished {
			q = q.Where("b.finished_at IS NULL")
		}
		return having(ofBatch(createdWithin(q, "b", f.From, f.To), f), "b.name", f.Search)
	}
}

// createdWithin keeps rows created at or after from and before to.
func createdWithin(q *bun.SelectQuery, alias string, from, to *time.Time) *bun.SelectQuery {
	if from != nil {
		q = q.Where(alias+".created_at >= ?", *from)
	}
	if to != nil {
		q = q.Where(alias+".created_at < ?", *to)
	}
	return q
}

// ofBatch filters by the contents of a batch: its comparisons, groups and entries.
func ofBatch(q *bun.SelectQuery, f vcd.BatchFilter) *bun.SelectQuery {
	if f.AboveThreshold != nil {
		q = q.Where(`EXISTS (SELECT FROM comparison_counts AS c
			WHERE c.account_id = b.account_id AND c.batch_id = b.id AND c.above_threshold AND c.count > 0) = ?`, *f.AboveThreshold)
	}
	if f.Statuses != nil {
		q = q.Where(`EXISTS (SELECT FROM comparison_counts AS c
			WHERE c.account_id = b.account_id AND c.batch_id = b.id AND c.status = ANY(?) AND c.count > 0)`, array(*f.Statuses))
	}
	if f.GroupIDs != nil {
		q = q.Where(`EXISTS (SELECT FROM batch_groups AS bg
			WHERE bg.account_id = b.account_id AND bg.batch_id = b.id AND bg.group_id = ANY(?))`, array(*f.GroupIDs))
	}
	if f.WebsiteIDs != nil {
		q = q.Where(`EXISTS (SELECT FROM batch_groups AS bg
			JOIN website_groups AS wg ON wg.account_id = bg.account_id AND wg.group_id = bg.group_id
			WHERE bg.account_id = b.account_id AND bg.batch_id = b.id AND wg.website_id = ANY(?))`, array(*f.WebsiteIDs))
	}
	if f.QueueTypes != nil {
		q = q.Where(`EXISTS (SELECT FROM queue_counts AS q
			WHERE q.account_id = b.account_id AND q.batch_id = b.id AND q.type = ANY(?)
				AND q.open + q.processing + q.done + q.failed > 0)`, array(*f.QueueTypes))
	}
	if f.URLIDs != nil {
		q = q.Where(`EXISTS (SELECT FROM queue_entries AS q
			WHERE q.account_id = b.account_id AND q.batch_id = b.id AND q.url_id = ANY(?))`, array(*f.URLIDs))
	}
	return q
}

// MonitoringRuns implements vcd.BatchStore.
func (t *tx) MonitoringRuns(ctx context.Context, groups []vcd.ID, since time.Time) (map[vcd.ID]bool, error) {
	var found []vcd.ID
	err := t.bun.NewRaw(`SELECT DISTINCT bg.group_id FROM batches AS b
		JOIN batch_groups AS bg ON bg.account_id = ?1 AND bg.batch_id = b.id AND bg.group_id = ANY(?0)
		WHERE b.account_id = ?1 AND b.source = ?2 AND b.finished_at IS NULL AND b.created_at > ?3`,
		array(groups), t.account, vcd.SourceMonitoring, since).Scan(ctx, &found)
	if err != nil {
		return nil, fmt.Errorf("look for runs of %d groups that are going on: %w", len(groups), err)
	}
	running := make(map[vcd.ID]bool, len(found))
	for _, id := range found {
		running[id] = true
	}
	return running, nil
}

func (t *tx) BatchesByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Batch, error) {
	rows, err := fetch[batchRead](ctx, t, batches, func(q *bun.SelectQuery) *bun.SelectQuery { return among(q, "b.id", &wanted) })
	return convertAll(rows, (*batchRead).batch), err
}

func (t *tx) InsertBatches(ctx context.Context, added []*vcd.Batch) error {
	for chunk := range slices.Chunk(convertAll(added, rowOfBatch), entriesPerInsert) {
		if _, err := t.bun.NewInsert().Model(&chunk).Exec(ctx); err != nil {
			return fmt.Errorf("insert %d batches: %w", len(added), err)
		}
	}
	for _, b := range added {
		if err := t.keepTrace(ctx, b.ID); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) UpdateBatch(ctx context.Context, b *vcd.Batch) error {
	return t.updateOne(ctx, t.bun.NewUpdate().Model(rowOfBatch(b)).
		Column("name", "sc_version", "open_count", "processing_count", "done_count", "failed_count", "finished_at", "cancelled_at",
			"reopened", "updated_at", "planned_count", "unpaired_count", "uploading",
			"ai_summary", "ai_overall", "ai_processing_ms", "model_regions").
		Where("account_id = ? AND id = ?", t.account, b.ID), "Batch", b.ID)
}

func (t *tx) StoreUpdateResults(ctx context.Context, id vcd.ID, r *vcd.UpdateResults, now time.Time) error {
	row := &batchRow{UpdateResults: r, UpdatedAt: now}
	return t.updateOne(ctx, t.bun.NewUpdate().Model(row).Column("update_results", "updated_at").
		Where("account_id = ? AND id = ?", t.account, id), "Batch", id)
}
