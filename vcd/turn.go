package vcd

import (
	"context"
	"time"
)

// TurnKind is what background work is about that accounts take turns at.
type TurnKind string

// The kinds of turns.
const (
	TurnCapture TurnKind = "capture"
	TurnCompare TurnKind = "compare"
	TurnImport  TurnKind = "import"
)

// TurnStore keeps the turns of an account: its captures, comparisons and imports that wait for a worker or have one.
type TurnStore interface {
	// QueueUp lets queue entries wait for their turn, which comes at a time or later. An entry that has a worker loses it.
	QueueUp(ctx context.Context, at time.Time, entries ...ID) error
	// QueueUpImport does the same for an import.
	QueueUpImport(ctx context.Context, id ID) error
	// ReleaseTurn takes a turn and its job from a dead worker: it waits again, and its suspicion is stored. False when the
	// worker has ended the job after all.
	ReleaseTurn(ctx context.Context, h *HeldTurn) (bool, error)
	// EndTurn tells that an entry or import neither waits nor has a worker any more.
	EndTurn(ctx context.Context, subject ID) error
}

// HandOutStore hands turns of all accounts to workers.
type HandOutStore interface {
	// HandOut gives the free places of living workers to waiting turns: each to the account that has used least of the
	// workers for its share lately, and to that account's batch that has used least. It returns how many turns it gave.
	HandOut(ctx context.Context, now time.Time, rules HandOutRules) (int, error)
	// Beat tells that a worker lives, and what places it has.
	Beat(ctx context.Context, w Worker) error
	// RetireWorker forgets a worker that has stopped.
	RetireWorker(ctx context.Context, id string) error
	// TakeDeadWorker hands a worker that has not beaten for silence to do, unless others take care of it or it is the one
	// that asks. When do does not fail the worker is forgotten and its other jobs start over. False when there is none.
	TakeDeadWorker(ctx context.Context, asking string, silence time.Duration,
		do func(ctx context.Context, dead DeadWorker) error) (bool, error)
	// CancelledBatches lists batches that have not finished although they were cancelled or their account is not active.
	CancelledBatches(ctx context.Context, limit int) ([]CancelledBatch, error)
	// StrandedTurns lists turns that were handed to a worker before a time and have no job in the background queue that
	// could still end them.
	StrandedTurns(ctx context.Context, before time.Time, limit int) ([]StrandedTurn, error)
	// ForgetHosts removes what is known of hosts, and of who used the workers, that is older than before.
	ForgetHosts(ctx context.Context, before time.Time) error
}

// Worker is a process that works, with its places: how much of each kind it does at the same time.
type Worker struct {
	ID       string
	Captures int // over all its regions
	Regions  []Region
	Compares int
	Imports  int // of sitemaps
	Syncs    int
}

// HandOutRules are what HandOut keeps to.
type HandOutRules struct {
	Home         Region        // where captures of region auto are taken
	HostCaptures int           // pages of one host captured at the same time; 0 for any number
	Silence      time.Duration // a worker that has not beaten for so long has no places
}

// StrandedTurn is a turn whose job was given up.
type StrandedTurn struct {
	Account, Subject ID
	Kind             TurnKind
}
