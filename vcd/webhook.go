package vcd

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxWebhooks bounds how many an account has: each is one more request for every event.
const maxWebhooks = 100

// WebhookEvents are the events that webhooks can be registered for.
var WebhookEvents = []EventKind{EventBatchFinished, EventComparisonStatusNew, EventQueueStatusDone, EventQueueStatusFailed}

// DisabledByOwner is the reason of a webhook that its owner switched off.
const DisabledByOwner = "owner"

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

// Live tells whether the webhook is to be told of what happens at a time.
func (w *Webhook) Live(at time.Time) bool {
	return w.DisabledAt == nil && (w.ExpiresAt == nil || w.ExpiresAt.After(at))
}

// disable stops requests to the webhook, for a reason in one word.
func (w *Webhook) disable(at time.Time, reason string) {
	w.DisabledAt, w.DisabledReason = &at, reason
}

func (w *Webhook) enable() { w.DisabledAt, w.DisabledReason, w.FailingSince = nil, "", nil }

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

// WebhookChange holds a webhook's fields as a client sends them, for create and update alike.
type WebhookChange struct {
	URL       Optional[string]
	Event     Optional[EventKind]
	ExpiresAt Optional[time.Time]
	Enabled   Optional[bool]
}

// validateWebhook checks the given fields and returns the address in its final form.
func (s *Service) validateWebhook(in WebhookChange, creating bool) (address string, err error) {
	v := &validation{}
	switch {
	case in.URL.Value != nil:
		address = s.parseCallback(v, *in.URL.Value)
	case creating || in.URL.Set:
		v.add("url", "required", "The {field} field is required.")
	}
	switch {
	case in.Event.Value != nil:
		oneOf(v, "event", *in.Event.Value, WebhookEvents...)
	case creating || in.Event.Set:
		v.add("event", "required", "The {field} field is required.")
	}
	if at := in.ExpiresAt.Value; at != nil {
		v.check(ValidTime(*at), "expiresAt", "date", "The {field} field must be a valid date.")
		v.check(at.After(s.Clock.Now()), "expiresAt", "after", "The {field} field must be a date in the future.")
	}
	return address, v.err()
}

// parseCallback reads the address of a webhook; without a scheme it is https. What can be seen of the host without
// resolving it is checked here, so that its owner learns of it at once; every connection is checked again when it is made.
func (s *Service) parseCallback(v *validation, raw string) string {
	const path = "url"
	before := len(v.problems())
	v.required(path, raw, maxAddressLength)
	if len(v.problems()) > before {
		return ""
	}
	raw = strings.TrimSpace(raw)
	if !strings.Contains(raw, "://") {
		raw = "https://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.User != nil || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https" {
		v.add(path, "url", "The {field} field must be a valid URL, of https or http and without a password.")
		return ""
	}
	host, ok := normalHost(u)
	port, portErr := strconv.ParseUint(portOf(u), 10, 16)
	if !ok || portErr != nil || port == 0 {
		v.add(path, "url", "The {field} field must be a valid URL.")
		return ""
	}
	if s.MayCall != nil && !s.MayCall(u.Hostname(), uint16(port)) {
		v.add(path, "public", "The {field} field must name a public host, on a port that pages are served from.")
		return ""
	}
	u.Host, u.Fragment = host, ""
	address := u.String()
	v.text(path, address, maxAddressLength)
	return address
}

func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return port
	case u.Scheme == "http":
		return "80"
	}
	return "443"
}

// CreateWebhook registers a webhook.
func (s *Service) CreateWebhook(ctx context.Context, actor Actor, in WebhookChange) (*Webhook, error) {
	address, err := s.validateWebhook(in, true)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Webhook, error) {
		if _, err := tx.LockAccount(ctx); err != nil { // others that are being made are counted too
			return nil, err
		}
		n, err := tx.CountWebhooks(ctx)
		if err != nil {
			return nil, err
		}
		if n >= maxWebhooks {
			return nil, Invalid("url", "max", fmt.Sprintf(
				"The {field} cannot be added: the account has %d webhooks already. Delete one first.", maxWebhooks))
		}
		now := s.Clock.Now()
		w := &Webhook{ID: s.IDs.NewID(), Account: actor.Account, CreatedAt: now, UpdatedAt: now}
		in.apply(w, address, now)
		if err := tx.InsertWebhook(ctx, w); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, s.event(EventWebhookCreated, SubjectWebhook, w.ID))
	})
}

// apply writes the given fields onto w. A new address starts anew: what was wrong with the old one does not count.
func (in WebhookChange) apply(w *Webhook, address string, now time.Time) {
	if address != "" && address != w.URL {
		w.URL = address
		w.enable()
	}
	assign(&w.Event, in.Event)
	assignNullable(&w.ExpiresAt, in.ExpiresAt)
	switch on := in.Enabled.Value; {
	case on == nil:
	case *on:
		w.enable()
	case w.DisabledAt == nil:
		w.disable(now, DisabledByOwner)
	}
}

// UpdateWebhook changes the given fields and leaves the others.
func (s *Service) UpdateWebhook(ctx context.Context, actor Actor, id ID, in WebhookChange) (*Webhook, error) {
	address, err := s.validateWebhook(in, false)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Webhook, error) {
		w, err := tx.LockWebhook(ctx, id)
		if err != nil {
			return nil, err
		}
		w.UpdatedAt = s.Clock.Now()
		in.apply(w, address, w.UpdatedAt)
		if err := tx.UpdateWebhook(ctx, w); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, s.event(EventWebhookUpdated, SubjectWebhook, id))
	})
}

// DeleteWebhook removes a webhook for good.
func (s *Service) DeleteWebhook(ctx context.Context, actor Actor, id ID) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		if err := tx.DeleteWebhook(ctx, id); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, s.event(EventWebhookDeleted, SubjectWebhook, id))
	})
}

// Webhook is one of the actor's webhooks.
func (s *Service) Webhook(ctx context.Context, actor Actor, id ID) (*Webhook, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*Webhook, error) { return tx.Webhook(ctx, id) })
}

// Webhooks lists the actor's webhooks, newest first.
func (s *Service) Webhooks(ctx context.Context, actor Actor, f WebhookFilter, p Page) (*List[*Webhook], error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*List[*Webhook], error) { return tx.Webhooks(ctx, f, p) })
}

// WebhooksByIDs looks several webhooks up at once; unknown ids are left out.
func (s *Service) WebhooksByIDs(ctx context.Context, actor Actor, ids []ID) ([]*Webhook, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) ([]*Webhook, error) { return tx.WebhooksByIDs(ctx, ids) })
}
