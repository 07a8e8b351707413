package vcd

// ChangeConfirmation is what became of a change that monitoring wanted to see a second time.
type ChangeConfirmation string

// The outcomes.
const (
	ChangeConfirmed   ChangeConfirmation = "confirmed"    // captured again, the page still differs
	ChangeVanished    ChangeConfirmation = "vanished"     // captured again, it does not
	ChangeUnconfirmed ChangeConfirmation = "not_possible" // it could not be captured again, or only by another version
)

// IsConfirmation tells whether the entry captures a page again to see whether a change lasts.
func (e *QueueEntry) IsConfirmation() bool { return e.ConfirmsID != nil }
