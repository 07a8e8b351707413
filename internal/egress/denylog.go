package egress

import (
	"log/slog"
	"sync"
	"time"
)

const (
	maxDenials      = 256 // distinct targets kept per log
	maxDenialTarget = 200 // bytes of a target kept
)

// Denial is a target that the policy refused. Repetitions are only counted.
type Denial struct {
	At     time.Time `json:"at"`
	Target string    `json:"target"` // "CONNECT host:port", or method and address without its query
	Why    string    `json:"why"`
	Count  int       `json:"count"`
}

// denyLog keeps the first maxDenials distinct refused targets and writes one structured line for each of them.
// A page can ask for millions; neither memory nor the operator's log may grow with that.
type denyLog struct {
	logger *slog.Logger

	mu       sync.Mutex
	byTarget map[string]*Denial
	order    []*Denial
}

func newDenyLog(logger *slog.Logger) *denyLog {
	return &denyLog{logger: logger, byTarget: make(map[string]*Denial)}
}

func (l *denyLog) add(target string, refusal *Refusal) {
	if len(target) > maxDenialTarget {
		target = target[:maxDenialTarget]
	}
	l.mu.Lock()
	known, ok := l.byTarget[target]
	full := len(l.order) == maxDenials
	switch {
	case ok:
		known.Count++
	case full: // the log is complete enough to show what the page is up to
	default:
		denial := &Denial{At: time.Now(), Target: target, Why: refusal.Why, Count: 1}
		l.byTarget[target] = denial
		l.order = append(l.order, denial)
	}
	l.mu.Unlock()
	if !ok && !full {
		l.logger.Info("egress refused", "target", target, "resolved", refusal.Target.String(), "why", refusal.Why)
	}
}

// list returns the denials in order of first appearance.
func (l *denyLog) list() []Denial {
	l.mu.Lock()
	defer l.mu.Unlock()
	denials := make([]Denial, len(l.order))
	for i, denial := range l.order {
		denials[i] = *denial
	}
	return denials
}
