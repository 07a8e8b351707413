package vcd

import (
	"context"
	"time"
)

// Device is the form in which a page is captured.
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

// Baseline is the type of screenshot that a screenshot of type t is compared with.
func (t QueueType) Baseline() QueueType {
	if t == QueuePost {
		return QueuePre
	}
	return t
}

// QueueStatus is the state of a queue entry. It moves open → processing → done or failed; an attempt that failed but
// will be tried again moves back to open.
type QueueStatus string

// The queue states.
const (
	QueueOpen       QueueStatus = "open"
	QueueProcessing QueueStatus = "processing"
	QueueDone       QueueStatus = "done"
	QueueFailed     QueueStatus = "failed"
)

// Ended tells whether the entry will not move again.
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
	Reason      string     // with failed: why, one word of a closed list; with done: reasonBaseline or empty
	ErrorMsg    string     // with failed: why, for the site's owner
	Notice      string     // before the end: what it waits for, for the site's owner
	Attempts    int        // captures that failed so far
	Delay       int        // seconds that are to pass after an account's last such screenshot; 0 for none
	SubjectID   *ID        // of a comparison: the entry whose screenshot is compared
	ConfirmsID  *ID        // of a screenshot that is to confirm a change: the entry whose screenshot it takes again
	NotBefore   *time.Time // nil for at once
	Dispatched  bool       // waits for its turn or has it; a comparison does so once there is something to compare
	CreatedAt   time.Time
	UpdatedAt   time.Time

	// Filled in by reads.
	URLAddress string
	HTMLTitle  string
	Monitoring bool
	CSS, JS    *string // the URL's own, in its group
	Image      *Image  // the screenshot, or the comparison picture

	SCVersion string // of the screenshot just taken, on its way to the batch
}

// QueueFilter narrows a list of queue entries; nil fields do not narrow.
type QueueFilter struct {
	IDs      *[]ID
	BatchIDs *[]ID
	GroupIDs *[]ID
	URLIDs   *[]ID
	Statuses *[]QueueStatus
	Types    *[]QueueType
}

// QueueFigures counts entries by state over a whole filtered list. ByBatch holds the batches that the filter names; where
// it names none, the account's newest hundred and those with an entry on the page: there may be any number of them.
type QueueFigures struct {
	All     StatusCounts
	ByType  map[QueueType]StatusCounts
	ByBatch map[ID]StatusCounts
}

// QueueEntryStore keeps queue entries.
type QueueEntryStore interface {
	QueueEntry(ctx context.Context, id ID) (*QueueEntry, error)
	// LockQueueEntry reads the entry's own columns and holds off other changes until the transaction ends.
	LockQueueEntry(ctx context.Context, id ID) (*QueueEntry, error)
	// QueueEntries also counts by state over the whole filtered list, when asked to.
	QueueEntries(ctx context.Context, f QueueFilter, p Page, figures bool) (*QueueList, error)
	// QueueEntriesOfBatches is one such list for each batch.
	QueueEntriesOfBatches(ctx context.Context, batches []ID, f QueueFilter, p Page, figures bool) (map[ID]*QueueList, error)
	QueueEntriesByIDs(ctx context.Context, ids []ID) ([]*QueueEntry, error)
	InsertQueueEntries(ctx context.Context, entries []*QueueEntry) error
	UpdateQueueEntry(ctx context.Context, e *QueueEntry) error // status, reason, message, notice, attempts, dispatched
	// LockComparisonsOn locks, oldest first, the comparison entries that the end of screenshot entry e concerns: e's own,
	// that of the entry which e confirms, and the open ones not yet dispatched whose screenshots belong to the same group,
	// URL and device as e, are of a type that is compared with e's, and were asked for after it.
	LockComparisonsOn(ctx context.Context, e *QueueEntry) ([]*QueueEntry, error)
	// HasPendingBaseline tells whether a baseline entry older than e, for the same group, URL and device, has not ended and
	// would be preferred over the newest that is done.
	HasPendingBaseline(ctx context.Context, e *QueueEntry) (bool, error)
	// BaselineOf finds the newest done screenshot that e's is compared with: of the baseline type, for the same group,
	// URL and device, from an entry older than e. Nil when there is none.
	BaselineOf(ctx context.Context, e *QueueEntry) (*Screenshot, error)
	// BaselineOfVersion is BaselineOf among the screenshots taken by one version of the capture engine, see
	// Screenshot.SCVersion: after an upgrade the two may differ in more than what changed on the page.
	BaselineOfVersion(ctx context.Context, e *QueueEntry, version string) (*Screenshot, error)
	// ConfirmationOf is the entry that takes the screenshot of an entry again; nil when there is none.
	ConfirmationOf(ctx context.Context, id ID) (*QueueEntry, error)
	// RecentPictures lists the hashes of up to limit pictures that a place has shown in monitoring before the entry e and
	// by one version of the capture engine, each once and the newest first. Pictures that did not last, or were taken
	// again, are left out.
	RecentPictures(ctx context.Context, e *QueueEntry, version string, limit int) ([]string, error)
	// WithBaseline tells for which of the places a baseline of type t, asked for before a time, is done or still to come.
	WithBaseline(ctx context.Context, t QueueType, before time.Time, places []Place) (map[Place]bool, error)
}

// Place is what screenshots are compared by.
type Place struct {
	GroupID, URLID ID
	Device         Device
}

// QueueList is a page of queue entries, with the counts over the whole list when these were asked for.
type QueueList struct {
	*List[*QueueEntry]
	Figures QueueFigures
}

// IsConfirmation tells whether the entry captures a page again to see whether a change lasts.
func (e *QueueEntry) IsConfirmation() bool { return e.ConfirmsID != nil }
