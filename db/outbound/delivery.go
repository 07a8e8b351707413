package outbound

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type deliveryRow struct {
	bun.BaseModel `bun:"table:deliveries,alias:d"`

	Account       vcd.ID            `bun:"account_id,pk"`
	ID            vcd.ID            `bun:"id,pk"`
	WebhookID     vcd.ID            `bun:"webhook_id"`
	Event         vcd.EventKind     `bun:"event"`
	Number        *int64            `bun:"number"`
	SubjectID     vcd.ID            `bun:"subject_id"`
	State         vcd.DeliveryState `bun:"state"`
	Problem       string            `bun:"problem"`
	Attempts      int               `bun:"attempts"`
	Tries         int               `bun:"tries"`
	NextAttemptAt *time.Time        `bun:"next_attempt_at"`
	Body          []byte            `bun:"body"`
	CreatedAt     time.Time         `bun:"created_at"`
	UpdatedAt     time.Time         `bun:"updated_at"`
}

// deliveriesPerInsert keeps a statement well below PostgreSQL's limit of 65,535 parameters.
const deliveriesPerInsert = 1000

var deliveries = query.Source{
	Table: "deliveries AS d", Alias: "d", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

func rowOfDelivery(d *vcd.Delivery) *deliveryRow {
	return &deliveryRow{
		Account: d.Account, ID: d.ID, WebhookID: d.WebhookID, Event: d.Event, Number: d.Number, SubjectID: d.SubjectID, State: d.State,
		Problem: d.Problem, Attempts: d.Attempts, Tries: d.Tries, NextAttemptAt: d.NextAttemptAt, Body: d.Body,
		CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}
}

func (r *deliveryRow) delivery() *vcd.Delivery {
	return &vcd.Delivery{
		Account: r.Account, ID: r.ID, WebhookID: r.WebhookID, Event: r.Event, Number: r.Number, SubjectID: r.SubjectID, State: r.State,
		Problem: r.Problem, Attempts: r.Attempts, Tries: r.Tries, NextAttemptAt: query.UTC(r.NextAttemptAt), Body: r.Body,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

func (t *Tx) Delivery(ctx context.Context, id vcd.ID) (*vcd.Delivery, error) {
	return t.delivery(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *Tx) LockDelivery(ctx context.Context, id vcd.ID) (*vcd.Delivery, error) {
	return t.delivery(ctx, id, query.ForChange)
}

func (t *Tx) delivery(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.Delivery, error) {
	row, err := query.FetchOne[deliveryRow](ctx, t.Scope, deliveries,
		func(q *bun.SelectQuery) *bun.SelectQuery { return and(q.Where("d.id = ?", id)) })
	if err != nil {
		return nil, query.NotFound(err, "Delivery", id)
	}
	return row.delivery(), nil
}

func ofDeliveries(f vcd.DeliveryFilter) query.Narrow {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(q, "d.webhook_id", f.WebhookIDs)
		q = query.Among(q, "d.state", f.States)
		q = query.Among(q, "d.event", f.Events)
		return query.CreatedWithin(q, "d", f.From, f.To)
	}
}

func (t *Tx) Deliveries(ctx context.Context, f vcd.DeliveryFilter, p vcd.Page) (*vcd.List[*vcd.Delivery], error) {
	return query.FetchPage(ctx, t.Scope, deliveries, ofDeliveries(f), query.Order{}, p, (*deliveryRow).delivery)
}

func (t *Tx) DeliveriesByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Delivery, error) {
	rows, err := query.Fetch[deliveryRow](ctx, t.Scope, deliveries,
		func(q *bun.SelectQuery) *bun.SelectQuery { return query.Among(q, "d.id", &wanted) })
	return query.ConvertAll(rows, (*deliveryRow).delivery), err
}

func (t *Tx) LockDeliveries(ctx context.Context, f vcd.DeliveryFilter, limit int) ([]*vcd.Delivery, error) {
	rows, err := query.Fetch[deliveryRow](ctx, t.Scope, deliveries, func(q *bun.SelectQuery) *bun.SelectQuery {
		return query.ForChange(ofDeliveries(f)(q).Where("d.state <> ?", vcd.DeliveryPending).OrderExpr("d.created_at, d.id").
			Limit(int64(limit)))
	})
	return query.ConvertAll(rows, (*deliveryRow).delivery), err
}

func (t *Tx) InsertDeliveries(ctx context.Context, list []*vcd.Delivery) error {
	for part := range slices.Chunk(list, deliveriesPerInsert) {
		rows := query.ConvertAll(part, rowOfDelivery)
		if _, err := t.Bun.NewInsert().Model(&rows).Exec(ctx); err != nil {
			return fmt.Errorf("insert deliveries: %w", err)
		}
	}
	return nil
}

func (t *Tx) UpdateDelivery(ctx context.Context, d *vcd.Delivery) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfDelivery(d)).Column("state", "problem", "attempts", "tries",
		"next_attempt_at", "updated_at").
		Where("account_id = ? AND id = ?", t.Tenant, d.ID), "Delivery", d.ID)
}

