package vcd

import (
	"time"
)

// AuditRetention is how long audit entries are kept.
const AuditRetention = 400 * 24 * time.Hour

// AuditEntry says who made a change. It is stored with the change itself, and never altered.
type AuditEntry struct {
	ID, Account ID
	Actor       Person
	Action      string // the mutation of the API, or the operator's command
	SubjectType SubjectType
	SubjectID   ID // what was changed, or the first of several things; empty where an action says it all
	CreatedAt   time.Time
}

// AuditFilter filters a list of audit entries; nil fields match everything.
type AuditFilter struct {
	Action     *string
	ActorKind  *ActorKind
	SubjectIDs *[]ID
}
