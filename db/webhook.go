package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

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

var webhooks = source{
	table: "webhooks AS h", alias: "h", created: "created_at", id: "id",
	widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

func rowOfWebhook(w *vcd.Webhook) *webhookRow {
	return &webhookRow{
		Account: w.Account, ID: w.ID, Events: texts(w.Events), GroupIDs: texts(w.GroupIDs), WebsiteIDs: texts(w.WebsiteIDs),
		URL: w.URL, ExpiresAt: w.ExpiresAt,
		DisabledAt: w.DisabledAt, DisabledReason: w.DisabledReason, LastStatus: w.LastStatus, FailingSince: w.FailingSince,
		NextCallAt: w.NextCallAt, GoneAt: w.GoneAt, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
}

func (r *webhookRow) webhook() *vcd.Webhook {
	return &vcd.Webhook{
		ID: r.ID, Account: r.Account, Events: eventKinds(r.Events), GroupIDs: ids(r.GroupIDs), WebsiteIDs: ids(r.WebsiteIDs),
		URL: r.URL, ExpiresAt: utc(r.ExpiresAt),
		DisabledAt: utc(r.DisabledAt), DisabledReason: r.DisabledReason, LastStatus: r.LastStatus,
		FailingSince: utc(r.FailingSince), NextCallAt: utc(r.NextCallAt), GoneAt: utc(r.GoneAt),
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

// texts are values as an array column keeps them, never null.
func texts[T ~string](values []T) []string {
	column := make([]string, len(values))
	for i, v := range values {
		column[i] = string(v)
	}
	return column
}

func eventKinds(column []string) []vcd.EventKind {
	kinds := make([]vcd.EventKind, len(column))
	for i, kind := range column {
		kinds[i] = vcd.EventKind(kind)
	}
	return kinds
}

func (t *tx) Webhook(ctx context.Context, id vcd.ID) (*vcd.Webhook, error) {
	return t.webhook(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *tx) LockWebhook(ctx context.Context, id vcd.ID) (*vcd.Webhook, error) {
	return t.webhook(ctx, id, forChange)
}

func (t *tx) webhook(ctx context.Context, id vcd.ID, and narrow) (*vcd.Webhook, error) {
	row, err := fetchOne[webhookRow](ctx, t, webhooks, func(q *bun.SelectQuery) *bun.SelectQuery { return and(q.Where("h.id = ?", id)) })
	if err != nil {
		return nil, notFound(err, "Webhook", id)
	}
	return row.webhook(), nil
}

func (t *tx) Webhooks(ctx context.Context, f vcd.WebhookFilter, p vcd.Page) (*vcd.List[*vcd.Webhook], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.Where("h.gone_at IS NULL")
		if f.Events == nil {
			return q
		}
		return q.Where("h.events && ?::text[]", array(*f.Events))
	}
	return fetchPage(ctx, t, webhooks, where, order{}, p, (*webhookRow).webhook)
}

func (t *tx) WebhooksByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Webhook, error) {
	rows, err := fetch[webhookRow](ctx, t, webhooks, func(q *bun.SelectQuery) *bun.SelectQuery { return among(q, "h.id", &wanted) })
	return convertAll(rows, (*webhookRow).webhook), err
}

func (t *tx) CountWebhooks(ctx context.Context) (int, error) {
	return t.count(ctx, webhooks, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("h.gone_at IS NULL") })
}

func (t *tx) InsertWebhook(ctx context.Context, w *vcd.Webhook) error {
	if _, err := t.bun.NewInsert().Model(rowOfWebhook(w)).Exec(ctx); err != nil {
		return fmt.Errorf("insert the webhook: %w", err)
	}
	return nil
}

func (t *tx) UpdateWebhook(ctx context.Context, w *vcd.Webhook) error {
	return t.updateOne(ctx, t.bun.NewUpdate().Model(rowOfWebhook(w)).ExcludeColumn("account_id", "id", "created_at").
		Where("account_id = ? AND id = ?", t.account, w.ID), "Webhook", w.ID)
}

func (t *tx) DeleteWebhook(ctx context.Context, id vcd.ID) error {
	return t.deleteOne(ctx, "webhooks", "Webhook", id)
}

// deleteOne deletes a row permanently. The row must exist.
func (t *tx) deleteOne(ctx context.Context, table, resource string, id vcd.ID) error {
	result, err := t.bun.NewDelete().Table(table).Where("account_id = ? AND id = ?", t.account, id).Exec(ctx)
	if err != nil {
		return fmt.Errorf("delete from %s: %w", table, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return vcd.NotFound(resource, id)
	}
	return nil
}

// DueCalls implements vcd.DueCallStore.
func (d *DB) DueCalls(ctx context.Context, now time.Time, limit int) ([]vcd.DueCall, error) {
	var rows []struct {
		Account vcd.ID `bun:"account_id"`
		Webhook vcd.ID `bun:"id"`
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		return t.bun.NewRaw("SELECT account_id, id FROM webhooks WHERE next_call_at <= ? ORDER BY "+inTurn("account_id")+" LIMIT ?",
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
