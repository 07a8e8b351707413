// Package figures counts what a process does, for Prometheus. No label names an account, an address or anything else that
// clients choose: each value of a label comes from a closed list, and what is not on it counts as "other". So no input adds a
// series.
//
// All methods may be called on a nil *Figures, which counts nothing.
package figures

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// namespace begins the name of every figure of ours.
const namespace = "afterimage"

// Outcomes of what can go wrong.
const (
	OK      = "ok"
	Failed  = "failed"  // by a fault on our side
	Refused = "refused" // for what the caller sent
)

// Words are the values that labels may have, beside those that this package knows itself.
type Words struct {
	Devices    []string // of captures
	Reasons    []string // why captures fail
	Stages     []string // of a capture
	Operations []string // of REST and GraphQL
}

// Figures are the figures of one process.
type Figures struct {
	registry *prometheus.Registry

	captures, comparisons, verdicts, refused, deliveries, mails, operations, runs *counters
	captureTime, stageTime, operationTime, storeTime, transactionTime, jobTimes   *timings
}

// Buckets of durations, in seconds.
var (
	long  = []float64{.1, .25, .5, 1, 2.5, 5, 10, 20, 45, 90}
	short = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
)

// New creates the figures of this process, all of them zero.
func New(version string, words Words) *Figures {
	f := &Figures{registry: prometheus.NewRegistry()}
	f.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1; the labels tell which program this is.",
	}, []string{"version", "go"})
	build.WithLabelValues(version, runtime.Version()).Set(1)
	f.registry.MustRegister(build)
	devices, outcomes := label("device", words.Devices...), label("outcome", OK, Refused, Failed)
	f.captures = f.counters("captures_total", "Capture attempts; the outcome is ok or the reason for the failure.",
		devices, label("outcome", append([]string{OK}, words.Reasons...)...))
	f.captureTime = f.timings("capture_seconds", "Duration of successful captures, including storing the picture.", long, devices)
	f.stageTime = f.timings("capture_stage_seconds", "Duration of the stages of captures, in the time of the page.", long,
		label("stage", words.Stages...))
	f.comparisons = f.counters("comparisons_total", "Comparisons by outcome.",
		label("outcome", OK, "new", "false_positive", "to_fix", "unconfirmed", Failed))
	f.jobTimes = f.timings("job_seconds", "Duration of background jobs, without waiting time.", long, label("kind", kinds...))
	f.verdicts = f.counters("verdicts_total", "Verdicts on changes.", label("category", "all_good", "not_sure", "alert"))
	f.refused = f.counters("refused_statements_total",
		"Statements about changes that were withheld because they are not true of both pages; should be 0.")
	f.deliveries = f.counters("deliveries_total", "Attempts at webhook deliveries.", label("outcome", "delivered", Failed, "gone"))
	f.mails = f.counters("mails_total", "Attempts at mails.", label("outcome", "sent", Refused, Failed))
	f.runs = f.counters("runs_total", "Runs that this process started, finished or missed.",
		label("event", "started", "finished", "missed"))
	interfaces := label("interface", "rest", "graphql")
	f.operations = f.counters("operations_total", "Operations of clients: of REST by their name, of GraphQL by their first field.",
		interfaces, label("operation", append([]string{"none"}, words.Operations...)...), outcomes)
	f.operationTime = f.timings("operation_seconds", "Duration of operations of clients, subscriptions excepted.", short, interfaces)
	f.storeTime = f.timings("store_seconds", "Duration of reading and writing pictures in the store.", short,
		label("operation", "read", "write"), label("outcome", OK, Failed))
	f.transactionTime = f.timings("transaction_seconds", "Duration of database transactions.", short,
		label("kind", "read", "write", "system"), outcomes)
	return f
}

// kinds are the background jobs.
var kinds = []string{"capture", "compare", "import", "deliver", "mail", "sweep", "accounts", "region", "retention"}

// Handler answers scrapes.
func (f *Figures) Handler() http.Handler {
	return promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

// Captured counts an attempt at a capture. The reason is empty when it worked.
func (f *Figures) Captured(device, reason string, took time.Duration) {
	if f == nil {
		return
	}
	if reason != "" {
		f.captures.add(device, reason)
		return
	}
	f.captures.add(device, OK)
	f.captureTime.add(took, device)
}

// Stage counts the time of one stage of a capture.
func (f *Figures) Stage(stage string, took time.Duration) {
	if f != nil {
		f.stageTime.add(took, stage)
	}
}

// Compared counts a comparison by its status, or by one of the outcomes.
func (f *Figures) Compared(outcome string) {
	if f != nil {
		f.comparisons.add(outcome)
	}
}

// Judged counts verdicts of a category.
func (f *Figures) Judged(category string, verdicts int) {
	if f != nil && verdicts > 0 {
		f.verdicts.addMany(float64(verdicts), category)
	}
}

// RefusedStatements counts statements about changes that were not made, because they do not hold.
func (f *Figures) RefusedStatements(n int) {
	if f != nil && n > 0 {
		f.refused.addMany(float64(n))
	}
}

// Delivered counts an attempt at a delivery.
func (f *Figures) Delivered(outcome string) {
	if f != nil {
		f.deliveries.add(outcome)
	}
}

// Mailed counts an attempt at a mail.
func (f *Figures) Mailed(outcome string) {
	if f != nil {
		f.mails.add(outcome)
	}
}

// Ran counts what happened to a run.
func (f *Figures) Ran(event string) {
	if f != nil {
		f.runs.add(event)
	}
}

// Worked counts a background job.
func (f *Figures) Worked(kind string, took time.Duration) {
	if f != nil {
		f.jobTimes.add(took, kind)
	}
}

// Operation counts an operation of a client. Its name is empty when the request had none.
func (f *Figures) Operation(api, name, outcome string, took time.Duration) {
	if f == nil {
		return
	}
	if name == "" {
		name = "none"
	}
	f.operations.add(api, name, outcome)
	f.operationTime.add(took, api)
}

// Stored counts a reading or writing of a picture.
func (f *Figures) Stored(operation string, took time.Duration, err error) {
	if f == nil {
		return
	}
	outcome := OK
	if err != nil {
		outcome = Failed
	}
	f.storeTime.add(took, operation, outcome)
}

// Transacted counts a transaction.
func (f *Figures) Transacted(kind, outcome string, took time.Duration) {
	if f != nil {
		f.transactionTime.add(took, kind, outcome)
	}
}

// Gauge shows the present value of something that is counted elsewhere.
func (f *Figures) Gauge(name, help string, value func() float64) {
	if f != nil {
		f.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, value))
	}
}

// Count shows a sum that is kept elsewhere and only grows.
func (f *Figures) Count(name, help string, value func() float64) {
	if f != nil {
		f.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, value))
	}
}

// Ready shows which parts of the process are ready, as Readiness tells: the names of parts are a closed list.
func (f *Figures) Ready(readiness func(ctx context.Context) map[string]bool) {
	if f != nil {
		f.registry.MustRegister(readyParts{readiness})
	}
}
