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

// startedJobs are the jobs that this process has started. A job that runs here according to the database and is not among them was lost
// on its way: the database assigned it, and the connection broke before the answer arrived. River alone would restart such a job when it
// must have ended, which takes minutes.
type startedJobs struct {
	river.MiddlewareDefaults

	pool   *pgxpool.Pool
	worker string

	mu    sync.Mutex
	ended map[attempt]bool // false for those that are still running
}

// attempt is one attempt to run a job.
type attempt struct {
	Job     int64 `db:"id"`
	Attempt int   `db:"attempt"`
}

func newStartedJobs(pool *pgxpool.Pool, worker string) *startedJobs {
	return &startedJobs{pool: pool, worker: worker, ended: make(map[attempt]bool)}
}

// Work is rivertype.WorkerMiddleware's.
func (s *startedJobs) Work(ctx context.Context, job *rivertype.JobRow, do func(context.Context) error) error {
	a := attempt{job.ID, job.Attempt}
	s.note(a, false)
	defer s.note(a, true)
	return do(ctx)
}

func (s *startedJobs) note(a attempt, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended[a] = ended
}

// runsHere is the SQL condition of jobs that a worker, $1, runs.
const runsHere = "state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = $1"

// restartLost makes jobs available again that were assigned to this process more than patience ago and never arrived. It returns their
// number.
func (s *startedJobs) restartLost(ctx context.Context, patience time.Duration) (int64, error) {
	ended := s.thatEnded()
	rows, err := s.pool.Query(ctx, `SELECT id, attempt, attempted_at < clock_timestamp() - make_interval(secs => $2) AS overdue
		FROM river_job WHERE `+runsHere, s.worker, patience.Seconds())
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
	s.mu.Lock()
	for _, job := range running {
		delete(ended, job.attempt) // its end is not written yet
		if _, known := s.ended[job.attempt]; !known && job.Overdue {
			lost = append(lost, job.Job)
		}
	}
	for a := range ended {
		delete(s.ended, a)
	}
	s.mu.Unlock()
	if len(lost) == 0 {
		return 0, nil
	}
	done, err := s.pool.Exec(ctx, `UPDATE river_job SET state = 'available', attempt = attempt - 1, scheduled_at = clock_timestamp()
		WHERE id = ANY ($2) AND `+runsHere, s.worker, lost)
	if err != nil {
		return 0, fmt.Errorf("restart %d lost jobs: %w", len(lost), err)
	}
	return done.RowsAffected(), nil
}

// thatEnded lists those that have ended so far.
func (s *startedJobs) thatEnded() map[attempt]struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := make(map[attempt]struct{})
	for a, ended := range s.ended {
		if ended {
			found[a] = struct{}{}
		}
	}
	return found
}
