package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// driver is River's access to the database. What listens must keep its connection, which a pooler of transactions would take away.
type driver struct {
	*riverpgxv5.Driver

	listening *riverpgxv5.Driver
	intake    *intake
}

func (c Config) driver(l *lanes) driver {
	return driver{
		Driver: riverpgxv5.New(c.Pool), listening: riverpgxv5.New(cmp.Or(c.Listen, c.Pool)),
		intake: &intake{lanes: l, queues: make(map[string]*waiting)},
	}
}

// GetListener implements riverdriver.Driver.
func (d driver) GetListener(params *riverdriver.GetListenenerParams) riverdriver.Listener {
	return listener{d.listening.GetListener(params), d.intake}
}

// GetExecutor implements riverdriver.Driver.
func (d driver) GetExecutor() riverdriver.Executor { return executor{d.Driver.GetExecutor(), d.intake} }

type executor struct {
	riverdriver.Executor

	intake *intake
}

// JobGetAvailable implements riverdriver.Executor.
func (e executor) JobGetAvailable(
	ctx context.Context, params *riverdriver.JobGetAvailableParams,
) (*riverdriver.JobGetAvailableResult, error) {
	if !strings.HasPrefix(params.Queue, captureQueue) {
		return e.Executor.JobGetAvailable(ctx, params)
	}
	limit := e.intake.ask(params.Queue, params.MaxToLock, time.Now())
	if limit == 0 {
		return &riverdriver.JobGetAvailableResult{}, nil
	}
	fewer := *params
	fewer.MaxToLock = limit
	result, err := e.Executor.JobGetAvailable(ctx, &fewer)
	if err == nil && len(result.Jobs) == limit { // after an error, the database is asked again as if nobody had told of jobs
		e.intake.inserted(params.Queue)
	}
	return result, err
}

type listener struct {
	riverdriver.Listener

	intake *intake
}

// WaitForNotification implements riverdriver.Listener.
func (l listener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	n, err := l.Listener.WaitForNotification(ctx)
	if err != nil || !strings.HasSuffix(n.Topic, insertTopic) {
		return n, err
	}
	var insert struct {
		Queue string `json:"queue"`
	}
	if json.Unmarshal([]byte(n.Payload), &insert) == nil && strings.HasPrefix(insert.Queue, captureQueue) {
		l.intake.inserted(insert.Queue)
	}
	return n, nil
}

// insertTopic is where River tells of new jobs.
const insertTopic = "river_insert"