func (t *Tx) KeepDeliveryBody(ctx context.Context, id vcd.ID, body []byte) ([]byte, error) {
	var kept []byte
	err := t.Bun.NewRaw("UPDATE deliveries SET body = coalesce(body, ?) WHERE account_id = ? AND id = ? RETURNING body",
		body, t.Tenant, id).
		Scan(ctx, &kept)
	if err != nil {
		return nil, query.NotFound(err, "Delivery", id)
	}
	return kept, nil
}

type deliveryAttemptRow struct {
	bun.BaseModel `bun:"table:delivery_attempts,alias:t"`

	Account      vcd.ID    `bun:"account_id,pk"`
	DeliveryID   vcd.ID    `bun:"delivery_id,pk"`
	Number       int       `bun:"number,pk"`
	At           time.Time `bun:"at"`
	Milliseconds int       `bun:"milliseconds"`
	Status       int       `bun:"status"`
	Answer       []byte    `bun:"answer"`
	Problem      string    `bun:"problem"`
}

func (t *Tx) InsertDeliveryAttempt(ctx context.Context, a *vcd.DeliveryAttempt) error {
	row := &deliveryAttemptRow{
		Account: t.Tenant, DeliveryID: a.DeliveryID, Number: a.Number, At: a.At, Milliseconds: a.Milliseconds, Status: a.Status,
		Answer: append([]byte{}, a.Answer...), Problem: a.Problem, // stores an empty answer as empty, not as null
	}
	if _, err := t.Bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the delivery attempt: %w", err)
	}
	return nil
}

func (t *Tx) DeliveryAttempts(ctx context.Context, wanted []vcd.ID, limit int) (map[vcd.ID][]*vcd.DeliveryAttempt, error) {
	var rows []*deliveryAttemptRow
	err := t.Bun.NewRaw(`SELECT a.* FROM unnest(?::uuid[]) AS d (id) CROSS JOIN LATERAL (
			SELECT * FROM delivery_attempts AS t WHERE t.account_id = ? AND t.delivery_id = d.id ORDER BY t.number DESC LIMIT ?) AS a
		ORDER BY a.delivery_id, a.number`, query.Array(wanted), t.Tenant, limit).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read delivery attempts: %w", err)
	}
	attempts := make(map[vcd.ID][]*vcd.DeliveryAttempt)
	for _, r := range rows {
		attempts[r.DeliveryID] = append(attempts[r.DeliveryID], &vcd.DeliveryAttempt{
			DeliveryID: r.DeliveryID, Number: r.Number, At: r.At.UTC(), Milliseconds: r.Milliseconds, Status: r.Status, Answer: r.Answer,
			Problem: r.Problem,
		})
	}
	return attempts, nil
}
