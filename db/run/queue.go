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

// OwnQueueEntry implements run.Tx.
func (t *Tx) OwnQueueEntry(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error) {
	row, err := query.FetchOne[entryRow](ctx, t.Scope, query.Own(entries),
		func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("q.id = ?", id) })
	if err != nil {
		return nil, query.NotFound(err, "Queue", id)
	}
	return row.entry(), nil
}

// entriesPerInsert limits the length of one INSERT.
const entriesPerInsert = 1000

type entryRow struct {
	bun.BaseModel `bun:"table:queue_entries,alias:q"`

	Account    vcd.ID          `bun:"account_id,pk"`
	ID         vcd.ID          `bun:"id,pk"`
	BatchID    vcd.ID          `bun:"batch_id"`
	GroupID    vcd.ID          `bun:"group_id"`
	URLID      vcd.ID          `bun:"url_id"`
	Device     vcd.Device      `bun:"device"`
	Type       vcd.QueueType   `bun:"type"`
	Status     vcd.QueueStatus `bun:"status"`
	Reason     string          `bun:"reason"`
	ErrorMsg   string          `bun:"error_msg"`
	Notice     string          `bun:"notice"`
	Attempts   int             `bun:"attempts"`
	Delay      int             `bun:"delay"`
	SubjectID  *vcd.ID         `bun:"subject_id"`
	ConfirmsID *vcd.ID         `bun:"confirms_id"`
	LeaderID   *vcd.ID         `bun:"leader_id"`
	NotBefore  *time.Time      `bun:"not_before"`

	ReopenedAt    *time.Time `bun:"reopened_at"`
	RefusedSince  *time.Time `bun:"refused_since"`
	RefusedStatus int        `bun:"refused_status"`

	Dispatched bool      `bun:"dispatched"`
	CreatedAt  time.Time `bun:"created_at"`
	UpdatedAt  time.Time `bun:"updated_at"`
}

// entryRead is an entry with the related data that is shown with it.
type entryRead struct {
	entryRow   `bun:",extend"`
	URLAddress string         `bun:"url_address"`
	URLScheme  string         `bun:"url_scheme"`
	HTMLTitle  string         `bun:"html_title"`
	Monitoring bool           `bun:"monitoring"`
	CSS        *string        `bun:"css"`
	JS         *string        `bun:"js"`
	Image      query.ImageRow `bun:"embed:i_"`
}

// entries reads the title and the picture of the screenshot; for a comparison, those of the compared screenshot and the
// comparison picture.
var entries = query.Source{
	Table: "queue_entries AS q", Alias: "q", Created: "created_at", ID: "id", Unique: true, Batch: "batch_id",
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("u.address AS url_address, u.scheme AS url_scheme").
			ColumnExpr("coalesce(nullif(coalesce(sh.html_title, a.html_title), ''), u.html_title) AS html_title").
			ColumnExpr("g.monitoring, s.css, s.js").ColumnExpr(query.ImageColumns("i")).
			Join(query.LookUp("urls", "u", "o.account_id = ? AND o.id = q.url_id"), account).
			Join(query.LookUp("groups", "g", "o.account_id = ? AND o.id = q.group_id"), account).
			Join(query.LookUpIfAny("group_urls", "s", "o.account_id = ? AND o.group_id = q.group_id AND o.url_id = q.url_id"), account).
			Join(query.LookUpIfAny("screenshots", "sh", "o.account_id = ? AND o.queue_id = q.id"), account).
			Join(query.LookUpIfAny("comparisons", "c", "o.account_id = ? AND o.queue_id = q.id"), account).
			Join(query.LookUpIfAny("screenshots", "a", "o.account_id = ? AND o.id = c.after_id"), account).
			Join(query.LookUpIfAny("images", "i", "o.account_id = ? AND o.id = "+
				query.FirstOf("sh.image_id", "c.image_id", "a.image_id")), account)
	},
}

func rowOfEntry(e *vcd.QueueEntry) *entryRow {
	return &entryRow{
		Account: e.Account, ID: e.ID, BatchID: e.BatchID, GroupID: e.GroupID, URLID: e.URLID, Device: e.Device, Type: e.Type,
		Status: e.Status, Reason: e.Reason, ErrorMsg: query.Plain(e.ErrorMsg), Notice: query.Plain(e.Notice), Attempts: e.Attempts,
		Delay:     e.Delay,
		SubjectID: e.SubjectID, ConfirmsID: e.ConfirmsID, LeaderID: e.LeaderID, NotBefore: e.NotBefore, Dispatched: e.Dispatched,
		CreatedAt: e.CreatedAt,
		UpdatedAt: e.UpdatedAt, ReopenedAt: e.ReopenedAt, RefusedSince: e.RefusedSince, RefusedStatus: e.RefusedStatus,
	}
}

