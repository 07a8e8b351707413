package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"afterimage/internal/figures"
	"afterimage/internal/mail"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/outbound"
)

const (
	mailWorkers = 4
	mailTimeout = 2 * time.Minute
)

// MailConfig configures how mails are sent.
type MailConfig struct {
	Transport mail.Transport
	From      string // "Afterimage <alerts@example.com>"
	BaseURL   string // base URL of the service for clients: the links in mails begin with it
}

// mailWorker composes and sends mails.
type mailWorker struct {
	river.WorkerDefaults[mailArgs]
	service  *app.Service
	config   MailConfig
	pictures pictures
	figures  *figures.Figures
	logger   *slog.Logger
}

func (w *mailWorker) Timeout(*river.Job[mailArgs]) time.Duration { return mailTimeout }

func (w *mailWorker) Work(ctx context.Context, job *river.Job[mailArgs]) error {
	ctx = withCompletion(ctx, job)
	actor := vcd.Actor{Account: job.Args.Account}
	task, err := w.service.Outbound.BeginMail(ctx, actor, job.Args.Mail)
	if err != nil || task == nil {
		return err
	}
	letter, err := w.compose(ctx, task)
	if err != nil {
		return fmt.Errorf("compose mail %s: %w", task.Mail.ID, err)
	}
	envelope := mail.Envelope{From: w.config.From, To: task.Mail.Recipient, ID: string(task.Mail.ID), At: task.Mail.CreatedAt}
	sent := w.config.Transport.Send(ctx, envelope, letter)
	if ctx.Err() != nil {
		return context.Cause(ctx) // this process is stopping: another one restarts the attempt
	}
	// Everybody who may read the account may read its mails, but not use the link of an invitation.
	result := outbound.MailResult{
		Subject: letter.Subject, Text: redacted(letter.Text, task.Secret), HTML: redacted(letter.HTML, task.Secret),
	}
	result.Problem, result.Permanent = problemOf(sent)
	if sent != nil {
		w.logger.WarnContext(ctx, "mail not sent", "account", actor.Account, "mail", task.Mail.ID, "cause", sent)
	}
	if err := w.service.Outbound.FinishMail(ctx, actor, task.Mail.ID, result); err != nil {
		return err
	}
	w.tell(ctx, task.Mail, sent)
	return nil
}

// tell counts and logs an attempt.
func (w *mailWorker) tell(ctx context.Context, m *vcd.Mail, sent error) {
	var refusal *mail.Refusal
	switch {
	case sent == nil:
		w.figures.Mailed("sent")
		w.logger.InfoContext(ctx, "mail sent", "account", m.Account, "mail", m.ID, "kind", m.Kind)
	case errors.As(sent, &refusal):
		w.figures.Mailed(figures.Refused)
	default:
		w.figures.Mailed(figures.Failed)
	}
}

// redacted is a text without the secret in it, if there is one.
func redacted(text, secret string) string {
	if secret == "" {
		return text
	}
	return strings.ReplaceAll(text, secret, "…")
}

// problemOf says why a mail was not sent. It includes what a server said about the recipient; problems on our side, on
// the way to the server, go to the log.
func problemOf(err error) (sentence string, permanent bool) {
	var refusal *mail.Refusal
	switch {
	case err == nil:
		return "", false
	case errors.As(err, &refusal):
		return "The mail server rejected it: " + refusal.Said, refusal.Permanent
	}
	return "The mail server could not be reached or did not accept it.", false
}

func (w *mailWorker) compose(ctx context.Context, task *outbound.MailTask) (mail.Letter, error) {
	zone := task.Account.Zone()
	switch task.Mail.Kind {
	case vcd.MailDigest:
		return w.digest(ctx, task, zone).Letter()
	case vcd.MailUpdateReport:
		return w.updateReport(ctx, task, zone).Letter()
	case vcd.MailWebhookDisabled:
		return webhookNotice(task.Webhook, zone).Letter()
	case vcd.MailAccountPaused, vcd.MailAccountReactivated, vcd.MailChecksLow, vcd.MailChecksExhausted, vcd.MailStorageLow,
		vcd.MailStorageFull, vcd.MailTokenCreated,
		vcd.MailSubaccountOpened, vcd.MailInvitation, vcd.MailPasskeyAdded, vcd.MailProviderConnected:
		return w.notice(task, zone).Letter()
	}
	return mail.Letter{}, fmt.Errorf("there is no template for a mail of kind %q", task.Mail.Kind)
}
