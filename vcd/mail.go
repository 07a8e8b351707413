package vcd

import (
	"context"
	"time"
)

// ConsumerMails turns events into mails.
const ConsumerMails Consumer = "mails"

// MailKind says what a mail is about.
type MailKind string

// The mail kinds.
const (
	MailDigest             MailKind = "digest"              // what changed in a batch
	MailUpdateReport       MailKind = "update_report"       // how an automatic update went, and what it changed
	MailWebhookDisabled    MailKind = "webhook_disabled"    // a webhook gets no more requests
	MailAccountPaused      MailKind = "account_paused"      // nothing runs any more because nobody used the account
	MailAccountReactivated MailKind = "account_reactivated" // it runs again
	MailChecksLow          MailKind = "checks_low"          // most of the period's checks are used up
	MailChecksExhausted    MailKind = "checks_exhausted"    // there are no checks left, or too few for a run
	MailTokenCreated       MailKind = "token_created"       // there is another API token
	MailSubaccountOpened   MailKind = "subaccount_opened"   // somebody opened a subaccount for the recipient
)

// MailState says how far a mail has come.
type MailState string

// The mail states.
const (
	MailPending MailState = "pending" // to be sent, perhaps once more
	MailSent    MailState = "sent"    // handed to the mail server
	MailFailed  MailState = "failed"  // refused, or given up
)

// Mail is one mail to one recipient.
type Mail struct {
	ID, Account   ID
	Kind          MailKind
	Recipient     string
	Number        int64  // of the event that it tells of
	SubjectID     ID     // what it is about: a batch, a webhook, a token or the account
	Subject       string // all three are empty before the first attempt
	Text, HTML    string
	State         MailState
	Problem       string // what was wrong with the last attempt; "" when nothing was
	Attempts      int
	NextAttemptAt *time.Time
	SentAt        *time.Time
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// MailFilter narrows a list of mails; nil fields do not narrow.
type MailFilter struct {
	Kinds    *[]MailKind
	States   *[]MailState
	BatchIDs *[]ID
}

// MailStore keeps mails.
type MailStore interface {
	Mail(ctx context.Context, id ID) (*Mail, error)
	LockMail(ctx context.Context, id ID) (*Mail, error)
	Mails(ctx context.Context, f MailFilter, p Page) (*List[*Mail], error)
	MailsByIDs(ctx context.Context, ids []ID) ([]*Mail, error)
	InsertMails(ctx context.Context, list []*Mail) error
	UpdateMail(ctx context.Context, m *Mail) error
}
