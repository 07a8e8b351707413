package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"afterimage/internal/assetcache"
	"afterimage/internal/blob"
	"afterimage/internal/egress"
	"afterimage/internal/figures"
	"afterimage/internal/subprocess"
	"afterimage/internal/verify/consult"
	"afterimage/internal/webhook"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
	"afterimage/vcd/run"
)

// Config configures a Runner.
type Config struct {
	Pool      *pgxpool.Pool // of the role that sees all accounts
	Listen    *pgxpool.Pool // to the database itself; nil where Pool leads there
	Service   *app.Service
	Clock     vcd.Clock // that of the database; nil for that of this machine
	Images    FileRows
	Files     blob.Store
	Capturer  Capturer
	Walker    Walker // of flows; nil where none run
	Sitemaps  SitemapReader
	Sender    *webhook.Sender
	Resources Resources          // the contents of webhook bodies
	RetryPlan outbound.RetryPlan // of deliveries; nil means webhook.Retry
	Mail      MailConfig
	Model     consult.Model // asked about changes that the rules are not sure of; nil for none
	Logger    *slog.Logger

	Regions         []vcd.Region      // regions whose captures are taken here; never auto
	Captures        int               // concurrent captures, over all regions
	MostCaptures    int               // as many while they wait for their sites and Load allows; 0 means Captures
	Load            LoadReader        // of this machine; nil if the number of captures is fixed
	Compares        int               // concurrent comparisons; 0 for none
	Imports         int               // concurrent imports of sitemaps; 0 means 16
	Beat            time.Duration     // interval between a worker's signs of life; it is dead after five missing ones. 0 means 2 seconds
	ProbeEvery      time.Duration     // between two looks for a due probe; 0 means 5 seconds
	Comparer        []string          // command that calls ServeComparisons in a separate process; empty compares in this one
	ComparerEnv     []string          // environment of these processes
	CompareLimits   subprocess.Limits // limits of these processes; zero means CompareLimits
	ModelPatience   time.Duration     // for one answer of the model; 0 means consult.DefaultTimeout
	Deadline        time.Duration     // of one capture; 0 means capture.DefaultDeadline
	UserAgentSuffix string            // see capture.Request
	Assets          *assetcache.Cache // what the pages of a batch share; nil for nothing
	Upstreams       *egress.Upstreams // proxies that groups can choose; nil for none
	Locate          inventory.Locate  // regions of domains; nil when none are known
	Home            vcd.Region        // of groups that cannot be located
	// RescueAfter is when a job whose process was killed is restarted, at least the longest time that it may take; 0
	// means an hour.
	RescueAfter time.Duration
	Keep        run.Retention    // how long the history can be read
	Figures     *figures.Figures // nil counts nothing
	PauseAfter  time.Duration    // accounts unused for so long are paused; 0 pauses none
}

// Runner runs jobs until it is stopped.
type Runner struct {
	client *river.Client[pgx.Tx]
	pulse  *pulse
	close  func() // ends the comparing processes
	cancel context.CancelFunc
	loops  sync.WaitGroup
	steps  []*loop
}

// Start starts a runner. Several processes may run at the same time on one database.
func Start(ctx context.Context, c Config) (*Runner, error) {
	if c.Clock == nil {
		c.Clock = vcd.SystemClock{}
	}
	c.Imports, c.Beat = cmp.Or(c.Imports, defaultImports), cmp.Or(c.Beat, defaultBeat)
	pulse, err := newPulse(c)
	if err != nil {
		return nil, err
	}
	comparers := newComparers(c.Comparer, c.ComparerEnv, cmp.Or(c.CompareLimits, CompareLimits))
	captures := c.captures(pulse.lanes)
	client, err := river.NewClient(c.driver(pulse.lanes), c.river(pulse.started, captures, comparers))
	if err != nil {
		return nil, fmt.Errorf("set up the workers: %w", err)
	}
	if err := startWorkers(ctx, client, c.Logger); err != nil {
		return nil, fmt.Errorf("start the workers: %w", err)
	}
	loopCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	pulse.start(ctx)
	r := &Runner{client: client, pulse: pulse, close: comparers.close, cancel: cancel}
	happened, forget := c.Service.Config().Feed.Watch("")
	context.AfterFunc(loopCtx, forget)
	r.steps = c.loops(happened, c.prober(captures, comparers))
	for _, l := range r.steps {
		l.succeeded()
		r.loops.Go(func() { l.run(loopCtx) })
	}
	return r, nil
}

// startAttempts is how often the workers are started on a database that does not answer in time. River waits 10 s for it.
const startAttempts = 6

// startWorkers starts them, again if the database answers too late, as it does while many processes start at once.
func startWorkers(ctx context.Context, client *river.Client[pgx.Tx], logger *slog.Logger) error {
	for attempt := 1; ; attempt++ {
		err := client.Start(context.WithoutCancel(ctx))
		if err == nil || !errors.Is(err, context.DeadlineExceeded) || attempt == startAttempts || ctx.Err() != nil {
			return err
		}
		logger.Warn("the database did not answer in time: the workers start again", "attempt", attempt, "err", err)
	}
}

