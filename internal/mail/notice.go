package mail

import (
	"fmt"
	"time"
)

// WebhookDisabled tells an owner that a webhook was disabled.
type WebhookDisabled struct {
	Address string // of the receiver
	Event   string
	Reason  string // a sentence
	Since   time.Time
	Link    string
}

var webhookForm = newForm("webhook")

// Letter composes it.
func (w WebhookDisabled) Letter() (Letter, error) {
	return webhookForm.compose(fmt.Sprintf("Webhook disabled: %s", w.Address), w)
}

// Notice informs an owner about the account.
type Notice struct {
	Subject    string
	Paragraphs []string
	Action     string // the label of the button; "" if none
	Link       string
}

var noticeForm = newForm("notice")

// Letter composes it.
func (n Notice) Letter() (Letter, error) { return noticeForm.compose(n.Subject, n) }
