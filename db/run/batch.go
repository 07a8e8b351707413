package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
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
	query.FeatureRow `bun:",extend"`
}

var batches = query.Source{
	Table: "batches AS b", Alias: "b", Created: "created_at", ID: "id", Unique: true, Batch: "id",
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("n.group_ids, n.group_names, n.domains").ColumnExpr("f.*").
			Join(`CROSS JOIN LATERAL (
				SELECT coalesce(array_agg(g.id ORDER BY g.name, g.id), '{}') AS group_ids,
					coalesce(array_agg(g.name ORDER BY g.name, g.id), '{}') AS group_names,
					coalesce(array_agg(DISTINCT w.domain ORDER BY w.domain) FILTER (WHERE w.domain IS NOT NULL), '{}') AS domains
				FROM batch_groups AS bg `+query.LookUp("groups", "g", "o.account_id = ?0 AND o.id = bg.group_id")+`
				`+query.LookUpIfAny("website_groups", "wg", "o.account_id = ?0 AND o.group_id = bg.group_id")+`
				`+query.LookUpIfAny("websites", "w", "o.account_id = ?0 AND o.id = wg.website_id")+`
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
			ColumnExpr(query.FeatureColumns).Join(query.JoinFeatures, account)
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
		FinishedAt: query.UTC(r.FinishedAt), CancelledAt: query.UTC(r.CancelledAt), ExpiredAt: query.UTC(r.ExpiredAt), Reopened: r.Reopened,
		CreatedAt: r.CreatedAt.UTC(),
		UpdatedAt: r.UpdatedAt.UTC(), UpdateResults: r.UpdateResults, UnpairedCount: r.Unpaired, Uploading: r.Uploading,
		Trigger: r.Trigger, Summary: r.summary(), ModelRegions: r.ModelRegions,
	}
}

func (r *batchRead) batch() *vcd.Batch {
	b := r.batchRow.batch()
	b.GroupIDs, b.GroupNames, b.Domains = query.IDs(r.GroupIDs), r.GroupNames, r.Domains
	b.Comparisons = vcd.ComparisonCounts{
		OK: r.OK, New: r.New, FalsePositive: r.FalsePositive, ToFix: r.ToFix, AboveThreshold: r.AboveThreshold,
	}
	b.Console = vcd.ConsoleCounts{
		Added: r.ConsoleAdded, Removed: r.ConsoleRemoved, Mixed: r.ConsoleMixed, Unchanged: r.ConsoleUnchanged,
	}
	b.Features = r.Features()
	return b
}

func (t *Tx) Batch(ctx context.Context, id vcd.ID) (*vcd.Batch, error) {
	row, err := query.FetchOne[batchRead](ctx, t.Scope, batches,
		func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("b.id = ?", id) })
	if err != nil {
		return nil, query.NotFound(err, "Batch", id)
	}
	return row.batch(), nil
}

func (t *Tx) LockBatch(ctx context.Context, id vcd.ID) (*vcd.Batch, error) {
	row := &batchRow{}
	q := t.Bun.NewSelect().Model(row).Where("b.account_id = ? AND b.id = ? AND b.deleted_at IS NULL", t.Tenant, id)
	if err := query.ForChange(q).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock the batch: %w", query.NotFound(err, "Batch", id))
	}
	return row.batch(), nil
}

var batchOrders = map[string]string{
	vcd.BatchName: "lower(b.name)", vcd.BatchFinished: "coalesce(b.finished_at, 'infinity')",
}

func (t *Tx) Batches(ctx context.Context, f vcd.BatchFilter, p vcd.Page) (*vcd.List[*vcd.Batch], error) {
	return query.FetchPage(ctx, t.Scope, batches, batchesOf(f), query.OrderBy(f.Sort, batchOrders), p, (*batchRead).batch)
}

// CountBatches implements account.Tx.
func (t *Tx) CountBatches(ctx context.Context, f vcd.BatchFilter) (int, error) {
	return t.Count(ctx, batches, batchesOf(f))
}

func batchesOf(f vcd.BatchFilter) query.Narrow {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(query.Among(q, "b.id", f.IDs), "b.source", f.Sources)
		if f.Unfinished {
			q = q.Where("b.finished_at IS NULL")
		}
		return query.Having(ofBatch(query.CreatedWithin(q, "b", f.From, f.To), f), "b.name", f.Search)
	}
}

// ofBatch filters by the contents of a batch: its comparisons, groups and entries.
func ofBatch(q *bun.SelectQuery, f vcd.BatchFilter) *bun.SelectQuery {
	if f.AboveThreshold != nil {
		q = q.Where(`EXISTS (SELECT FROM comparison_counts AS c
			WHERE c.account_id = b.account_id AND c.batch_id = b.id AND c.above_threshold AND c.count > 0) = ?`, *f.AboveThreshold)
	}
	if f.Statuses != nil {
		q = q.Where(`EXISTS (SELECT FROM comparison_counts AS c
			WHERE c.account_id = b.account_id AND c.batch_id = b.id AND c.status = ANY(?) AND c.count > 0)`, query.Array(*f.Statuses))
	}
	if f.GroupIDs != nil {
		q = q.Where(`EXISTS (SELECT FROM batch_groups AS bg
			WHERE bg.account_id = b.account_id AND bg.batch_id = b.id AND bg.group_id = ANY(?))`, query.Array(*f.GroupIDs))
	}
	if f.WebsiteIDs != nil {
		q = q.Where(`EXISTS (SELECT FROM batch_groups AS bg
			JOIN website_groups AS wg ON wg.account_id = bg.account_id AND wg.group_id = bg.group_id
			WHERE bg.account_id = b.account_id AND bg.batch_id = b.id AND wg.website_id = ANY(?))`, query.Array(*f.WebsiteIDs))
	}
	if f.QueueTypes != nil {
		q = q.Where(`EXISTS (SELECT FROM queue_counts AS q
			WHERE q.account_id = b.account_id AND q.batch_id = b.id AND q.type = ANY(?)
				AND q.open + q.processing + q.done + q.failed > 0)`, query.Array(*f.QueueTypes))
	}
	if f.URLIDs != nil {
		q = q.Where(`EXISTS (SELECT FROM queue_entries AS q
			WHERE q.account_id = b.account_id AND q.batch_id = b.id AND q.url_id = ANY(?))`, query.Array(*f.URLIDs))
	}
	return q
}

// MonitoringRuns implements run.Tx.
func (t *Tx) MonitoringRuns(ctx context.Context, groups []vcd.ID, since time.Time) (map[vcd.ID]bool, error) {
	var found []vcd.ID
	err := t.Bun.NewRaw(`SELECT DISTINCT bg.group_id FROM batches AS b
		JOIN batch_groups AS bg ON bg.account_id = ?1 AND bg.batch_id = b.id AND bg.group_id = ANY(?0)
		WHERE b.account_id = ?1 AND b.source = ?2 AND b.finished_at IS NULL AND b.created_at > ?3`,
		query.Array(groups), t.Tenant, vcd.SourceMonitoring, since).Scan(ctx, &found)
	if err != nil {
		return nil, fmt.Errorf("look for runs in progress of %d groups: %w", len(groups), err)
	}
	running := make(map[vcd.ID]bool, len(found))
	for _, id := range found {
		running[id] = true
	}
	return running, nil
}

func (t *Tx) BatchesByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Batch, error) {
	rows, err := query.Fetch[batchRead](ctx, t.Scope, batches,
		func(q *bun.SelectQuery) *bun.SelectQuery { return query.Among(q, "b.id", &wanted) })
	return query.ConvertAll(rows, (*batchRead).batch), err
}

func (t *Tx) InsertBatches(ctx context.Context, added []*vcd.Batch) error {
	for chunk := range slices.Chunk(query.ConvertAll(added, rowOfBatch), entriesPerInsert) {
		if _, err := t.Bun.NewInsert().Model(&chunk).Exec(ctx); err != nil {
			return fmt.Errorf("insert %d batches: %w", len(added), err)
		}
	}
	for _, b := range added {
		if err := t.KeepTrace(ctx, b.ID); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) UpdateBatch(ctx context.Context, b *vcd.Batch) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfBatch(b)).
		Column("name", "sc_version", "open_count", "processing_count", "done_count", "failed_count", "finished_at", "cancelled_at",
			"reopened", "updated_at", "planned_count", "unpaired_count", "uploading",
			"ai_summary", "ai_overall", "ai_processing_ms", "model_regions").
		Where("account_id = ? AND id = ?", t.Tenant, b.ID), "Batch", b.ID)
}

func (t *Tx) StoreUpdateResults(ctx context.Context, id vcd.ID, r *vcd.UpdateResults, now time.Time) error {
	row := &batchRow{UpdateResults: r, UpdatedAt: now}
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(row).Column("update_results", "updated_at").
		Where("account_id = ? AND id = ?", t.Tenant, id), "Batch", id)
}

func (t *Tx) UpdateResultsOf(ctx context.Context, wanted []vcd.ID) (map[vcd.ID]*vcd.UpdateResults, error) {
	var rows []*batchRow
	err := t.Bun.NewSelect().Model(&rows).Column("id", "update_results").
		Where("b.account_id = ? AND b.id = ANY(?) AND b.update_results IS NOT NULL", t.Tenant, query.Array(wanted)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the results of updates: %w", err)
	}
	results := make(map[vcd.ID]*vcd.UpdateResults, len(rows))
	for _, r := range rows {
		results[r.ID] = r.UpdateResults
	}
	return results, nil
}

// VerificationTotals implements run.Tx.
func (t *Tx) VerificationTotals(ctx context.Context, batch vcd.ID) (vcd.VerificationTotals, error) {
	var row struct {
		Comparisons, Alarmed, Silenced, Blank, Unanswered, Unseen, Changes int
		Milliseconds                                                       int64
		Gravest                                                            string
	}
	err := t.Bun.NewRaw(`
		SELECT count(*) AS comparisons, count(*) FILTER (WHERE alarmed) AS alarmed,
			count(*) FILTER (WHERE NOT alarmed AND above_threshold AND ai_status IN ('verified', 'failed')
				AND capture_issue IS NULL) AS silenced,
			count(*) FILTER (WHERE capture_issue = 'after_blank') AS blank, count(*) FILTER (WHERE ai_status = 'failed') AS unanswered,
			count(*) FILTER (WHERE unseen <> '') AS unseen, coalesce(sum(ai_processing_ms), 0) AS milliseconds,
			(SELECT count(*) FROM batch_changes WHERE account_id = ?0 AND batch_id = ?1 AND not_sure + alerts > 0) AS changes,
			coalesce((SELECT description FROM batch_changes WHERE account_id = ?0 AND batch_id = ?1 AND not_sure + alerts > 0
				ORDER BY alerts > 0 DESC, comparisons DESC, created_at, id LIMIT 1), '') AS gravest
		FROM comparisons WHERE account_id = ?0 AND batch_id = ?1 AND ai_status IS NOT NULL`, t.Tenant, batch).Scan(ctx, &row)
	if err != nil {
		return vcd.VerificationTotals{}, fmt.Errorf("add up the verifications of batch %s: %w", batch, err)
	}
	return vcd.VerificationTotals{
		Comparisons: row.Comparisons, Alarmed: row.Alarmed, Silenced: row.Silenced, Blank: row.Blank, Unanswered: row.Unanswered,
		Unseen: row.Unseen, Changes: row.Changes, Gravest: row.Gravest, Elapsed: time.Duration(row.Milliseconds) * time.Millisecond,
	}, nil
}

// summaryColumns summarize the verification of a batch.
type summaryColumns struct {
	AISummary      *string            `bun:"ai_summary"`
	AIOverall      *vcd.OverallStatus `bun:"ai_overall"`
	AIProcessingMS *int64             `bun:"ai_processing_ms"`
	ModelRegions   int                `bun:"model_regions"`
}

func summaryOf(b *vcd.Batch) summaryColumns {
	s := summaryColumns{ModelRegions: b.ModelRegions}
	if b.Summary != nil {
		ms := b.Summary.Elapsed.Milliseconds()
		s.AISummary, s.AIOverall, s.AIProcessingMS = &b.Summary.Summary, &b.Summary.Overall, &ms
	}
	return s
}

func (r *summaryColumns) summary() *vcd.BatchSummary {
	if r.AISummary == nil {
		return nil
	}
	return &vcd.BatchSummary{Summary: *r.AISummary, Overall: *r.AIOverall, Elapsed: time.Duration(*r.AIProcessingMS) * time.Millisecond}
}
