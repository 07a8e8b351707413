package inventory

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// Limits of synchronisations.
const (
	maxSyncURLs    = 10_000 // of one call
	maxSyncedURLs  = 50_000 // of one collection
	syncKeyDivider = "%%"
)

// SyncInput is what a site sends for a synchronisation: some of its URLs, by type and category.
type SyncInput struct {
	Domain    string
	ManagedBy *string // the tool that manages the website; nil for none
	// Collection is a UUID chosen by the site; several calls may add to it. Empty: to what waits to be started of the website.
	Collection string
	// URLs has keys "<type>%%<category>" and values that are lists of objects with url, html_title and new_url.
	URLs map[string]any
}

// CollectURLs stores URLs for a synchronisation until it is started. A URL that is sent again replaces the earlier one.
func (s *Service) CollectURLs(ctx context.Context, actor vcd.Actor, in SyncInput) (*vcd.URLImport, error) {
	v := &vcd.Validation{}
	domain := parseDomain(v, &in.Domain)
	managedBy := parseManager(v, in.ManagedBy)
	id, gathered := s.parseCollection(v, in.Collection)
	urls := parseSync(v, in.URLs)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.Imports(), actor, func(ctx context.Context, tx ImportTx) (*vcd.URLImport, error) {
		if _, err := websiteOf(ctx, tx, domain, managedBy); err != nil {
			return nil, err
		}
		wanted := s.newImport(actor, id, vcd.ImportSync, domain, vcd.ImportCollecting)
		wanted.ManagedBy, wanted.Gathered = managedBy, gathered
		i, _, err := tx.EnsureURLImport(ctx, wanted)
		if err != nil {
			return nil, err
		}
		if err := mayCollect(i, wanted); err != nil {
			return nil, err
		}
		if i.Found, err = tx.CollectURLs(ctx, i.ID, urls); err != nil {
			return nil, err
		}
		if i.Found > maxSyncedURLs {
			return nil, vcd.Invalid("urls", "max", fmt.Sprintf("A collection must not have more than %d {field}.", maxSyncedURLs))
		}
		i.UpdatedAt = s.clock.Now()
		return i, tx.UpdateURLImport(ctx, i)
	})
}

// parseCollection parses the id that a site chose for its collection. Without one, the URLs are gathered in one of our own.
func (s *Service) parseCollection(v *vcd.Validation, raw string) (id vcd.ID, gathered bool) {
	if raw == "" {
		return s.ids.NewID(), true
	}
	id, ok := vcd.ParseID(raw)
	v.Check(ok, "collectionUuid", "uuid", "The {field} field must be a valid UUID.")
	return id, false
}

// mayCollect reports whether a stored import is the collection that is wanted, and not started yet.
func mayCollect(i, wanted *vcd.URLImport) error {
	if i.Kind != vcd.ImportSync || i.Domain != wanted.Domain || textOf(i.ManagedBy) != textOf(wanted.ManagedBy) {
		return vcd.Invalid("collectionUuid", "unique", "The {field} is in use by another domain.")
	}
	if i.State != vcd.ImportCollecting {
		return vcd.Invalid("collectionUuid", "started", "The synchronisation of this {field} has already started; use another one.")
	}
	return nil
}

// textOf is the text, empty for none.
func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// websiteOf finds the website with a domain that a tool manages, or, for nil, that none does.
func websiteOf(ctx context.Context, tx websiteReader, domain string, managedBy *string) (*vcd.Website, error) {
	f := vcd.WebsiteFilter{Domain: &domain, ManagedBy: managedBy, Unmanaged: managedBy == nil}
	list, err := tx.Websites(ctx, f, vcd.Page{Size: 1})
	if err != nil {
		return nil, err
	}
	if len(list.Items) == 0 {
		return nil, vcd.Invalid("domain", "exists", "There is no website with this {field}.")
	}
	return list.Items[0], nil
}

// SyncStart says which collections to start.
type SyncStart struct {
	Collection    string // empty: all that were gathered without one
	DeleteMissing bool
	Domain        *string // with a collection a safeguard; else only that of this domain is started
	ManagedBy     *string // without a collection: the tool that manages the websites; nil for none
}

