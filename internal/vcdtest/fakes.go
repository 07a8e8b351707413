package vcdtest

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"time"
)

// Clock is a clock that tests advance.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock stopped at noon of 1 March 2026, UTC.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

// Now implements vcd.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Reseal implements vcd.Sealer: there is one key.
func (OpenBox) Reseal(string, []byte) ([]byte, error) { return nil, nil }

// OpenBox is a sealer without encryption, for tests that are not about secrets.
type OpenBox struct{}

// Seal implements vcd.Sealer.
func (OpenBox) Seal(purpose, plain string) ([]byte, error) { return []byte(purpose + ":" + plain), nil }

// Open implements vcd.Sealer.
func (OpenBox) Open(purpose string, sealed []byte) (string, error) {
	plain, ok := strings.CutPrefix(string(sealed), purpose+":")
	if !ok {
		return "", errors.New("sealed for another purpose")
	}
	return plain, nil
}

// Files is an in-memory blob store, by hash.
type Files map[string][]byte

// Get implements vcd.Files.
func (f Files) Get(_ context.Context, hash string) ([]byte, error) {
	if file, ok := f[hash]; ok {
		return file, nil
	}
	return nil, fs.ErrNotExist
}
