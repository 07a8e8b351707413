package inventory

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

type flowRunRow struct {
	bun.BaseModel `bun:"table:flow_runs,alias:r"`

	Account    vcd.ID            `bun:"account_id,pk"`
	ID         vcd.ID            `bun:"id,pk"`
	FlowID     vcd.ID            `bun:"flow_id"`
	BatchID    vcd.ID            `bun:"batch_id"`
	GroupID    vcd.ID            `bun:"group_id"`
	EntryID    vcd.ID            `bun:"entry_id"`
	Device     vcd.Device        `bun:"device"`
	Type       vcd.QueueType     `bun:"type"`
	Status     vcd.QueueStatus   `bun:"status"`
	ErrorMsg   string            `bun:"error_msg"`
	Steps      []vcd.FlowRunStep `bun:"steps,type:jsonb"`
	ImageID    vcd.ID            `bun:"image_id,nullzero"`
	CreatedAt  time.Time         `bun:"created_at"`
	FinishedAt *time.Time        `bun:"finished_at"`
}

// flowRunRead is a run with what its entry knows better: one that was cancelled was never told that it is over.
type flowRunRead struct {
	flowRunRow   `bun:",extend"`
	EntryStatus  vcd.QueueStatus `bun:"entry_status"`
	EntryError   string          `bun:"entry_error"`
	EntryUpdated *time.Time      `bun:"entry_updated"`
	Compared     bool            `bun:"compared"`
	Image        query.ImageRow  `bun:"embed:i_"`
	FlowName     string          `bun:"flow_name"`
}

var flowRuns = query.Source{
	Table: "flow_runs AS r", Alias: "r", Created: "created_at", ID: "id", Unique: true, Batch: "batch_id",
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("coalesce(e.status, 'failed') AS entry_status, coalesce(e.error_msg, '') AS entry_error").
			ColumnExpr("e.updated_at AS entry_updated").
			ColumnExpr(query.ImageColumns("i")).
			ColumnExpr("f.name AS flow_name").
			ColumnExpr(`EXISTS (SELECT FROM flow_checkpoints AS p `+query.LookUp("comparisons", "c", `o.account_id = ?0
				AND o.url_id = p.url_id AND o.batch_id = r.batch_id AND o.group_id = r.group_id AND o.device = r.device`)+`
				WHERE p.account_id = ?0 AND p.flow_id = r.flow_id) AS compared`, account).
			Join(query.LookUpIfAny("queue_entries", "e", "o.account_id = ? AND o.id = r.entry_id"), account).
			Join(query.LookUp("flows", "f", "o.account_id = ? AND o.id = r.flow_id"), account).
			Join(query.LookUpIfAny("images", "i", "o.account_id = ? AND o.id = r.image_id"), account)
	},
}

func (r *flowRunRead) run() *vcd.FlowRun {
	out := &vcd.FlowRun{
		ID: r.ID, Account: r.Account, FlowID: r.FlowID, BatchID: r.BatchID, GroupID: r.GroupID, EntryID: r.EntryID, Device: r.Device,
		Type: r.Type, Status: r.Status, Error: r.ErrorMsg, Steps: r.Steps, CreatedAt: r.CreatedAt.UTC(),
		FinishedAt: query.UTC(r.FinishedAt), Compared: r.Compared, Image: r.Image.Image(),
		FlowName: r.FlowName,
	}
	switch {
	case !r.EntryStatus.Ended():
		out.Status, out.FinishedAt = vcd.QueueProcessing, nil
	case r.Status == vcd.QueueProcessing:
		out.Status, out.Error, out.FinishedAt = vcd.QueueFailed, r.EntryError, query.UTC(r.EntryUpdated)
	}
	return out
}

// FlowRun implements inventory.WebsiteTx.
func (t *Tx) FlowRun(ctx context.Context, id vcd.ID) (*vcd.FlowRun, error) {
	row, err := query.FetchOne[flowRunRead](ctx, t.Scope, flowRuns,
		func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("r.id = ?", id) })
	if err != nil {
		return nil, query.NotFound(err, "FlowRun", id)
	}
	return row.run(), nil
}

