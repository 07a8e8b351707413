package vcd

import (
	"context"
	"time"
)

// Webhook is an address that is told of an account's events of one kind. Its requests are signed with the webhook secret of
// the account.
type Webhook struct {
	ID, Account    ID
	Event          EventKind
	URL            string
	ExpiresAt      *time.Time // no requests from then on
	DisabledAt     *time.Time // nil while requests are sent
	DisabledReason string     // with DisabledAt: why, in one word
	FailingSince   *time.Time // since when every attempt has failed; nil when the last one did not
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// WebhookSubjects are the kinds of event that webhooks can hear of, with what each is about.
var WebhookSubjects = map[EventKind]SubjectType{
	EventBatchFinished:       SubjectBatch,
	EventComparisonStatusNew: SubjectComparison,
	EventQueueStatusDone:     SubjectQueueEntry,
	EventQueueStatusFailed:   SubjectQueueEntry,
}

// WebhookSubject is what a delivery of an event shows; empty when there are none of it. A ping shows the webhook itself.
func WebhookSubject(event EventKind) SubjectType {
	if event == EventPing {
		return SubjectWebhook
	}
	return WebhookSubjects[event]
}

// Live tells whether the webhook is to be told of what happens at a time.
func (w *Webhook) Live(at time.Time) bool {
	return w.DisabledAt == nil && (w.ExpiresAt == nil || w.ExpiresAt.After(at))
}

// Disable stops requests to the webhook, for a reason in one word.
func (w *Webhook) Disable(at time.Time, reason string) {
	w.DisabledAt, w.DisabledReason = &at, reason
}

// Enable lets a disabled webhook be called again.
func (w *Webhook) Enable() { w.DisabledAt, w.DisabledReason, w.FailingSince = nil, "", nil }

// WebhookFilter narrows a list of webhooks; nil fields do not narrow.
type WebhookFilter struct {
	Events *[]EventKind
}

// WebhookStore keeps webhooks.
type WebhookStore interface {
	Webhook(ctx context.Context, id ID) (*Webhook, error)
	LockWebhook(ctx context.Context, id ID) (*Webhook, error)
	Webhooks(ctx context.Context, f WebhookFilter, p Page) (*List[*Webhook], error)
	WebhooksByIDs(ctx context.Context, ids []ID) ([]*Webhook, error)
	CountWebhooks(ctx context.Context) (int, error)
	InsertWebhook(ctx context.Context, w *Webhook) error
	UpdateWebhook(ctx context.Context, w *Webhook) error
	DeleteWebhook(ctx context.Context, id ID) error
}
