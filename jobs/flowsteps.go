package jobs

import (
	"log/slog"
	"sync"
	"time"

	"afterimage/capture"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// stepsEvery is how often the steps that have ended are stored while a flow goes on: soon enough to be followed, and at the same cost for a
// flow of a thousand quick steps as for a slow one.
const stepsEvery = time.Second

// flowSteps stores which steps of a flow have ended while it goes on. The flow does not wait for the database.
type flowSteps struct {
	store func(steps []vcd.FlowRunStep) error
	news  chan struct{} // holds one: a step has ended that is not stored
	stop  chan struct{}
	done  chan struct{}

	mu    sync.Mutex
	steps []vcd.FlowRunStep
}

// followSteps stores the steps of a flow that have ended until end is called.
func (w *captureWorker) followSteps(f *run.FlowTask, logger *slog.Logger, store func([]vcd.FlowRunStep) error) (
	told func(capture.WalkedStep), end func(),
) {
	s := &flowSteps{store: store, news: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	go s.run(logger)
	told = func(step capture.WalkedStep) { s.add(stepOf(f, &step)) }
	return told, func() { close(s.stop); <-s.done }
}

func (s *flowSteps) add(step vcd.FlowRunStep) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(s.steps, step)
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// run stores what is new until it is stopped. All steps are stored at the end in any case, so what fails here is left.
func (s *flowSteps) run(logger *slog.Logger) {
	defer close(s.done)
	for {
		select {
		case <-s.stop:
			return
		case <-s.news:
		}
		if err := s.store(s.ended()); err != nil {
			logger.Debug("could not store the steps of a running flow", "error", err)
		}
		select {
		case <-s.stop:
			return
		case <-time.After(stepsEvery):
		}
	}
}

func (s *flowSteps) ended() []vcd.FlowRunStep {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.steps[:len(s.steps):len(s.steps)]
}
