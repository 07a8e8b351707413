package view

import "afterimage/vcd"

// AuditEntry shows a change.
type AuditEntry struct {
	*vcd.AuditEntry
}

// NewAuditEntry shows e.
func NewAuditEntry(e *vcd.AuditEntry) *AuditEntry { return &AuditEntry{e} }

// Actor is who made it.
func (e *AuditEntry) Actor() *Person { return &Person{e.AuditEntry.Actor} }

// SubjectType is the kind of what was changed.
func (e *AuditEntry) SubjectType() *string { return nonEmpty(string(e.AuditEntry.SubjectType)) }

// SubjectID is the id of what was changed.
func (e *AuditEntry) SubjectID() *vcd.ID {
	if e.AuditEntry.SubjectID == "" {
		return nil
	}
	return &e.AuditEntry.SubjectID
}
