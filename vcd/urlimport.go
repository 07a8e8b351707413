package vcd

import (
	"context"
	"time"
)

// ImportKind is the source of an import's URLs.
type ImportKind string

// The kinds of imports.
const (
	ImportSitemap ImportKind = "sitemap" // read from the site
	ImportSync    ImportKind = "sync"    // sent by the site
)

// ImportState is the state of an import.
type ImportState string

// The states of an import. It moves from collecting, which only synchronisations use, to started, and then to done or failed.
const (
	ImportCollecting ImportState = "collecting"
	ImportStarted    ImportState = "started"
	ImportDone       ImportState = "done"
	ImportFailed     ImportState = "failed"
)

// URLImport is a set of URLs imported together.
type URLImport struct {
	ID, Account   ID
	Kind          ImportKind
	Domain        string  // host[:port][/path]
	ManagedBy     *string // of a synchronisation: the tool that manages its website
	Gathered      bool    // of a synchronisation: the site chose no id, and what it uploads gathers until it is started
	State         ImportState
	OrLinks       bool     // of a sitemap: without one, read the links of the start page
	OverHTTP      bool     // of a sitemap: the client gave the domain with http://, see ImportedURL.SchemeGiven
	DeleteMissing bool     // of a synchronisation: remove URLs that it imported earlier and no longer contains
	Found         int      // URLs that were read or sent
	Added         int      // of these, new in the account
	Renamed       int      // of these, previously known under another address
	Removed       int      // missing URLs that were removed
	Problems      []string // sentences for the site's owner
	CreatedAt     time.Time
	UpdatedAt     time.Time
	FinishedAt    *time.Time
}

// Ended reports whether the state is final.
func (i *URLImport) Ended() bool { return i.State == ImportDone || i.State == ImportFailed }

// ImportedURL is a URL to be imported into an account.
type ImportedURL struct {
	ID                    ID // of the URL if it is new
	Address, Scheme       string
	SchemeGiven           bool // by a client, see URL; an existing URL changes its scheme too
	HTMLTitle             string
	Type, Category        string
	NewAddress, NewScheme *string // of a synchronisation: rename the URL to this
}

// URLImportFilter filters a list of imports; nil fields match everything.
type URLImportFilter struct {
	Kinds  *[]ImportKind
	States *[]ImportState
	Domain *string
}

// GatheredFilter selects collections without an id chosen by the site.
type GatheredFilter struct {
	Domain    *string // nil for any
	ManagedBy *string // nil for websites that no tool manages
}

// SyncOutcome counts what a synchronisation did.
type SyncOutcome struct {
	Added, Renamed, Removed int
}

// ImportJob requests an import.
type ImportJob struct {
	Account, Import ID
	Kind            ImportKind
}

// ImportLocker is what LockStartedImport needs of a transaction.
type ImportLocker interface {
	LockURLImport(ctx context.Context, id ID) (*URLImport, error)
	CompleteJob(ctx context.Context) error
}

// LockStartedImport locks the import of a job. When there is nothing left to do, it completes the job and returns nil.
func LockStartedImport(ctx context.Context, tx ImportLocker, id ID) (*URLImport, error) {
	i, err := OrGone(tx.LockURLImport(ctx, id))
	if err != nil {
		return nil, err
	}
	if i == nil || i.State != ImportStarted {
		return nil, tx.CompleteJob(ctx)
	}
	return i, nil
}
