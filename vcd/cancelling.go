package vcd

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
