package vcdtest

import (
	"sync"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// Set sets the clock.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Monitored creates a monitoring group with n URLs, desktop only.
func (w *World) Monitored(name string, n int, change inventory.GroupChange) *vcd.Group {
	w.T.Helper()
	change.Monitoring = vcd.Some(true)
	g, _ := w.Group(name, n, change)
	_, err := w.Service.Inventory.SelectAll(w.T.Context(), w.Actor, g.ID, vcd.Mobile, false)
	Must(w.T, err)
	return w.FreshGroup(g.ID)
}

// FreshGroup reads a group.
func (w *World) FreshGroup(id vcd.ID) *vcd.Group {
	w.T.Helper()
	g, err := w.Service.Inventory.Group(w.T.Context(), w.Actor, id)
	Must(w.T, err)
	return g
}

// StartDue starts all due runs with one scheduler per service.
func StartDue(t *testing.T, replicas ...*app.Service) {
	t.Helper()
	var all sync.WaitGroup
	for _, s := range replicas {
		all.Go(func() {
			for more := true; more; {
				var err error
				if more, err = s.Runs.RunDueGroups(t.Context()); err != nil {
					t.Errorf("start a due run: %v", err)
				}
			}
		})
	}
	all.Wait()
}

// Replica returns another process's use cases on the same database, with the same clock.
func (w *World) Replica() *app.Service {
	w.T.Helper()
	d := OpenURL(w.T, w.URL, NewTableQueue)
	return w.Service.With(func(c *app.Config) { c.Store, c.Feed = d, d })
}

// NextRun is the group's next run in its account's zone, without the spread; "-" for never.
func (w *World) NextRun(id vcd.ID) string {
	w.T.Helper()
	g, err := w.Service.Inventory.Group(w.T.Context(), w.Actor, id)
	Must(w.T, err)
	if g.NextRunAt == nil {
		return "-"
	}
	return g.NextRunAt.In(w.FreshAccount().Zone()).Truncate(5 * time.Minute).Format("02 15:04")
}

// RunDue moves the clock to the group's next run, starts it and returns its batch.
func (w *World) RunDue(id vcd.ID) vcd.ID {
	w.T.Helper()
	w.Clock.Set(*w.FreshGroup(id).NextRunAt)
	StartDue(w.T, w.Service)
	return vcd.ID(Value[string](w, `SELECT b.id::text FROM batches AS b JOIN batch_groups AS bg ON bg.batch_id = b.id
		WHERE bg.group_id = $1 ORDER BY b.created_at DESC LIMIT 1`, string(id)))
}

// Save reports that pages of a group were saved.
func (w *World) Save(g *vcd.Group, urls ...string) *run.Triggered {
	w.T.Helper()
	in := run.TriggerInput{GroupID: string(g.ID), Type: vcd.TriggerPostSave}
	for _, url := range urls {
		in.URLs = append(in.URLs, run.TriggeredURL{URL: url})
	}
	triggered, err := w.Service.Runs.TriggerMonitoring(w.T.Context(), w.Actor, in)
	Must(w.T, err)
	return triggered
}
