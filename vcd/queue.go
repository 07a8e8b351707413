package vcd

import (
	"context"
	"time"
)

// Device is the kind of device on which a page is captured.
type Device string

// The devices.
const (
	Desktop Device = "desktop"
	Mobile  Device = "mobile"
)

// Devices lists all devices.
var Devices = []Device{Desktop, Mobile}

// QueueType is what a queue entry does.
type QueueType string

// The queue types: three kinds of screenshots, and comparisons.
const (
	QueuePre     QueueType = "pre"
	QueuePost    QueueType = "post"
	QueueAuto    QueueType = "auto"
	QueueCompare QueueType = "compare"
)

// QueueTypes lists all queue types.
var QueueTypes = []QueueType{QueuePre, QueuePost, QueueAuto, QueueCompare}

// Baseline is the type of screenshot with which a screenshot of type t is compared.
func (t QueueType) Baseline() QueueType {
	if t == QueuePost {
		return QueuePre
	}
	return t
}

// QueueStatus is the state of a queue entry. It moves open → processing → done or failed; a failed attempt that will be
// retried moves it back to open.
type QueueStatus string

// The queue states.
const (
	QueueOpen       QueueStatus = "open"
	QueueProcessing QueueStatus = "processing"
	QueueDone       QueueStatus = "done"
	QueueFailed     QueueStatus = "failed"
)

// Ended reports whether the state is final.
func (s QueueStatus) Ended() bool { return s == QueueDone || s == QueueFailed }

// QueueEntry is one job of a batch: a screenshot of one URL on one device, or the comparison of one.
type QueueEntry struct {
	ID, Account ID
	BatchID     ID
	GroupID     ID
	URLID       ID
	Device      Device
	Type        QueueType
	Status      QueueStatus
	Reason      string     // with failed: the reason, one word of a closed list; with done: reasonBaseline or empty
	ErrorMsg    string     // with failed: the reason, worded for the site's owner
	Notice      string     // before the end: what it waits for, worded for the site's owner
	Attempts    int        // failed captures so far
	Delay       int        // seconds that must pass after the account's last delayed screenshot; 0 for none
	SubjectID   *ID        // of a comparison: the entry whose screenshot it compares
	ConfirmsID  *ID        // of a confirming screenshot: the entry whose screenshot it repeats
	NotBefore   *time.Time // nil for immediately
	ReopenedAt  *time.Time // when it last went on after it had failed; nil if it never did
	// RefusedSince is when the page first refused, by status 429 or 503, or its site while it waited for it, and RefusedStatus what
	// it answered last; nil and 0 unless it did and is asked again. NotBefore is the next time.
	RefusedSince  *time.Time
	RefusedStatus int
	Dispatched    bool // waits for its turn or has it; for a comparison, once there is something to compare
	CreatedAt     time.Time
	UpdatedAt     time.Time

	// Filled in by reads.
	URLAddress string
	URLScheme  string // see URL.Scheme
	HTMLTitle  string
	Monitoring bool
	CSS, JS    *string // the URL's own, in its group
	Image      *Image  // the screenshot, or the comparison picture

	SCVersion string // of the screenshot just taken, to be recorded in the batch
}

// QueueFilter filters a list of queue entries; nil fields match everything.
type QueueFilter struct {
	IDs      *[]ID
	BatchIDs *[]ID
	GroupIDs *[]ID
	URLIDs   *[]ID
	Statuses *[]QueueStatus
	Types    *[]QueueType
}

// QueueFigures counts entries by state over a whole filtered list. ByBatch holds the batches that the filter names; if it
// names none, the account's newest hundred and those with an entry on the page, since the number of batches is unbounded. Unpaired
// is told if the filter says nothing but batches, and types and states that include failed comparisons.
type QueueFigures struct {
	All       StatusCounts
	ByType    map[QueueType]StatusCounts
	ByBatch   map[ID]StatusCounts
	ByPart    map[BatchPartOfType]StatusCounts // of these batches, by type
	Unpaired  map[ID]int                       // of these batches, the screenshots that nothing is compared with
	AnyStatus int                              // entries that match the filter but for its states
}

// BatchPartOfType is the entries of one type in a batch.
type BatchPartOfType struct {
	Batch ID
	Type  QueueType
}

// OfBatch are the figures of one batch by type, for those who wait for as many comparisons as screenshots: one that nothing is
// compared with counts as a comparison that failed.
func (f *QueueFigures) OfBatch(id ID) map[QueueType]StatusCounts {
	counts := map[QueueType]StatusCounts{}
	for _, kind := range []QueueType{QueuePre, QueuePost, QueueAuto, QueueCompare} {
		counts[kind] = f.ByPart[BatchPartOfType{id, kind}]
	}
	compare := counts[QueueCompare]
	compare.Failed += f.Unpaired[id]
	counts[QueueCompare] = compare
	return counts
}

