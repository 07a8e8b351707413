package assetcache

import (
	"container/list"
	"sync"
	"time"
)

// Bounds of a cache besides its memory.
const (
	MaxBody = 8 << 20 // bytes of one asset

	maxScopes  = 1_000
	maxFlights = 2_000 // assets of one scope that are being fetched
	maxWaiters = 200   // visits that wait for one of them
	maxRefused = 4_000 // assets of one scope that are known not to be shared

	idleTime    = time.Minute      // a scope that nobody visited for so long is over
	patience    = 2 * time.Second  // for another visit to fetch an asset
	refusedTime = 30 * time.Second // for which a refusal is remembered
)

// Cache holds assets in memory. It is safe for concurrent use. A nil Cache shares nothing.
type Cache struct {
	limit int64

	mu     sync.Mutex
	used   int64 // bytes
	scopes map[string]*shared
	recent list.List // of *entry, the last used one first
}

// shared is what the visits of a scope share.
type shared struct {
	name    string
	entries map[Key]*entry
	flights map[Key]*flight
	refused map[Key]time.Time // until when
	visits  int
	over    *time.Timer // runs while there are no visits
}

type entry struct {
	scope *shared
	key   Key
	asset *Asset
	place *list.Element
}

// New makes a cache that takes at most limit bytes; nil, which shares nothing, for 0 or less.
func New(limit int64) *Cache {
	if limit <= 0 {
		return nil
	}
	return &Cache{limit: limit, scopes: make(map[string]*shared)}
}

// Scope returns what all visits share that have the same name; nil, which shares nothing, of a nil cache. A name must contain
// everything that keeps visitors apart besides the requests of their pages: the batch and the way to the network.
func (c *Cache) Scope(name string) *Scope {
	if c == nil {
		return nil
	}
	return &Scope{cache: c, name: name}
}

// Scope is what some visits share. A nil Scope shares nothing.
type Scope struct {
	cache *Cache
	name  string
}

// Join begins a visit, which must end with [Visit.Leave]; nil when nothing is shared.
func (s *Scope) Join() *Visit {
	if s == nil {
		return nil
	}
	c := s.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	in := c.scopes[s.name]
	if in == nil {
		if len(c.scopes) >= maxScopes {
			return nil
		}
		in = &shared{name: s.name, entries: make(map[Key]*entry), flights: make(map[Key]*flight), refused: make(map[Key]time.Time)}
		c.scopes[s.name] = in
	}
	if in.over != nil {
		in.over.Stop()
		in.over = nil
	}
	in.visits++
	return &Visit{cache: c, in: in}
}

// rest starts the time after which a scope without visits is over.
func (c *Cache) rest(in *shared) {
	var timer *time.Timer
	timer = time.AfterFunc(idleTime, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if in.over == timer { // else there was a visit meanwhile
			c.end(in)
		}
	})
	in.over = timer
}

// end forgets a scope.
func (c *Cache) end(in *shared) {
	for _, e := range in.entries {
		c.remove(e)
	}
	if in.over != nil {
		in.over.Stop()
		in.over = nil
	}
	if c.scopes[in.name] == in {
		delete(c.scopes, in.name)
	}
}

// Clear forgets everything. Visits that go on share with each other, but not with later ones.
func (c *Cache) Clear() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, in := range c.scopes {
		c.end(in)
	}
}

// find returns a fresh asset and marks it as used.
func (c *Cache) find(in *shared, key Key, now time.Time) *Asset {
	e := in.entries[key]
	if e == nil {
		return nil
	}
	if !now.Before(e.asset.Until) {
		c.remove(e)
		return nil
	}
	c.recent.MoveToFront(e.place)
	return e.asset
}

// keep stores an asset and makes place for it.
func (c *Cache) keep(in *shared, key Key, asset *Asset) {
	if c.scopes[in.name] != in { // it was cleared
		return
	}
	if old := in.entries[key]; old != nil {
		c.remove(old)
	}
	if asset.cost() > c.limit {
		return
	}
	e := &entry{scope: in, key: key, asset: asset}
	e.place = c.recent.PushFront(e)
	in.entries[key] = e
	c.used += asset.cost()
	for c.used > c.limit {
		c.remove(c.recent.Back().Value.(*entry))
	}
}

func (c *Cache) remove(e *entry) {
	c.recent.Remove(e.place)
	delete(e.scope.entries, e.key)
	c.used -= e.asset.cost()
}

// Stats are sizes of a cache.
type Stats struct {
	Scopes, Assets int
	Bytes          int64
}

// Stats tells how much the cache holds.
func (c *Cache) Stats() Stats {
	if c == nil {
		return Stats{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{Scopes: len(c.scopes), Assets: c.recent.Len(), Bytes: c.used}
}
