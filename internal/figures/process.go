package figures

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// Pool shows the database connections of this process.
func (f *Figures) Pool(pool *pgxpool.Pool) {
	f.gauges("database_connections", "Connections to the database.", "state", map[string]func() float64{
		"idle":   func() float64 { return float64(pool.Stat().IdleConns()) },
		"in_use": func() float64 { return float64(pool.Stat().AcquiredConns()) },
		"opening": func() float64 {
			return float64(pool.Stat().ConstructingConns())
		},
	})
	f.Gauge("database_connections_max", "Connections to the database that this process may have.",
		func() float64 { return float64(pool.Stat().MaxConns()) })
	f.Count("database_waits_total", "How often no database connection was free immediately.",
		func() float64 { return float64(pool.Stat().EmptyAcquireCount()) })
	f.Count("database_wait_seconds_total", "Time spent waiting for connections to the database.",
		func() float64 { return pool.Stat().EmptyAcquireWaitTime().Seconds() })
}

// Browsers shows the lanes for captures: how many capture, how many are open, and how many browsers were started.
func (f *Figures) Browsers(lanes func() (busy, open int), started func() int64) {
	f.gauges("browser_lanes", "Slots for captures, each with a browser of its own.", "state", map[string]func() float64{
		"busy": func() float64 { busy, _ := lanes(); return float64(busy) },
		"idle": func() float64 { busy, open := lanes(); return float64(open - busy) },
	})
	f.Count("browser_starts_total", "Browsers that were started: the first of each lane, and those that replaced one.",
		func() float64 { return float64(started()) })
}

func (f *Figures) gauges(name, help, label string, values map[string]func() float64) {
	if f == nil {
		return
	}
	for value, of := range values {
		f.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: namespace, Name: name, Help: help, ConstLabels: prometheus.Labels{label: value},
		}, of))
	}
}

var ready = describe("ready", "Whether a part of this process is ready; /readyz says in words what is missing.", "part")

// readyParts shows the parts of the process.
type readyParts struct {
	readiness func(ctx context.Context) map[string]bool
}

func (readyParts) Describe(descs chan<- *prometheus.Desc) { descs <- ready }

func (p readyParts) Collect(metrics chan<- prometheus.Metric) {
	for part, is := range p.readiness(context.Background()) {
		value := 0.0
		if is {
			value = 1
		}
		metrics <- prometheus.MustNewConstMetric(ready, prometheus.GaugeValue, value, part)
	}
}

// Names are the names of all figures, those of histograms without suffixes.
func (f *Figures) Names() []string {
	descs := make(chan *prometheus.Desc)
	go func() {
		f.registry.Describe(descs)
		close(descs)
	}()
	var names []string
	for d := range descs {
		if _, rest, ok := strings.Cut(d.String(), `fqName: "`); ok {
			name, _, _ := strings.Cut(rest, `"`)
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
