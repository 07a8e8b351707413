package vcdtest

import (
	"time"

	"afterimage/vcd"
	"afterimage/vcd/outbound"
)

// RelayAll reads events until there are no more.
func (w *World) RelayAll() {
	w.T.Helper()
	for more := true; more; {
		var err error
		more, err = w.Service.Outbound.RelayWebhooks(w.T.Context())
		Must(w.T, err)
	}
}

// Deliver makes the attempt that is due for each delivery there is a job for, with the given result.
func (w *World) Deliver(result outbound.DeliveryResult) int {
	w.T.Helper()
	ids := w.Jobs("deliver")
	for _, id := range ids {
		ctx := w.Working(id)
		task, err := w.Service.Outbound.BeginDelivery(ctx, w.Actor, id)
		Must(w.T, err)
		if task == nil {
			continue
		}
		_, err = w.Service.Outbound.KeepDeliveryBody(ctx, w.Actor, id, []byte("{}"))
		Must(w.T, err)
		result.At = w.Clock.Now()
		Must(w.T, w.Service.Outbound.FinishDelivery(ctx, w.Actor, id, result, hourly))
	}
	return len(ids)
}

func hourly(int, time.Duration) (time.Duration, bool) { return time.Hour, true }

// Refused is an attempt at a delivery that the receiver refused.
var Refused = outbound.DeliveryResult{Status: 500, Answer: []byte("no\x00\xff"), Problem: "The receiver answered 500."}

// Receive is the next event of a stream; nil, with an error, when there is none.
func (w *World) Receive(events <-chan *vcd.Event) *vcd.Event {
	timer := time.NewTimer(6 * Patience) // the machine may be busy
	defer timer.Stop()
	select {
	case e, more := <-events:
		if !more {
			w.T.Error("a stream ended by itself")
		}
		return e
	case <-timer.C:
		w.T.Error("an event is missing")
		return nil
	}
}
