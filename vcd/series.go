package vcd

import (
	"time"
)

// DayFigures are the figures of one day. Screenshots and comparisons belong to the day on which their batch was started.
type DayFigures struct {
	Day            time.Time // its date, in UTC
	Captures       int
	Comparisons    int
	Changes        int // comparisons above their threshold
	FalseAlarms    int // comparisons that are false positives now
	Runs           int // finished batches
	MeanSeconds    float64
	LongestSeconds float64
}

// Period is a range of days in a time zone: dates in UTC, both included.
type Period struct {
	First, Last time.Time
	Zone        *time.Location
}

// Bounds are the moments at which the period begins and ends.
func (p Period) Bounds() (from, to time.Time) {
	begin := func(date time.Time) time.Time {
		return time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, p.Zone)
	}
	return begin(p.First), begin(p.Last.AddDate(0, 0, 1))
}
