package vcd

import (
	"context"
	"time"
)

// Store is the persistent storage of a room. A function passed to it runs in one transaction bound to the actor's account: rows of
// other accounts can be neither read nor written. When the function returns an error, the transaction is rolled back and the
// error is returned unchanged. A store that cannot reach its database returns CodeUnavailable within a second. Each room declares
// what it needs of a transaction as Tx.
type Store[Tx any] interface {
	// InTx runs do in a read-write transaction (read committed).
	InTx(ctx context.Context, actor Actor, do func(ctx context.Context, tx Tx) error) error
	// Read runs do on one consistent snapshot and rejects writes.
	Read(ctx context.Context, actor Actor, do func(ctx context.Context, tx Tx) error) error
}

// Queue takes the background work of a transaction, which starts only if and when the transaction commits. Captures,
// comparisons and imports are enqueued when their turn comes, see run.Tx.
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
func Read[T, Tx any](
	ctx context.Context, store Store[Tx], actor Actor, do func(ctx context.Context, tx Tx) (T, error),
) (out T, err error) {
	err = store.Read(ctx, actor, func(ctx context.Context, tx Tx) (err error) {
		out, err = do(ctx, tx)
		return err
	})
	return out, err
}

// Write runs a change in a transaction of the actor and returns its result.
func Write[T, Tx any](
	ctx context.Context, store Store[Tx], actor Actor, do func(ctx context.Context, tx Tx) (T, error),
) (out T, err error) {
	err = store.InTx(ctx, actor, func(ctx context.Context, tx Tx) (err error) {
		out, err = do(ctx, tx)
		return err
	})
	return out, err
}

// Sealed is the closed set of places where sealed secrets are stored.
type Sealed string

// The places.
const (
	SealedProbes                 Sealed = "probe"
	SealedWebhookSecrets         Sealed = "webhook secret"
	SealedPreviousWebhookSecrets Sealed = "previous webhook secret"
	SealedMagicLogins            Sealed = "login link secret"
	SealedPasswords              Sealed = "password of a group"
	SealedBatchLinks             Sealed = "public link of a run"
	SealedSignIns                Sealed = "sign-in in progress"
	SealedFlowSecrets            Sealed = "secrets of a flow"
	SealedTrialSecrets           Sealed = "secrets of a trial of a flow"
	SealedPageSessions           Sealed = "session of pages"
)
