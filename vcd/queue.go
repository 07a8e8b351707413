package vcd

import (
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
	LeaderID    *ID        // of a checkpoint: the entry in whose turn its flow runs, perhaps itself
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
	Refusal    *SiteRefusal

	SCVersion string // of the screenshot just taken, to be recorded in the batch
}

// SiteRefusal is why an open entry waits for its site, which answers by status 429 or 503.
type SiteRefusal struct {
	WholeSite     bool // rather than the page alone
	Status        int
	Since         time.Time
	NextAttemptAt *time.Time // at the earliest; nil for as soon as a worker is free
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

// Leads reports whether the flow of other checkpoints runs in the entry's turn.
func (e *QueueEntry) Leads() bool { return e.LeaderID != nil && *e.LeaderID == e.ID }

// IsConfirmation reports whether the entry captures a page again to check whether a change lasts.
func (e *QueueEntry) IsConfirmation() bool { return e.ConfirmsID != nil }

// TurnKind is a kind of background work that is shared fairly among accounts.
type TurnKind string

// The kinds of turns.
const (
	TurnCapture TurnKind = "capture"
	TurnCompare TurnKind = "compare"
	TurnImport  TurnKind = "import"
)

// Worker is a worker process with its slots: how much of each kind of work it does concurrently.
type Worker struct {
	ID       string
	Captures int // over all its regions
	Regions  []Region
	Compares int
	Imports  int // of sitemaps
	Syncs    int
}

// HandOutRules are the parameters of HandOut.
type HandOutRules struct {
	Home         Region        // where captures of region auto are taken
	HostCaptures int           // concurrent captures of one host; 0 means unlimited
	Silence      time.Duration // a worker without a heartbeat for this long gets no turns
}

// StrandedTurn is a turn whose job was given up.
type StrandedTurn struct {
	Account, Subject ID
	Kind             TurnKind
}

// Reasons why comparisons were given up.
const (
	ReasonTooHeavy = "too_heavy" // it exceeded the memory or time limit of a comparison
	ReasonCrashed  = "crashed"   // its processes or its workers died repeatedly
)

// GivenUp describes a comparison that was given up, for operators.
type GivenUp struct {
	Account  string // its address
	Entry    ID
	Page     string // address
	Device   Device
	Reason   string
	Sentence string
	At       time.Time
}

// DeadWorker describes a worker that died.
type DeadWorker struct {
	Held         []HeldTurn
	WithDatabase bool // the database was restarted since the last heartbeat
}

// HeldTurn is a turn held by a dead worker.
type HeldTurn struct {
	Account, Subject ID
	Kind             TurnKind
	Job              int64 // in the background queue
	Suspicion        int   // that it kills its workers, see certainSuspicion; stored
}

// Suspicion that a turn kills its workers. Pages are captured in browsers and compared in separate processes, so a worker
// seldom dies of its work; more often somebody kills it, perhaps twice in a row. Therefore it takes three deaths. If the
// database died too, the whole machine or container went down, which is hardly a page's doing but must not repeat forever.
const (
	suspicionByWorker  = 4
	suspicionByMachine = 1
	certainSuspicion   = 12
)

// Suspicion is how much the worker's death adds to the suspicion of its turns.
func (d DeadWorker) Suspicion() int {
	if d.WithDatabase {
		return suspicionByMachine
	}
	return suspicionByWorker
}

// Guilty is the turn that must have killed the worker: more suspected than any other turn it held. Nil when none stands out.
// HandOut keeps two equally suspected turns on different workers.
func (d DeadWorker) Guilty() *HeldTurn {
	var most *HeldTurn
	alone := false
	for i := range d.Held {
		switch h := &d.Held[i]; {
		case h.Suspicion+d.Suspicion() < certainSuspicion:
		case most == nil || h.Suspicion > most.Suspicion:
			most, alone = h, true
		case h.Suspicion == most.Suspicion:
			alone = false
		}
	}
	if !alone {
		return nil
	}
	return most
}
