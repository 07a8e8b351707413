package vcd

import (
	"time"

	"github.com/google/uuid"
)

// ID is a UUID in its canonical lower-case text form.
type ID string

// ParseID accepts the canonical 36-character form in either case and tells whether s was one.
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

// IDs makes new ids. The real one makes version 7 UUIDs, so ids sort by the time they were made.
type IDs interface {
	NewID() ID
}

// Clock tells the time. Use cases never ask the system for it.
type Clock interface {
	Now() time.Time
}

// ValidTime tells whether t can be kept and shown: it lies in the years 1 to 9999.
func ValidTime(t time.Time) bool {
	year := t.UTC().Year()
	return year >= 1 && year <= 9999
}

// SystemClock is the machine's clock in UTC at microsecond resolution, which is what Postgres keeps.
type SystemClock struct{}

// Now is the present moment.
func (SystemClock) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// RandomIDs makes version 7 UUIDs.
type RandomIDs struct{}

// NewID is a fresh id, larger than those made before it in this process.
func (RandomIDs) NewID() ID { return ID(uuid.Must(uuid.NewV7()).String()) }

// Actor is on whose behalf a use case runs. Every transaction is bound to its account.
type Actor struct {
	Account ID
	Token   ID // the API token used; empty for background work
}
