// Package ratelimit limits the request rate of each client, in memory and per process.
package ratelimit

import (
	"math"
	"sync"
	"time"
)

// period is what limits are given for.
const period = time.Minute

// Limiter gives each key a token bucket that refills at a constant rate. The size of the bucket is both the allowed
// burst and the allowance per minute. It is safe for concurrent use.
//
// Algorithm: token bucket (J. Turner, "New directions in communications", IEEE Communications 24, 1986).
type Limiter struct {
	size float64 // points of a full bucket
	now  func() time.Time

	mu      sync.Mutex
	buckets map[string]bucket
	sweepAt int // how many buckets there are when full ones are dropped
}

// bucket is how many points there were at a time. Below zero they are a debt, which is to be paid before anything else.
type bucket struct {
	points float64
	at     time.Time
}

// firstSweep is how many buckets are kept without looking whether they are full.
const firstSweep = 1024

// New returns a limiter of perMinute points per minute, more than 0. The clock may be time.Now.
func New(perMinute int, now func() time.Time) *Limiter {
	return &Limiter{size: float64(perMinute), now: now, buckets: map[string]bucket{}, sweepAt: firstSweep}
}

// Limit returns the number of points per minute.
func (l *Limiter) Limit() int { return int(l.size) }

// Take takes one point. If there is none, it takes nothing and returns the time until there is one; otherwise wait
// is zero. remaining is the number of whole points left.
func (l *Limiter) Take(key string) (remaining int, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	points := l.refilled(key, now)
	if points < 1 {
		missing := (1 - points) / l.size
		return 0, time.Duration(math.Ceil(missing * float64(period)))
	}
	l.put(key, points-1, now)
	return int(points - 1), 0
}

// Charge takes points for work that is already done; the balance may become negative.
func (l *Limiter) Charge(key string, points int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.put(key, l.refilled(key, now)-float64(points), now)
}

// refilled is what a bucket holds now.
func (l *Limiter) refilled(key string, now time.Time) float64 {
	b, known := l.buckets[key]
	if !known {
		return l.size
	}
	return min(l.size, b.points+l.size*float64(now.Sub(b.at))/float64(period))
}

// put keeps a bucket. Full ones need not be kept, so that those of keys which are not used any more go.
func (l *Limiter) put(key string, points float64, now time.Time) {
	l.buckets[key] = bucket{points, now}
	if len(l.buckets) < l.sweepAt {
		return
	}
	for other := range l.buckets {
		if l.refilled(other, now) >= l.size {
			delete(l.buckets, other)
		}
	}
	l.sweepAt = max(firstSweep, 2*len(l.buckets))
}
