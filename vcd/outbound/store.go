package outbound

import (
	"context"
	"time"

	"afterimage/vcd"
)

// Store keeps what is sent. Besides transactions of an account it answers what concerns all accounts.
type Store interface {
	Backlog[Tx]
	// Mails runs transactions on the mails of an account.
	Mails() Backlog[MailTx]

	// DueCalls lists up to limit webhooks that are due, one of each account first.
	DueCalls(ctx context.Context, now time.Time, limit int) ([]vcd.DueCall, error)

	// PassBacklog moves the position of a consumer past unread events in many accounts at once, where none of them is of the
	// given kinds. Without kinds it does so in accounts without webhooks.
	PassBacklog(ctx context.Context, c vcd.Consumer, kinds []vcd.EventKind) error
}

// Backlog runs transactions, also those in which a consumer reads new events.
type Backlog[T any] interface {
	vcd.Store[T]

	// TakeBacklog runs do in a transaction bound to an account with events beyond the consumer's position, and keeps other
	// processes of the same consumer away from it meanwhile. The position advances to what do returns; if do fails, the
	// account is postponed so that others get their turn. It returns false when no account has new events.
	TakeBacklog(
		ctx context.Context, c vcd.Consumer, do func(ctx context.Context, account vcd.ID, tx T, position int64) (int64, error),
	) (bool, error)
}

// Tx is what a use case about events, webhooks and deliveries can do within a transaction. Methods that look up a single thing
// return a CodeNotFound error when the actor's account has no such thing.
type Tx interface {
	accountReader
	accountStore
	overviewStore
	reachStore
	webhookReader
	webhookStore
	eventReader
	eventStore
	deliveryStore
	deliveryQueue
	jobStore
}

// MailTx is what a use case about mails can do within a transaction.
type MailTx interface {
	accountReader
	addresseeStore
	webhookReader
	digestStore
	eventReader
	mailStore
	allowanceStore
	mailQueue
	jobStore
}

// accountReader reads the actor's own account.
type accountReader interface {
	Account(ctx context.Context) (*vcd.Account, error)
}

// accountStore changes the actor's own account.
type accountStore interface {
	// LockAccount reads the account for a change and blocks other changes until the transaction ends. Acquire this lock last:
	// every transaction needs it at its end.
	LockAccount(ctx context.Context) (*vcd.Account, error)
	UpdateAccount(ctx context.Context, a *vcd.Account) error // all but its id, its state and what is counted of it
}

// addresseeStore reads whom and what the mails to people are about. Removed users are not found.
type addresseeStore interface {
	Token(ctx context.Context, id vcd.ID) (*vcd.Token, error)
	User(ctx context.Context, id vcd.ID) (*vcd.User, error)
	LockInvitation(ctx context.Context, id vcd.ID) (*vcd.Invitation, error)
	UpdateInvitation(ctx context.Context, i *vcd.Invitation) error // all but address, role and inviter
}

// overviewStore tells how things stand.
type overviewStore interface {
	Batches(ctx context.Context, f vcd.BatchFilter, p vcd.Page) (*vcd.List[*vcd.Batch], error)
	// CountOpenAlarms counts the comparisons to be reviewed of these groups, or of all. Those of deleted groups do not count.
	CountOpenAlarms(ctx context.Context, groups *[]vcd.ID) (int, error)
}

// reachStore finds the groups and websites that events belong to, for readers who want only those of some of them.
type reachStore interface {
	Groups(ctx context.Context, f vcd.GroupFilter, p vcd.Page) (*vcd.List[*vcd.Group], error) // without deleted ones
	WebsitesByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Website, error)
	BatchesByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Batch, error)
	ComparisonsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Comparison, error)
	QueueEntriesByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.QueueEntry, error)
	FlowRunsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.FlowRun, error)
}

// webhookReader reads a webhook.
type webhookReader interface {
	Webhook(ctx context.Context, id vcd.ID) (*vcd.Webhook, error)
}

// webhookStore keeps webhooks.
type webhookStore interface {
	LockWebhook(ctx context.Context, id vcd.ID) (*vcd.Webhook, error)
	Webhooks(ctx context.Context, f vcd.WebhookFilter, p vcd.Page) (*vcd.List[*vcd.Webhook], error)
	WebhooksByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Webhook, error)
	CountWebhooks(ctx context.Context) (int, error)
	InsertWebhook(ctx context.Context, w *vcd.Webhook) error
	UpdateWebhook(ctx context.Context, w *vcd.Webhook) error
	DeleteWebhook(ctx context.Context, id vcd.ID) error
}

