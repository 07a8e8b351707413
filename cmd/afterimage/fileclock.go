package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"afterimage/vcd"
)

// clock is the database's, unless a test steers another one.
func (f developmentFlags) clock(database vcd.Clock, logger *slog.Logger) (vcd.Clock, error) {
	if f.DevelopmentClock == "" {
		return database, nil
	}
	if !f.Development {
		return nil, errors.New("--development-clock is only for tests of the program and needs --development")
	}
	c := &fileClock{database: database, file: f.DevelopmentClock}
	var err error
	if c.behind, err = c.read(); err != nil {
		return nil, err
	}
	logger.Warn("the clock is controlled by a file: do not use this in production", "file", f.DevelopmentClock, "now", c.Now())
	return c, nil
}

// fileClock runs like the database's clock, behind it by as much as a file says, which is read each time. It cannot be
// ahead: what the program puts off to a moment of this clock waits in River's queue, which goes by the database's.
type fileClock struct {
	database vcd.Clock
	file     string

	mu     sync.Mutex
	behind time.Duration // as the file said last
}

// Now is the present moment of this clock. A file that cannot be read changes nothing.
func (c *fileClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if behind, err := c.read(); err == nil {
		c.behind = behind
	}
	return c.database.Now().Add(-c.behind)
}

func (c *fileClock) read() (time.Duration, error) {
	text, err := os.ReadFile(c.file)
	if err != nil {
		return 0, fmt.Errorf("read the clock: %w", err)
	}
	behind, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil || behind < 0 {
		return 0, fmt.Errorf("the clock file %s must contain a duration, such as 36h30m", c.file)
	}
	return behind, nil
}
