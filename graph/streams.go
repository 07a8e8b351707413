package graph

import (
	"sync"

	"afterimage/vcd"
)

// streams counts the subscriptions that each account follows.
type streams struct {
	limit int

	mu     sync.Mutex
	counts map[vcd.ID]int
}

func newStreams(limit int) *streams { return &streams{limit: limit, counts: map[vcd.ID]int{}} }

// take counts one more stream of an account, if it may have it. What it returns gives the stream back, once.
func (s *streams) take(account vcd.ID) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts[account] >= s.limit {
		return nil, false
	}
	s.counts[account]++
	return sync.OnceFunc(func() { s.give(account) }), true
}

// open is the number of streams of all accounts.
func (s *streams) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := 0
	for _, n := range s.counts {
		sum += n
	}
	return sum
}

func (s *streams) give(account vcd.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts[account]--; s.counts[account] == 0 {
		delete(s.counts, account)
	}
}
