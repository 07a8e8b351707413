package figures

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Backlog is what waits in the database for all processes, by kind.
type Backlog struct {
	Turns   []Turns   `json:"turns"`
	Jobs    []Jobs    `json:"jobs"`
	Workers Workers   `json:"workers"`
	Groups  Due       `json:"groups"`
	Events  []Reading `json:"events"`
	Age     float64   `json:"-"` // seconds since it was counted
}

// Turns is work that waits for a worker, or has one.
type Turns struct {
	Kind     string  `json:"kind"`
	Waiting  float64 `json:"waiting"`
	Working  float64 `json:"working"`
	Accounts float64 `json:"accounts"` // that have turns waiting
	Oldest   float64 `json:"oldest"`   // seconds that the turn waits which waits longest
}

// Jobs are those of the background queue.
type Jobs struct {
	Kind   string  `json:"kind"`
	State  string  `json:"state"`
	Number float64 `json:"number"`
	Oldest float64 `json:"oldest"` // seconds since the earliest was due; 0 when none is due
}

// Workers are the living worker processes with their places.
type Workers struct {
	Processes float64 `json:"processes"`
	Captures  float64 `json:"captures"`
	Compares  float64 `json:"compares"`
	Imports   float64 `json:"imports"`
}

// Due are monitoring groups whose run is due and has not begun.
type Due struct {
	Number float64 `json:"number"`
	Oldest float64 `json:"oldest"`
}

// Reading tells how many accounts have events that a consumer has not read.
type Reading struct {
	Consumer string  `json:"consumer"`
	Accounts float64 `json:"accounts"`
}

const (
	// backlogTimeout limits counting; a scrape does without the figures then.
	backlogTimeout = 4 * time.Second
	// backlogFresh is how long this process shows what it read, however often it is scraped.
	backlogFresh = 2 * time.Second
)

// Backlog shows what waits, as read tells, which is asked at most once in two seconds.
func (f *Figures) Backlog(read func(ctx context.Context) (*Backlog, error), logger *slog.Logger) {
	if f == nil {
		return
	}
	b := &backlog{read: read, logger: logger, failures: prometheus.NewCounter(prometheus.CounterOpts{
		Namespace: namespace, Name: "backlog_errors_total", Help: "Scrapes that could not count the waiting work in the database.",
	})}
	f.registry.MustRegister(b, b.failures)
}

type backlog struct {
	read     func(ctx context.Context) (*Backlog, error)
	logger   *slog.Logger
	failures prometheus.Counter

	mu   sync.Mutex // held while it reads: concurrent scrapes read once
	last *Backlog
	at   time.Time
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

var (
	turnsWaiting  = describe("turns_waiting", "Captures, comparisons and imports that are waiting for a worker.", "kind")
	turnsWorking  = describe("turns_working", "Captures, comparisons and imports assigned to workers.", "kind")
	turnsAccounts = describe("turns_accounts", "Accounts with waiting work; a subaccount counts as part of its parent account.", "kind")
	turnsOldest   = describe("turns_oldest_seconds", "How long the oldest work has been waiting.", "kind")
	jobsNumber    = describe("jobs", "Jobs in the background queue.", "kind", "state")
	jobsOldest    = describe("jobs_oldest_seconds", "How long the oldest job that has not started has been due.", "kind", "state")
	workersAlive  = describe("workers", "Live processes with workers, according to their heartbeats.")
	workerPlaces  = describe("worker_places", "Slots of live workers: how much they can work on at the same time.", "kind")
	groupsDue     = describe("groups_due", "Monitoring groups whose run is due and has not started.")
	groupsOldest  = describe("groups_due_oldest_seconds", "How long the most overdue run has been due.")
	eventsUnread  = describe("events_unread_accounts", "Accounts with events that a consumer has not read.", "consumer")
	backlogAge    = describe("backlog_age_seconds", "Age of the count of waiting work, which all processes of a database share.")
)

func (b *backlog) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		turnsWaiting, turnsWorking, turnsAccounts, turnsOldest, jobsNumber, jobsOldest, workersAlive, workerPlaces, groupsDue, groupsOldest,
		eventsUnread, backlogAge,
	} {
		descs <- d
	}
}

// Kinds and states of what waits.
var (
	turnKinds  = label("kind", "capture", "compare", "import")
	jobKinds   = label("kind", kinds...)
	jobStates  = label("state", "available", "retryable", "running", "scheduled")
	consumers  = label("consumer", "webhooks", "mails")
	turnsShown = []string{"capture", "compare", "import"}
)

func (b *backlog) Collect(metrics chan<- prometheus.Metric) {
	found := b.take()
	if found == nil {
		return
	}
	show := func(d *prometheus.Desc, value float64, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	of := make(map[string]Turns, len(found.Turns))
	for _, t := range found.Turns {
		of[bound([]labelled{turnKinds}, []string{t.Kind})[0]] = t
	}
	for _, kind := range turnsShown {
		t := of[kind]
		show(turnsWaiting, t.Waiting, kind)
		show(turnsWorking, t.Working, kind)
		show(turnsAccounts, t.Accounts, kind)
		show(turnsOldest, t.Oldest, kind)
	}
	for _, j := range merge(found.Jobs) {
		show(jobsNumber, j.Number, j.Kind, j.State)
		show(jobsOldest, j.Oldest, j.Kind, j.State)
	}
	show(workersAlive, found.Workers.Processes)
	show(workerPlaces, found.Workers.Captures, "capture")
	show(workerPlaces, found.Workers.Compares, "compare")
	show(workerPlaces, found.Workers.Imports, "import")
	show(groupsDue, found.Groups.Number)
	show(groupsOldest, found.Groups.Oldest)
	for _, e := range found.Events {
		show(eventsUnread, e.Accounts, bound([]labelled{consumers}, []string{e.Consumer})[0])
	}
	show(backlogAge, found.Age)
}

// merge adds up the jobs of the kinds that are on no list.
func merge(jobs []Jobs) []Jobs {
	var list []Jobs
	at := map[[2]string]int{}
	for _, j := range jobs {
		within := bound([]labelled{jobKinds, jobStates}, []string{j.Kind, j.State})
		key := [2]string{within[0], within[1]}
		if i, ok := at[key]; ok {
			list[i].Number += j.Number
			list[i].Oldest = max(list[i].Oldest, j.Oldest)
			continue
		}
		at[key] = len(list)
		list = append(list, Jobs{Kind: key[0], State: key[1], Number: j.Number, Oldest: j.Oldest})
	}
	return list
}

// take returns nil when the database does not tell.
func (b *backlog) take() *Backlog {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last != nil && time.Since(b.at) < backlogFresh {
		return b.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), backlogTimeout)
	defer cancel()
	found, err := b.read(ctx)
	if err != nil {
		b.failures.Inc()
		b.logger.WarnContext(ctx, "could not count the waiting work in the database", "cause", err)
		return nil
	}
	b.last, b.at = found, time.Now()
	return found
}
