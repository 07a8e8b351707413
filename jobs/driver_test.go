package jobs

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/riverqueue/river/riverdriver"
)

// gone is a database that refuses everything.
type gone struct {
	riverdriver.Executor

	asked int
}

func (g *gone) JobGetAvailable(
	context.Context, *riverdriver.JobGetAvailableParams,
) (*riverdriver.JobGetAvailableResult, error) {
	g.asked++
	return nil, errors.New("server login has been failing")
}

// TestADatabaseThatIsGoneIsNotAskedWithoutPause: River looks for captures many times a second. A pooler answers at once that the
// database is gone, and a worker that asked it each time kept a processor busy.
func TestADatabaseThatIsGoneIsNotAskedWithoutPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		database := &gone{}
		in := &intake{lanes: newLanes(2, 2), queues: make(map[string]*waiting)}
		params := &riverdriver.JobGetAvailableParams{Queue: captureQueue + "eu", MaxToLock: 4}
		in.inserted(params.Queue)
		const seconds = 20
		for range seconds * int(time.Second/intakeEvery) {
			_, _ = executor{database, in}.JobGetAvailable(t.Context(), params)
			time.Sleep(intakeEvery)
		}
		if database.asked < seconds-1 || database.asked > seconds+1 {
			t.Errorf("the database that is gone was asked %d times in %d s", database.asked, seconds)
		}
	})
}
