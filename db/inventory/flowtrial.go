package inventory

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

type trialRow struct {
	bun.BaseModel `bun:"table:flow_trials,alias:r"`

	Account    vcd.ID            `bun:"account_id,pk"`
	ID         vcd.ID            `bun:"id,pk"`
	WebsiteID  vcd.ID            `bun:"website_id"`
	PersonID   vcd.ID            `bun:"person_id,nullzero"`
	Device     vcd.Device        `bun:"device"`
	Definition string            `bun:"definition"`
	StepIDs    []string          `bun:"step_ids,array"`
	Sealed     []byte            `bun:"sealed_secrets"`
	Status     vcd.QueueStatus   `bun:"status"`
	ErrorMsg   string            `bun:"error_msg"`
	Steps      []vcd.FlowRunStep `bun:"steps,type:jsonb"`
	CreatedAt  time.Time         `bun:"created_at"`
	FinishedAt *time.Time        `bun:"finished_at"`
}

var trials = query.Source{
	Table: "flow_trials AS r", Alias: "r", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

func (r *trialRow) trial() (*vcd.FlowTrial, error) {
	stored := &flowRow{Account: r.Account, ID: r.ID, WebsiteID: r.WebsiteID, Definition: r.Definition, StepIDs: r.StepIDs,
		Sealed: r.Sealed, CreatedAt: r.CreatedAt, UpdatedAt: r.CreatedAt}
	f, err := stored.flow()
	if err != nil {
		return nil, err
	}
	return &vcd.FlowTrial{
		ID: r.ID, Account: r.Account, WebsiteID: r.WebsiteID, PersonID: r.PersonID, Device: r.Device, Flow: f, Status: r.Status,
		Error: r.ErrorMsg, Steps: r.Steps, CreatedAt: r.CreatedAt.UTC(), FinishedAt: query.UTC(r.FinishedAt),
	}, nil
}

// FlowTrial implements inventory.TrialTx.
func (t *Tx) FlowTrial(ctx context.Context, id vcd.ID) (*vcd.FlowTrial, error) {
	trial, err := t.oneTrial(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
	if err != nil {
		return nil, err
	}
	var rows []struct {
		StepsDone int            `bun:"steps_done"`
		Image     query.ImageRow `bun:"embed:i_"`
	}
	err = t.Bun.NewSelect().TableExpr("flow_trial_pictures AS p").Column("p.steps_done").ColumnExpr(query.ImageColumns("i")).
		Join(query.LookUp("images", "i", "o.account_id = ? AND o.id = p.image_id"), t.Tenant).
		Where("p.account_id = ? AND p.trial_id = ?", t.Tenant, id).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the pictures of trial %s: %w", id, err)
	}
	trial.Pictures = make(map[int]*vcd.Image, len(rows))
	for i := range rows {
		trial.Pictures[rows[i].StepsDone] = rows[i].Image.Image()
	}
	return trial, nil
}

// LockFlowTrial implements inventory.TrialTx and run.Tx.
func (t *Tx) LockFlowTrial(ctx context.Context, id vcd.ID) (*vcd.FlowTrial, error) {
	return t.oneTrial(ctx, id, query.ForChange)
}

func (t *Tx) oneTrial(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.FlowTrial, error) {
	row, err := query.FetchOne[trialRow](ctx, t.Scope, trials,
		func(q *bun.SelectQuery) *bun.SelectQuery { return and(q.Where("r.id = ?", id)) })
	if err != nil {
		return nil, query.NotFound(err, "FlowTrial", id)
	}
	return row.trial()
}

// LockRunningTrials implements inventory.TrialTx and run.Tx.
func (t *Tx) LockRunningTrials(ctx context.Context, of *vcd.ID) ([]*vcd.FlowTrial, error) {
	rows, err := query.Fetch[trialRow](ctx, t.Scope, trials, func(q *bun.SelectQuery) *bun.SelectQuery {
		if of != nil {
			q = q.Where("coalesce(r.person_id, r.account_id) = coalesce(nullif(?, '')::uuid, r.account_id)", string(*of))
		}
		return query.ForChange(q.Where("r.status IN ('open', 'processing')").Order("r.id"))
	})
	if err != nil {
		return nil, err
	}
	running := make([]*vcd.FlowTrial, len(rows))
	for i, row := range rows {
		if running[i], err = row.trial(); err != nil {
			return nil, err
		}
	}
	return running, nil
}

// InsertFlowTrial implements inventory.TrialTx.
func (t *Tx) InsertFlowTrial(ctx context.Context, trial *vcd.FlowTrial) (begun bool, err error) {
	f, err := rowOfFlow(trial.Flow)
	if err != nil {
		return false, err
	}
	row := &trialRow{
		Account: t.Tenant, ID: trial.ID, WebsiteID: trial.WebsiteID, PersonID: trial.PersonID, Device: trial.Device,
		Definition: f.Definition, StepIDs: f.StepIDs, Sealed: f.Sealed, Status: trial.Status, ErrorMsg: query.Plain(trial.Error),
		Steps: query.NotNil(trial.Steps), CreatedAt: trial.CreatedAt,
	}
	result, err := t.Bun.NewInsert().Model(row).On("CONFLICT (account_id, (coalesce(person_id, account_id))) " +
		"WHERE status IN ('open', 'processing') DO NOTHING").Exec(ctx)
	if err != nil {
		return false, fmt.Errorf("insert the trial %s: %w", trial.ID, err)
	}
	n, err := result.RowsAffected()
	return n == 1, err
}

// UpdateFlowTrial implements inventory.TrialTx and run.Tx.
func (t *Tx) UpdateFlowTrial(ctx context.Context, trial *vcd.FlowTrial) error {
	_, err := t.Bun.NewUpdate().Table("flow_trials").
		Set("status = ?, error_msg = ?, steps = ?", trial.Status, query.Plain(trial.Error), query.NotNil(trial.Steps)).
		Set("finished_at = ?, sealed_secrets = NULL", trial.FinishedAt).
		Where("account_id = ? AND id = ?", t.Tenant, trial.ID).Exec(ctx)
	if err != nil {
		return fmt.Errorf("store what became of trial %s: %w", trial.ID, err)
	}
	return nil
}

// AddTrialPicture implements run.Tx.
func (t *Tx) AddTrialPicture(ctx context.Context, trial vcd.ID, stepsDone int, img *vcd.Image) error {
	if err := t.InsertImage(ctx, img); err != nil {
		return err
	}
	_, err := t.Affect(ctx, "store a picture of a trial", `INSERT INTO flow_trial_pictures (account_id, trial_id, steps_done, image_id)
		VALUES (?0, ?1, ?2, ?3)`, t.Tenant, trial, stepsDone, img.ID)
	return err
}

// RemoveFlowTrials implements run.Store. What goes with a trial is removed by the database.
func (d *Store) RemoveFlowTrials(ctx context.Context, before time.Time, limit int) (int, error) {
	return d.RemoveKept(ctx, pg.Kept{Table: "flow_trials", Key: []string{"account_id", "id"}, Since: "created_at"}, before, limit)
}
