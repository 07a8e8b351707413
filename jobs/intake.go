package jobs

import (
	"sync"
	"time"

	"github.com/riverqueue/river"
)

// intake decides when jobs of captures are fetched, and how many: no more than lanes are free, whose number changes, while River's limit
// for a queue does not. River asks often; the database is asked only when there may be something.
type intake struct {
	lanes *lanes

	mu     sync.Mutex
	queues map[string]*waiting
}

// waiting is what is known of a queue.
type waiting struct {
	likely bool // jobs were inserted, or the last fetch left some
	asked  time.Time
}

const (
	// intakeEvery is how often River asks for jobs of captures: a lane that becomes free is used so soon.
	intakeEvery = fetchCooldown
	// pollEvery is how often the database is asked without a reason: a notification may be lost.
	pollEvery = river.FetchPollIntervalDefault
)

// inserted notes that there are jobs in a queue.
func (i *intake) inserted(queue string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.queue(queue).likely = true
}

// ask returns how many jobs of a queue to fetch, at most limit.
func (i *intake) ask(queue string, limit int, now time.Time) int {
	_, free := i.lanes.places()
	limit = min(limit, free)
	i.mu.Lock()
	defer i.mu.Unlock()
	w := i.queue(queue)
	if limit == 0 || !w.likely && now.Sub(w.asked) < pollEvery {
		return 0
	}
	w.likely, w.asked = false, now
	return limit
}

func (i *intake) queue(name string) *waiting {
	if i.queues[name] == nil {
		i.queues[name] = &waiting{}
	}
	return i.queues[name]
}
