package jobs

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// roll lists the jobs that this process has run. A job that runs here according to the database and is not on the roll was lost on
// its way: the database assigned it, and the connection broke before the answer arrived. River alone would restart such a job when it
// must have ended, which takes minutes.
type roll struct {
	river.MiddlewareDefaults

	pool   *pgxpool.Pool
	worker string

	mu    sync.Mutex
	begun map[attempt]bool // true for those that have ended
}

// attempt is one attempt to run a job.
type attempt struct {
	Job     int64 `db:"id"`
	Attempt int   `db:"attempt"`
}

func newRoll(pool *pgxpool.Pool, worker string) *roll {
	return &roll{pool: pool, worker: worker, begun: make(map[attempt]bool)}
}

// Work is rivertype.WorkerMiddleware's.
func (r *roll) Work(ctx context.Context, job *rivertype.JobRow, do func(context.Context) error) error {
	a := attempt{job.ID, job.Attempt}
	r.note(a, false)
	defer r.note(a, true)
	return do(ctx)
}

func (r *roll) note(a attempt, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun[a] = ended
}

// runsHere is the SQL condition of jobs that a worker, $1, runs.
const runsHere = "state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = $1"

// restartLost makes jobs available again that were assigned to this process more than patience ago and never arrived. It returns their
// number.
func (r *roll) restartLost(ctx context.Context, patience time.Duration) (int64, error) {
	ended := r.ended()
	rows, err := r.pool.Query(ctx, `SELECT id, attempt, attempted_at < clock_timestamp() - make_interval(secs => $2) AS overdue
		FROM river_job WHERE `+runsHere, r.worker, patience.Seconds())
	if err != nil {
		return 0, fmt.Errorf("list the jobs of this process: %w", err)
	}
	running, err := pgx.CollectRows(rows, pgx.RowToStructByName[struct {
		attempt
		Overdue bool `db:"overdue"`
	}])
	if err != nil {
		return 0, fmt.Errorf("list the jobs of this process: %w", err)
	}
	var lost []int64
	r.mu.Lock()
	for _, job := range running {
		delete(ended, job.attempt) // its end is not written yet
		if _, known := r.begun[job.attempt]; !known && job.Overdue {
			lost = append(lost, job.Job)
		}
	}
	for a := range ended {
		delete(r.begun, a)
	}
	r.mu.Unlock()
	if len(lost) == 0 {
		return 0, nil
	}
	done, err := r.pool.Exec(ctx, `UPDATE river_job SET state = 'available', attempt = attempt - 1, scheduled_at = clock_timestamp()
		WHERE id = ANY ($2) AND `+runsHere, r.worker, lost)
	if err != nil {
		return 0, fmt.Errorf("restart %d lost jobs: %w", len(lost), err)
	}
	return done.RowsAffected(), nil
}

// ended lists what has ended so far.
func (r *roll) ended() map[attempt]struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := make(map[attempt]struct{})
	for a, ended := range r.begun {
		if ended {
			found[a] = struct{}{}
		}
	}
	return found
}
