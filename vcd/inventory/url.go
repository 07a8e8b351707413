package inventory

import (
	"cmp"
	"context"
	"net/url"

	"afterimage/vcd"
)

// URLChange holds a URL's fields as a client sends them.
type URLChange struct {
	URL       vcd.Optional[string]
	HTMLTitle vcd.Optional[string]
}

// CreateURL creates a URL, or returns the account's URL with the same address.
func (s *Service) CreateURL(ctx context.Context, actor vcd.Actor, in URLChange) (*vcd.URL, error) {
	v := &vcd.Validation{}
	var raw string
	if in.URL.Value != nil {
		raw = *in.URL.Value
	}
	scheme, address := s.parseAddress(v, "url", raw)
	v.OptionalText("htmlTitle", in.HTMLTitle.Value, vcd.MaxNameLength)
	in.HTMLTitle.Value = vcd.ShownOptional(in.HTMLTitle.Value)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.URLs(), actor, func(ctx context.Context, tx URLTx) (*vcd.URL, error) {
		now := s.clock.Now()
		u := &vcd.URL{ID: s.ids.NewID(), Account: actor.Account, Address: address, Scheme: scheme, SchemeGiven: scheme != "",
			CreatedAt: now, UpdatedAt: now}
		vcd.Assign(&u.HTMLTitle, in.HTMLTitle)
		stored, created, err := tx.EnsureURL(ctx, u)
		if err == nil && !created {
			return s.giveScheme(ctx, tx, stored, scheme)
		}
		if err != nil {
			return nil, err
		}
		return stored, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventURLCreated, vcd.SubjectURL, stored.ID))
	})
}

// giveScheme makes an explicit scheme count for a URL that exists already.
func (s *Service) giveScheme(ctx context.Context, tx URLTx, u *vcd.URL, scheme string) (*vcd.URL, error) {
	if scheme == "" || u.SchemeGiven && u.Scheme == scheme {
		return u, nil
	}
	if _, err := tx.LockURL(ctx, u.ID); err != nil {
		return nil, err
	}
	u.Scheme, u.SchemeGiven, u.UpdatedAt = scheme, true, s.clock.Now()
	if err := tx.UpdateURL(ctx, u); err != nil {
		return nil, err
	}
	return u, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventURLUpdated, vcd.SubjectURL, u.ID))
}

// UpdateURL changes the address or the title of a URL, which keeps its id and its history.
func (s *Service) UpdateURL(ctx context.Context, actor vcd.Actor, id vcd.ID, in URLChange) (*vcd.URL, error) {
	v := &vcd.Validation{}
	var scheme, address string
	if in.URL.Set {
		var raw string
		if in.URL.Value != nil {
			raw = *in.URL.Value
		}
		scheme, address = s.parseAddress(v, "url", raw)
	}
	v.OptionalText("htmlTitle", in.HTMLTitle.Value, vcd.MaxNameLength)
	in.HTMLTitle.Value = vcd.ShownOptional(in.HTMLTitle.Value)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.URLs(), actor, func(ctx context.Context, tx URLTx) (*vcd.URL, error) {
		u, err := tx.LockURL(ctx, id)
		if err != nil {
			return nil, err
		}
		if address != "" && u.Uploaded() {
			return nil, vcd.Invalid("url", "uploaded",
				"The {field} field cannot be changed: screenshots of this page are uploaded by its name.")
		}
		if address != "" && u.Checkpoint() {
			return nil, vcd.Invalid("url", "checkpoint", "The {field} field cannot be changed: the page is a checkpoint of a flow.")
		}
		if address != "" && (scheme != "" || address != u.Address) { // the same address without a scheme says nothing new
			u.Address, u.Scheme, u.SchemeGiven = address, scheme, scheme != ""
		}
		vcd.Assign(&u.HTMLTitle, in.HTMLTitle)
		u.UpdatedAt = s.clock.Now()
		if err := tx.UpdateURL(ctx, u); err != nil {
			return nil, err
		}
		return u, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventURLUpdated, vcd.SubjectURL, u.ID))
	})
}

// parseAddress is vcd.ParseAddress, and refuses a host that can never be reached.
func (s *Service) parseAddress(v *vcd.Validation, path, raw string) (scheme, address string) {
	before := len(v.Problems())
	scheme, address = vcd.ParseAddress(v, path, raw)
	if len(v.Problems()) > before {
		return "", ""
	}
	u, err := url.Parse(cmp.Or(scheme, "https") + "://" + address)
	if err != nil {
		v.Add(path, "url", "The {field} field must be a valid URL.")
		return "", ""
	}
	if port, ok := vcd.PortOf(u); !ok || !s.mayReach(u.Hostname(), port) {
		v.Add(path, "public", vcd.NotPublic)
		return "", ""
	}
	return scheme, address
}

// DeleteURL removes a URL permanently, also from its groups. Its history stays readable in its batches.
func (s *Service) DeleteURL(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.URLs().InTx(ctx, actor, func(ctx context.Context, tx URLTx) error {
		u, err := tx.LockURL(ctx, id)
		if err != nil {
			return err
		}
		if u.Checkpoint() {
			return &vcd.Error{Code: vcd.CodeConflict, Message: "The page is a checkpoint of a flow. Remove it from the flow."}
		}
		if err := tx.DeleteURL(ctx, id, s.clock.Now()); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventURLDeleted, vcd.SubjectURL, id))
	})
}

// URL is one of the actor's URLs.
func (s *Service) URL(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.URL, error) {
	return vcd.Read(ctx, s.store.URLs(), actor, func(ctx context.Context, tx URLTx) (*vcd.URL, error) { return tx.URL(ctx, id) })
}

// URLs lists the actor's URLs, newest first.
func (s *Service) URLs(ctx context.Context, actor vcd.Actor, f vcd.URLFilter, p vcd.Page) (*vcd.List[*vcd.URL], error) {
	if err := vcd.CheckSearch(f.Search); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store.URLs(), actor, func(ctx context.Context, tx URLTx) (*vcd.List[*vcd.URL], error) {
		return tx.URLs(ctx, f, p)
	})
}

// URLsByIDs looks several URLs up at once, deleted ones included; unknown ids are left out.
func (s *Service) URLsByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.URL, error) {
	return vcd.Read(ctx, s.store.URLs(), actor, func(ctx context.Context, tx URLTx) ([]*vcd.URL, error) { return tx.URLsByIDs(ctx, ids) })
}
