package vcd

import (
	"context"
	"time"
)

// ImportKind is where the URLs of an import come from.
type ImportKind string

// The kinds of imports.
const (
	ImportSitemap ImportKind = "sitemap" // read from the site
	ImportSync    ImportKind = "sync"    // sent by the site
)

// ImportState is how far an import is.
type ImportState string

// The states of an import. It moves from collecting, which only synchronisations do, to started, and to one of its ends.
const (
	ImportCollecting ImportState = "collecting"
	ImportStarted    ImportState = "started"
	ImportDone       ImportState = "done"
	ImportFailed     ImportState = "failed"
)

// URLImport is a number of URLs that come together.
type URLImport struct {
	ID, Account   ID
	Kind          ImportKind
	Domain        string // host[:port][/path]
	State         ImportState
	DeleteMissing bool     // of a synchronisation: URLs it brought before and now lacks are removed
	Found         int      // URLs that were read or sent
	Added         int      // of these, new to the account
	Renamed       int      // of these, known under another address before
	Removed       int      // URLs that were missing
	Problems      []string // in sentences for the site's owner
	CreatedAt     time.Time
	UpdatedAt     time.Time
	FinishedAt    *time.Time
}

// Ended tells whether the import will not move again.
func (i *URLImport) Ended() bool { return i.State == ImportDone || i.State == ImportFailed }

// ImportedURL is a URL on its way into an account.
type ImportedURL struct {
	ID                    ID // of the URL, should it be new
	Address, Scheme       string
	HTMLTitle             string
	Type, Category        string
	NewAddress, NewScheme *string // of a synchronisation: the URL is to be renamed to this
}

// URLImportFilter narrows a list of imports; nil fields do not narrow.
type URLImportFilter struct {
	Kinds  *[]ImportKind
	States *[]ImportState
	Domain *string
}

// SyncOutcome is what a synchronisation did.
type SyncOutcome struct {
	Added, Renamed, Removed int
}

// URLImportStore keeps imports.
type URLImportStore interface {
	URLImport(ctx context.Context, id ID) (*URLImport, error)
	LockURLImport(ctx context.Context, id ID) (*URLImport, error)
	URLImports(ctx context.Context, f URLImportFilter, p Page) (*List[*URLImport], error)
	URLImportsByIDs(ctx context.Context, ids []ID) ([]*URLImport, error)
	// EnsureURLImport inserts i unless there is one with its id, or of a sitemap one of the same domain under way already,
	// and returns the one that is there, locked.
	EnsureURLImport(ctx context.Context, i *URLImport) (stored *URLImport, created bool, err error)
	UpdateURLImport(ctx context.Context, i *URLImport) error // state, counts, problems
	// CollectURLs keeps URLs for a synchronisation, in place of those with the same address, and returns how many it has.
	CollectURLs(ctx context.Context, id ID, urls []ImportedURL) (total int, err error)
	// EnsureURLs inserts the URLs whose address the account does not have yet and returns how many there were.
	EnsureURLs(ctx context.Context, urls []ImportedURL, now time.Time) (added int, err error)
	// SyncURLs makes the URLs that were collected the website's: it renames, adds, describes and assigns them to the
	// website and its groups, and removes what it brought before and is not among them when asked. What was collected is
	// forgotten. It takes the same few statements however many URLs there are.
	SyncURLs(ctx context.Context, i *URLImport, w *Website, newID func() ID, now time.Time) (SyncOutcome, error)
}

// ImportJob asks for an import to be done.
type ImportJob struct {
	Account, Import ID
	Kind            ImportKind
}

// AddFromSitemap starts the import of a site's sitemap, unless one of the same domain is under way already.
func (s *Service) AddFromSitemap(ctx context.Context, actor Actor, rawDomain string) (*URLImport, error) {
	v := &validation{}
	domain := parseDomain(v, &rawDomain)
	if err := v.err(); err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*URLImport, error) {
		i := s.newImport(actor, s.IDs.NewID(), ImportSitemap, domain, ImportStarted)
		stored, created, err := tx.EnsureURLImport(ctx, i)
		if err != nil || !created {
			return stored, err
		}
		return i, s.enqueueImport(ctx, tx, i)
	})
}

