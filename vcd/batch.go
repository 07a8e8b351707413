package vcd

import (
	"time"
)

// BatchSource is what started a batch.
type BatchSource string

// The batch sources.
const (
	SourceManual     BatchSource = "manual"
	SourceMonitoring BatchSource = "monitoring"
	SourceAutoUpdate BatchSource = "auto_update"
)

// MixedVersions is a batch's SCVersion when its screenshots were taken by different versions of the capture engine, fonts and
// pipeline. Each screenshot records its own version.
const MixedVersions = "mixed"

// AddVersion records the version of a screenshot that was just taken; "" for none.
func (b *Batch) AddVersion(version string) {
	switch {
	case version == "" || version == b.SCVersion:
	case b.SCVersion == "":
		b.SCVersion = version
	default:
		b.SCVersion = MixedVersions
	}
}

// StatusCounts counts a batch's queue entries by state.
type StatusCounts struct {
	Open       int `json:"open"`
	Processing int `json:"processing"`
	Done       int `json:"done"`
	Failed     int `json:"failed"`
}

// Total is the number of entries.
func (c StatusCounts) Total() int { return c.Open + c.Processing + c.Done + c.Failed }

// Ended reports whether no entry is open or processing.
func (c StatusCounts) Ended() bool { return c.Open == 0 && c.Processing == 0 }

// Plus returns the sum of both.
func (c StatusCounts) Plus(o StatusCounts) StatusCounts {
	return StatusCounts{
		Open: c.Open + o.Open, Processing: c.Processing + o.Processing, Done: c.Done + o.Done, Failed: c.Failed + o.Failed,
	}
}

// Add adds n, which may be negative, to the count of state s.
func (c *StatusCounts) Add(s QueueStatus, n int) {
	switch s {
	case QueueOpen:
		c.Open += n
	case QueueProcessing:
		c.Processing += n
	case QueueDone:
		c.Done += n
	case QueueFailed:
		c.Failed += n
	}
}

// ComparisonCounts counts a batch's comparisons by state, and those above their threshold.
type ComparisonCounts struct {
	OK, New, FalsePositive, ToFix, AboveThreshold int
}

// Plus returns the sum of both.
func (c ComparisonCounts) Plus(o ComparisonCounts) ComparisonCounts {
	return ComparisonCounts{
		OK: c.OK + o.OK, New: c.New + o.New, FalsePositive: c.FalsePositive + o.FalsePositive, ToFix: c.ToFix + o.ToFix,
		AboveThreshold: c.AboveThreshold + o.AboveThreshold,
	}
}

// Batch is one run: the queue entries that were started together.
type Batch struct {
	ID, Account ID
	Name        string
	Source      BatchSource
	Type        QueueType       // of its screenshots
	Trigger     *TriggerContext // of a monitoring run that a trigger started; else nil
	SCVersion   string          // of its screenshots; empty until the first, MixedVersions when they differ
	Counts      StatusCounts
	Planned     int // entries it was started with; confirmations come in addition
	// Summary is the verification result of the batch; nil until it is finished, or when nothing was verified.
	Summary      *BatchSummary
	ModelRegions int // regions that a model was asked about
	// UnpairedCount is how many of its screenshots had nothing to be compared with when it was started; 0 for pre screenshots.
	UnpairedCount int
	Uploading     bool // more screenshots may be sent, see Upload; until then it does not finish
	FinishedAt    *time.Time
	CancelledAt   *time.Time
	ExpiredAt     *time.Time // when retention removed its comparisons and most of its screenshots, see ExpiryStore
	Reopened      int        // times it finished and was resumed, see RetryFailed
	CreatedAt     time.Time
	UpdatedAt     time.Time
	GroupIDs      []ID             // of its entries, sorted by name like GroupNames; filled in by reads
	GroupNames    []string         // filled in by reads
	Domains       []string         // of the websites that its groups belong to, sorted; filled in by reads
	Comparisons   ComparisonCounts // filled in by reads

	// Filled in by reads too.
	Console       ConsoleCounts
	Features      Features
	UpdateResults *UpdateResults // nil until some are stored
}

