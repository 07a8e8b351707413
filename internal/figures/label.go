package figures

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// other stands for every value that is not on the list of a label.
const other = "other"

// labelled is a label with the values that it may have.
type labelled struct {
	name   string
	values map[string]bool
}

func label(name string, values ...string) labelled {
	l := labelled{name: name, values: make(map[string]bool, len(values))}
	for _, v := range values {
		l.values[v] = true
	}
	return l
}

// bound replaces the values that are on no list.
func bound(labels []labelled, values []string) []string {
	within := make([]string, len(labels))
	for i := range labels {
		within[i] = other
		if labels[i].values[values[i]] {
			within[i] = values[i]
		}
	}
	return within
}

func names(labels []labelled) []string {
	list := make([]string, len(labels))
	for i := range labels {
		list[i] = labels[i].name
	}
	return list
}

// counters are the counters of one name.
type counters struct {
	vec    *prometheus.CounterVec
	labels []labelled
}

func (f *Figures) counters(name, help string, labels ...labelled) *counters {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, names(labels))
	f.registry.MustRegister(vec)
	c := &counters{vec: vec, labels: labels}
	if len(labels) == 1 { // a rate needs the zero before the first
		for v := range labels[0].values {
			vec.WithLabelValues(v)
		}
	}
	return c
}

func (c *counters) add(values ...string) { c.addMany(1, values...) }

func (c *counters) addMany(n float64, values ...string) {
	c.vec.WithLabelValues(bound(c.labels, values)...).Add(n)
}

// timings are the histograms of one name.
type timings struct {
	vec    *prometheus.HistogramVec
	labels []labelled
}

func (f *Figures) timings(name, help string, buckets []float64, labels ...labelled) *timings {
	vec := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets},
		names(labels))
	f.registry.MustRegister(vec)
	if len(labels) == 1 {
		for v := range labels[0].values {
			vec.WithLabelValues(v)
		}
	}
	return &timings{vec: vec, labels: labels}
}

func (t *timings) add(took time.Duration, values ...string) {
	t.vec.WithLabelValues(bound(t.labels, values)...).Observe(took.Seconds())
}
