package vcd

import (
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
