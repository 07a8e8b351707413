package graph

import (
	"sync"

	"afterimage/vcd"
)

// shares counts what each account holds of something that all share, such as the subscriptions it follows, and limits it.
type shares struct {
	limit int64

	mu   sync.Mutex
	held map[vcd.ID]int64
}

func newShares(limit int64) *shares { return &shares{limit: limit, held: map[vcd.ID]int64{}} }

// take gives an account n more, if it may have them. What it returns gives them back, once.
func (s *shares) take(account vcd.ID, n int64) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n > s.limit-s.held[account] {
		return nil, false
	}
	s.held[account] += n
	return sync.OnceFunc(func() { s.give(account, n) }), true
}

// sum is what all accounts hold together.
func (s *shares) sum() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sum int64
	for _, n := range s.held {
		sum += n
	}
	return int(sum)
}

func (s *shares) give(account vcd.ID, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[account] -= n; s.held[account] == 0 {
		delete(s.held, account)
	}
}
