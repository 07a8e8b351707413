package jobs

import (
	"time"

	"afterimage/vcd"
)

// riverTime is what River takes for the time: that of the database. River puts times of the client into jobs and compares them with
// those of the database, so that the jobs of a machine whose clock is ahead would wait until the clocks of all others have caught
// up. It has no other way to set a clock than the one for tests, which does what we need: [time.Now] is replaced everywhere.
type riverTime struct{ clock vcd.Clock }

// Now implements rivertype.TimeGenerator.
func (r riverTime) Now() time.Time { return r.clock.Now() }

// NowOrNil implements rivertype.TimeGenerator: statements use the database's own time.
func (riverTime) NowOrNil() *time.Time { return nil }

// slack is more than our clock may be ahead of the database's.
const slack = 100 * time.Millisecond

// insertTime is riverTime for new jobs. Whoever is notified of one looks for it at once, and again only a second later: a job that may
// start at once must be due then, by any clock.
type insertTime struct{ riverTime }

// NowOrNil implements rivertype.TimeGenerator: without it, the driver takes the time of the machine.
func (i insertTime) NowOrNil() *time.Time {
	now := i.clock.Now().Add(-slack)
	return &now
}
