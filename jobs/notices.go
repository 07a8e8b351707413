package jobs

import (
	"fmt"
	"strings"
	"time"

	"afterimage/internal/mail"
	"afterimage/vcd"
	"afterimage/vcd/outbound"
)

// noticeDay and noticeTime are the formats of days and times in mails about accounts.
const (
	noticeDay  = "2 January 2006"
	noticeTime = "2 January 2006 at 15:04 MST"
)

// notice is a notice to the owner of an account. Notices hold no secrets and no names that others can choose freely: such
// a name could make the mail look like an invitation to another site.
func (w *mailWorker) notice(task *outbound.MailTask, zone *time.Location) mail.Notice {
	a, at := task.Account, task.Mail.CreatedAt.In(zone).Format(noticeTime)
	n := mail.Notice{Action: "Open Afterimage", Link: w.config.BaseURL + "/"}
	used := fmt.Sprintf("The account %s has used %d of %s. The next period starts on %s.",
		a.Email, a.ChecksDone, vcd.Plural(a.ChecksLimit, "check"), a.RenewalAt.In(zone).Format(noticeDay))
	switch task.Mail.Kind {
	case vcd.MailAccountPaused:
		n.Subject = "Your account is paused"
		n.Paragraphs = []string{
			fmt.Sprintf("The account %s was paused on %s. Accounts are paused when they have not been used for a while.", a.Email, at),
			"No screenshots are taken until you reactivate it: POST /api/v2/account/reactivate, or reactivateAccount in GraphQL. " +
				"Everything captured so far is kept.",
		}
	case vcd.MailAccountReactivated:
		n.Subject = "Your account is active again"
		n.Paragraphs = []string{
			fmt.Sprintf("The account %s was reactivated on %s.", a.Email, at),
			"Monitoring has resumed. Runs missed during the pause are not repeated.",
		}
	case vcd.MailChecksLow:
		n.Subject = "80 % of your checks are used"
		n.Paragraphs = []string{used, "Once all are used, no screenshots are taken until the next period."}
	case vcd.MailChecksExhausted:
		n.Subject = "Not enough checks left"
		n.Paragraphs = []string{used,
			"Until the next period, runs that need more checks than are left will not start, unless the limit is raised."}
	case vcd.MailStorageLow, vcd.MailStorageFull:
		storageNotice(&n, task)
	case vcd.MailTokenCreated:
		n.Subject = "A new API token was created"
		n.Paragraphs = []string{
			fmt.Sprintf("On %s, an API token was created for the account %s: “%s”, which %s.", at, a.Email, task.Token.Name,
				expiry(task.Token, zone)),
			"If this was not you or someone you trust, revoke it immediately, along with the token used to create it.",
		}
	case vcd.MailSubaccountOpened:
		n.Subject = "You have an Afterimage account"
		n.Paragraphs = []string{
			fmt.Sprintf("%s created an account for %s on %s, with %s per month.", above(task), a.Email, at,
				vcd.Plural(a.ChecksLimit, "check")),
			"Sign in with the API token of the account. Ask them for the token, because our emails never contain tokens.",
		}
		n.Action, n.Link = "Sign in", w.config.BaseURL+"/signin/"
	case vcd.MailInvitation:
		w.invite(&n, task, zone)
	case vcd.MailPasskeyAdded:
		w.newSignIn(&n, "A passkey was added", fmt.Sprintf("On %s, a passkey was added to your user %s.", at, task.User.Email))
	case vcd.MailProviderConnected:
		w.newSignIn(&n, "A sign-in provider was connected",
			fmt.Sprintf("On %s, your user %s was connected to an account at the sign-in provider.", at, task.User.Email))
	}
	return n
}

// storageNotice tells what makes room. Limits are set by the operator.
func storageNotice(n *mail.Notice, task *outbound.MailTask) {
	a := task.Account
	n.Subject, n.Action = "80 % of your storage is used", "Open settings"
	n.Link += "settings/usage"
	said := "Once it is full, no runs start until space is available again."
	if task.Mail.Kind == vcd.MailStorageFull {
		n.Subject, said = "Your storage is full", "No runs start until space is available again."
	}
	n.Paragraphs = []string{
		fmt.Sprintf("The account %s stores screenshots up to a limit set by the operator. %s", a.Email, said),
		"To free space, delete runs or keep them for a shorter time.",
	}
}

// invite writes an invitation. Its secret is behind the #, which browsers send to no server.
func (w *mailWorker) invite(n *mail.Notice, task *outbound.MailTask, zone *time.Location) {
	i := task.Invitation
	n.Subject = "You are invited to Afterimage"
	n.Paragraphs = []string{
		fmt.Sprintf("The owner of the account %s invites %s to join as %s.", task.Account.Email, i.Email, duties[i.Role]),
		fmt.Sprintf("The link works once, until %s. Anyone who has it can use it, so do not forward this email.",
			i.ExpiresAt.In(zone).Format(noticeTime)),
	}
	n.Action, n.Link = "Accept invitation", w.config.BaseURL+"/people/join#"+task.Secret
}

// newSignIn tells a user that somebody, hopefully themselves, can sign in as them in another way.
func (w *mailWorker) newSignIn(n *mail.Notice, subject, what string) {
	n.Subject = subject
	n.Paragraphs = []string{what,
		"If this was not you, ask an owner of the account to remove your user, which ends all its sessions, and to invite you again."}
}

// duties say what a role means to those who get it.
var duties = map[vcd.Role]string{
	vcd.RoleOwner:    "an owner, who can do everything",
	vcd.RoleEditor:   "an editor, who can change groups, URLs and webhooks, start runs and review changes",
	vcd.RoleReviewer: "a reviewer, who can see everything and review changes",
	vcd.RoleViewer:   "a viewer, who can see everything",
}

func expiry(t *vcd.Token, zone *time.Location) string {
	if t.ExpiresAt == nil {
		return "does not expire"
	}
	return "expires on " + t.ExpiresAt.In(zone).Format(noticeTime)
}

// above names the account that opened a subaccount.
func above(task *outbound.MailTask) string {
	if task.Above == nil {
		return "Someone"
	}
	return task.Above.Email
}

func webhookNotice(h *vcd.Webhook, zone *time.Location) mail.WebhookDisabled {
	reason := "Every request of the last 5 days has failed."
	if h.DisabledReason == outbound.DisabledGone {
		reason = "The receiver responded with 410 Gone."
	}
	events := make([]string, len(h.Events))
	for i, event := range h.Events {
		events[i] = string(event)
	}
	notice := mail.WebhookDisabled{Address: h.URL, Event: strings.Join(events, ", "), Reason: reason, Since: h.UpdatedAt.In(zone)}
	if h.DisabledAt != nil {
		notice.Since = h.DisabledAt.In(zone)
	}
	return notice
}
