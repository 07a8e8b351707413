package vcd

import (
	"context"
	"time"
)

// Store is the persistent storage. A function passed to it runs in one transaction bound to the actor's account: rows of
// other accounts can be neither read nor written. When the function returns an error, the transaction is rolled back and the
// error is returned unchanged. A store that cannot reach its database returns CodeUnavailable within a second.
type Store interface {
	// InTx runs do in a read-write transaction (read committed).
	InTx(ctx context.Context, actor Actor, do func(ctx context.Context, tx Tx) error) error
	// Read runs do on one consistent snapshot and rejects writes.
	Read(ctx context.Context, actor Actor, do func(ctx context.Context, tx Tx) error) error

	// AuthStore finds the account and the live token for a token's hash, the only query made before the actor is known.
	// Unknown, revoked and expired (at now) tokens are CodeUnauthenticated.
	AuthStore
	// OperatorStore is used across accounts too.
	OperatorStore
	// PeopleStore is used across accounts by those who sign in.
	PeopleStore
	// SignInStore is used by those who sign in.
	SignInStore
	// ImageStore is used across accounts by holders of a link, and by the sweeper.
	ImageStore
	// PublicLinkStore is used across accounts by holders of a link.
	PublicLinkStore
	// RegionStore is used across accounts by the worker that resolves regions.
	RegionStore
	// HandOutStore is used across accounts by the processes that hand out turns, and by the sweeper.
	HandOutStore
	// ScheduleStore is used across accounts by the scheduler.
	ScheduleStore
	// DueCallStore is used across accounts by the scheduler.
	DueCallStore
	// DueTriggerStore is used across accounts by the workers that start runs.
	DueTriggerStore
	// RuleMatchStore is used across accounts by the sweeper.
	RuleMatchStore
	// ConsumerStore is used across accounts by the consumers of all events.
	ConsumerStore
	// RetentionStore is used across accounts by the sweeper.
	RetentionStore
	// DueRetentionStore is used across accounts by the worker that removes expired runs.
	DueRetentionStore
	// DueNoiseProbeStore is used across accounts by the workers that take probes.
	DueNoiseProbeStore
	// OldAllowanceStore is used by the sweeper.
	OldAllowanceStore
	// StaleUploadStore is used across accounts by the sweeper.
	StaleUploadStore
	// DeletedBatchStore is used across accounts by the processes that work.
	DeletedBatchStore
	// ImageMarkStore is used by every process at startup.
	ImageMarkStore
	// SealedStore is used across accounts to change the key.
	SealedStore
	// Probe returns the sealed probe; nil when there is none.
	Probe(ctx context.Context) ([]byte, error)
	// KeepProbe stores the sealed probe unless one is stored already, and returns the stored one.
	KeepProbe(ctx context.Context, sealed []byte) ([]byte, error)
}

// Tx is what a use case can do within a transaction. Methods that look up a single thing return a CodeNotFound error when the
// actor's account has no such thing.
type Tx interface {
	AccountStore
	SubaccountStore
	BrandStore
	TokenStore
	UserStore
	InvitationStore
	PasskeyStore
	SessionStore
	AuditStore
	StatsStore
	OverviewStore
	FacetStore
	SeriesStore
	GroupStore
	URLStore
	TagStore
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
	BatchDeletionStore
	BatchLinkStore
	ExpiryStore
	UploadStore
	QueueEntryStore
	OverrunStore
	ScreenshotStore
	HostStore
	TurnStore
	BatchEndStore
	ComparisonStore
	ReviewStore
	ChangeVerdictStore
	CommentStore
	TraceStore
	GateStore
	LearnedNoiseStore
	NoiseProbeStore
	NodeStore
	EventStore
	DeliveryStore
	MailStore
	AllowanceStore
	Queue
}

// Queue takes the background work of a transaction, which starts only if and when the transaction commits. Captures,
// comparisons and imports are enqueued when their turn comes, see TurnStore.
type Queue interface {
	EnqueueCapture(ctx context.Context, jobs ...CaptureJob) error
	EnqueueCompare(ctx context.Context, jobs ...CompareJob) error
	EnqueueDeliver(ctx context.Context, jobs ...DeliverJob) error
	EnqueueImport(ctx context.Context, jobs ...ImportJob) error
	EnqueueMail(ctx context.Context, jobs ...MailJob) error
	// CancelJobs cancels the jobs of queue entries and imports, including running ones.
	CancelJobs(ctx context.Context, subjects ...ID) error
	// CompleteJob marks the job that ctx is working on as done in this transaction, so that its effect and its completion are
	// atomic. Outside a job it does nothing.
	CompleteJob(ctx context.Context) error
}

// CaptureJob requests the screenshot of a queue entry.
type CaptureJob struct {
	Account, Entry ID
	Region         Region
	Probe          bool   // its host rests for the account: it looks whether the host answers again
	Trace          string // traceparent of its run; empty for none
}

// CompareJob requests the comparison of a queue entry.
type CompareJob struct {
	Account, Entry ID
	Trace          string // traceparent of its run; empty for none
}

// DeliverJob requests an attempt at a delivery.
type DeliverJob struct {
	Account, Delivery ID
	At                time.Time // not before; zero means immediately
	Batch             ID        // that the delivery tells of; empty for none
	Trace             string    // traceparent of the batch's run; set by the store
}

// MailJob requests an attempt at a mail.
type MailJob struct {
	Account, Mail ID
	At            time.Time // not before; zero means immediately
}

// Sealer encrypts small secrets for storage. Opening fails for another purpose, or a key that the sealer does not have.
type Sealer interface {
	Seal(purpose, plain string) ([]byte, error)
	Open(purpose string, sealed []byte) (string, error)
	// Reseal encrypts a secret with the current key; it returns nil when it is already.
	Reseal(purpose string, sealed []byte) ([]byte, error)
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
