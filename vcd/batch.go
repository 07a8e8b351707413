package vcd

import (
	"context"
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

// MixedVersions stands in a batch's SCVersion when its screenshots were not all taken by the same version of the capture
// engine, fonts and pipeline: each screenshot tells its own.
const MixedVersions = "mixed"

// AddVersion notes the version of a screenshot that was just taken; "" for none.
func (b *Batch) AddVersion(version string) {
	switch {
	case version == "" || version == b.SCVersion:
	case b.SCVersion == "":
		b.SCVersion = version
	default:
		b.SCVersion = MixedVersions
	}
}

// StatusCounts is how many of a batch's queue entries are in each state.
type StatusCounts struct {
	Open       int `json:"open"`
	Processing int `json:"processing"`
	Done       int `json:"done"`
	Failed     int `json:"failed"`
}

// Total is the number of entries.
func (c StatusCounts) Total() int { return c.Open + c.Processing + c.Done + c.Failed }

// Ended tells whether nothing is left to do.
func (c StatusCounts) Ended() bool { return c.Open == 0 && c.Processing == 0 }

// Plus is the sum of both.
func (c StatusCounts) Plus(o StatusCounts) StatusCounts {
	return StatusCounts{
		Open: c.Open + o.Open, Processing: c.Processing + o.Processing, Done: c.Done + o.Done, Failed: c.Failed + o.Failed,
	}
}

// Add counts n entries as being in state s; n may be negative.
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

// ComparisonCounts is how many comparisons of a batch are in each state, and how many lie above their threshold.
type ComparisonCounts struct {
	OK, New, FalsePositive, ToFix, AboveThreshold int
}

// Batch is one run: the queue entries that were started together.
type Batch struct {
	ID, Account ID
	Name        string
	Source      BatchSource
	Trigger     *TriggerContext // of a monitoring run that a trigger started; else nil
	SCVersion   string          // of its screenshots; empty until the first, MixedVersions when they differ
	Counts      StatusCounts
	// Summary is what verification makes of the batch; nil until it is finished, and where nothing was verified.
	Summary      *BatchSummary
	ModelRegions int // regions that a model was asked about
	FinishedAt   *time.Time
	CancelledAt  *time.Time
	Reopened     int // times that it had finished and goes on, see RetryFailed
	CreatedAt    time.Time
	UpdatedAt    time.Time
	GroupIDs     []ID             // of its entries, sorted by name like GroupNames; filled in by reads
	GroupNames   []string         // filled in by reads
	Domains      []string         // of the websites that its groups belong to, sorted; filled in by reads
	Comparisons  ComparisonCounts // filled in by reads

	// Filled in by reads too.
	Console       ConsoleCounts
	Features      Features
	UpdateResults *UpdateResults // nil until some are stored
}

// BatchFilter narrows a list of batches; nil fields do not narrow.
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
}

// BatchStore keeps batches.
type BatchStore interface {
	Batch(ctx context.Context, id ID) (*Batch, error)
	// LockBatch reads the batch without its figures and holds off other changes until the transaction ends. It is taken
	// after the rows of queue entries and before events are appended; everybody keeps that order.
	LockBatch(ctx context.Context, id ID) (*Batch, error)
	Batches(ctx context.Context, f BatchFilter, p Page) (*List[*Batch], error)
	BatchesByIDs(ctx context.Context, ids []ID) ([]*Batch, error)
	InsertBatch(ctx context.Context, b *Batch) error
	UpdateBatch(ctx context.Context, b *Batch) error // name, version, counts, finished, what verification makes of it
	// StoreUpdateResults replaces what was stored before.
	StoreUpdateResults(ctx context.Context, id ID, r *UpdateResults, now time.Time) error
	// MonitoringRuns tells whether a monitoring run of the group is going on that began after since.
	MonitoringRuns(ctx context.Context, group ID, since time.Time) (bool, error)
	// VerificationTotals adds up the batch's comparisons.
	VerificationTotals(ctx context.Context, batch ID) (VerificationTotals, error)
	// CountEnds tells how the entries of each group ended.
	CountEnds(ctx context.Context, batch ID) (map[ID]GroupEnds, error)
}

// GroupEnds is how the entries of a group ended in a batch.
type GroupEnds struct {
	Compared, Failed int // comparisons made, screenshots failed
}
