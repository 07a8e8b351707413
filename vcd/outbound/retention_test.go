package outbound_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
	"afterimage/vcd/run"
)

const day = 24 * time.Hour

// removeOld runs one retention round that keeps everything for a month.
func (w *world) removeOld() {
	w.T.Helper()
	must(w.T, w.Service.Runs.RemoveOld(w.T.Context(), run.Retention{Events: 30 * day, Deliveries: 30 * day, Mails: 30 * day}))
}

// relayMails turns all events into mails.
func (w *world) relayMails() {
	w.T.Helper()
	for more := true; more; {
		var err error
		more, err = w.Service.Outbound.RelayMails(w.T.Context())
		must(w.T, err)
	}
}

// eventsKept returns the lowest and the highest number of the account's events.
func (w *world) eventsKept() (first, last int64) {
	w.T.Helper()
	return vcdtest.Value[int64](w.World, "SELECT coalesce(min(number), 0) FROM events WHERE account_id = $1", string(w.Account.ID)),
		vcdtest.Value[int64](w.World, "SELECT coalesce(max(number), 0) FROM events WHERE account_id = $1", string(w.Account.ID))
}

func (w *world) events(after int64) ([]*vcd.Event, error) {
	return w.Service.Outbound.EventsAfter(w.T.Context(), w.Actor, after, nil, 500)
}

// TestOldEventsGoOnceAllHaveReadThem also checks what finished runs leave behind against the invariants.
func TestOldEventsGoOnceAllHaveReadThem(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("old", 3, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "page")
	}
	_, border := w.eventsKept()
	w.Clock.Advance(20 * day)
	w.Touch()
	_, last := w.eventsKept()
	w.Clock.Advance(11 * day)

	w.removeOld()
	if first, _ := w.eventsKept(); first != 1 {
		t.Fatal("events were removed that nobody has read")
	}
	w.RelayAll()
	w.removeOld()
	if first, _ := w.eventsKept(); first != 1 {
		t.Fatal("events were removed that mails have not read")
	}
	w.relayMails()
	w.removeOld()
	if first, newest := w.eventsKept(); first != border+1 || newest != last {
		t.Fatalf("events %d to %d are left, want %d to %d", first, newest, border+1, last)
	}
	w.CheckInvariants()
	w.Clock.Advance(60 * day)
	w.removeOld()
	if first, newest := w.eventsKept(); first != 0 || newest != 0 {
		t.Fatalf("events %d to %d are left, want none", first, newest)
	}
	w.CheckInvariants()
	w.Touch()
	if first, _ := w.eventsKept(); first != last+1 {
		t.Errorf("the next event has number %d, want %d", first, last+1)
	}
	w.CheckInvariants()
}

