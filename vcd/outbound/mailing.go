package outbound

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/culprit"
)

// RelayMails turns new events of one account into mails, and reports whether any account had new events.
func (s *Service) RelayMails(ctx context.Context) (bool, error) {
	if err := s.store.PassBacklog(ctx, vcd.ConsumerMails, mailed); err != nil {
		return false, err
	}
	return s.store.Mails().TakeBacklog(ctx, vcd.ConsumerMails, func(ctx context.Context, account vcd.ID, tx MailTx,
		position int64) (int64, error) {
		events, err := tx.EventsAfter(ctx, position, nil, eventPage)
		if err != nil || len(events) == 0 {
			return position, err
		}
		for _, e := range events {
			mails, err := s.mailsOf(ctx, tx, account, e)
			if err != nil {
				return position, err
			}
			if err := s.startMails(ctx, tx, mails); err != nil {
				return position, err
			}
		}
		return events[len(events)-1].Number, nil
	})
}

// mailsOf returns the mails for an event, one per recipient.
func (s *Service) mailsOf(ctx context.Context, tx MailTx, account vcd.ID, e *vcd.Event) ([]*vcd.Mail, error) {
	kind, ok := mailsByEvent[e.Kind]
	if !ok {
		return nil, nil
	}
	recipients, err := recipientsOf(ctx, tx, e, kind)
	if vcd.CodeOf(err) == vcd.CodeNotFound { // no mail about deleted things
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.newMails(account, e, kind, recipients), nil
}

// mailsByEvent maps events to the mails about them. All but the first two go to the account's owner.
var mailsByEvent = map[vcd.EventKind]vcd.MailKind{
	vcd.EventBatchFinished:      vcd.MailDigest,
	vcd.EventUpdateReportDue:    vcd.MailUpdateReport,
	vcd.EventWebhookDisabled:    vcd.MailWebhookDisabled,
	vcd.EventAccountPaused:      vcd.MailAccountPaused,
	vcd.EventAccountReactivated: vcd.MailAccountReactivated,
	vcd.EventChecksLow:          vcd.MailChecksLow,
	vcd.EventChecksExhausted:    vcd.MailChecksExhausted,
	vcd.EventStorageLow:         vcd.MailStorageLow,
	vcd.EventStorageFull:        vcd.MailStorageFull,
	vcd.EventTokenCreated:       vcd.MailTokenCreated,
	vcd.EventSubaccountOpened:   vcd.MailSubaccountOpened,
}

// mailed are the kinds of events with mails about them.
var mailed = slices.Sorted(maps.Keys(mailsByEvent))

func recipientsOf(ctx context.Context, tx MailTx, e *vcd.Event, kind vcd.MailKind) ([]string, error) {
	if kind == vcd.MailDigest || kind == vcd.MailUpdateReport {
		digest, err := digestOf(ctx, tx, e.SubjectID)
		if err != nil {
			return nil, err
		}
		return digest.recipients(kind), nil
	}
	owner, err := tx.Account(ctx)
	if err != nil {
		return nil, err
	}
	if owner.Email == "" {
		return nil, nil
	}
	return []string{owner.Email}, nil
}

func (s *Service) newMails(account vcd.ID, e *vcd.Event, kind vcd.MailKind, recipients []string) []*vcd.Mail {
	now := s.clock.Now()
	mails := make([]*vcd.Mail, len(recipients))
	for i, recipient := range recipients {
		mails[i] = &vcd.Mail{
			ID: s.ids.NewID(), Account: account, Kind: kind, Recipient: recipient, Number: e.Number, SubjectID: e.SubjectID,
			State:         vcd.MailPending,
			NextAttemptAt: &now, CreatedAt: now, UpdatedAt: now,
		}
	}
	return mails
}

func (s *Service) startMails(ctx context.Context, tx MailTx, mails []*vcd.Mail) error {
	if len(mails) == 0 {
		return nil
	}
	if err := tx.InsertMails(ctx, mails); err != nil {
		return err
	}
	jobs := make([]vcd.MailJob, len(mails))
	for i, m := range mails {
		jobs[i] = vcd.MailJob{Account: m.Account, Mail: m.ID}
	}
	return tx.EnqueueMail(ctx, jobs...)
}

// MailTask is a mail to compose and send.
type MailTask struct {
	Mail    *vcd.Mail
	Account *vcd.Account
	Digest  *BatchDigest // of a MailDigest and a MailUpdateReport
	// Culprits are the updates that most likely caused what changed; of a MailUpdateReport.
	Culprits []*culprit.Culprit
	Webhook  *vcd.Webhook // of a MailWebhookDisabled
	Token    *vcd.Token   // of a MailTokenCreated
	Above    *vcd.Account // of a MailSubaccountOpened: the parent account

	Invitation *vcd.Invitation // of a MailInvitation
	Secret     string          // of the link in it; kept nowhere else
	User       *vcd.User       // of a MailPasskeyAdded and a MailProviderConnected
}

// BeginMail prepares the attempt that is due. When none is to be made now, it completes the job and returns nil.
func (s *Service) BeginMail(ctx context.Context, actor vcd.Actor, id vcd.ID) (*MailTask, error) {
	task, err := vcd.Write(ctx, s.store.Mails(), actor, func(ctx context.Context, tx MailTx) (*MailTask, error) {
		m, err := tx.LockMail(ctx, id)
		switch {
		case vcd.CodeOf(err) == vcd.CodeNotFound, err == nil && m.State != vcd.MailPending:
			return nil, tx.CompleteJob(ctx)
		case err != nil:
			return nil, err
		}
		task := &MailTask{Mail: m}
		err = task.read(ctx, tx)
		switch {
		case vcd.CodeOf(err) == vcd.CodeNotFound:
			return nil, s.dropMail(ctx, tx, m, "What the email was about has been deleted.")
		case err != nil:
			return nil, err
		case task.Digest != nil && len(task.Digest.For(m.Recipient)) == 0:
			return nil, s.dropMail(ctx, tx, m, "The recipient has been removed from the settings.")
		case task.Invitation != nil && task.Invitation.State(s.clock.Now()) != vcd.InvitationPending:
			return nil, s.dropMail(ctx, tx, m, "The invitation is no longer pending.")
		}
		wait, err := s.spendMail(ctx, tx, task)
		switch {
		case err != nil:
			return nil, err
		case wait > 0:
			return nil, s.holdMail(ctx, tx, m, wait)
		}
		return task, task.makeLink(ctx, tx)
	})
	if err == nil && task != nil && task.Mail.Kind == vcd.MailSubaccountOpened && task.Account.Parent != nil {
		// A subaccount cannot read its parent account.
		above := vcd.Actor{Account: *task.Account.Parent}
		task.Above, err = vcd.Read(ctx, s.store.Mails(), above, func(ctx context.Context, tx MailTx) (*vcd.Account,
			error) {
			return tx.Account(ctx)
		})
	}
	return task, err
}

// read loads what the mail is about. A deleted subject is CodeNotFound.
func (task *MailTask) read(ctx context.Context, tx MailTx) (err error) {
	if task.Account, err = tx.Account(ctx); err != nil {
		return err
	}
	switch m := task.Mail; m.Kind {
	case vcd.MailDigest, vcd.MailUpdateReport:
		if task.Digest, err = digestOf(ctx, tx, m.SubjectID); err == nil && m.Kind == vcd.MailUpdateReport {
			task.Culprits, err = culpritsOfBatch(ctx, tx, task.Digest.Batch)
		}
	case vcd.MailWebhookDisabled:
		task.Webhook, err = tx.Webhook(ctx, m.SubjectID)
	case vcd.MailTokenCreated:
		task.Token, err = tx.Token(ctx, m.SubjectID)
	case vcd.MailInvitation:
		task.Invitation, err = tx.LockInvitation(ctx, m.SubjectID)
	case vcd.MailPasskeyAdded, vcd.MailProviderConnected:
		task.User, err = tx.User(ctx, m.SubjectID)
	}
	return err
}

// makeLink gives an invitation the secret of its link, which replaces that of an earlier mail.
func (task *MailTask) makeLink(ctx context.Context, tx MailTx) error {
	if task.Invitation == nil {
		return nil
	}
	task.Secret = vcd.RandomText()
	hash := sha256.Sum256([]byte(task.Secret))
	task.Invitation.Hash = hash[:]
	return tx.UpdateInvitation(ctx, task.Invitation)
}

// dropMail gives up a mail whose reason no longer exists, and completes its job.
func (s *Service) dropMail(ctx context.Context, tx MailTx, m *vcd.Mail, why string) error {
	m.State, m.Problem, m.NextAttemptAt, m.UpdatedAt = vcd.MailFailed, why, nil, s.clock.Now()
	if err := tx.UpdateMail(ctx, m); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}

// MailResult is the outcome of an attempt. The composed text is stored with the mail.
type MailResult struct {
	Subject, Text, HTML string
	Problem             string // "" when it was sent
	Permanent           bool   // retrying is pointless
}

// mailPauses are the pauses between attempts at a mail.
var mailPauses = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour,
	12 * time.Hour, 24 * time.Hour}

// FinishMail records an attempt, schedules another one unless that is pointless, and completes the job.
func (s *Service) FinishMail(ctx context.Context, actor vcd.Actor, id vcd.ID, r MailResult) error {
	return s.store.Mails().InTx(ctx, actor, func(ctx context.Context, tx MailTx) error {
		m, err := tx.LockMail(ctx, id)
		if err != nil {
			return err
		}
		now := s.clock.Now()
		m.Attempts++
		m.Subject, m.Text, m.HTML, m.Problem, m.NextAttemptAt, m.UpdatedAt = r.Subject, r.Text, r.HTML, r.Problem, nil, now
		switch {
		case r.Problem == "":
			m.State, m.SentAt = vcd.MailSent, &now
		case r.Permanent, m.Attempts > len(mailPauses):
			m.State = vcd.MailFailed
		default:
			next := now.Add(mailPauses[m.Attempts-1])
			m.NextAttemptAt = &next
			if err := tx.EnqueueMail(ctx, vcd.MailJob{Account: m.Account, Mail: m.ID, At: next}); err != nil {
				return err
			}
		}
		if err := tx.UpdateMail(ctx, m); err != nil {
			return err
		}
		return tx.CompleteJob(ctx)
	})
}
