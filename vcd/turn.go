package vcd

import (
	"context"
	"time"
)

// TurnKind is a kind of background work that is shared fairly among accounts.
type TurnKind string

// The kinds of turns.
const (
	TurnCapture TurnKind = "capture"
	TurnCompare TurnKind = "compare"
	TurnImport  TurnKind = "import"
)

// TurnStore keeps the turns of an account: captures, comparisons and imports that wait for a worker or have one.
type TurnStore interface {
	// QueueUp makes queue entries wait for their turn, at the given time or later. An entry that has a worker loses it.
	QueueUp(ctx context.Context, at time.Time, entries ...ID) error
	// QueueUpImport does the same for an import.
	QueueUpImport(ctx context.Context, id ID) error
	// ReleaseTurn takes a turn and its job from a dead worker: the turn waits again, and its suspicion is stored. It returns
	// false when the worker has ended the job after all.
	ReleaseTurn(ctx context.Context, h *HeldTurn) (bool, error)
	// EndTurn records that an entry or import no longer waits for a worker or has one.
	EndTurn(ctx context.Context, subject ID) error
	// WithdrawTurns removes all turns of batches at once, and returns those that have a worker.
	WithdrawTurns(ctx context.Context, batches ...ID) (handed []ID, err error)
}

// HandOutStore assigns the turns of all accounts to workers.
type HandOutStore interface {
	// HandOut assigns waiting turns to the free slots of live workers. Each slot goes to the account with the lowest recent
	// use relative to its share, and within it to the batch with the lowest use. It returns how many turns it assigned.
	HandOut(ctx context.Context, now time.Time, rules HandOutRules) (int, error)
	// Beat records a worker's heartbeat and its slots.
	Beat(ctx context.Context, w Worker) error
	// RetireWorker removes a worker that has stopped.
	RetireWorker(ctx context.Context, id string) error
	// TakeDeadWorker passes a worker without a heartbeat for silence to do, unless another process is handling it or it is
	// the one asking. If do succeeds, the worker is removed and its other jobs start over. It returns false when there is
	// none.
	TakeDeadWorker(ctx context.Context, asking string, silence time.Duration,
		do func(ctx context.Context, dead DeadWorker) error) (bool, error)
	// CancelledBatches lists unfinished batches that were cancelled or whose account is not active.
	CancelledBatches(ctx context.Context, limit int) ([]CancelledBatch, error)
	// CancelledImports lists imports that wait or are in work although their account is not active.
	CancelledImports(ctx context.Context, limit int) ([]CancelledImport, error)
	// StrandedTurns lists turns that were assigned to a worker before the given time and have no job in the background queue
	// that could still end them.
	StrandedTurns(ctx context.Context, before time.Time, limit int) ([]StrandedTurn, error)
	// RefusedTurns lists captures that wait for a host that has refused for at least as long as patience, and have themselves waited so
	// long.
	RefusedTurns(ctx context.Context, now time.Time, patience time.Duration, limit int) ([]RefusedTurn, error)
	// ForgetHosts removes records of hosts and of worker usage that are older than before.
	ForgetHosts(ctx context.Context, before time.Time) error
}

// Worker is a worker process with its slots: how much of each kind of work it does concurrently.
type Worker struct {
	ID       string
	Captures int // over all its regions
	Regions  []Region
	Compares int
	Imports  int // of sitemaps
	Syncs    int
}

// HandOutRules are the parameters of HandOut.
type HandOutRules struct {
	Home         Region        // where captures of region auto are taken
	HostCaptures int           // concurrent captures of one host; 0 means unlimited
	Silence      time.Duration // a worker without a heartbeat for this long gets no turns
}

// StrandedTurn is a turn whose job was given up.
type StrandedTurn struct {
	Account, Subject ID
	Kind             TurnKind
}
