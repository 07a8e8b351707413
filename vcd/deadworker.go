package vcd

// DeadWorker describes a worker that died.
type DeadWorker struct {
	Held         []HeldTurn
	WithDatabase bool // the database was restarted since the last heartbeat
}

// HeldTurn is a turn held by a dead worker.
type HeldTurn struct {
	Account, Subject ID
	Kind             TurnKind
	Job              int64 // in the background queue
	Suspicion        int   // that it kills its workers, see certainSuspicion; stored
}

// Suspicion that a turn kills its workers. Pages are captured in browsers and compared in separate processes, so a worker
// seldom dies of its work; more often somebody kills it, perhaps twice in a row. Therefore it takes three deaths. If the
// database died too, the whole machine or container went down, which is hardly a page's doing but must not repeat forever.
const (
	suspicionByWorker  = 4
	suspicionByMachine = 1
	certainSuspicion   = 12
)

// Suspicion is how much the worker's death adds to the suspicion of its turns.
func (d DeadWorker) Suspicion() int {
	if d.WithDatabase {
		return suspicionByMachine
	}
	return suspicionByWorker
}

// Guilty is the turn that must have killed the worker: more suspected than any other turn it held. Nil when none stands out.
// HandOut keeps two equally suspected turns on different workers.
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
