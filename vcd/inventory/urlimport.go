package inventory

import (
	"context"

	"afterimage/vcd"
)

// AddFromSitemap starts the import of a site's sitemap, unless one of the same domain is already in progress.
func (s *Service) AddFromSitemap(ctx context.Context, actor vcd.Actor, rawDomain string) (*vcd.URLImport, error) {
	return s.addFromSite(ctx, actor, rawDomain, false)
}

// AddFromSitemapOrLinks is like AddFromSitemap, but of a site without a sitemap the start page and its links are imported.
func (s *Service) AddFromSitemapOrLinks(ctx context.Context, actor vcd.Actor, rawDomain string) (*vcd.URLImport, error) {
	return s.addFromSite(ctx, actor, rawDomain, true)
}

func (s *Service) addFromSite(ctx context.Context, actor vcd.Actor, rawDomain string, orLinks bool) (*vcd.URLImport, error) {
	v := &vcd.Validation{}
	domain := parseDomain(v, &rawDomain)
	scheme, _ := vcd.ParseAddress(&vcd.Validation{}, "domain", rawDomain)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.Imports(), actor, func(ctx context.Context, tx ImportTx) (*vcd.URLImport, error) {
		i := s.newImport(actor, s.ids.NewID(), vcd.ImportSitemap, domain, vcd.ImportStarted)
		i.OrLinks, i.OverHTTP = orLinks, scheme == "http"
		stored, created, err := tx.EnsureURLImport(ctx, i)
		if err != nil || !created {
			return stored, err
		}
		return i, s.enqueueImport(ctx, tx, i)
	})
}

func (s *Service) newImport(actor vcd.Actor, id vcd.ID, kind vcd.ImportKind, domain string, state vcd.ImportState) *vcd.URLImport {
	now := s.clock.Now()
	return &vcd.URLImport{ID: id, Account: actor.Account, Kind: kind, Domain: domain, State: state, CreatedAt: now, UpdatedAt: now}
}

func (s *Service) enqueueImport(ctx context.Context, tx ImportTx, i *vcd.URLImport) error {
	if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventURLImportStarted, vcd.SubjectURLImport, i.ID)); err != nil {
		return err
	}
	return tx.QueueUpImport(ctx, i.ID)
}

// BeginImport returns the import of a job. When there is nothing left to do, it completes the job and returns nil.
func (s *Service) BeginImport(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.URLImport, error) {
	return vcd.Write(ctx, s.store.Imports(), actor, func(ctx context.Context, tx ImportTx) (*vcd.URLImport, error) {
		return vcd.LockStartedImport(ctx, tx, id)
	})
}

// ImportURLs adds those URLs of a sitemap that the account does not have yet, and returns how many it added. Invalid URLs are
// skipped. It may be repeated. overHTTP is that of the import.
func (s *Service) ImportURLs(ctx context.Context, actor vcd.Actor, raw []string, overHTTP bool) (added int, err error) {
	urls := make([]vcd.ImportedURL, 0, len(raw))
	for _, text := range raw {
		v := &vcd.Validation{}
		scheme, address := s.parseAddress(v, "url", text)
		if v.Err() == nil {
			urls = append(urls, vcd.ImportedURL{ID: s.ids.NewID(), Address: address, Scheme: scheme,
				SchemeGiven: overHTTP && scheme == "http"})
		}
	}
	return vcd.Write(ctx, s.store.Imports(), actor, func(ctx context.Context, tx ImportTx) (int, error) {
		return tx.EnsureURLs(ctx, urls,
			s.clock.Now())
	})
}

// nothingFound is the problem of an import that found nothing, when nobody knows why.
const nothingFound = "No pages of the site were found. Check the domain, and whether its sitemap lists pages of that domain."

// FinishImport ends the import of a sitemap with its results and completes the job. An import without URLs has failed.
func (s *Service) FinishImport(ctx context.Context, actor vcd.Actor, id vcd.ID, found, added int, problems []string) error {
	return s.store.Imports().InTx(ctx, actor, func(ctx context.Context, tx ImportTx) error {
		i, err := vcd.LockStartedImport(ctx, tx, id)
		if i == nil {
			return err
		}
		i.Found, i.Added, i.Problems = found, added, problems
		state := vcd.ImportDone
		if found == 0 {
			state = vcd.ImportFailed
		}
		if found == 0 && len(problems) == 0 {
			i.Problems = []string{nothingFound}
		}
		return s.EndImport(ctx, tx, i, state)
	})
}

// FailImport ends an import that failed, with a sentence for its owner, and completes the job.
func (s *Service) FailImport(ctx context.Context, actor vcd.Actor, id vcd.ID, problem string) error {
	return s.store.Imports().InTx(ctx, actor, func(ctx context.Context, tx ImportTx) error {
		i, err := vcd.LockStartedImport(ctx, tx, id)
		if i == nil {
			return err
		}
		i.Problems = []string{problem}
		return s.EndImport(ctx, tx, i, vcd.ImportFailed)
	})
}

// ImportEnder is what EndImport needs of a transaction.
type ImportEnder interface {
	UpdateURLImport(ctx context.Context, i *vcd.URLImport) error
	EndTurn(ctx context.Context, subject vcd.ID) error
	AppendEvents(ctx context.Context, events ...*vcd.Event) error
	CompleteJob(ctx context.Context) error
}

// EndImport ends a locked import in a state and appends the event.
func (s *Service) EndImport(ctx context.Context, tx ImportEnder, i *vcd.URLImport, state vcd.ImportState) error {
	now := s.clock.Now()
	i.State, i.UpdatedAt, i.FinishedAt = state, now, &now
	if err := tx.UpdateURLImport(ctx, i); err != nil {
		return err
	}
	if err := tx.EndTurn(ctx, i.ID); err != nil {
		return err
	}
	if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventURLImportFinished, vcd.SubjectURLImport, i.ID)); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}

// URLImport is one of the actor's imports.
func (s *Service) URLImport(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.URLImport, error) {
	return vcd.Read(ctx, s.store.Imports(), actor, func(ctx context.Context, tx ImportTx) (*vcd.URLImport, error) {
		return tx.URLImport(ctx, id)
	})
}

// URLImports lists the actor's imports, newest first.
func (s *Service) URLImports(ctx context.Context, actor vcd.Actor, f vcd.URLImportFilter, p vcd.Page) (*vcd.List[*vcd.URLImport], error) {
	return vcd.Read(ctx, s.store.Imports(), actor, func(ctx context.Context, tx ImportTx) (*vcd.List[*vcd.URLImport], error) {
		return tx.URLImports(ctx, f, p)
	})
}

// URLImportsByIDs looks several imports up at once; unknown ids are left out.
func (s *Service) URLImportsByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.URLImport, error) {
	return vcd.Read(ctx, s.store.Imports(), actor, func(ctx context.Context, tx ImportTx) ([]*vcd.URLImport,
		error) {
		return tx.URLImportsByIDs(ctx, ids)
	})
}
