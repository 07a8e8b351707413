package outbound

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type webhookRow struct {
	bun.BaseModel `bun:"table:webhooks,alias:h"`

	Account        vcd.ID     `bun:"account_id,pk"`
	ID             vcd.ID     `bun:"id,pk"`
	Events         []string   `bun:"events,array"`
	GroupIDs       []string   `bun:"group_ids,array"`
	WebsiteIDs     []string   `bun:"website_ids,array"`
	URL            string     `bun:"url"`
	ExpiresAt      *time.Time `bun:"expires_at"`
	DisabledAt     *time.Time `bun:"disabled_at"`
	DisabledReason string     `bun:"disabled_reason"`
	LastStatus     int        `bun:"last_status,nullzero"`
	NextCallAt     *time.Time `bun:"next_call_at"`
	GoneAt         *time.Time `bun:"gone_at"`
	FailingSince   *time.Time `bun:"failing_since"`
	CreatedAt      time.Time  `bun:"created_at"`
	UpdatedAt      time.Time  `bun:"updated_at"`
}

var webhooks = query.Source{
	Table: "webhooks AS h", Alias: "h", Created: "created_at", ID: "id",
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

func rowOfWebhook(w *vcd.Webhook) *webhookRow {
	return &webhookRow{
		Account: w.Account, ID: w.ID, Events: query.Texts(w.Events), GroupIDs: query.Texts(w.GroupIDs),
		WebsiteIDs: query.Texts(w.WebsiteIDs),
		URL:        w.URL, ExpiresAt: w.ExpiresAt,
		DisabledAt: w.DisabledAt, DisabledReason: w.DisabledReason, LastStatus: w.LastStatus, FailingSince: w.FailingSince,
		NextCallAt: w.NextCallAt, GoneAt: w.GoneAt, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
}

func (r *webhookRow) webhook() *vcd.Webhook {
	return &vcd.Webhook{
		ID: r.ID, Account: r.Account, Events: eventKinds(r.Events), GroupIDs: query.IDs(r.GroupIDs), WebsiteIDs: query.IDs(r.WebsiteIDs),
		URL: r.URL, ExpiresAt: query.UTC(r.ExpiresAt),
		DisabledAt: query.UTC(r.DisabledAt), DisabledReason: r.DisabledReason, LastStatus: r.LastStatus,
		FailingSince: query.UTC(r.FailingSince), NextCallAt: query.UTC(r.NextCallAt), GoneAt: query.UTC(r.GoneAt),
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

func eventKinds(column []string) []vcd.EventKind {
	kinds := make([]vcd.EventKind, len(column))
	for i, kind := range column {
		kinds[i] = vcd.EventKind(kind)
	}
	return kinds
}

func (t *Tx) Webhook(ctx context.Context, id vcd.ID) (*vcd.Webhook, error) {
	return t.webhook(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *Tx) LockWebhook(ctx context.Context, id vcd.ID) (*vcd.Webhook, error) {
	return t.webhook(ctx, id, query.ForChange)
}

func (t *Tx) webhook(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.Webhook, error) {
	row, err := query.FetchOne[webhookRow](ctx, t.Scope, webhooks,
		func(q *bun.SelectQuery) *bun.SelectQuery { return and(q.Where("h.id = ?", id)) })
	if err != nil {
		return nil, query.NotFound(err, "Webhook", id)
	}
	return row.webhook(), nil
}

func (t *Tx) Webhooks(ctx context.Context, f vcd.WebhookFilter, p vcd.Page) (*vcd.List[*vcd.Webhook], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.Where("h.gone_at IS NULL")
		if f.Events == nil {
			return q
		}
		return q.Where("h.events && ?::text[]", query.Array(*f.Events))
	}
	return query.FetchPage(ctx, t.Scope, webhooks, where, query.Order{}, p, (*webhookRow).webhook)
}

func (t *Tx) WebhooksByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Webhook, error) {
	rows, err := query.Fetch[webhookRow](ctx, t.Scope, webhooks,
		func(q *bun.SelectQuery) *bun.SelectQuery { return query.Among(q, "h.id", &wanted) })
	return query.ConvertAll(rows, (*webhookRow).webhook), err
}

func (t *Tx) CountWebhooks(ctx context.Context) (int, error) {
	return t.Count(ctx, webhooks, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("h.gone_at IS NULL") })
}

func (t *Tx) InsertWebhook(ctx context.Context, w *vcd.Webhook) error {
	if _, err := t.Bun.NewInsert().Model(rowOfWebhook(w)).Exec(ctx); err != nil {
		return fmt.Errorf("insert the webhook: %w", err)
	}
	return nil
}

func (t *Tx) UpdateWebhook(ctx context.Context, w *vcd.Webhook) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfWebhook(w)).ExcludeColumn("account_id", "id", "created_at").
		Where("account_id = ? AND id = ?", t.Tenant, w.ID), "Webhook", w.ID)
}

func (t *Tx) DeleteWebhook(ctx context.Context, id vcd.ID) error {
	return t.DeleteOne(ctx, "webhooks", "Webhook", id)
}

// DueCalls implements outbound.Store.
func (d *Store) DueCalls(ctx context.Context, now time.Time, limit int) ([]vcd.DueCall, error) {
	var rows []struct {
		Account vcd.ID `bun:"account_id"`
		Webhook vcd.ID `bun:"id"`
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw("SELECT account_id, id FROM webhooks WHERE next_call_at <= ? ORDER BY "+query.InTurn("account_id")+" LIMIT ?",
			now, limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for webhooks to be called: %w", err)
	}
	due := make([]vcd.DueCall, len(rows))
	for i, r := range rows {
		due[i] = vcd.DueCall(r)
	}
	return due, nil
}
