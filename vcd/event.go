package vcd

import (
	"context"
	"fmt"
	"time"
)

// EventKind is the closed set of things that happen.
type EventKind string

// The event kinds. The first four are also webhook events.
const (
	EventBatchFinished           EventKind = "batch_finished"
	EventComparisonStatusNew     EventKind = "comparison_status_new"
	EventQueueStatusDone         EventKind = "queue_status_done"
	EventQueueStatusFailed       EventKind = "queue_status_failed"
	EventQueueStatusProcessing   EventKind = "queue_status_processing"
	EventQueueStatusOpen         EventKind = "queue_status_open" // an attempt failed and will be repeated, or a change is to be confirmed
	EventBatchCreated            EventKind = "batch_created"
	EventBatchUpdated            EventKind = "batch_updated"
	EventRunMissed               EventKind = "run_missed"        // a due run of a group did not take place, see Group.MissedRun
	EventUpdateReportDue         EventKind = "update_report_due" // an auto-update batch is finished and its update results are stored
	EventComparisonCreated       EventKind = "comparison_created"
	EventComparisonStatusChanged EventKind = "comparison_status_changed"
	EventGroupCreated            EventKind = "group_created"
	EventGroupUpdated            EventKind = "group_updated"
	EventGroupDeleted            EventKind = "group_deleted"
	EventURLCreated              EventKind = "url_created"
	EventURLUpdated              EventKind = "url_updated"
	EventURLDeleted              EventKind = "url_deleted"
	EventWebsiteCreated          EventKind = "website_created"
	EventWebsiteUpdated          EventKind = "website_updated"
	EventWebsiteDeleted          EventKind = "website_deleted"
	EventURLImportStarted        EventKind = "url_import_started"
	EventURLImportFinished       EventKind = "url_import_finished"
	EventFeedbackRuleCreated     EventKind = "ai_feedback_rule_created"
	EventFeedbackRuleUpdated     EventKind = "ai_feedback_rule_updated"
	EventFeedbackRuleDeleted     EventKind = "ai_feedback_rule_deleted"
	EventWebhookCreated          EventKind = "webhook_created"
	EventWebhookUpdated          EventKind = "webhook_updated"
	EventWebhookDeleted          EventKind = "webhook_deleted"
	EventWebhookDisabled         EventKind = "webhook_disabled" // not by its owner
	EventAccountUpdated          EventKind = "account_updated"
	EventAccountPaused           EventKind = "account_paused"
	EventAccountReactivated      EventKind = "account_reactivated"
	EventChecksLow               EventKind = "checks_low"        // at least 80 % of the period's checks are used up
	EventChecksExhausted         EventKind = "checks_exhausted"  // all of them are, or too many for a run that was due
	EventTokenCreated            EventKind = "token_created"     // by whoever has one already
	EventSubaccountOpened        EventKind = "subaccount_opened" // the first event of a subaccount
)

// SubjectType says what kind of thing an event is about.
type SubjectType string

// The subject types.
const (
	SubjectAccount      SubjectType = "account"
	SubjectToken        SubjectType = "token"
	SubjectGroup        SubjectType = "group"
	SubjectURL          SubjectType = "url"
	SubjectWebsite      SubjectType = "website"
	SubjectURLImport    SubjectType = "url_import"
	SubjectFeedbackRule SubjectType = "ai_feedback_rule"
	SubjectWebhook      SubjectType = "webhook"
	SubjectBatch        SubjectType = "batch"
	SubjectQueueEntry   SubjectType = "queue_entry"
	SubjectComparison   SubjectType = "comparison"
)

// Event is one thing that happened in an account. Numbers count up from 1 without a gap, in the order of commit.
type Event struct {
	Account     ID
	Number      int64
	Kind        EventKind
	SubjectType SubjectType
	SubjectID   ID
	BatchID     *ID
	Progress    *StatusCounts // of the batch, right after this event
	CreatedAt   time.Time
}

// EventStore is the account's outbox.
type EventStore interface {
	// AppendEvents numbers the events and stores them when the transaction commits. The numbers are handed out under a
	// lock that is taken last and held until the commit, so that events become visible in their order.
	AppendEvents(ctx context.Context, events ...*Event) error
	// EventsAfter lists events with a number above after, oldest first; with batch only that batch's. It fails with
	// EventsRemoved when some of them are not kept any more, unless after is 0, which stands for the oldest that is kept.
	EventsAfter(ctx context.Context, after int64, batch *ID, limit int) ([]*Event, error)
	// LastEvent is the number of the newest event, 0 before the first.
	LastEvent(ctx context.Context) (int64, error)
}

// Feed wakes those who wait for something of an account, or with an empty one of any, in whichever process it came about.
type Feed interface {
	// Watch returns a channel that receives after events were committed (several commits may become one wake-up, and
	// there may be idle ones), and a function that ends the watch.
	Watch(account ID) (wake <-chan struct{}, stop func())
	// WatchAuthority is like Watch, and wakes when the account or one of its tokens may be able to do less than before. While
	// nothing can be heard it wakes about every second.
	WatchAuthority(account ID) (wake <-chan struct{}, stop func())
}

// NewEvent is an event that happens now and concerns no batch.
func NewEvent(now time.Time, kind EventKind, subject SubjectType, id ID) *Event {
	return &Event{Kind: kind, SubjectType: subject, SubjectID: id, CreatedAt: now}
}

// NewBatchEvent is an event that happens now in a batch and tells its progress.
func NewBatchEvent(now time.Time, kind EventKind, subject SubjectType, id ID, b *Batch) *Event {
	e := NewEvent(now, kind, subject, id)
	counts := b.Counts
	e.BatchID, e.Progress = &b.ID, &counts
	return e
}

// EventsRemoved is the answer to a reader that has not read some events in the time for which they were kept: all up to a
// number are gone.
func EventsRemoved(upTo int64) error {
	return Invalid("after", "kept", fmt.Sprintf(
		"Events up to number %d have been deleted. Read the current data, then follow from number %[1]d or later.", upTo))
}

// Consumer names one of those who read the events of every account, in order and each at its own pace: whatever it makes
// of an event is stored in the transaction that moves its position on.
type Consumer string

// ConsumerWebhooks turns events into deliveries.
const ConsumerWebhooks Consumer = "webhooks"

// ConsumerStore keeps how far each consumer has read.
type ConsumerStore interface {
	// TakeBacklog runs do in a transaction bound to an account with events beyond the consumer's position, which nobody
	// else reads for it meanwhile. The position moves on to what do returns; should do fail the account is put off for a
	// while, so that others get their turn. False when no account has anything new.
	TakeBacklog(ctx context.Context, c Consumer, do func(ctx context.Context, account ID, tx Tx, position int64) (int64,
		error)) (bool, error)
}