// Stop lets running jobs finish until ctx ends, then cancels them; they are restarted later.
func (r *Runner) Stop(ctx context.Context) error {
	defer r.close()
	r.cancel()
	r.loops.Wait()
	r.pulse.close()
	err := r.client.Stop(ctx)
	if ctx.Err() != nil {
		hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		if err = r.client.StopAndCancel(hard); err != nil {
			err = fmt.Errorf("stop the workers: %w", err)
		}
	}
	return errors.Join(err, r.pulse.stop(context.WithoutCancel(ctx)))
}

func (c Config) river(started *startedJobs, captures *captureWorker, comparers comparers) *river.Config {
	queues := map[string]river.QueueConfig{
		compareQueue: {MaxWorkers: max(1, c.compareWorkers())},
		sweepQueue:   {MaxWorkers: 1},

		retentionQueue: {MaxWorkers: 1},
		deliverQueue:   {MaxWorkers: deliverWorkers},
		importQueue:    {MaxWorkers: c.Imports},
		syncQueue:      {MaxWorkers: syncWorkers},
		mailQueue:      {MaxWorkers: mailWorkers},
	}
	for _, region := range c.Regions {
		queues[captureQueue+string(region)] = river.QueueConfig{MaxWorkers: captures.lanes.most, FetchPollInterval: intakeEvery}
	}
	return &river.Config{
		ID:                   started.worker,
		FetchCooldown:        fetchCooldown,
		Logger:               slog.New(riverLog{c.Logger.Handler()}),
		Queues:               queues,
		Workers:              c.workers(captures, comparers),
		JobTimeout:           min(roundTimeout, c.RescueAfter), // the default for jobs without a Timeout; all of ours have one
		RescueStuckJobsAfter: c.RescueAfter,
		RetryPolicy:          retryPolicy{c.Clock},
		Test:                 river.TestConfig{Time: riverTime{c.Clock}},
		Middleware:           []rivertype.Middleware{started, &observer{figures: c.Figures}},
		PeriodicJobs: []*river.PeriodicJob{
			periodic(sweepEvery, sweepArgs{}), periodic(accountsEvery, accountsArgs{}), periodic(regionsEvery, regionArgs{}),
			periodic(retentionEvery, retentionArgs{}),
		},
	}
}

// Concurrent jobs of each kind per process. Imports of sitemaps mostly wait for sites; synchronisations keep the
// database busy.
const (
	defaultImports = 16
	syncWorkers    = 2
)

// fetchCooldown is the shortest time between two fetches: jobs that were handed out are to start at once.
const fetchCooldown = 20 * time.Millisecond

// modelWaiters is how many comparisons may wait for a model while others compute.
const modelWaiters = 8

func (c Config) compareWorkers() int {
	if c.Model == nil || c.Compares == 0 {
		return c.Compares
	}
	return c.Compares + modelWaiters
}

// periodic is a job that runs when the workers start and then periodically.
func periodic(every time.Duration, args river.JobArgs) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(every),
		func() (river.JobArgs, *river.InsertOpts) { return args, nil }, &river.PeriodicJobOpts{RunOnStart: true})
}

func (c Config) retryPlan() outbound.RetryPlan {
	if c.RetryPlan != nil {
		return c.RetryPlan
	}
	return webhook.Plan(webhook.FirstPause)
}

func (c Config) captures(l *lanes) *captureWorker {
	return &captureWorker{
		service: c.Service, pictures: c.pictures(), capturer: c.Capturer, walker: c.Walker, figures: c.Figures,
		lanes: l, deadline: c.Deadline, suffix: c.UserAgentSuffix, assets: c.Assets,
		upstreams: c.Upstreams, logger: c.Logger,
	}
}

func (c Config) pictures() pictures {
	return pictures{rows: c.Images, files: c.Files, figures: c.Figures}
}

func (c Config) prober(captures *captureWorker, comparers comparers) *prober {
	return &prober{
		service: c.Service, capturer: captures, comparers: comparers, pictures: captures.pictures, regions: c.Regions, home: c.Home,
		timeout: CaptureTimeout(c.Deadline) + compareTimeout, logger: c.Logger,
	}
}

func (c Config) workers(captures *captureWorker, comparers comparers) *river.Workers {
	kept := c.pictures()
	workers := river.NewWorkers()
	river.AddWorker(workers, captures)
	river.AddWorker(workers, &regionWorker{service: c.Service, locate: c.Locate, home: c.Home, logger: c.Logger})
	river.AddWorker(workers, &compareWorker{
		service: c.Service, pictures: kept, turns: make(chan struct{}, max(1, c.Compares)), comparers: comparers, model: c.Model,
		modelPatience: c.ModelPatience, figures: c.Figures, logger: c.Logger,
	})
	river.AddWorker(workers, &deliverWorker{
		service: c.Service, sender: c.Sender, resources: c.Resources, plan: c.retryPlan(), figures: c.Figures, logger: c.Logger,
	})
	river.AddWorker(workers, &importWorker{service: c.Service, reader: c.Sitemaps, logger: c.Logger})
	river.AddWorker(workers, &mailWorker{service: c.Service, config: c.Mail, pictures: kept, figures: c.Figures, logger: c.Logger})
	river.AddWorker(workers, &sweepWorker{
		service: c.Service, rows: c.Images, files: c.Files, grace: sweepEvery, keep: c.Keep, logger: c.Logger,
	})
	river.AddWorker(workers, &retentionWorker{service: c.Service, fallback: c.Keep.Runs, logger: c.Logger})
	river.AddWorker(workers, &accountsWorker{service: c.Service, pauseAfter: c.PauseAfter})
	return workers
}
