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

// Queues, in the sense of River: lanes of work with their own number of workers. Captures have one queue a region,
// named captureQueue plus the region.
const (
	captureQueue = "capture_"
	compareQueue = "compare"
	importQueue  = "import"
	syncQueue    = "sync"
	sweepQueue   = "sweep"
	deliverQueue = "deliver"
	mailQueue    = "mail"
)

// maxAttempts bounds how often a job is started over after its process was killed or the database was away. Captures
// that fail on the page's side are counted by package vcd.
const maxAttempts = 10

// maxDeliverAttempts is high, since waiting for a turn counts as one: the attempts at a delivery are counted by package vcd.
const maxDeliverAttempts = 10_000

// roundTimeout ends a round of what is done again and again.
const roundTimeout = time.Minute

// captureArgs names the queue entry whose screenshot is to be taken. Arguments hold ids only: secrets and settings are
// read when the work begins.
type captureArgs struct {
	Account vcd.ID `json:"account"`
	Entry   vcd.ID `json:"entry"`
}

func (captureArgs) Kind() string { return "capture" }

// compareArgs names the queue entry whose comparison is to be made.
type compareArgs struct {
	Account vcd.ID `json:"account"`
	Entry   vcd.ID `json:"entry"`
}

func (compareArgs) Kind() string { return "compare" }

// deliverArgs names the delivery to be tried.
type deliverArgs struct {
	Account  vcd.ID `json:"account"`
	Delivery vcd.ID `json:"delivery"`
}

func (deliverArgs) Kind() string { return "deliver" }

// importArgs names the import of URLs that is to be done.
type importArgs struct {
	Account vcd.ID `json:"account"`
	Import  vcd.ID `json:"import"`
}

func (importArgs) Kind() string { return "import" }

// mailArgs names the mail to be sent.
type mailArgs struct {
	Account vcd.ID `json:"account"`
	Mail    vcd.ID `json:"mail"`
}

func (mailArgs) Kind() string { return "mail" }

// sweepArgs asks for one round of cleaning up.
type sweepArgs struct{}

func (sweepArgs) Kind() string { return "sweep" }

func (sweepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: sweepQueue, MaxAttempts: 1}
}

// retryPolicy starts a job over after 1, 2, 4 … seconds, at most a minute, spread by a fifth.
type retryPolicy struct{}

func (retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	pause := min(time.Second<<min(job.Attempt-1, 6), time.Minute)
	spread := time.Duration(rand.Int64N(int64(pause) / 5)) //nolint:gosec // spreads load, keeps no secret
	return time.Now().Add(pause + spread)
}

// queueOf is the capture queue of a region; auto stands for the home region.
func queueOf(region, home vcd.Region) string {
	if region == vcd.RegionAuto {
		region = ""
	}
	return captureQueue + string(cmp.Or(region, home))
}

// regionOf is the region of a capture queue.
func regionOf(queue string) vcd.Region {
	return vcd.Region(strings.TrimPrefix(queue, captureQueue))
}
