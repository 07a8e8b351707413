package view

import "afterimage/vcd"

// Webhook shows a webhook.
type Webhook struct {
	*vcd.Webhook
}

// NewWebhook shows w.
func NewWebhook(w *vcd.Webhook) *Webhook { return &Webhook{w} }

// DisabledReason is why requests have stopped; nil while they are sent.
func (w *Webhook) DisabledReason() *string { return nonEmpty(w.Webhook.DisabledReason) }
