package vcd

import (
	"time"
)

// ConsumerMails turns events into mails.
const ConsumerMails Consumer = "mails"

// MailKind says what a mail is about.
type MailKind string

// The mail kinds.
const (
	MailDigest             MailKind = "digest"              // the changes found in a batch
	MailUpdateReport       MailKind = "update_report"       // the outcome of an automatic update, and what it changed
	MailWebhookDisabled    MailKind = "webhook_disabled"    // a webhook no longer gets requests
	MailAccountPaused      MailKind = "account_paused"      // nothing runs any more because the account was not used
	MailAccountReactivated MailKind = "account_reactivated" // it runs again
	MailChecksLow          MailKind = "checks_low"          // most of the period's checks are used up
	MailChecksExhausted    MailKind = "checks_exhausted"    // there are no checks left, or too few for a run
	MailStorageLow         MailKind = "storage_low"         // most of the account's storage is used
	MailStorageFull        MailKind = "storage_full"        // all of it is: no more runs start
	MailTokenCreated       MailKind = "token_created"       // a new API token was created
	MailSubaccountOpened   MailKind = "subaccount_opened"   // somebody opened a subaccount for the recipient
	MailInvitation         MailKind = "invitation"          // somebody invited the recipient to become a user of the account
	MailPasskeyAdded       MailKind = "passkey_added"       // the recipient, a user, has another passkey
	MailProviderConnected  MailKind = "provider_connected"  // the recipient, a user, can sign in with the OpenID provider
)

// MailsOfPeople are the kinds of mails that only those see who may see invitations.
func MailsOfPeople() []MailKind {
	return []MailKind{MailInvitation, MailPasskeyAdded, MailProviderConnected}
}

// MailState is the delivery state of a mail.
type MailState string

// The mail states.
const (
	MailPending MailState = "pending" // waiting for its first or another attempt
	MailSent    MailState = "sent"    // handed to the mail server
	MailFailed  MailState = "failed"  // refused, or given up
)

// Mail is one mail to one recipient.
type Mail struct {
	ID, Account   ID
	Kind          MailKind
	Recipient     string
	Number        int64  // of the event that caused it; 0 for a mail of people
	SubjectID     ID     // what it is about: a batch, a webhook, a token, an invitation, a user or the account
	Subject       string // this and the next two fields are empty before the first attempt
	Text, HTML    string
	State         MailState
	Problem       string // what went wrong with the last attempt; "" for nothing
	Attempts      int
	NextAttemptAt *time.Time
	SentAt        *time.Time
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// MailFilter filters a list of mails; nil fields match everything.
type MailFilter struct {
	Kinds    *[]MailKind
	States   *[]MailState
	BatchIDs *[]ID
	Hidden   []MailKind // left out, whatever the rest says
}
