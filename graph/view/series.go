package view

import (
	"time"

	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// DayFigures shows the figures of one day.
type DayFigures struct {
	*vcd.DayFigures
}

// Day is the day.
func (d *DayFigures) Day() scalar.Date { return scalar.Date(d.DayFigures.Day.Format(time.DateOnly)) }

// MeanDuration is the mean duration of runs in seconds, if there are any.
func (d *DayFigures) MeanDuration() *float64 { return d.seconds(d.MeanSeconds) }

// LongestDuration is the longest duration of runs in seconds, if there are any.
func (d *DayFigures) LongestDuration() *float64 { return d.seconds(d.LongestSeconds) }

func (d *DayFigures) seconds(n float64) *float64 {
	if d.Runs == 0 {
		return nil
	}
	return &n
}

// Series shows the figures of several days.
func Series(days []*vcd.DayFigures) []*DayFigures {
	shown := make([]*DayFigures, len(days))
	for i, d := range days {
		shown[i] = &DayFigures{d}
	}
	return shown
}