// FlowRuns implements inventory.WebsiteTx.
func (t *Tx) FlowRuns(ctx context.Context, flowID vcd.ID, f vcd.FlowRunFilter, p vcd.Page) (*vcd.List[*vcd.FlowRun], error) {
	if _, err := t.Flow(ctx, flowID); err != nil {
		return nil, err
	}
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		if f.Device != nil {
			q = q.Where("r.device = ?", *f.Device)
		}
		return q.Where("r.flow_id = ?", flowID)
	}
	return query.FetchPage(ctx, t.Scope, flowRuns, where, query.Order{}, p, (*flowRunRead).run)
}

// FlowRunCheckpoints implements inventory.WebsiteTx.
func (t *Tx) FlowRunCheckpoints(ctx context.Context, entries []vcd.ID) (map[vcd.ID]vcd.FlowRunCheckpoint, error) {
	var rows []struct {
		ID         vcd.ID          `bun:"id"`
		Status     vcd.QueueStatus `bun:"status"`
		ErrorMsg   string          `bun:"error_msg"`
		Screenshot *vcd.ID         `bun:"screenshot"`
		Comparison *vcd.ID         `bun:"comparison"`
		Compared   bool            `bun:"compared"`
	}
	err := t.Bun.NewRaw(`SELECT q.id, q.status, q.error_msg, s.id AS screenshot, c.id AS comparison,
			p.id IS NOT NULL AND p.reason <> 'baseline' AS compared
		FROM queue_entries AS q `+query.LookUpIfAny("screenshots", "s", "o.account_id = ?0 AND o.queue_id = q.id")+` `+
		query.LookUpIfAny("queue_entries", "p", "o.account_id = ?0 AND o.subject_id = q.id")+` `+
		query.LookUpIfAny("comparisons", "c", "o.account_id = ?0 AND o.queue_id = p.id")+`
		WHERE q.account_id = ?0 AND q.id = ANY(?1) AND `+query.Undeleted("q.batch_id"), t.Tenant, query.Array(entries)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read what became of %d checkpoints: %w", len(entries), err)
	}
	found := make(map[vcd.ID]vcd.FlowRunCheckpoint, len(rows))
	for _, r := range rows {
		found[r.ID] = vcd.FlowRunCheckpoint{
			Status: r.Status, Error: r.ErrorMsg, Screenshot: r.Screenshot, Comparison: r.Comparison, Baseline: !r.Compared,
		}
	}
	return found, nil
}

// LastFlowRuns implements inventory.WebsiteTx.
func (t *Tx) LastFlowRuns(ctx context.Context, wanted []vcd.ID) (map[vcd.ID]*vcd.FlowRun, error) {
	rows, err := query.Fetch[flowRunRead](ctx, t.Scope, flowRuns, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where(`r.id IN (SELECT l.id FROM unnest(?1::uuid[]) AS w(flow_id) CROSS JOIN LATERAL (
			SELECT n.id FROM flow_runs AS n WHERE n.account_id = ?0 AND n.flow_id = w.flow_id AND `+query.Undeleted("n.batch_id")+`
			ORDER BY n.created_at DESC, n.id DESC LIMIT 1) AS l)`, t.Tenant, query.Array(wanted))
	})
	if err != nil {
		return nil, err
	}
	last := make(map[vcd.ID]*vcd.FlowRun, len(rows))
	for _, row := range rows {
		last[row.FlowID] = row.run()
	}
	return last, nil
}

// BeginFlowRun implements run.Tx.
func (t *Tx) BeginFlowRun(ctx context.Context, r *vcd.FlowRun) error {
	row := &flowRunRow{
		Account: t.Tenant, ID: r.ID, FlowID: r.FlowID, BatchID: r.BatchID, GroupID: r.GroupID, EntryID: r.EntryID, Device: r.Device,
		Type: r.Type, Status: vcd.QueueProcessing, Steps: []vcd.FlowRunStep{}, CreatedAt: r.CreatedAt,
	}
	_, err := t.Bun.NewInsert().Model(row).On("CONFLICT ON CONSTRAINT flow_runs_place_key DO UPDATE").
		Set("entry_id = excluded.entry_id, status = excluded.status, error_msg = '', steps = '[]', image_id = NULL, finished_at = NULL").
		Set("changed_step = NULL").
		Exec(ctx)
	if err != nil {
		return fmt.Errorf("begin the run of flow %s: %w", r.FlowID, err)
	}
	return nil
}