// QueueEntryStore keeps queue entries.
type QueueEntryStore interface {
	QueueEntry(ctx context.Context, id ID) (*QueueEntry, error)
	// OwnQueueEntry reads the entry's own columns: for work that happens for each page.
	OwnQueueEntry(ctx context.Context, id ID) (*QueueEntry, error)
	// LockQueueEntry reads the entry's own columns and blocks other changes until the transaction ends.
	LockQueueEntry(ctx context.Context, id ID) (*QueueEntry, error)
	// QueueEntries also counts by state over the whole filtered list if figures is set.
	QueueEntries(ctx context.Context, f QueueFilter, p Page, figures bool) (*QueueList, error)
	// QueueEntriesOfBatches returns such a list for each batch.
	QueueEntriesOfBatches(ctx context.Context, batches []ID, f QueueFilter, p Page, figures bool) (map[ID]*QueueList, error)
	QueueEntriesByIDs(ctx context.Context, ids []ID) ([]*QueueEntry, error)
	InsertQueueEntries(ctx context.Context, entries []*QueueEntry) error
	// UpdateQueueEntry writes status, reason, message, notice, attempts, whether it is dispatched, and refusals.
	UpdateQueueEntry(ctx context.Context, e *QueueEntry) error
	// LockComparisonsOn locks, oldest first, the comparison entries affected by the end of screenshot entry e: e's own, that
	// of the entry which e confirms, and the open undispatched ones whose screenshots belong to the same group, URL and
	// device as e, have a type that is compared with e's, and were requested after it.
	LockComparisonsOn(ctx context.Context, e *QueueEntry) ([]*QueueEntry, error)
	// HasPendingBaseline reports whether an unended baseline entry, older than e and for the same group, URL and device,
	// would take precedence over the newest finished one.
	HasPendingBaseline(ctx context.Context, e *QueueEntry) (bool, error)
	// BaselineOf finds the newest finished screenshot with which e's is compared: of the baseline type, for the same group,
	// URL and device, from an entry older than e. Nil when there is none.
	BaselineOf(ctx context.Context, e *QueueEntry) (*Screenshot, error)
	// RepeatedBy finds the newest finished screenshot that e's repeats with no update between them: one before or after an earlier
	// update, for the same group, URL and device, of a version of the capture engine. Nil when there is none.
	RepeatedBy(ctx context.Context, e *QueueEntry, version string) (*Screenshot, error)
	// BaselineOfVersion is BaselineOf restricted to one version of the capture engine, see Screenshot.SCVersion: after an
	// upgrade, two screenshots may differ in more than the page's changes.
	BaselineOfVersion(ctx context.Context, e *QueueEntry, version string) (*Screenshot, error)
	// PageBaselineOfVersion is BaselineOfVersion among screenshots of the page itself, not of a wall before it.
	PageBaselineOfVersion(ctx context.Context, e *QueueEntry, version string) (*Screenshot, error)
	// ConfirmationOf is the entry that repeats the screenshot of an entry, with its own columns; nil when there is none.
	ConfirmationOf(ctx context.Context, id ID) (*QueueEntry, error)
	// RecentPictures lists the distinct hashes, newest first, of up to limit pictures that a place showed in monitoring
	// before the entry e, taken by one version of the capture engine. Pictures that did not last or were repeated are left
	// out.
	RecentPictures(ctx context.Context, e *QueueEntry, version string, limit int) ([]string, error)
	// WithBaseline reports for which of the places a baseline of type t, requested before the given time, is done or pending.
	WithBaseline(ctx context.Context, t QueueType, before time.Time, places []Place) (map[Place]bool, error)
}

// Place identifies screenshots that are compared with each other.
type Place struct {
	GroupID, URLID ID
	Device         Device
}

// QueueList is a page of queue entries, with counts over the whole list if requested.
type QueueList struct {
	*List[*QueueEntry]
	Figures QueueFigures
}

// Since is when the entry began to wait.
func (e *QueueEntry) Since() time.Time {
	if e.ReopenedAt != nil {
		return *e.ReopenedAt
	}
	return e.CreatedAt
}

// IsConfirmation reports whether the entry captures a page again to check whether a change lasts.
func (e *QueueEntry) IsConfirmation() bool { return e.ConfirmsID != nil }
