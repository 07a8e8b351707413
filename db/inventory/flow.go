package inventory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/internal/flow"
	"afterimage/vcd"
)

type flowRow struct {
	bun.BaseModel `bun:"table:flows,alias:f"`

	Account    vcd.ID    `bun:"account_id,pk"`
	ID         vcd.ID    `bun:"id,pk"`
	WebsiteID  vcd.ID    `bun:"website_id"`
	Name       string    `bun:"name"`
	Definition string    `bun:"definition"`
	StepIDs    []string  `bun:"step_ids,array"`
	Sealed     []byte    `bun:"sealed_secrets"`
	Manual     bool      `bun:"manual"`
	Monitoring bool      `bun:"monitoring"`
	CreatedAt  time.Time `bun:"created_at"`
	UpdatedAt  time.Time `bun:"updated_at"`
}

var flows = query.Source{
	Table: "flows AS f", Alias: "f", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

func rowOfFlow(f *vcd.Flow) (*flowRow, error) {
	definition, err := f.Definition.YAML()
	if err != nil {
		return nil, fmt.Errorf("write the definition of flow %s: %w", f.ID, err)
	}
	return &flowRow{
		Account: f.Account, ID: f.ID, WebsiteID: f.WebsiteID, Name: f.Definition.Name, Definition: string(definition),
		StepIDs: query.Texts(f.StepIDs), Sealed: f.SealedSecrets, Manual: f.Manual, Monitoring: f.Monitoring,
		CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt,
	}, nil
}

func (r *flowRow) flow() (*vcd.Flow, error) {
	definition, err := flow.Read([]byte(r.Definition))
	if err != nil {
		return nil, fmt.Errorf("read the definition of flow %s: %w", r.ID, err)
	}
	for i := range definition.Steps {
		definition.Steps[i].Line = 0 // of the stored text, which nobody sees
	}
	if len(r.StepIDs) != len(definition.Steps) {
		return nil, fmt.Errorf("flow %s has %d steps and %d ids of steps", r.ID, len(definition.Steps), len(r.StepIDs))
	}
	return &vcd.Flow{
		ID: r.ID, Account: r.Account, WebsiteID: r.WebsiteID, Definition: definition, StepIDs: query.IDs(r.StepIDs),
		SealedSecrets: r.Sealed, Manual: r.Manual, Monitoring: r.Monitoring, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

func flowsOf(rows []*flowRow) ([]*vcd.Flow, error) {
	list := make([]*vcd.Flow, len(rows))
	for i, row := range rows {
		f, err := row.flow()
		if err != nil {
			return nil, err
		}
		list[i] = f
	}
	return list, nil
}

// Flow implements inventory.WebsiteTx.
func (t *Tx) Flow(ctx context.Context, id vcd.ID) (*vcd.Flow, error) {
	return t.oneFlow(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

// LockFlow implements inventory.WebsiteTx.
func (t *Tx) LockFlow(ctx context.Context, id vcd.ID) (*vcd.Flow, error) {
	return t.oneFlow(ctx, id, query.ForChange)
}

func (t *Tx) oneFlow(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.Flow, error) {
	row, err := query.FetchOne[flowRow](ctx, t.Scope, flows,
		func(q *bun.SelectQuery) *bun.SelectQuery { return and(q.Where("f.id = ?", id)) })
	if err != nil {
		return nil, query.NotFound(err, "Flow", id)
	}
	return row.flow()
}

// Flows implements inventory.WebsiteTx.
func (t *Tx) Flows(ctx context.Context, f vcd.FlowFilter, p vcd.Page) (*vcd.List[*vcd.Flow], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		return query.Among(query.Among(q, "f.id", f.IDs), "f.website_id", f.WebsiteIDs)
	}
	var unreadable error
	list, err := query.FetchPage(ctx, t.Scope, flows, where, query.Order{}, p, func(r *flowRow) *vcd.Flow {
		one, err := r.flow()
		unreadable = errors.Join(unreadable, err)
		return one
	})
	return list, errors.Join(err, unreadable)
}

// FlowsOfWebsite implements inventory.WebsiteTx.
func (t *Tx) FlowsOfWebsite(ctx context.Context, website vcd.ID) ([]*vcd.Flow, error) {
	rows, err := query.Fetch[flowRow](ctx, t.Scope, flows,
		func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("f.website_id = ?", website).OrderExpr("f.id")
		})
	if err != nil {
		return nil, err
	}
	return flowsOf(rows)
}

// CountFlows implements inventory.WebsiteTx.
func (t *Tx) CountFlows(ctx context.Context) (int, error) {
	return t.Count(ctx, flows, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

// GroupsSignedInBy implements inventory.WebsiteTx.
func (t *Tx) GroupsSignedInBy(ctx context.Context, flow vcd.ID) (names []string, err error) {
	err = t.Bun.NewSelect().TableExpr("groups AS g").Column("g.name").
		Where("g.account_id = ? AND g.sign_in_flow_id = ? AND g.deleted_at IS NULL", t.Tenant, flow).
		OrderExpr("g.name, g.id").Scan(ctx, &names)
	if err != nil {
		return nil, fmt.Errorf("list the groups for which flow %s signs in: %w", flow, err)
	}
	return names, nil
}

// InsertFlow implements inventory.WebsiteTx.
func (t *Tx) InsertFlow(ctx context.Context, f *vcd.Flow) error {
	row, err := rowOfFlow(f)
	if err != nil {
		return err
	}
	if _, err := t.Bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the flow: %w", err)
	}
	return nil
}

// UpdateFlow implements inventory.WebsiteTx.
func (t *Tx) UpdateFlow(ctx context.Context, f *vcd.Flow) error {
	row, err := rowOfFlow(f)
	if err != nil {
		return err
	}
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(row).ExcludeColumn("account_id", "id", "website_id", "created_at").
		Where("account_id = ? AND id = ?", t.Tenant, f.ID), "Flow", f.ID)
}

// DeleteFlow implements inventory.WebsiteTx.
func (t *Tx) DeleteFlow(ctx context.Context, id vcd.ID) error {
	return t.DeleteOne(ctx, "flows", "Flow", id)
}

type checkpointRow struct {
	bun.BaseModel `bun:"table:flow_checkpoints,alias:p"`

	Account vcd.ID `bun:"account_id,pk"`
	URLID   vcd.ID `bun:"url_id,pk"`
	FlowID  vcd.ID `bun:"flow_id"`
	StepID  vcd.ID `bun:"step_id"`
}

// FlowCheckpoints implements inventory.WebsiteTx and run.Tx.
func (t *Tx) FlowCheckpoints(ctx context.Context, id vcd.ID) ([]vcd.FlowCheckpoint, error) {
	var rows []checkpointRow
	err := t.Bun.NewSelect().Model(&rows).Where("p.account_id = ? AND p.flow_id = ?", t.Tenant, id).
		Where("EXISTS (SELECT FROM urls AS u WHERE u.account_id = ? AND u.id = p.url_id AND u.deleted_at IS NULL OFFSET 0)", t.Tenant).
		OrderExpr("p.url_id").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the checkpoints of flow %s: %w", id, err)
	}
	list := make([]vcd.FlowCheckpoint, len(rows))
	for i, r := range rows {
		list[i] = vcd.FlowCheckpoint{URLID: r.URLID, FlowID: r.FlowID, StepID: r.StepID}
	}
	return list, nil
}

// SaveFlowCheckpoints implements inventory.WebsiteTx.
func (t *Tx) SaveFlowCheckpoints(ctx context.Context, added []*vcd.FlowCheckpoint, gone []vcd.ID) error {
	if len(gone) > 0 {
		_, err := t.Bun.NewDelete().Table("flow_checkpoints").Where("account_id = ? AND url_id = ANY(?)", t.Tenant, query.Array(gone)).
			Exec(ctx)
		if err != nil {
			return fmt.Errorf("remove checkpoints: %w", err)
		}
	}
	if len(added) == 0 {
		return nil
	}
	rows := make([]*checkpointRow, len(added))
	for i, c := range added {
		rows[i] = &checkpointRow{Account: t.Tenant, URLID: c.URLID, FlowID: c.FlowID, StepID: c.StepID}
	}
	_, err := t.Bun.NewInsert().Model(&rows).On("CONFLICT (account_id, flow_id, step_id) DO UPDATE").
		Set("url_id = excluded.url_id").Exec(ctx)
	if err != nil {
		return fmt.Errorf("add checkpoints: %w", err)
	}
	return nil
}

// FlowOfCheckpoint implements run.Tx.
func (t *Tx) FlowOfCheckpoint(ctx context.Context, urlID vcd.ID) (*vcd.Flow, error) {
	row, err := query.FetchOne[flowRow](ctx, t.Scope, flows, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("f.id = (SELECT p.flow_id FROM flow_checkpoints AS p WHERE p.account_id = ? AND p.url_id = ?)", t.Tenant, urlID)
	})
	if err != nil {
		return nil, query.NotFound(err, "Flow", urlID)
	}
	return row.flow()
}
