package vcdtest

import (
	"fmt"
	"path"
	"strings"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/run"
)

// CheckInvariants checks the invariants on the database state that a test has left.
func (w *World) CheckInvariants() {
	w.T.Helper()
	broken, err := w.DB.CheckInvariants(w.T.Context())
	Must(w.T, err)
	for _, b := range broken {
		w.T.Errorf("broken invariant: %s", b)
	}
}

// Batch reads a batch.
func (w *World) Batch(id vcd.ID) *vcd.Batch {
	w.T.Helper()
	b, err := w.Service.Runs.Batch(w.T.Context(), w.Actor, id)
	Must(w.T, err)
	return b
}

// Entry reads a queue entry.
func (w *World) Entry(id vcd.ID) *vcd.QueueEntry {
	w.T.Helper()
	e, err := w.Service.Runs.QueueEntry(w.T.Context(), w.Actor, id)
	Must(w.T, err)
	return e
}

// FreshAccount reads the world's account.
func (w *World) FreshAccount() *vcd.Account {
	w.T.Helper()
	a, err := w.Service.Accounts.Account(w.T.Context(), w.Actor)
	Must(w.T, err)
	return a
}

// Look does all work of a monitoring run of a page that looks as given at each visit; the last look repeats. Equal pictures
// have no difference, others differ by half. A look may name a response ("500 oops"), a version of the capture engine ("v2
// page"), a wall of a kind ("wall challenge") or a failure ("-").
func (w *World) Look(looks ...string) {
	w.T.Helper()
	for {
		captures, compares := w.Jobs("capture"), w.Jobs("compare")
		if len(captures)+len(compares) == 0 {
			return
		}
		w.Clock.Advance(time.Minute)
		for _, entry := range captures {
			w.Visit(entry, looks[0])
			if len(looks) > 1 {
				looks = looks[1:]
			}
		}
		for _, entry := range compares {
			w.CompareByHash(entry)
		}
	}
}

// Visit does one capture job of a page with the given look, or fails it. A look may also name what does not load ("lacks
// https://…/a.css"); the page is the one otherwise called "page".
func (w *World) Visit(entry vcd.ID, look string) {
	w.T.Helper()
	task, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
	Must(w.T, err)
	if look == "-" {
		Must(w.T, w.Service.Runs.FailCapture(w.Working(entry), w.Actor, entry, run.CaptureFailure{Reason: "dns",
			Sentence: "No such host."}))
		return
	}
	result := run.CaptureResult{StatusCode: 200, FinalURL: "https://" + task.Address, Scheme: "https", SCVersion: "1"}
	if strings.HasPrefix(look, "500 ") {
		result.StatusCode = 500
	}
	if strings.HasPrefix(look, "v2 ") {
		result.SCVersion = "2"
	}
	if kind, ok := strings.CutPrefix(look, "wall "); ok {
		result.Manifest = fmt.Appendf(nil, `{"wall":{"kind":%q,"sign":"Its words"}}`, kind)
	}
	if address, ok := strings.CutPrefix(look, "lacks "); ok {
		kind := map[string]string{".css": "Stylesheet", ".js": "Script"}[path.Ext(address)]
		look, result.Manifest = "page", fmt.Appendf(nil, `{"failed_requests":[{"url":%q,"type":%q,"status":404}]}`, address, kind)
	}
	result.Picture = w.Picture(look)
	Must(w.T, w.Service.Runs.FinishCapture(w.Working(entry), w.Actor, entry, result))
}

// CompareByHash does one comparison job: pages with the same pixels are equal.
func (w *World) CompareByHash(entry vcd.ID) {
	w.T.Helper()
	task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
	Must(w.T, err)
	if task == nil { // it has ended without
		return
	}
	differ := func(after *vcd.Screenshot) run.CompareResult {
		if task.Before.Image.Hash == after.Image.Hash {
			return run.CompareResult{Difference: vcd.Difference{Width: 1280, Height: 800}}
		}
		p := w.Picture("mask over " + after.Image.Hash)
		p.Over = after.Image.Hash
		return run.CompareResult{Difference: vcd.Difference{Percent: 50, AlignedPercent: 50, Width: 1280, Height: 800}, Picture: &p}
	}
	result := differ(task.After)
	if task.Recaptured != nil {
		again := differ(task.Recaptured)
		result.OfRecapture = &again
	}
	w.Finish(task, result)
}
