package run

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

type pageSessionRow struct {
	bun.BaseModel `bun:"table:page_sessions,alias:p"`

	Account     vcd.ID          `bun:"account_id,pk"`
	BatchID     vcd.ID          `bun:"batch_id,pk"`
	GroupID     vcd.ID          `bun:"group_id,pk"`
	Device      vcd.Device      `bun:"device,pk"`
	FlowID      vcd.ID          `bun:"flow_id"`
	EntryID     vcd.ID          `bun:"entry_id"`
	Status      vcd.QueueStatus `bun:"status"`
	Round       int             `bun:"round"`
	Attempts    int             `bun:"attempts"`
	ChangedStep int             `bun:"changed_step"`
	HeldUntil   time.Time       `bun:"held_until"`
	ErrorMsg    string          `bun:"error_msg"`
	Sealed      []byte          `bun:"sealed"`
	CreatedAt   time.Time       `bun:"created_at"`
}

func rowOfPageSession(p *vcd.PageSession) *pageSessionRow {
	return &pageSessionRow{
		Account: p.Account, BatchID: p.BatchID, GroupID: p.GroupID, Device: p.Device, FlowID: p.FlowID, EntryID: p.EntryID,
		Status: p.Status, Round: p.Round, Attempts: p.Attempts, ChangedStep: p.ChangedStep, HeldUntil: p.HeldUntil,
		ErrorMsg: query.Plain(p.Error), Sealed: p.Sealed, CreatedAt: p.CreatedAt,
	}
}

// InsertPageSession implements run.Tx.
func (t *Tx) InsertPageSession(ctx context.Context, p *vcd.PageSession) error {
	_, err := t.Bun.NewInsert().Model(rowOfPageSession(p)).On("CONFLICT (account_id, batch_id, group_id, device) DO NOTHING").Exec(ctx)
	if err != nil {
		return fmt.Errorf("insert the session of group %s in batch %s: %w", p.GroupID, p.BatchID, err)
	}
	return nil
}

// LockPageSession implements run.Tx.
func (t *Tx) LockPageSession(ctx context.Context, batch, group vcd.ID, device vcd.Device) (*vcd.PageSession, error) {
	row := &pageSessionRow{}
	err := t.Bun.NewSelect().Model(row).Where("p.account_id = ? AND p.batch_id = ?", t.Tenant, batch).
		Where("p.group_id = ? AND p.device = ?", group, device).For("NO KEY UPDATE").Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the session of group %s in batch %s: %w", group, batch, err)
	}
	return &vcd.PageSession{
		Account: row.Account, BatchID: row.BatchID, GroupID: row.GroupID, Device: row.Device, FlowID: row.FlowID, EntryID: row.EntryID,
		Status: row.Status, Round: row.Round, Attempts: row.Attempts, ChangedStep: row.ChangedStep, HeldUntil: row.HeldUntil.UTC(),
		Error: row.ErrorMsg, Sealed: row.Sealed, CreatedAt: row.CreatedAt.UTC(),
	}, nil
}

// UpdatePageSession implements run.Tx.
func (t *Tx) UpdatePageSession(ctx context.Context, p *vcd.PageSession) error {
	_, err := t.Bun.NewUpdate().Model(rowOfPageSession(p)).ExcludeColumn("created_at").WherePK().Exec(ctx)
	if err != nil {
		return fmt.Errorf("store the session of group %s in batch %s: %w", p.GroupID, p.BatchID, err)
	}
	return nil
}

// ForgetPageSessions implements run.Tx.
func (t *Tx) ForgetPageSessions(ctx context.Context, batch vcd.ID, statuses ...vcd.QueueStatus) error {
	q := t.Bun.NewDelete().Table("page_sessions").Where("account_id = ? AND batch_id = ?", t.Tenant, batch)
	if len(statuses) > 0 {
		q = q.Where("status IN (?)", bun.List(statuses))
	}
	if _, err := q.Exec(ctx); err != nil {
		return fmt.Errorf("forget the sessions of batch %s: %w", batch, err)
	}
	return nil
}

// WaitingForSession implements run.Tx.
func (t *Tx) WaitingForSession(ctx context.Context, p *vcd.PageSession) ([]vcd.ID, error) {
	var waiting []string
	err := t.Bun.NewRaw(`SELECT t.subject_id FROM turns AS t
		JOIN queue_entries AS q ON q.account_id = t.account_id AND q.id = t.subject_id
		WHERE t.account_id = ?0 AND t.batch_id = ?1 AND t.at = ?2 AND t.handed_at IS NULL AND t.kind = 'capture'
			AND q.group_id = ?3 AND q.device = ?4 ORDER BY t.subject_id`,
		t.Tenant, p.BatchID, p.HeldUntil, p.GroupID, p.Device).Scan(ctx, &waiting)
	if err != nil {
		return nil, fmt.Errorf("list what waits for the session of group %s: %w", p.GroupID, err)
	}
	return query.IDs(waiting), nil
}

// RemovePageSessions implements run.Store.
func (d *Store) RemovePageSessions(ctx context.Context, before time.Time, limit int) (int, error) {
	key := []string{"account_id", "batch_id", "group_id", "device"}
	return d.RemoveKept(ctx, pg.Kept{Table: "page_sessions", Key: key, Since: "created_at"}, before, limit)
}