// BatchFilter filters a list of batches; nil fields match everything.
type BatchFilter struct {
	IDs            *[]ID
	AboveThreshold *bool
	From, To       *time.Time // created at or after From, before To
	Statuses       *[]ComparisonStatus
	QueueTypes     *[]QueueType
	GroupIDs       *[]ID
	URLIDs         *[]ID
	WebsiteIDs     *[]ID // that its groups belong to
	Sources        *[]BatchSource
	Unfinished     bool    // leaves out those that have finished
	Search         *string // part of the name
	Sort           Sort    // by BatchName or BatchFinished
}

// What batches are sorted by.
const (
	BatchName     = "name"
	BatchFinished = "finished_at" // unfinished ones are the latest
)

// GroupEnds counts how the entries of a group ended in a batch.
type GroupEnds struct {
	Compared, Failed int // comparisons made, screenshots failed
	Unseen           int // comparisons that do not show all of the page
}

// DeletedBatch is a hidden batch, of which something is left.
type DeletedBatch struct{ Account, Batch ID }

// Reasons, worded for the site's owner, why entries ended early.
const (
	BatchCancelled   = "The run was cancelled."
	accountPaused    = "Cancelled because the account was paused."
	accountCancelled = "Cancelled because the account was cancelled."
)

// CancelledBatch is a batch to be ended, with the state of its account.
type CancelledBatch struct {
	Account, Batch ID
	Status         AccountStatus
}

// CancelledImport is an import of an account that may no longer run.
type CancelledImport struct {
	Account, Import ID
	Status          AccountStatus
}

// EndedBecause is the reason why work ends for an account in the given state.
func EndedBecause(s AccountStatus) string {
	switch s {
	case AccountPaused:
		return accountPaused
	case AccountCancelled:
		return accountCancelled
	}
	return BatchCancelled
}

// BatchSteps tells how far an unfinished batch is.
type BatchSteps struct {
	Confirming int // confirmations that have not ended
	Recent     int // entries that ended in the recent past
	Ahead      int // entries of the account's earlier batches that have not ended
}

// BatchCompletion is how much of a batch is done. Planned never changes, and Done only falls when failed entries are retried.
type BatchCompletion struct {
	Planned  int
	Done     int        // ended, successfully or not
	Ahead    int        // entries of earlier batches that have not ended
	FinishAt *time.Time // estimated; nil when it is finished, or nothing has ended lately
}

// Completion is how much of the batch is done, as of now. Steps are those since recent.
func (b *Batch) Completion(s BatchSteps, recent, now time.Time) BatchCompletion {
	if b.FinishedAt != nil {
		return BatchCompletion{Planned: b.Planned, Done: b.Planned}
	}
	left := min(b.Planned, max(0, b.Counts.Open+b.Counts.Processing-s.Confirming))
	c := BatchCompletion{Planned: b.Planned, Done: b.Planned - left, Ahead: s.Ahead}
	if b.CreatedAt.After(recent) {
		recent = b.CreatedAt
	}
	if s.Recent > 0 && now.After(recent) {
		at := now.Add(now.Sub(recent) / time.Duration(s.Recent) * time.Duration(left)).Truncate(time.Second)
		c.FinishAt = &at
	}
	return c
}

// BatchPart holds the figures of one group of a batch.
type BatchPart struct {
	GroupID     ID
	WebsiteID   *ID // that the group belongs to now
	Counts      StatusCounts
	Comparisons ComparisonCounts
}

// LinkPermission is what guests may do who come by a public link.
type LinkPermission string

// The permissions.
const (
	LinkRead   LinkPermission = "read"   // look at the batch
	LinkReview LinkPermission = "review" // also comment on its comparisons and review them
)

// BatchLink is the link to the public page of a batch.
type BatchLink struct {
	ID         ID // another one when the link is renewed
	Batch      ID
	Hash       []byte // SHA-256 of the token
	Sealed     []byte // the token
	Permission LinkPermission
	ExpiresAt  *time.Time
	CreatedAt  time.Time
}

// LinkedBatch is what a public link that works leads to.
type LinkedBatch struct {
	Account, Batch, Link ID
	Permission           LinkPermission
}

// Live reports whether the link works at the given time.
func (l *BatchLink) Live(now time.Time) bool { return l.ExpiresAt == nil || l.ExpiresAt.After(now) }

// PurposeBatchLink seals the tokens of batch links.
const PurposeBatchLink = "batch link"
