package vcd

import (
	"fmt"
	"time"
)

// EventKind is the closed set of event kinds.
type EventKind string

// The event kinds. WebhookSubjects lists those that are also webhook events.
const (
	EventBatchFinished           EventKind = "batch_finished"
	EventComparisonStatusNew     EventKind = "comparison_status_new"
	EventComparisonSilenced      EventKind = "comparison_silenced" // it is above its threshold and ended as ok
	EventQueueStatusDone         EventKind = "queue_status_done"
	EventQueueStatusFailed       EventKind = "queue_status_failed"
	EventQueueStatusProcessing   EventKind = "queue_status_processing"
	EventQueueStatusOpen         EventKind = "queue_status_open" // an attempt failed and will be repeated, or a change is to be confirmed
	EventBatchCreated            EventKind = "batch_created"
	EventBatchUpdated            EventKind = "batch_updated"
	EventBatchDeleted            EventKind = "batch_deleted"
	EventRunMissed               EventKind = "run_missed"         // a due run of a group did not take place, see Group.MissedRun
	EventUpdateReportDue         EventKind = "update_report_due"  // an auto-update batch is finished and its update results are stored
	EventFlowFailed              EventKind = "flow_failed"        // a step of a flow failed, or its first page could not be opened
	EventFlowRunUpdated          EventKind = "flow_run_updated"   // steps of a run that goes on have ended
	EventFlowTrialUpdated        EventKind = "flow_trial_updated" // a trial has begun, steps of it have ended, or it has
	EventComparisonCreated       EventKind = "comparison_created"
	EventComparisonStatusChanged EventKind = "comparison_status_changed"
	EventComparisonCommented     EventKind = "comparison_commented" // a comment was written, edited or deleted
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
	EventWebhookDisabled         EventKind = "webhook_disabled" // by the service, not by its owner
	EventAccountUpdated          EventKind = "account_updated"
	EventAccountPaused           EventKind = "account_paused"
	EventAccountReactivated      EventKind = "account_reactivated"
	EventChecksLow               EventKind = "checks_low"        // at least 80 % of the period's checks are used up
	EventChecksExhausted         EventKind = "checks_exhausted"  // all of them are, or too many for a run that was due
	EventStorageLow              EventKind = "storage_low"       // at least 80 % of the account's storage is used
	EventStorageFull             EventKind = "storage_full"      // all of it is: no more runs start
	EventTokenCreated            EventKind = "token_created"     // by a holder of another token
	EventSubaccountOpened        EventKind = "subaccount_opened" // the first event of a subaccount
)

// SubjectType says what kind of thing an event is about.
type SubjectType string

// The subject types.
const (
	SubjectAccount      SubjectType = "account"
	SubjectToken        SubjectType = "token"
	SubjectUser         SubjectType = "user"       // of audit entries only
	SubjectInvitation   SubjectType = "invitation" // of audit entries only
	SubjectGroup        SubjectType = "group"
	SubjectURL          SubjectType = "url"
	SubjectWebsite      SubjectType = "website"
	SubjectURLImport    SubjectType = "url_import"
	SubjectFeedbackRule SubjectType = "ai_feedback_rule"
	SubjectWebhook      SubjectType = "webhook"
	SubjectBatch        SubjectType = "batch"
	SubjectQueueEntry   SubjectType = "queue_entry"
	SubjectComparison   SubjectType = "comparison"
	SubjectFlowRun      SubjectType = "flow_run"
	SubjectFlowTrial    SubjectType = "flow_trial"
)

// Event is one thing that happened in an account. Numbers start at 1 and follow commit order without gaps.
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

// Feed wakes those who wait for changes in an account, or in any account if the id is empty, regardless of the process that
// made the change.
type Feed interface {
	// Watch returns a channel that receives after events are committed (wake-ups may be merged or spurious), and a function
	// that ends the watch.
	Watch(account ID) (wake <-chan struct{}, stop func())
	// WatchAuthority is like Watch, but wakes when the account or one of its tokens may have lost permissions. While
	// notifications cannot be received, it wakes about every second.
	WatchAuthority(account ID) (wake <-chan struct{}, stop func())
}

// NewEvent returns an event that happens now, outside any batch.
func NewEvent(now time.Time, kind EventKind, subject SubjectType, id ID) *Event {
	return &Event{Kind: kind, SubjectType: subject, SubjectID: id, CreatedAt: now}
}

// NewBatchEvent returns an event that happens now in a batch and carries its progress.
func NewBatchEvent(now time.Time, kind EventKind, subject SubjectType, id ID, b *Batch) *Event {
	e := NewEvent(now, kind, subject, id)
	counts := b.Counts
	e.BatchID, e.Progress = &b.ID, &counts
	return e
}

// EventsRemoved is the error for a reader that fell behind the retention period: all events up to upTo have been removed.
func EventsRemoved(upTo int64) error {
	return Invalid("after", "kept", fmt.Sprintf(
		"Events up to number %d have been deleted. Read the current data, then follow from number %[1]d or later.", upTo))
}

// EventsToCome is the error for a reader whose last event has not happened yet: it read it from another account, or from a
// database that was restored since. It would miss everything up to that number without noticing.
func EventsToCome(last int64) error {
	return Invalid("after", "future", fmt.Sprintf(
		"The {field} field must not be above the number of the newest event, which is %d. Read the current data, then follow "+
			"from that number.", last))
}

// Consumer names a reader of every account's events. Each consumer reads in order and at its own pace; what it derives from
// an event is stored in the transaction that advances its position.
type Consumer string

// ConsumerWebhooks turns events into deliveries.
const ConsumerWebhooks Consumer = "webhooks"

// AuditRetention is how long audit entries are kept.
const AuditRetention = 400 * 24 * time.Hour

// AuditEntry says who made a change. It is stored with the change itself, and never altered.
type AuditEntry struct {
	ID, Account ID
	Actor       Person
	Action      string // the mutation of the API, or the operator's command
	SubjectType SubjectType
	SubjectID   ID // what was changed, or the first of several things; empty where an action says it all
	CreatedAt   time.Time
}

// AuditFilter filters a list of audit entries; nil fields match everything.
type AuditFilter struct {
	Action     *string
	ActorKind  *ActorKind
	SubjectIDs *[]ID
}
