package vcd

import (
	"context"
	"time"
)

// Store keeps everything. A function given to it runs in one transaction bound to the actor's account: rows of other
// accounts can be neither seen nor written. When the function returns an error nothing is kept, and the error is
// returned as it is. A store that cannot reach its database answers within a second with CodeUnavailable.
type Store interface {
	// InTx runs do in a read-write transaction (read committed).
	InTx(ctx context.Context, actor Actor, do func(ctx context.Context, tx Tx) error) error
	// Read runs do on one consistent snapshot and refuses writes.
	Read(ctx context.Context, actor Actor, do func(ctx context.Context, tx Tx) error) error

	// AccountByToken finds the account and the live token for a token's hash; it is the one question asked before an
	// actor is known. Unknown, revoked and expired (at now) tokens are CodeUnauthenticated.
	AuthStore
	// OperatorStore is asked across accounts too.
	OperatorStore
	// ImageStore is asked across accounts by those who hold a link, and by the sweeper.
	ImageStore
	// PublicLinkStore is asked across accounts by those who hold a link.
	PublicLinkStore
	// RegionStore is asked across accounts by the worker that settles regions.
	RegionStore
	// HandOutStore is asked across accounts by those who hand out turns, and by the sweeper.
	HandOutStore
	// ScheduleStore is asked across accounts by the scheduler.
	ScheduleStore
	// DueTriggerStore is asked across accounts by those who start runs.
	DueTriggerStore
	// RuleMatchStore is asked across accounts by the sweeper.
	RuleMatchStore
	// ConsumerStore is asked across accounts by those who read all events.
	ConsumerStore
	// RetentionStore is asked across accounts by the sweeper.
	RetentionStore
	// OldAllowanceStore is asked by the sweeper.
	OldAllowanceStore
	// ImageMarkStore is asked by every process that starts.
	ImageMarkStore
	// Probe is the sealed probe; nil when there is none.
	Probe(ctx context.Context) ([]byte, error)
	// KeepProbe keeps the sealed probe unless there is one already, and returns the one that is kept.
	KeepProbe(ctx context.Context, sealed []byte) ([]byte, error)
}

// Tx is what a use case can do within a transaction. Methods that look up one thing return a CodeNotFound error when
// the actor's account has no such thing.
type Tx interface {
	AccountStore
	SubaccountStore
	TokenStore
	StatsStore
	GroupStore
	URLStore
	SelectionStore
	TriggerStore
	WebsiteStore
	FeedbackRuleStore
	ChangeStore
	ReplayStore
	RuleUseStore
	WebhookStore
	URLImportStore
	BatchStore
	QueueEntryStore
	OverrunStore
	ScreenshotStore
	HostStore
	TurnStore
	BatchEndStore
	ComparisonStore
	TraceStore
	NodeStore
	EventStore
	DeliveryStore
	MailStore
	AllowanceStore
	Queue
}

// Queue takes the background work of a transaction: it starts when the transaction commits, and never if it does not.
// Captures, comparisons and imports get here when it is their turn, see TurnStore.
type Queue interface {
	EnqueueCapture(ctx context.Context, jobs ...CaptureJob) error
	EnqueueCompare(ctx context.Context, jobs ...CompareJob) error
	EnqueueDeliver(ctx context.Context, jobs ...DeliverJob) error
	EnqueueImport(ctx context.Context, jobs ...ImportJob) error
	EnqueueMail(ctx context.Context, jobs ...MailJob) error
	// CancelJobs stops the jobs of queue entries and imports, running ones too.
	CancelJobs(ctx context.Context, subjects ...ID) error
	// CompleteJob marks the job that ctx is working on as done in this very transaction, so that its effect and its
	// completion cannot come apart. Outside a job it does nothing.
	CompleteJob(ctx context.Context) error
}

// CaptureJob asks for the screenshot of a queue entry.
type CaptureJob struct {
	Account, Entry ID
	Region         Region
}

// CompareJob asks for the comparison of a queue entry.
type CompareJob struct {
	Account, Entry ID
}

// DeliverJob asks for an attempt at a delivery.
type DeliverJob struct {
	Account, Delivery ID
	At                time.Time // not before; zero means at once
}

// MailJob asks for an attempt at a mail.
type MailJob struct {
	Account, Mail ID
	At            time.Time // not before; zero means at once
}

// Sealer encrypts small secrets for storage. Opening what was sealed for another purpose or key fails.
type Sealer interface {
	Seal(purpose, plain string) ([]byte, error)
	Open(purpose string, sealed []byte) (string, error)
}

// Read runs a look-up in a transaction of the actor and returns its result.
func Read[T any](ctx context.Context, store Store, actor Actor, do func(ctx context.Context, tx Tx) (T, error)) (T, error) {
	var out T
	err := store.Read(ctx, actor, func(ctx context.Context, tx Tx) (err error) {
		out, err = do(ctx, tx)
		return err
	})
	return out, err
}

// Write runs a change in a transaction of the actor and returns its result.
func Write[T any](ctx context.Context, store Store, actor Actor, do func(ctx context.Context, tx Tx) (T, error)) (T, error) {
	var out T
	err := store.InTx(ctx, actor, func(ctx context.Context, tx Tx) (err error) {
		out, err = do(ctx, tx)
		return err
	})
	return out, err
}
