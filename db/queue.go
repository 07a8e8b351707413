package db

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

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
	URLAddress string   `bun:"url_address"`
	URLScheme  string   `bun:"url_scheme"`
	HTMLTitle  string   `bun:"html_title"`
	Monitoring bool     `bun:"monitoring"`
	CSS        *string  `bun:"css"`
	JS         *string  `bun:"js"`
	Image      imageRow `bun:"embed:i_"`
}

// entries reads the title and the picture of the screenshot; for a comparison, those of the compared screenshot and the
// comparison picture.
var entries = source{
	table: "queue_entries AS q", alias: "q", created: "created_at", id: "id", unique: true, batch: "batch_id",
	widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("u.address AS url_address, u.scheme AS url_scheme").
			ColumnExpr("coalesce(nullif(coalesce(sh.html_title, a.html_title), ''), u.html_title) AS html_title").
			ColumnExpr("g.monitoring, s.css, s.js").ColumnExpr(imageColumns("i")).
			Join(lookUp("urls", "u", "o.account_id = ? AND o.id = q.url_id"), account).
			Join(lookUp("groups", "g", "o.account_id = ? AND o.id = q.group_id"), account).
			Join(lookUpIfAny("group_urls", "s", "o.account_id = ? AND o.group_id = q.group_id AND o.url_id = q.url_id"), account).
			Join(lookUpIfAny("screenshots", "sh", "o.account_id = ? AND o.queue_id = q.id"), account).
			Join(lookUpIfAny("comparisons", "c", "o.account_id = ? AND o.queue_id = q.id"), account).
			Join(lookUpIfAny("screenshots", "a", "o.account_id = ? AND o.id = c.after_id"), account).
			Join(lookUpIfAny("images", "i", "o.account_id = ? AND o.id = "+firstOf("sh.image_id", "c.image_id", "a.image_id")), account)
	},
}

func rowOfEntry(e *vcd.QueueEntry) *entryRow {
	return &entryRow{
		Account: e.Account, ID: e.ID, BatchID: e.BatchID, GroupID: e.GroupID, URLID: e.URLID, Device: e.Device, Type: e.Type,
		Status: e.Status, Reason: e.Reason, ErrorMsg: plain(e.ErrorMsg), Notice: plain(e.Notice), Attempts: e.Attempts, Delay: e.Delay,
		SubjectID: e.SubjectID, ConfirmsID: e.ConfirmsID, NotBefore: e.NotBefore, Dispatched: e.Dispatched, CreatedAt: e.CreatedAt,
		UpdatedAt: e.UpdatedAt, ReopenedAt: e.ReopenedAt, RefusedSince: e.RefusedSince, RefusedStatus: e.RefusedStatus,
	}
}

func (r *entryRow) entry() *vcd.QueueEntry {
	return &vcd.QueueEntry{
		ID: r.ID, Account: r.Account, BatchID: r.BatchID, GroupID: r.GroupID, URLID: r.URLID, Device: r.Device, Type: r.Type,
		Status: r.Status, Reason: r.Reason, ErrorMsg: r.ErrorMsg, Notice: r.Notice, Attempts: r.Attempts, Delay: r.Delay,
		SubjectID: r.SubjectID, ConfirmsID: r.ConfirmsID, NotBefore: utc(r.NotBefore), Dispatched: r.Dispatched,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		ReopenedAt: utc(r.ReopenedAt), RefusedSince: utc(r.RefusedSince), RefusedStatus: r.RefusedStatus,
	}
}

func (r *entryRead) entry() *vcd.QueueEntry {
	e := r.entryRow.entry()
	e.URLAddress, e.URLScheme, e.HTMLTitle = r.URLAddress, r.URLScheme, r.HTMLTitle
	e.Monitoring, e.CSS, e.JS = r.Monitoring, r.CSS, r.JS
	e.Image = r.Image.image()
	return e
}

func (t *tx) QueueEntry(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error) {
	row, err := fetchOne[entryRead](ctx, t, entries, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("q.id = ?", id) })
	if err != nil {
		return nil, notFound(err, "Queue", id)
	}
	return row.entry(), nil
}

func (t *tx) LockQueueEntry(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error) {
	row := &entryRow{}
	q := t.bun.NewSelect().Model(row).Where("q.account_id = ? AND q.id = ?", t.account, id)
	if err := forChange(q).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock the queue entry: %w", notFound(err, "Queue", id))
	}
	return row.entry(), nil
}

func ofQueue(f vcd.QueueFilter) narrow {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		q = among(among(q, "q.id", f.IDs), "q.batch_id", f.BatchIDs)
		q = among(among(q, "q.group_id", f.GroupIDs), "q.url_id", f.URLIDs)
		return among(among(q, "q.status", f.Statuses), "q.type", f.Types)
	}
}

func (t *tx) QueueEntriesByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.QueueEntry, error) {
	rows, err := fetch[entryRead](ctx, t, entries, func(q *bun.SelectQuery) *bun.SelectQuery { return among(q, "q.id", &wanted) })
	return convertAll(rows, (*entryRead).entry), err
}

func (t *tx) InsertQueueEntries(ctx context.Context, added []*vcd.QueueEntry) error {
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
		if _, err := t.bun.NewInsert().Model(&chunk).Exec(ctx); err != nil {
			return fmt.Errorf("insert %d queue entries: %w", len(added), err)
		}
	}
	return t.noteGroups(ctx, members)
}

// noteGroups records which groups batches belong to.
func (t *tx) noteGroups(ctx context.Context, members []batchGroupRow) error {
	if len(members) == 0 {
		return nil
	}
	if _, err := t.bun.NewInsert().Model(&members).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
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

func (t *tx) UpdateQueueEntry(ctx context.Context, e *vcd.QueueEntry) error {
	return t.updateOne(ctx, t.bun.NewUpdate().Model(rowOfEntry(e)).
		Column("status", "reason", "error_msg", "notice", "attempts", "dispatched", "updated_at", "not_before", "refused_since",
			"refused_status").
		Where("account_id = ? AND id = ?", t.account, e.ID), "Queue", e.ID)
}
