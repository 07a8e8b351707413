package vcd

// DeadWorker is what is known of a worker that died.
type DeadWorker struct {
	Held         []HeldTurn
	WithDatabase bool // the database was started since it was last heard of
}

// HeldTurn is a turn that a dead worker had.
type HeldTurn struct {
	Account, Subject ID
	Kind             TurnKind
	Job              int64 // in the background queue
	Suspicion        int   // that it kills its workers; stored
}

// Suspicion that a turn kills its workers. Pages are captured in browsers and compared in processes of their own, so a worker
// seldom dies of what it does: somebody kills it, and again a moment later. Therefore it takes three deaths. When the database died
// too, a whole machine or container went down, which is hardly a page's doing, but must not go on for ever.
const (
	suspicionByWorker  = 4
	suspicionByMachine = 1
	certainSuspicion   = 12
)

// Suspicion is what a worker's death adds.
func (d DeadWorker) Suspicion() int {
	if d.WithDatabase {
		return suspicionByMachine
	}
	return suspicionByWorker
}

// Guilty is the turn that is certain to have killed the worker: more suspected than any other that was there. Nil when none stands
// out. Handing out keeps two apart that are as suspected.
func (d DeadWorker) Guilty() *HeldTurn {
	var most *HeldTurn
	alone := false
	for i := range d.Held {
		switch h := &d.Held[i]; {
		case h.Suspicion+d.Suspicion() < certainSuspicion:
		case most == nil || h.Suspicion > most.Suspicion:
			most, alone = h, true
		case h.Suspicion == most.Suspicion:
			alone = false
		}
	}
	if !alone {
		return nil
	}
	return most
}
