package assetcache

import (
	"slices"
	"time"
)

// Outcome is what a visit has to do about a request.
type Outcome int

// The outcomes of [Visit.Ask].
const (
	Pass  Outcome = iota // send it and share nothing
	Hit                  // answer it with the asset
	Fetch                // send it, and tell by Store, Refuse or Fail what came of it
	Wait                 // another visit fetches the asset: the answer comes by the function
)

// Visit is one capture's part in a scope. It is safe for concurrent use; a nil Visit shares nothing.
type Visit struct {
	cache *Cache
	in    *shared
	left  bool
}

// flight is an asset that is being fetched.
type flight struct {
	leader  *Visit
	request string
	waiters []*waiter
}

type waiter struct {
	visit  *Visit
	answer func(*Asset)
	timer  *time.Timer
}

// Ask looks for an asset. request names the request within the visit: one that the browser repeats has the same name. After
// [Wait], answer is called once, with nil if the visit has to send the request itself after all, from another goroutine. When
// the visit has ended, that may still come.
func (v *Visit) Ask(key Key, request string, answer func(*Asset)) (Outcome, *Asset) {
	if v == nil {
		return Pass, nil
	}
	c, now := v.cache, time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if asset := c.find(v.in, key, now); asset != nil {
		return Hit, asset
	}
	if until, known := v.in.refused[key]; known {
		if now.Before(until) {
			return Pass, nil
		}
		delete(v.in.refused, key)
	}
	f := v.in.flights[key]
	switch {
	case v.left:
		return Pass, nil
	case f == nil && len(v.in.flights) >= maxFlights:
		return Pass, nil
	case f == nil:
		v.in.flights[key] = &flight{leader: v, request: request}
		return Fetch, nil
	case f.leader == v && f.request == request:
		return Fetch, nil
	case len(f.waiters) >= maxWaiters:
		return Pass, nil
	}
	w := &waiter{visit: v, answer: answer}
	w.timer = time.AfterFunc(patience, func() {
		if v.giveUp(key, w) {
			answer(nil)
		}
	})
	f.waiters = append(f.waiters, w)
	return Wait, nil
}

// giveUp removes a waiter, and reports whether it was still waiting.
func (v *Visit) giveUp(key Key, w *waiter) bool {
	v.cache.mu.Lock()
	defer v.cache.mu.Unlock()
	f := v.in.flights[key]
	if f == nil {
		return false
	}
	i := slices.Index(f.waiters, w)
	if i < 0 {
		return false
	}
	f.waiters = slices.Delete(f.waiters, i, i+1)
	return true
}

// Store shares an asset that the visit fetched.
func (v *Visit) Store(key Key, asset *Asset) {
	v.land(key, func() { v.cache.keep(v.in, key, asset) }, asset)
}

// Refuse tells that an asset is not to be shared: for a while, nobody waits for it.
func (v *Visit) Refuse(key Key) {
	v.land(key, func() {
		if len(v.in.refused) < maxRefused {
			v.in.refused[key] = time.Now().Add(refusedTime)
		}
	}, nil)
}

// Fail tells that an asset could not be fetched.
func (v *Visit) Fail(key Key) { v.land(key, func() {}, nil) }

// land ends a flight of the visit and answers who waits for it.
func (v *Visit) land(key Key, then func(), asset *Asset) {
	if v == nil {
		return
	}
	v.cache.mu.Lock()
	f := v.in.flights[key]
	if f == nil || f.leader != v {
		v.cache.mu.Unlock()
		return
	}
	delete(v.in.flights, key)
	then()
	v.cache.mu.Unlock()
	f.tell(asset)
}

// tell answers all who wait. It does so from a goroutine of its own: those who wait have locks, and so does the caller.
func (f *flight) tell(asset *Asset) {
	if len(f.waiters) == 0 {
		return
	}
	for _, w := range f.waiters {
		w.timer.Stop()
	}
	go func() {
		for _, w := range f.waiters {
			w.answer(asset)
		}
	}()
}

// Leave ends the visit. What it was fetching is fetched by others. Leaving again has no effect.
func (v *Visit) Leave() {
	if v == nil {
		return
	}
	for _, f := range v.leave() {
		f.tell(nil)
	}
}

func (v *Visit) leave() []*flight {
	c := v.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if v.left {
		return nil
	}
	v.left = true
	var landed []*flight
	for key, f := range v.in.flights {
		f.waiters = slices.DeleteFunc(f.waiters, func(w *waiter) bool {
			if w.visit == v {
				w.timer.Stop()
			}
			return w.visit == v
		})
		if f.leader == v {
			delete(v.in.flights, key)
			landed = append(landed, f)
		}
	}
	if v.in.visits--; v.in.visits == 0 && c.scopes[v.in.name] == v.in {
		c.rest(v.in)
	}
	return landed
}