func TestWhoAsksForEventsThatAreGoneIsTold(t *testing.T) {
	w := newWorld(t)
	for range 5 {
		w.Touch()
	}
	_, gone := w.eventsKept()
	w.RelayAll()
	w.relayMails()
	w.Clock.Advance(31 * day)
	w.Touch()
	w.removeOld()
	told := func(what string, err error) {
		t.Helper()
		wantCode(t, err, vcd.CodeInvalid)
		if !strings.Contains(err.Error(), "have been deleted") {
			t.Errorf("%s is told %q", what, err)
		}
	}
	_, err := w.events(gone - 1)
	told("a reader", err)
	position := gone - 1
	_, err = w.Service.Outbound.Stream(t.Context(), w.Actor, &position, nil)
	told("a follower", err)
	for _, after := range []int64{0, gone} {
		if events, err := w.events(after); err != nil || len(events) != 1 || events[0].Number != gone+1 {
			t.Errorf("after %d: %d events, %v", after, len(events), err)
		}
	}
	if events, err := w.events(gone + 1); err != nil || len(events) != 0 {
		t.Errorf("after the newest: %d events, %v", len(events), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream, err := w.Service.Outbound.Stream(ctx, w.Actor, &gone, nil)
	must(t, err)
	if e := w.Receive(stream); e.Number != gone+1 {
		t.Errorf("the stream goes on with %d, want %d", e.Number, gone+1)
	}
}

func TestANewConsumerBeginsWithWhatIsKept(t *testing.T) {
	w := newWorld(t)
	w.Touch()
	_, gone := w.eventsKept()
	w.RelayAll()
	w.relayMails()
	w.Clock.Advance(31 * day)
	w.Touch()
	w.removeOld()
	found, err := w.DB.ForOutbound().TakeBacklog(t.Context(), "new", func(
		ctx context.Context, account vcd.ID, tx outbound.Tx, position int64,
	) (int64, error) {
		events, err := tx.EventsAfter(ctx, position, nil, 10)
		if position != gone || len(events) != 1 {
			t.Errorf("it begins after %d and reads %d events, want %d and 1", position, len(events), gone)
		}
		return gone + 1, err
	})
	if err != nil || !found {
		t.Errorf("found %t, %v", found, err)
	}
	w.CheckInvariants()
}

func TestOldDeliveriesAndMailsGoOnceTheyHaveEnded(t *testing.T) {
	w := newWorld(t)
	h := w.Webhook("https://hooks.test", vcd.EventQueueStatusDone)
	g, _ := w.Group("told", 2, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "page")
	}
	w.RelayAll()
	w.Deliver(outbound.DeliveryResult{Status: 200, Delivered: true})
	ping, err := w.Service.Outbound.PingWebhook(t.Context(), w.Actor, h.ID)
	must(t, err)
	for i, state := range []vcd.MailState{vcd.MailPending, vcd.MailSent, vcd.MailFailed} {
		w.mailIn(state, int64(i))
	}
	w.Clock.Advance(30*day - time.Second)
	w.removeOld()
	if n := len(w.deliveriesTo(h.ID)); n != 5 {
		t.Fatalf("%d deliveries are left too early, want 5", n)
	}
	w.Clock.Advance(2 * time.Second)
	w.removeOld()
	if left := w.deliveriesTo(h.ID); len(left) != 1 || left[0].ID != ping.ID {
		t.Errorf("%d deliveries are left, want the one that has not ended", len(left))
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM delivery_attempts"); n != 0 {
		t.Errorf("%d attempts are left, want none", n)
	}
	mails, err := w.Service.Outbound.Mails(t.Context(), w.Actor, vcd.MailFilter{}, vcd.Page{Size: 10})
	must(t, err)
	if len(mails.Items) != 1 || mails.Items[0].State != vcd.MailPending {
		t.Errorf("%d mails are left, want the one that has not ended", len(mails.Items))
	}
	w.relayMails()
	w.CheckInvariants()
}

// mailIn inserts a mail in a state.
func (w *world) mailIn(state vcd.MailState, number int64) {
	w.T.Helper()
	now := w.Clock.Now()
	m := &vcd.Mail{
		ID: vcd.RandomIDs{}.NewID(), Account: w.Account.ID, Kind: vcd.MailDigest, Recipient: "ada@example.com", Number: number,
		SubjectID: w.Account.ID,
		State:     state, CreatedAt: now, UpdatedAt: now,
	}
	switch state {
	case vcd.MailPending:
		m.NextAttemptAt = &now
	case vcd.MailSent:
		m.SentAt = &now
	}
	must(w.T, w.DB.InTx(w.T.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error { return tx.InsertMails(ctx, []*vcd.Mail{m}) }))
}

// TestTheInvariantsNoticeWhatIsLost violates, one at a time, what retention must preserve.
func TestTheInvariantsNoticeWhatIsLost(t *testing.T) {
	w := newWorld(t)
	w.Webhook("https://hooks.test", vcd.EventQueueStatusDone)
	g, _ := w.Group("told", 1, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "page")
	}
	w.RelayAll()
	w.relayMails()
	w.Deliver(outbound.DeliveryResult{Status: 200, Delivered: true})
	w.CheckInvariants()
	for _, broken := range []struct{ name, sql, undo string }{
		{"numbered from 1", "DELETE FROM events WHERE number = (SELECT min(number) FROM events WHERE kind = 'group_created')", ""},
		{"where there are no events", "UPDATE consumers SET position = position + 1 WHERE name = 'mails'",
			"UPDATE consumers SET position = position - 1 WHERE name = 'mails'"},
		{"an event that was not read", "UPDATE consumers SET position = 0 WHERE name = 'webhooks'",
			"UPDATE consumers SET position = a.last_event FROM accounts AS a WHERE a.id = account_id"},
		{"its attempts disagree", "DELETE FROM delivery_attempts", ""},
		{"one event for each time that it ended", "DELETE FROM events WHERE kind = 'queue_status_done'", ""},
	} {
		w.AsSystem(broken.sql)
		found, err := w.DB.CheckInvariants(t.Context())
		must(t, err)
		if text := fmt.Sprint(found); !strings.Contains(text, broken.name) {
			t.Errorf("%s: nobody noticed: %s", broken.sql, text)
		}
		if broken.undo != "" {
			w.AsSystem(broken.undo)
		}
	}
}
