package vcd

import "context"

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