// digestStore reads what a mail tells of a finished batch.
type digestStore interface {
	Batch(ctx context.Context, id vcd.ID) (*vcd.Batch, error)
	GroupsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Group, error) // also deleted ones
	// WebsitesOfGroups finds the websites of the groups, by group; groups without one are left out.
	WebsitesOfGroups(ctx context.Context, groups []vcd.ID) (map[vcd.ID]*vcd.Website, error)
	// Comparisons also counts those above their threshold over the whole filtered list if count is set.
	Comparisons(ctx context.Context, f vcd.ComparisonFilter, p vcd.Page, count bool) (*vcd.ComparisonList, error)
	// CountEnds counts how the entries of each group ended.
	CountEnds(ctx context.Context, batch vcd.ID) (map[vcd.ID]vcd.GroupEnds, error)
	// QueueEntries also counts by state over the whole filtered list if figures is set.
	QueueEntries(ctx context.Context, f vcd.QueueFilter, p vcd.Page, figures bool) (*vcd.QueueList, error)
	// FailedFlowRuns are the runs of batches that failed, the oldest first.
	FailedFlowRuns(ctx context.Context, batches []vcd.ID) ([]*vcd.FlowRun, error)
	tracedPages
}

// tracedPages reads the traces of changed pages. Comparisons are stored with theirs.
type tracedPages interface {
	// TracedPagesOfBatches reads up to most comparisons of each batch, changed ones first.
	TracedPagesOfBatches(ctx context.Context, batches []vcd.ID, most int) (map[vcd.ID][]*vcd.TracedPage, error)
}

// eventReader reads the account's outbox.
type eventReader interface {
	// EventsAfter lists events with a number above after, oldest first; with batch, only those of that batch. It fails with
	// EventsRemoved when some of them have been removed, unless after is 0, which starts at the oldest event kept, and with
	// EventsToCome when after is above the number of the newest event.
	EventsAfter(ctx context.Context, after int64, batch *vcd.ID, limit int) ([]*vcd.Event, error)
}

// eventStore is the account's outbox.
type eventStore interface {
	// AppendEvents numbers the events and stores them when the transaction commits. Numbers are assigned under a lock that is
	// taken last and held until the commit, so that events become visible in order.
	AppendEvents(ctx context.Context, events ...*vcd.Event) error
	// LastEvent is the number of the newest event, 0 before the first.
	LastEvent(ctx context.Context) (int64, error)
}

// deliveryStore keeps deliveries and their attempts.
type deliveryStore interface {
	Delivery(ctx context.Context, id vcd.ID) (*vcd.Delivery, error)
	LockDelivery(ctx context.Context, id vcd.ID) (*vcd.Delivery, error)
	// LockDeliveries locks up to limit of the oldest matching deliveries that have ended.
	LockDeliveries(ctx context.Context, f vcd.DeliveryFilter, limit int) ([]*vcd.Delivery, error)
	Deliveries(ctx context.Context, f vcd.DeliveryFilter, p vcd.Page) (*vcd.List[*vcd.Delivery], error)
	DeliveriesByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Delivery, error)
	InsertDeliveries(ctx context.Context, list []*vcd.Delivery) error
	UpdateDelivery(ctx context.Context, d *vcd.Delivery) error // all but the body
	// KeepDeliveryBody stores the body unless one is stored already, and returns the stored one.
	KeepDeliveryBody(ctx context.Context, id vcd.ID, body []byte) ([]byte, error)
	InsertDeliveryAttempt(ctx context.Context, a *vcd.DeliveryAttempt) error
	// DeliveryAttempts lists up to limit of the newest attempts of each delivery, oldest first.
	DeliveryAttempts(ctx context.Context, deliveries []vcd.ID, limit int) (map[vcd.ID][]*vcd.DeliveryAttempt, error)
}

// mailStore keeps mails.
type mailStore interface {
	Mail(ctx context.Context, id vcd.ID) (*vcd.Mail, error)
	LockMail(ctx context.Context, id vcd.ID) (*vcd.Mail, error)
	Mails(ctx context.Context, f vcd.MailFilter, p vcd.Page) (*vcd.List[*vcd.Mail], error)
	MailsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Mail, error)
	InsertMails(ctx context.Context, list []*vcd.Mail) error
	UpdateMail(ctx context.Context, m *vcd.Mail) error
}

// allowanceStore counts across all processes.
type allowanceStore interface {
	// Spend takes one point from each allowance, or none when any of them is empty; it then returns the wait until each has
	// one. A point comes back after AllowancePeriod/Size. A spend is kept only if the transaction commits.
	Spend(ctx context.Context, now time.Time, allowances ...vcd.Allowance) (wait time.Duration, err error)
}

// deliveryQueue takes attempts at deliveries, which start only if and when the transaction commits.
type deliveryQueue interface {
	EnqueueDeliver(ctx context.Context, jobs ...vcd.DeliverJob) error
}

// mailQueue takes attempts at mails, which start only if and when the transaction commits.
type mailQueue interface {
	EnqueueMail(ctx context.Context, jobs ...vcd.MailJob) error
}

// jobStore ends background work.
type jobStore interface {
	// CompleteJob marks the job that ctx is working on as done in this transaction, so that its effect and its completion are
	// atomic. Outside a job it does nothing.
	CompleteJob(ctx context.Context) error
}