// StartSync enqueues a job that assigns the collected URLs to the website and its groups. With DeleteMissing, URLs from an
// earlier synchronisation that are absent from this one are removed. Starting a synchronisation twice has no further effect.
// It returns the newest of those that it starts.
func (s *Service) StartSync(ctx context.Context, actor vcd.Actor, in SyncStart) (*vcd.URLImport, error) {
	v := &vcd.Validation{}
	var domain *string
	if in.Domain != nil {
		parsed := parseDomain(v, in.Domain)
		domain = &parsed
	}
	if in.Collection == "" {
		gathered := vcd.GatheredFilter{Domain: domain, ManagedBy: parseManager(v, in.ManagedBy)}
		if err := v.Err(); err != nil {
			return nil, err
		}
		return s.startGathered(ctx, actor, gathered, in.DeleteMissing)
	}
	id, ok := vcd.ParseID(in.Collection)
	v.Check(ok, "collectionUuid", "uuid", "The {field} field must be a valid UUID.")
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.Imports(), actor, func(ctx context.Context, tx ImportTx) (*vcd.URLImport, error) {
		i, err := vcd.OrGone(tx.LockURLImport(ctx, id))
		if err != nil {
			return nil, err
		}
		if i == nil || i.Kind != vcd.ImportSync {
			return nil, vcd.Invalid("collectionUuid", "exists", "The selected {field} is invalid.")
		}
		if domain != nil && *domain != i.Domain {
			return nil, vcd.Invalid("domain", "same", "The {field} does not match the collection.")
		}
		return i, s.startCollected(ctx, tx, i, in.DeleteMissing)
	})
}

// startGathered starts what was uploaded without a collection.
func (s *Service) startGathered(
	ctx context.Context, actor vcd.Actor, f vcd.GatheredFilter, deleteMissing bool,
) (*vcd.URLImport, error) {
	return vcd.Write(ctx, s.store.Imports(), actor, func(ctx context.Context, tx ImportTx) (*vcd.URLImport, error) {
		all, err := tx.LockGathered(ctx, f)
		if err != nil {
			return nil, err
		}
		if len(all) == 0 {
			return nil, vcd.Invalid("collectionUuid", "gathered", "No URLs were uploaded without a {field}.")
		}
		for _, i := range all {
			if err := s.startCollected(ctx, tx, i, deleteMissing); err != nil {
				return nil, err
			}
		}
		return all[0], nil
	})
}

// startCollected starts a collection, unless it was started before.
func (s *Service) startCollected(ctx context.Context, tx ImportTx, i *vcd.URLImport, deleteMissing bool) error {
	if i.State != vcd.ImportCollecting {
		return nil
	}
	i.State, i.DeleteMissing, i.UpdatedAt = vcd.ImportStarted, deleteMissing, s.clock.Now()
	if err := tx.UpdateURLImport(ctx, i); err != nil {
		return err
	}
	return s.enqueueImport(ctx, tx, i)
}

// RunSync performs a started synchronisation and completes the job, all in one commit.
func (s *Service) RunSync(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.Imports().InTx(ctx, actor, func(ctx context.Context, tx ImportTx) error {
		i, err := vcd.LockStartedImport(ctx, tx, id)
		if i == nil {
			return err
		}
		w, err := websiteOf(ctx, tx, i.Domain, i.ManagedBy)
		if err != nil && vcd.CodeOf(err) != vcd.CodeInvalid {
			return err
		}
		if w == nil {
			i.Problems = []string{"The website was deleted before the synchronisation ran."}
			return s.EndImport(ctx, tx, i, vcd.ImportFailed)
		}
		groups := map[vcd.ID]bool{}
		for _, group := range w.GroupIDs() {
			groups[group] = true
		}
		for _, group := range sortedIDs(groups) {
			if _, err := tx.LockGroup(ctx, group); err != nil {
				return err
			}
		}
		out, err := tx.SyncURLs(ctx, i, w, s.ids.NewID, s.clock.Now())
		if err != nil {
			return err
		}
		i.Added, i.Renamed, i.Removed = out.Added, out.Renamed, out.Removed
		for _, group := range sortedIDs(groups) {
			if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, group)); err != nil {
				return err
			}
		}
		return s.EndImport(ctx, tx, i, vcd.ImportDone)
	})
}
