package outbound

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type mailRow struct {
	bun.BaseModel `bun:"table:mails,alias:m"`

	Account       vcd.ID        `bun:"account_id,pk"`
	ID            vcd.ID        `bun:"id,pk"`
	Kind          vcd.MailKind  `bun:"kind"`
	Recipient     string        `bun:"recipient"`
	Number        int64         `bun:"number,nullzero"`
	SubjectID     vcd.ID        `bun:"subject_id"`
	Subject       string        `bun:"subject"`
	Text          string        `bun:"text"`
	HTML          string        `bun:"html"`
	State         vcd.MailState `bun:"state"`
	Problem       string        `bun:"problem"`
	Attempts      int           `bun:"attempts"`
	NextAttemptAt *time.Time    `bun:"next_attempt_at"`
	SentAt        *time.Time    `bun:"sent_at"`
	CreatedAt     time.Time     `bun:"created_at"`
	UpdatedAt     time.Time     `bun:"updated_at"`
}

var mails = query.Source{
	Table: "mails AS m", Alias: "m", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

func rowOfMail(m *vcd.Mail) *mailRow {
	return &mailRow{
		Account: m.Account, ID: m.ID, Kind: m.Kind, Recipient: m.Recipient, Number: m.Number, SubjectID: m.SubjectID,
		Subject: m.Subject, Text: m.Text, HTML: m.HTML, State: m.State, Problem: m.Problem, Attempts: m.Attempts,
		NextAttemptAt: m.NextAttemptAt, SentAt: m.SentAt, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
	}
}

func (r *mailRow) mail() *vcd.Mail {
	return &vcd.Mail{
		Account: r.Account, ID: r.ID, Kind: r.Kind, Recipient: r.Recipient, Number: r.Number, SubjectID: r.SubjectID,
		Subject: r.Subject, Text: r.Text, HTML: r.HTML, State: r.State, Problem: r.Problem, Attempts: r.Attempts,
		NextAttemptAt: query.UTC(r.NextAttemptAt), SentAt: query.UTC(r.SentAt), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

func (t *Tx) Mail(ctx context.Context, id vcd.ID) (*vcd.Mail, error) {
	return t.mail(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *Tx) LockMail(ctx context.Context, id vcd.ID) (*vcd.Mail, error) {
	return t.mail(ctx, id, query.ForChange)
}

func (t *Tx) mail(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.Mail, error) {
	row, err := query.FetchOne[mailRow](ctx, t.Scope, mails,
		func(q *bun.SelectQuery) *bun.SelectQuery { return and(q.Where("m.id = ?", id)) })
	if err != nil {
		return nil, query.NotFound(err, "Mail", id)
	}
	return row.mail(), nil
}

func (t *Tx) Mails(ctx context.Context, f vcd.MailFilter, p vcd.Page) (*vcd.List[*vcd.Mail], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		if len(f.Hidden) > 0 {
			q = q.Where("m.kind <> ALL (?)", query.Array(f.Hidden))
		}
		return query.Among(query.Among(query.Among(q, "m.kind", f.Kinds), "m.state", f.States), "m.subject_id", f.BatchIDs)
	}
	return query.FetchPage(ctx, t.Scope, mails, where, query.Order{}, p, (*mailRow).mail)
}

func (t *Tx) MailsByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Mail, error) {
	rows, err := query.Fetch[mailRow](ctx, t.Scope, mails, func(q *bun.SelectQuery) *bun.SelectQuery {
		return query.Among(q, "m.id",
			&wanted)
	})
	return query.ConvertAll(rows, (*mailRow).mail), err
}

func (t *Tx) InsertMails(ctx context.Context, list []*vcd.Mail) error {
	rows := query.ConvertAll(list, rowOfMail)
	if _, err := t.Bun.NewInsert().Model(&rows).Exec(ctx); err != nil {
		return fmt.Errorf("insert mails: %w", err)
	}
	return nil
}

func (t *Tx) UpdateMail(ctx context.Context, m *vcd.Mail) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfMail(m)).
		Column("subject", "text", "html", "state", "problem", "attempts", "next_attempt_at", "sent_at", "updated_at").
		Where("account_id = ? AND id = ?", t.Tenant, m.ID), "Mail", m.ID)
}

// CountEnds implements outbound.MailTx.
func (t *Tx) CountEnds(ctx context.Context, batch vcd.ID) (map[vcd.ID]vcd.GroupEnds, error) {
	var rows []struct {
		Group    vcd.ID `bun:"group_id"`
		Compared int    `bun:"compared"`
		Failed   int    `bun:"failed"`
		Unseen   int    `bun:"unseen"`
	}
	err := t.Bun.NewRaw(`SELECT q.group_id,
			count(*) FILTER (WHERE type = 'compare' AND status = 'done' AND reason <> 'baseline') AS compared,
			count(*) FILTER (WHERE status = 'failed' AND (type <> 'compare' OR reason = ?0)) AS failed,
			(SELECT count(*) FROM comparisons AS c
				WHERE c.account_id = ?1 AND c.batch_id = ?2 AND c.group_id = q.group_id AND c.unseen <> '') AS unseen
		FROM queue_entries AS q WHERE q.account_id = ?1 AND q.batch_id = ?2 GROUP BY q.group_id`,
		vcd.ReasonWall, t.Tenant, batch).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count the ends of a batch: %w", err)
	}
	ends := make(map[vcd.ID]vcd.GroupEnds, len(rows))
	for _, r := range rows {
		ends[r.Group] = vcd.GroupEnds{Compared: r.Compared, Failed: r.Failed, Unseen: r.Unseen}
	}
	return ends, nil
}
