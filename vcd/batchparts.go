package vcd

import (
	"time"
)

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
