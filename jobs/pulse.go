package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"afterimage/internal/machine"
	"afterimage/vcd"
	"afterimage/vcd/app"
)

// LoadReader reads the load of this machine since the last reading. *machine.Meter implements it.
type LoadReader interface {
	Read() (machine.Load, error)
}

const (
	defaultBeat = 2 * time.Second
	// silentBeats is how many beats must be missing before a worker is considered dead.
	silentBeats = 5
)

// pulse announces to the other processes that this one lives, and how many jobs it can run. It continues while running
// jobs finish, then with no places.
type pulse struct {
	service *app.Service
	every   time.Duration
	logger  *slog.Logger
	worker  vcd.Worker
	started *startedJobs
	lanes   *lanes
	load    LoadReader // nil where the number of lanes is fixed

	steady  int // consecutive beats that were on time
	beaten  time.Time
	mu      sync.Mutex // held while it beats
	closing bool
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// newPulse creates a pulse. The worker's name contains its machine and process and is unique.
func newPulse(c Config) (*pulse, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("read the name of this machine: %w", err)
	}
	name := fmt.Sprintf("%.40s-%d-%s", host, os.Getpid(), c.Service.Config().IDs.NewID())
	return &pulse{
		service: c.Service, every: c.Beat, logger: c.Logger, started: newStartedJobs(c.Pool, name),
		lanes: newLanes(c.Captures, c.MostCaptures), load: c.Load,
		worker: vcd.Worker{
			ID: name, Regions: c.Regions, Compares: c.compareWorkers(), Imports: c.Imports, Syncs: syncWorkers,
		},
	}, nil
}

// start beats immediately and then periodically.
func (p *pulse) start(ctx context.Context) {
	ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	p.beat(ctx)
	p.done.Go(func() {
		ticker := time.NewTicker(p.every)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				p.adapt(ctx)
				p.beat(ctx)
				p.judge(ctx)
				p.restartLost(ctx)
			}
		}
	})
}

func (p *pulse) beat(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.worker
	w.Captures, _ = p.lanes.places()
	if p.closing {
		w = vcd.Worker{ID: w.ID}
	}
	err := p.service.Runs.Beat(ctx, w)
	now := time.Now()
	if p.steady++; err != nil || now.Sub(p.beaten) > 2*p.every {
		p.steady = 0
	}
	p.beaten = now
	if err != nil && ctx.Err() == nil {
		p.logger.WarnContext(ctx, "could not write the heartbeat, will retry", "cause", err)
	}
}

// adapt opens and closes lanes for captures by the load of the machine.
func (p *pulse) adapt(ctx context.Context) {
	if p.load == nil {
		return
	}
	load, err := p.load.Read()
	if err != nil {
		p.logger.WarnContext(ctx, "could not read the load of this machine, keeping the number of captures", "cause", err)
		return
	}
	p.lanes.adapt(load)
}

// judge looks for dead workers and returns their turns. Only a worker whose own beats were on time may judge others:
// after an outage of the database all look dead.
func (p *pulse) judge(ctx context.Context) {
	for p.steady >= silentBeats && ctx.Err() == nil {
		dead, err := p.service.Runs.ReleaseDead(ctx, p.worker.ID, silentBeats*p.every)
		if err != nil && ctx.Err() == nil {
			p.logger.WarnContext(ctx, "could not take over from a dead worker, will retry", "cause", err)
		}
		if err != nil || !dead {
			return
		}
		p.logger.WarnContext(ctx, "a worker died; its work restarts")
	}
}

// restartLost restarts jobs that were assigned to this process and never arrived here. After an interruption of this process itself they
// may still be on their way.
func (p *pulse) restartLost(ctx context.Context) {
	if p.steady == 0 || p.steady%silentBeats != 0 {
		return
	}
	lost, err := p.started.restartLost(ctx, silentBeats*p.every)
	if err != nil && ctx.Err() == nil {
		p.logger.WarnContext(ctx, "could not look for lost jobs, will retry", "cause", err)
	}
	if lost > 0 {
		p.logger.WarnContext(ctx, "jobs were assigned to this process and never arrived; they restart", "jobs", lost)
	}
}

// close stops offering places.
func (p *pulse) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closing = true
}

// stop ends the pulse of a worker that has no work left.
func (p *pulse) stop(ctx context.Context) error {
	p.cancel()
	p.done.Wait()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return p.service.Runs.RetireWorker(ctx, p.worker.ID)
}

// handOut is the step of the loop that hands out turns.
func (c Config) handOut(ctx context.Context) (bool, error) {
	_, err := c.Service.Runs.HandOut(ctx, c.Home, silentBeats*c.Beat)
	return false, err // everything that could be handed out was
}
