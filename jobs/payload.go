package jobs

import (
	"context"
	"encoding/json"
	"fmt"

	"afterimage/vcd"
)

// payloadVersion rises when a member of the payload changes its meaning or goes; new members leave it as it is.
const payloadVersion = 1

// maxChanged is how many changed comparisons the payload of a batch names.
const maxChanged = 100

// payload is the body sent to a webhook.
type payload struct {
	ID        vcd.ID          `json:"id"`
	Event     vcd.EventKind   `json:"event"`
	CreatedAt string          `json:"created_at"`
	Account   vcd.ID          `json:"account"`
	Data      json.RawMessage `json:"data"`
	Version   int             `json:"version"`
	Number    *int64          `json:"number"` // of the event; null for a ping
	Links     links           `json:"links"`
	Outcome   *batchOutcome   `json:"outcome,omitempty"` // of a finished batch
	Gate      json.RawMessage `json:"gate,omitempty"`    // the verdict on the update before a batch
}

// links are where clients read more.
type links struct {
	API     string `json:"api"`               // the subject
	Changed string `json:"changed,omitempty"` // the new changes of a batch
}

// batchOutcome tells how a batch ended.
type batchOutcome struct {
	Entries     vcd.StatusCounts `json:"entries"`
	Comparisons comparisonCounts `json:"comparisons"`
	Changed     []vcd.ID         `json:"changed"` // comparisons that are new, the newest first, at most maxChanged
}

type comparisonCounts struct {
	New           int `json:"new"`
	OK            int `json:"ok"`
	FalsePositive int `json:"false_positive"`
	ToFix         int `json:"to_fix"`
}

// addGate tells what to do with the update before a batch; nothing when the batch no longer exists.
func (w *deliverWorker) addGate(ctx context.Context, d *vcd.Delivery, out *payload) error {
	verdict, err := w.resources.Gate(ctx, d.Account, d.SubjectID)
	if err != nil && vcd.CodeOf(err) != vcd.CodeNotFound {
		return fmt.Errorf("read the verdict on the update before batch %s: %w", d.SubjectID, err)
	}
	out.Gate = verdict
	return nil
}

// addOutcome tells how a batch ended; nothing when it no longer exists.
func (w *deliverWorker) addOutcome(ctx context.Context, actor vcd.Actor, id vcd.ID, out *payload) error {
	b, err := w.service.Runs.Batch(ctx, actor, id)
	if vcd.CodeOf(err) == vcd.CodeNotFound {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read batch %s to report its end: %w", id, err)
	}
	changed, err := w.service.Reviews.Comparisons(ctx, actor, vcd.ComparisonFilter{
		BatchIDs: &[]vcd.ID{id}, Statuses: &[]vcd.ComparisonStatus{vcd.ComparisonNew},
	}, vcd.Page{Size: maxChanged}, false)
	if err != nil {
		return fmt.Errorf("read the changes of batch %s: %w", id, err)
	}
	c := b.Comparisons
	out.Outcome = &batchOutcome{
		Entries:     b.Counts,
		Comparisons: comparisonCounts{New: c.New, OK: c.OK, FalsePositive: c.FalsePositive, ToFix: c.ToFix},
		Changed:     make([]vcd.ID, len(changed.Items)),
	}
	for i, comparison := range changed.Items {
		out.Outcome.Changed[i] = comparison.ID
	}
	out.Links.Changed = w.resources.Changed(id)
	return nil
}
