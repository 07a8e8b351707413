package view

import (
	"time"

	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// PendingTrigger shows a run that waits for further saves.
type PendingTrigger struct {
	*vcd.PendingTrigger
}

// NewPendingTrigger shows p; nil when there is none.
func NewPendingTrigger(p *vcd.PendingTrigger) *PendingTrigger {
	if p == nil {
		return nil
	}
	return &PendingTrigger{p}
}

// Type is the kind of trigger.
func (p *PendingTrigger) Type() scalar.Word { return scalar.Word(p.PendingTrigger.Type) }

// Pages are those that were saved.
func (p *PendingTrigger) Pages() []*model.TriggeredPage {
	return triggeredPages(p.PendingTrigger.Pages)
}

// TriggerPayload is what came of a trigger.
type TriggerPayload struct{ *run.Triggered }

// PendingTrigger is the run that waits.
func (p *TriggerPayload) PendingTrigger() *PendingTrigger { return NewPendingTrigger(p.Pending) }

// BatchID is the started run; nil when nothing is captured.
func (p *TriggerPayload) BatchID() *vcd.ID {
	if p.Triggered.Batch == nil {
		return nil
	}
	return &p.Triggered.Batch.ID
}

// ExtendPayload are runs that wait longer.
type ExtendPayload struct{ Runs []*vcd.PendingTrigger }

// Extended is how many there are.
func (p *ExtendPayload) Extended() int { return len(p.Runs) }

// PendingTriggers are those runs.
func (p *ExtendPayload) PendingTriggers() []*PendingTrigger {
	shown := make([]*PendingTrigger, len(p.Runs))
	for i, waiting := range p.Runs {
		shown[i] = NewPendingTrigger(waiting)
	}
	return shown
}

// TriggerContext is what triggered the batch; null when no trigger did.
func (b *Batch) TriggerContext() *model.TriggerContext {
	c := b.Trigger
	if c == nil {
		return nil
	}
	return &model.TriggerContext{
		Type: scalar.Word(c.Type), FirstTriggeredAt: c.FirstTriggeredAt, Pages: triggeredPages(c.Pages),
		Scope: (*scalar.Word)(c.Scope), Editor: c.Editor,
	}
}

func triggeredPages(pages []vcd.TriggeredPage) []*model.TriggeredPage {
	shown := make([]*model.TriggeredPage, len(pages))
	for i, p := range pages {
		shown[i] = &model.TriggeredPage{URL: p.URL, TriggeredAt: p.TriggeredAt, Title: p.Title, PostID: p.PostID, Editor: p.Editor}
	}
	return shown
}

// TriggerRecord is the same as one value for the REST interface.
func (b *Batch) TriggerRecord() *scalar.TriggerRecord {
	c := b.Trigger
	if c == nil {
		return nil
	}
	record := &scalar.TriggerRecord{
		Type: string(c.Type), FirstTriggeredAt: withOffset(c.FirstTriggeredAt), Pages: make([]scalar.TriggerRecordPage, len(c.Pages)),
		Scope: (*string)(c.Scope), Editor: c.Editor,
	}
	for i, p := range c.Pages {
		record.Pages[i] = scalar.TriggerRecordPage{
			URL: p.URL, TriggeredAt: withOffset(p.TriggeredAt), Title: p.Title, PostID: p.PostID, Editor: p.Editor,
		}
	}
	return record
}

func withOffset(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05-07:00") }
