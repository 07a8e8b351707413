package vcdtest

import (
	"time"

	"afterimage/vcd"
	"afterimage/vcd/outbound"
)

// RelayAll relays events until there are none left.
func (w *World) RelayAll() {
	w.T.Helper()
	for more := true; more; {
		var err error
		more, err = w.Service.Outbound.RelayWebhooks(w.T.Context())
		Must(w.T, err)
	}
}

// Deliver makes the due attempt of each delivery that has a job, with the given result.
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

// Refused is the result of an attempt that the receiver rejected.
var Refused = outbound.DeliveryResult{Status: 500, Answer: []byte("no\x00\xff"), Problem: "The receiver answered 500."}

// Receive returns the next event of a stream; nil, with a test error, when there is none.
func (w *World) Receive(events <-chan *vcd.Event) *vcd.Event {
	timer := time.NewTimer(Patience)
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
