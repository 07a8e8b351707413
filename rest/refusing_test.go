package rest

import (
	"net/http"
	"time"

	"afterimage/vcd/run"
)

// refuse lets the site of a new run answer that it is in maintenance.
func (w *walker) refuse(c *caller) {
	w.t.Helper()
	batch := w.create(c, "/screenshots/take", `{"group_ids":["`+c.things["group"]+`"],"sc_type":"pre"}`)
	for _, e := range w.todo(c, batch) {
		task, err := w.use.Runs.BeginCapture(w.t.Context(), c.actor, e.ID)
		w.check(err)
		w.check(w.use.Runs.FailCapture(w.t.Context(), c.actor, e.ID, run.CaptureFailure{Reason: "http_status", Sentence: "It is closed.",
			Retryable: true, Address: task.Address, Overload: &run.Overload{Status: http.StatusServiceUnavailable, Wait: time.Hour}}))
	}
}