func (s *Service) newImport(actor Actor, id ID, kind ImportKind, domain string, state ImportState) *URLImport {
	now := s.Clock.Now()
	return &URLImport{ID: id, Account: actor.Account, Kind: kind, Domain: domain, State: state, CreatedAt: now, UpdatedAt: now}
}

func (s *Service) enqueueImport(ctx context.Context, tx Tx, i *URLImport) error {
	if err := tx.AppendEvents(ctx, s.event(EventURLImportStarted, SubjectURLImport, i.ID)); err != nil {
		return err
	}
	return tx.QueueUpImport(ctx, i.ID)
}

// BeginImport hands out the import of a job. Nil means that there is nothing to do (any more); the job is complete then.
func (s *Service) BeginImport(ctx context.Context, actor Actor, id ID) (*URLImport, error) {
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*URLImport, error) { return lockStartedImport(ctx, tx, id) })
}

// lockStartedImport locks the import of a job. When there is nothing to do for it the job is completed and the import nil.
func lockStartedImport(ctx context.Context, tx Tx, id ID) (*URLImport, error) {
	i, err := orGone(tx.LockURLImport(ctx, id))
	if err != nil {
		return nil, err
	}
	if i == nil || i.State != ImportStarted {
		return nil, tx.CompleteJob(ctx)
	}
	return i, nil
}

// ImportURLs takes some URLs of a sitemap into the account, those that it does not have yet, and returns how many these
// were. What cannot be a URL of ours is left out. It may be repeated.
func (s *Service) ImportURLs(ctx context.Context, actor Actor, raw []string) (added int, err error) {
	urls := make([]ImportedURL, 0, len(raw))
	for _, text := range raw {
		v := &validation{}
		scheme, address := parseAddress(v, "url", text)
		if v.err() == nil {
			urls = append(urls, ImportedURL{ID: s.IDs.NewID(), Address: address, Scheme: scheme})
		}
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (int, error) { return tx.EnsureURLs(ctx, urls, s.Clock.Now()) })
}

// FinishImport ends the import of a sitemap with what it came to, and completes the job. Without a URL it has failed.
func (s *Service) FinishImport(ctx context.Context, actor Actor, id ID, found, added int, problems []string) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		i, err := lockStartedImport(ctx, tx, id)
		if i == nil {
			return err
		}
		i.Found, i.Added, i.Problems = found, added, problems
		state := ImportDone
		if found == 0 {
			state = ImportFailed
		}
		return s.endImport(ctx, tx, i, state)
	})
}

// FailImport ends an import that could not be done, for a reason in a sentence for its owner, and completes the job.
func (s *Service) FailImport(ctx context.Context, actor Actor, id ID, problem string) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		i, err := lockStartedImport(ctx, tx, id)
		if i == nil {
			return err
		}
		i.Problems = []string{problem}
		return s.endImport(ctx, tx, i, ImportFailed)
	})
}

func (s *Service) endImport(ctx context.Context, tx Tx, i *URLImport, state ImportState) error {
	now := s.Clock.Now()
	i.State, i.UpdatedAt, i.FinishedAt = state, now, &now
	if err := tx.UpdateURLImport(ctx, i); err != nil {
		return err
	}
	if err := tx.EndTurn(ctx, i.ID); err != nil {
		return err
	}
	if err := tx.AppendEvents(ctx, s.event(EventURLImportFinished, SubjectURLImport, i.ID)); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}

// URLImport is one of the actor's imports.
func (s *Service) URLImport(ctx context.Context, actor Actor, id ID) (*URLImport, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*URLImport, error) { return tx.URLImport(ctx, id) })
}

// URLImports lists the actor's imports, newest first.
func (s *Service) URLImports(ctx context.Context, actor Actor, f URLImportFilter, p Page) (*List[*URLImport], error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*List[*URLImport], error) { return tx.URLImports(ctx, f, p) })
}

// URLImportsByIDs looks several imports up at once; unknown ids are left out.
func (s *Service) URLImportsByIDs(ctx context.Context, actor Actor, ids []ID) ([]*URLImport, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) ([]*URLImport, error) { return tx.URLImportsByIDs(ctx, ids) })
}
