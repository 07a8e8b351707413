package view

import "afterimage/vcd"

// Webhook shows a webhook.
type Webhook struct {
	*vcd.Webhook
}

// NewWebhook shows w.
func NewWebhook(w *vcd.Webhook) *Webhook { return &Webhook{w} }

// LastStatus is the HTTP status of the last answer; nil when there was none.
func (w *Webhook) LastStatus() *int {
	if w.Webhook.LastStatus == 0 {
		return nil
	}
	return &w.Webhook.LastStatus
}

// DisabledReason is why requests have stopped; nil while they are sent.
func (w *Webhook) DisabledReason() *string { return nonEmpty(w.Webhook.DisabledReason) }
