package graph_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/graph"
)

// purse is a limiter with a few points that do not come back.
type purse struct {
	mu     sync.Mutex
	points int
}

func (p *purse) Limit() int { return 100 }

func (p *purse) Take(string) (remaining int, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.points < 1 {
		return 0, 1500 * time.Millisecond
	}
	p.points--
	return p.points, 0
}

func (p *purse) Charge(_ string, points int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.points -= points
}

func TestRequestsAreCounted(t *testing.T) {
	p := &purse{points: 2}
	s := newSite(t, func(c *graph.Config) { c.Limiter = p })
	for _, remaining := range []string{"1", "0"} {
		a := s.post(whoami, nil)
		if a.status != http.StatusOK || a.header.Get("X-RateLimit-Limit") != "100" || a.header.Get("X-RateLimit-Remaining") != remaining {
			t.Errorf("status %d, headers %v", a.status, a.header)
		}
	}
	a := s.post(whoami, nil)
	if a.status != http.StatusTooManyRequests || a.code() != "RATE_LIMITED" || a.header.Get("Retry-After") != "2" ||
		!strings.Contains(a.body, `"retryAfter":2`) {
		t.Errorf("status %d, headers %v: %s", a.status, a.header, a.body)
	}
	r := s.request("{}")
	r.Header.Set("Authorization", "Bearer x")
	if a := s.do(r); a.status != http.StatusUnauthorized || a.header.Get("X-RateLimit-Limit") != "" {
		t.Errorf("a stranger: status %d", a.status)
	}
}

// What an operation costs is taken when it is let in, so that expensive ones leave less for others.
func TestOperationsCountByTheirCost(t *testing.T) {
	p := &purse{points: 100}
	s := newSite(t, func(c *graph.Config) { c.Limiter = p })
	s.post(`{ groups(first: 100) { nodes { id name urls(first: 10) { nodes { urlId } } } } }`, nil)
	if p.points < 80 || p.points > 95 {
		t.Errorf("%d points are left of 100", p.points)
	}
	before := p.points
	s.post(`{ nonsense }`, nil)
	if p.points != before-1 {
		t.Errorf("an operation that is not run took %d points", before-p.points)
	}
}

func TestOperationsOfASocketAreCounted(t *testing.T) {
	s := newSite(t, func(c *graph.Config) { c.Limiter = &purse{points: 2} })
	k := s.connect()
	for i, want := range []string{"next", "next", "error"} {
		k.subscribe(string(rune('a'+i)), whoami, nil)
		m := k.next()
		if m.Type != want || want == "error" && !strings.Contains(string(m.Payload), "RATE_LIMITED") {
			t.Errorf("operation %d: got %s %s, want %s", i, m.Type, m.Payload, want)
		}
		if want == "next" {
			k.next() // complete
		}
	}
}
