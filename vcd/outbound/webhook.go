package outbound

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"afterimage/vcd"
)

// maxWebhooks limits the webhooks of an account: each adds a request for every event.
const maxWebhooks = 100

// DisabledByOwner is the reason of a webhook that its owner disabled.
const DisabledByOwner = "owner"

// WebhookChange holds a webhook's fields as a client sends them, both to create and to update it.
type WebhookChange struct {
	URL vcd.Optional[string]
	// Event is the only event, or the first of Events. Alone in an update, one that equals the first event changes nothing:
	// clients that know of one event send back what they were shown.
	Event      vcd.Optional[vcd.EventKind]
	Events     vcd.Optional[[]vcd.EventKind]
	GroupIDs   vcd.Optional[[]vcd.ID]
	WebsiteIDs vcd.Optional[[]vcd.ID]
	ExpiresAt  vcd.Optional[time.Time]
	Enabled    vcd.Optional[bool]
}

// validateWebhook checks the given fields and returns the normalised address.
func (s *Service) validateWebhook(in WebhookChange, creating bool) (address string, err error) {
	v := &vcd.Validation{}
	switch {
	case in.URL.Value != nil:
		address = s.parseCallback(v, *in.URL.Value)
	case creating || in.URL.Set:
		v.Add("url", "required", "The {field} field is required.")
	}
	in.validateEvents(v, creating)
	in.validateReach(v)
	if at := in.ExpiresAt.Value; at != nil {
		v.Check(vcd.ValidTime(*at), "expiresAt", "date", "The {field} field must be a valid date.")
		v.Check(at.After(s.clock.Now()), "expiresAt", "after", "The {field} field must be a date in the future.")
	}
	return address, v.Err()
}

// parseCallback parses the absolute address of a webhook. It checks the host as far as possible without resolving it, so
// that the owner learns of problems immediately; every connection is checked again when it is made.
func (s *Service) parseCallback(v *vcd.Validation, raw string) string {
	const path = "url"
	before := len(v.Problems())
	v.Required(path, raw, vcd.MaxAddressLength)
	if len(v.Problems()) > before {
		return ""
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" || u.User != nil || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https" {
		v.Add(path, "url", "The {field} field must be an absolute URL with https:// or http:// and without a password.")
		return ""
	}
	host, ok := vcd.NormalHost(u)
	port, portOK := vcd.PortOf(u)
	if !ok || !portOK {
		v.Add(path, "url", "The {field} field must be a valid URL.")
		return ""
	}
	if !s.mayReach(u.Hostname(), port) {
		v.Add(path, "public", vcd.NotPublic)
		return ""
	}
	u.Host, u.Fragment = host, ""
	address := u.String()
	v.Text(path, address, vcd.MaxAddressLength)
	return address
}

// CreateWebhook registers a webhook.
func (s *Service) CreateWebhook(ctx context.Context, actor vcd.Actor, in WebhookChange) (*vcd.Webhook, error) {
	address, err := s.validateWebhook(in, true)
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Webhook, error) {
		if _, err := tx.LockAccount(ctx); err != nil { // so that concurrently created webhooks are counted too
			return nil, err
		}
		n, err := tx.CountWebhooks(ctx)
		if err != nil {
			return nil, err
		}
		if n >= maxWebhooks {
			return nil, vcd.Invalid("url", "max", fmt.Sprintf(
				"The {field} cannot be added: the account already has %d webhooks, which is the limit. Delete one first.", maxWebhooks))
		}
		if err := in.checkReach(ctx, tx); err != nil {
			return nil, err
		}
		now := s.clock.Now()
		w := &vcd.Webhook{
			ID: s.ids.NewID(), Account: actor.Account, GroupIDs: []vcd.ID{}, WebsiteIDs: []vcd.ID{}, CreatedAt: now, UpdatedAt: now,
		}
		in.apply(w, address, now)
		if err := s.plan(w); err != nil {
			return nil, err
		}
		if err := tx.InsertWebhook(ctx, w); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventWebhookCreated, vcd.SubjectWebhook, w.ID))
	})
}

// apply writes the given fields to w. A new address resets the failure state.
func (in WebhookChange) apply(w *vcd.Webhook, address string, now time.Time) {
	if address != "" && address != w.URL {
		w.URL = address
		w.Enable()
	}
	in.applyEvents(w)
	vcd.AssignList(&w.GroupIDs, in.GroupIDs)
	vcd.AssignList(&w.WebsiteIDs, in.WebsiteIDs)
	vcd.AssignNullable(&w.ExpiresAt, in.ExpiresAt)
	switch on := in.Enabled.Value; {
	case on == nil:
	case *on:
		w.Enable()
	case w.DisabledAt == nil:
		w.Disable(now, DisabledByOwner)
	}
}

// UpdateWebhook changes the given fields only.
func (s *Service) UpdateWebhook(ctx context.Context, actor vcd.Actor, id vcd.ID, in WebhookChange) (*vcd.Webhook, error) {
	address, err := s.validateWebhook(in, false)
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Webhook, error) {
		w, err := present(tx.LockWebhook(ctx, id))
		if err != nil {
			return nil, err
		}
		if err := in.checkReach(ctx, tx); err != nil {
			return nil, err
		}
		w.UpdatedAt = s.clock.Now()
		in.apply(w, address, w.UpdatedAt)
		if err := s.plan(w); err != nil {
			return nil, err
		}
		if err := tx.UpdateWebhook(ctx, w); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventWebhookUpdated, vcd.SubjectWebhook, id))
	})
}

// DeleteWebhook removes a webhook permanently.
func (s *Service) DeleteWebhook(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		if err := tx.DeleteWebhook(ctx, id); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventWebhookDeleted, vcd.SubjectWebhook, id))
	})
}

// Webhook is one of the actor's webhooks.
func (s *Service) Webhook(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Webhook, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Webhook, error) { return present(tx.Webhook(ctx, id)) })
}

// Webhooks lists the actor's webhooks, newest first.
func (s *Service) Webhooks(ctx context.Context, actor vcd.Actor, f vcd.WebhookFilter, p vcd.Page) (*vcd.List[*vcd.Webhook], error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.List[*vcd.Webhook],
		error) {
		return tx.Webhooks(ctx, f, p)
	})
}

// WebhooksByIDs looks several webhooks up at once; unknown ids are left out.
func (s *Service) WebhooksByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Webhook, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]*vcd.Webhook, error) { return tx.WebhooksByIDs(ctx, ids) })
}
