package jobs

import (
	"cmp"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"afterimage/vcd"
)

// Queues in the sense of River: each has its own number of workers. Captures have one queue per region, named
// captureQueue plus the region.
const (
	captureQueue = "capture_"
	compareQueue = "compare"
	importQueue  = "import"
	syncQueue    = "sync"
	sweepQueue   = "sweep"
	deliverQueue = "deliver"
	mailQueue    = "mail"

	retentionQueue = "retention"
)

// maxAttempts limits how often a job is restarted after its process was killed or the database was unavailable. Package
// vcd counts captures that fail because of the page.
const maxAttempts = 10

// maxDeliverAttempts is high because waiting for a turn counts as one: package vcd counts the real attempts at a
// delivery.
const maxDeliverAttempts = 10_000

// roundTimeout limits a round of a periodic job.
const roundTimeout = time.Minute

// captureArgs names the queue entry whose screenshot is to be taken. Arguments hold ids only: secrets and settings are
// read when the job starts.
type captureArgs struct {
	Account vcd.ID `json:"account"`
	Entry   vcd.ID `json:"entry"`
	Probe   bool   `json:"probe,omitempty"` // see vcd.CaptureJob
}

func (captureArgs) Kind() string { return "capture" }

// compareArgs names the queue entry whose comparison is to be computed.
type compareArgs struct {
	Account vcd.ID `json:"account"`
	Entry   vcd.ID `json:"entry"`
}

func (compareArgs) Kind() string { return "compare" }

// deliverArgs names the delivery to attempt.
type deliverArgs struct {
	Account  vcd.ID `json:"account"`
	Delivery vcd.ID `json:"delivery"`
	Batch    vcd.ID `json:"batch,omitempty"` // that the delivery tells of, for the log
}

func (deliverArgs) Kind() string { return "deliver" }

// importArgs names the import of URLs to run.
type importArgs struct {
	Account vcd.ID `json:"account"`
	Import  vcd.ID `json:"import"`
}

func (importArgs) Kind() string { return "import" }

// mailArgs names the mail to send.
type mailArgs struct {
	Account vcd.ID `json:"account"`
	Mail    vcd.ID `json:"mail"`
}

func (mailArgs) Kind() string { return "mail" }

// sweepArgs requests one round of cleaning up.
type sweepArgs struct{}

func (sweepArgs) Kind() string { return "sweep" }

func (sweepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: sweepQueue, MaxAttempts: 1}
}

// retryPolicy restarts a job after 1, 2, 4 … seconds, at most a minute, with up to a fifth of jitter.
type retryPolicy struct{ clock vcd.Clock }

func (r retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	pause := min(time.Second<<min(job.Attempt-1, 6), time.Minute)
	spread := time.Duration(rand.Int64N(int64(pause) / 5)) //nolint:gosec // spreads load, keeps no secret
	return r.clock.Now().Add(pause + spread)
}

// queueOf is the capture queue of a region; auto stands for the home region.
func queueOf(region, home vcd.Region) string {
	if region == vcd.RegionAuto {
		region = ""
	}
	return captureQueue + string(cmp.Or(region, home))
}

// regionOf returns the region of a capture queue.
func regionOf(queue string) vcd.Region {
	return vcd.Region(strings.TrimPrefix(queue, captureQueue))
}
