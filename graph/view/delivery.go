package view

import (
	"strings"
	"unicode/utf8"

	"afterimage/vcd"
)

// Delivery shows a delivery.
type Delivery struct {
	*vcd.Delivery
}

// NewDelivery shows d.
func NewDelivery(d *vcd.Delivery) *Delivery { return &Delivery{d} }

// EventNumber is the number of the event; nil for a ping.
func (d *Delivery) EventNumber() *int64 { return d.Number }

// Problem is what was wrong with the last attempt; nil when nothing was.
func (d *Delivery) Problem() *string { return nonEmpty(d.Delivery.Problem) }

// AttemptCount is how many attempts were made.
func (d *Delivery) AttemptCount() int { return d.Attempts }

// Body is what is sent; nil before the first attempt.
func (d *Delivery) Body() *string { return textOf(d.Delivery.Body) }

// DeliveryAttempt shows one request.
type DeliveryAttempt struct {
	*vcd.DeliveryAttempt
}

// Status is that of the answer; nil when there was none.
func (a *DeliveryAttempt) Status() *int {
	if a.DeliveryAttempt.Status == 0 {
		return nil
	}
	return &a.DeliveryAttempt.Status
}

// Answer is the beginning of the answer's body; nil when there was no answer.
func (a *DeliveryAttempt) Answer() *string {
	if a.DeliveryAttempt.Status == 0 {
		return nil
	}
	return textOf(append([]byte{}, a.DeliveryAttempt.Answer...))
}

// Problem is what was wrong; nil when the receiver has taken it.
func (a *DeliveryAttempt) Problem() *string { return nonEmpty(a.DeliveryAttempt.Problem) }

// NewDeliveryAttempts shows attempts.
func NewDeliveryAttempts(list []*vcd.DeliveryAttempt) []*DeliveryAttempt {
	shown := make([]*DeliveryAttempt, len(list))
	for i, a := range list {
		shown[i] = &DeliveryAttempt{a}
	}
	return shown
}

func textOf(raw []byte) *string {
	if raw == nil {
		return nil
	}
	text := strings.ToValidUTF8(string(raw), string(utf8.RuneError))
	return &text
}