func (r *entryRow) entry() *vcd.QueueEntry {
	return &vcd.QueueEntry{
		ID: r.ID, Account: r.Account, BatchID: r.BatchID, GroupID: r.GroupID, URLID: r.URLID, Device: r.Device, Type: r.Type,
		Status: r.Status, Reason: r.Reason, ErrorMsg: r.ErrorMsg, Notice: r.Notice, Attempts: r.Attempts, Delay: r.Delay,
		SubjectID: r.SubjectID, ConfirmsID: r.ConfirmsID, LeaderID: r.LeaderID, NotBefore: query.UTC(r.NotBefore), Dispatched: r.Dispatched,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		ReopenedAt: query.UTC(r.ReopenedAt), RefusedSince: query.UTC(r.RefusedSince), RefusedStatus: r.RefusedStatus,
	}
}

func (r *entryRead) entry() *vcd.QueueEntry {
	e := r.entryRow.entry()
	e.URLAddress, e.URLScheme, e.HTMLTitle = r.URLAddress, r.URLScheme, r.HTMLTitle
	e.Monitoring, e.CSS, e.JS = r.Monitoring, r.CSS, r.JS
	e.Image = r.Image.Image()
	return e
}

func (t *Tx) QueueEntry(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error) {
	row, err := query.FetchOne[entryRead](ctx, t.Scope, entries,
		func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("q.id = ?", id) })
	if err != nil {
		return nil, query.NotFound(err, "Queue", id)
	}
	return row.entry(), nil
}

func (t *Tx) LockQueueEntry(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error) {
	row := &entryRow{}
	q := t.Bun.NewSelect().Model(row).Where("q.account_id = ? AND q.id = ?", t.Tenant, id)
	if err := query.ForChange(q).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock the queue entry: %w", query.NotFound(err, "Queue", id))
	}
	return row.entry(), nil
}

func ofQueue(f vcd.QueueFilter) query.Narrow {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(query.Among(q, "q.id", f.IDs), "q.batch_id", f.BatchIDs)
		q = query.Among(query.Among(q, "q.group_id", f.GroupIDs), "q.url_id", f.URLIDs)
		return query.Among(query.Among(q, "q.status", f.Statuses), "q.type", f.Types)
	}
}

func (t *Tx) QueueEntriesByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.QueueEntry, error) {
	rows, err := query.Fetch[entryRead](ctx, t.Scope, entries,
		func(q *bun.SelectQuery) *bun.SelectQuery { return query.Among(q, "q.id", &wanted) })
	return query.ConvertAll(rows, (*entryRead).entry), err
}

func (t *Tx) InsertQueueEntries(ctx context.Context, added []*vcd.QueueEntry) error {
	type pair struct{ batch, group vcd.ID }
	seen := map[pair]bool{}
	var members []batchGroupRow
	rows := make([]*entryRow, len(added))
	for i, e := range added {
		rows[i] = rowOfEntry(e)
		if p := (pair{e.BatchID, e.GroupID}); !seen[p] {
			seen[p] = true
			members = append(members, batchGroupRow{Account: e.Account, BatchID: e.BatchID, GroupID: e.GroupID})
		}
	}
	for chunk := range slices.Chunk(rows, entriesPerInsert) {
		if _, err := t.Bun.NewInsert().Model(&chunk).Exec(ctx); err != nil {
			return fmt.Errorf("insert %d queue entries: %w", len(added), err)
		}
	}
	return t.noteGroups(ctx, members)
}

// noteGroups records which groups batches belong to.
func (t *Tx) noteGroups(ctx context.Context, members []batchGroupRow) error {
	if len(members) == 0 {
		return nil
	}
	if _, err := t.Bun.NewInsert().Model(&members).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
		return fmt.Errorf("note the groups of the batches: %w", err)
	}
	return nil
}

// batchGroupRow records that a batch has entries of a group.
type batchGroupRow struct {
	bun.BaseModel `bun:"table:batch_groups,alias:bg"`

	Account vcd.ID `bun:"account_id,pk"`
	BatchID vcd.ID `bun:"batch_id,pk"`
	GroupID vcd.ID `bun:"group_id,pk"`
}

func (t *Tx) UpdateQueueEntry(ctx context.Context, e *vcd.QueueEntry) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfEntry(e)).
		Column("status", "reason", "error_msg", "notice", "attempts", "dispatched", "updated_at", "not_before", "refused_since",
			"refused_status").
		Where("account_id = ? AND id = ?", t.Tenant, e.ID), "Queue", e.ID)
}
