package vcd

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// ID is a UUID in its canonical lower-case text form.
type ID string

// ParseID parses the canonical 36-character form in either case and reports whether s is valid.
func ParseID(s string) (ID, bool) {
	if len(s) != 36 {
		return "", false
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return "", false
	}
	return ID(id.String()), true
}

// IDs generates ids. RandomIDs generates version 7 UUIDs, so ids sort by creation time.
type IDs interface {
	NewID() ID
}

// Clock tells the time. Use cases never read the system clock directly.
type Clock interface {
	Now() time.Time
}

// ValidTime reports whether t can be stored and displayed: its year is between 1 and 9999.
func ValidTime(t time.Time) bool {
	year := t.UTC().Year()
	return year >= 1 && year <= 9999
}

// SystemClock is the machine's clock in UTC, at the microsecond resolution of Postgres.
type SystemClock struct{}

// Now returns the current time.
func (SystemClock) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// RandomIDs generates version 7 UUIDs.
type RandomIDs struct {
	// Ahead returns by how much the machine's clock is ahead of the one that all machines go by; nil for not at all.
	Ahead func() time.Duration
}

// NewID returns a new id, larger than all earlier ones of this process while the clocks differ by as much.
func (r RandomIDs) NewID() ID {
	id := uuid.Must(uuid.NewV7())
	if r.Ahead == nil {
		return ID(id.String())
	}
	const rest = 16 // bits below the 48 of the milliseconds, see RFC 9562, section 5.7
	head := binary.BigEndian.Uint64(id[:])
	head -= uint64(r.Ahead().Milliseconds()) << rest // modulo 2^64, a negative one is added
	binary.BigEndian.PutUint64(id[:], head)
	return ID(id.String())
}

// NodeKind is the kind of thing that an id identifies.
type NodeKind string

// The kinds of things that have an id of their own.
const (
	NodeSubaccount   NodeKind = "subaccount"
	NodeGroup        NodeKind = "group"
	NodeURL          NodeKind = "url"
	NodeWebsite      NodeKind = "website"
	NodeFeedbackRule NodeKind = "ai_feedback_rule"
	NodeWebhook      NodeKind = "webhook"
	NodeDelivery     NodeKind = "delivery"
	NodeURLImport    NodeKind = "url_import"
	NodeMail         NodeKind = "mail"
	NodeBatch        NodeKind = "batch"
	NodeQueueEntry   NodeKind = "queue_entry"
	NodeScreenshot   NodeKind = "screenshot"
	NodeComparison   NodeKind = "comparison"
)

// Pause waits in real time, and reports whether ctx outlived the pause.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
