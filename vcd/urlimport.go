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

// LockStartedImport locks the import of a job. When there is nothing to do for it the job is completed and the import nil.
func LockStartedImport(ctx context.Context, tx Tx, id ID) (*URLImport, error) {
	i, err := OrGone(tx.LockURLImport(ctx, id))
	if err != nil {
		return nil, err
	}
	if i == nil || i.State != ImportStarted {
		return nil, tx.CompleteJob(ctx)
	}
	return i, nil
}