// NoteFlowSteps implements run.Tx.
func (t *Tx) NoteFlowSteps(ctx context.Context, batch, entry vcd.ID, steps []vcd.FlowRunStep) (vcd.ID, error) {
	row := new(flowRunRow)
	err := t.Bun.NewUpdate().Model(row).Set("steps = ?", query.NotNil(steps)).
		Where("account_id = ? AND batch_id = ? AND entry_id = ? AND status = ?", t.Tenant, batch, entry, vcd.QueueProcessing).
		Returning("id").Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("store the steps of the flow of entry %s: %w", entry, err)
	}
	return row.ID, nil
}

// NoteFlowChange implements run.Tx.
func (t *Tx) NoteFlowChange(ctx context.Context, batch, entry vcd.ID, step int) error {
	_, err := t.Affect(ctx, "note that a flow changes something", `UPDATE flow_runs SET changed_step = ?3
		WHERE account_id = ?0 AND batch_id = ?1 AND entry_id = ?2`, t.Tenant, batch, entry, step)
	return err
}

// ForgetFlowChanges implements run.Tx.
func (t *Tx) ForgetFlowChanges(ctx context.Context, batch vcd.ID, entries []vcd.ID) error {
	_, err := t.Affect(ctx, "forget what flows changed", `UPDATE flow_runs SET changed_step = NULL
		WHERE account_id = ?0 AND batch_id = ?1 AND entry_id = ANY(?2)`, t.Tenant, batch, query.Array(entries))
	return err
}

// FlowChanges implements run.Tx.
func (t *Tx) FlowChanges(ctx context.Context, batch vcd.ID) (map[vcd.ID]vcd.FlowChange, error) {
	var rows []struct {
		EntryID     vcd.ID          `bun:"entry_id"`
		ChangedStep int             `bun:"changed_step"`
		Status      vcd.QueueStatus `bun:"status"`
	}
	err := t.Bun.NewSelect().Table("flow_runs").Column("entry_id", "changed_step", "status").
		Where("account_id = ? AND batch_id = ? AND changed_step IS NOT NULL", t.Tenant, batch).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read which flows of batch %s changed something: %w", batch, err)
	}
	changes := make(map[vcd.ID]vcd.FlowChange, len(rows))
	for _, r := range rows {
		changes[r.EntryID] = vcd.FlowChange{Step: r.ChangedStep, Over: r.Status != vcd.QueueProcessing}
	}
	return changes, nil
}

// EndFlowRun implements run.Tx.
func (t *Tx) EndFlowRun(ctx context.Context, r *vcd.FlowRun) (vcd.ID, error) {
	row := new(flowRunRow)
	err := t.Bun.NewSelect().Model(row).Column("id").Where("account_id = ? AND entry_id = ?", t.Tenant, r.EntryID).For("UPDATE").Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("lock the run of the flow of entry %s: %w", r.EntryID, err)
	}
	var image *vcd.ID
	if r.Image != nil {
		if err := t.InsertImage(ctx, r.Image); err != nil {
			return "", err
		}
		image = &r.Image.ID
	}
	_, err = t.Bun.NewUpdate().Table("flow_runs").
		Set("status = ?, error_msg = ?, steps = ?, finished_at = ?", r.Status, query.Plain(r.Error), query.NotNil(r.Steps), r.FinishedAt).
		Set("image_id = ?", image).
		Where("account_id = ? AND id = ?", t.Tenant, row.ID).Exec(ctx)
	if err != nil {
		return "", fmt.Errorf("end the run of the flow of entry %s: %w", r.EntryID, err)
	}
	return row.ID, nil
}

// FlowRunsByIDs implements outbound.Tx.
func (t *Tx) FlowRunsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.FlowRun, error) {
	return t.flowRuns(ctx, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("r.id = ANY(?)", query.Array(ids)) })
}

// FailedFlowRuns implements inventory.WebsiteTx and outbound.MailTx.
func (t *Tx) FailedFlowRuns(ctx context.Context, batches []vcd.ID) ([]*vcd.FlowRun, error) {
	return t.flowRuns(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("r.batch_id = ANY(?) AND r.status = 'failed'", query.Array(batches)).Order("r.created_at", "r.id")
	})
}

func (t *Tx) flowRuns(ctx context.Context, where func(*bun.SelectQuery) *bun.SelectQuery) ([]*vcd.FlowRun, error) {
	rows, err := query.Fetch[flowRunRead](ctx, t.Scope, flowRuns, where)
	if err != nil {
		return nil, err
	}
	runs := make([]*vcd.FlowRun, len(rows))
	for i, row := range rows {
		runs[i] = row.run()
	}
	return runs, nil
}
