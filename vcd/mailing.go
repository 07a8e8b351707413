package vcd

import (
	"context"
	"slices"
	"strings"
	"time"
)

const (
	maxAlarmsRead = 2000 // of one batch; beyond that they are counted only
	maxAlarmsTold = 5    // of one group, one by one
)

// RelayMails turns new events of one account into mails, and tells whether there was an account with new events.
func (s *Service) RelayMails(ctx context.Context) (bool, error) {
	return s.Store.TakeBacklog(ctx, ConsumerMails, func(ctx context.Context, account ID, tx Tx, position int64) (int64, error) {
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

func (s *Service) mailsOf(ctx context.Context, tx Tx, account ID, e *Event) ([]*Mail, error) {
	switch e.Kind {
	case EventBatchFinished:
		digest, err := digestOf(ctx, tx, e.SubjectID)
		if err != nil {
			return nil, err
		}
		return s.newMails(account, e, MailDigest, digest.recipients()), nil
	case EventWebhookDisabled:
		owner, err := tx.Account(ctx)
		if err != nil {
			return nil, err
		}
		return s.newMails(account, e, MailWebhookDisabled, []string{owner.Email}), nil
	}
	return nil, nil
}

func (s *Service) newMails(account ID, e *Event, kind MailKind, recipients []string) []*Mail {
	now := s.Clock.Now()
	mails := make([]*Mail, len(recipients))
	for i, recipient := range recipients {
		mails[i] = &Mail{
			ID: s.IDs.NewID(), Account: account, Kind: kind, Recipient: recipient, Number: e.Number, SubjectID: e.SubjectID, State: MailPending,
			NextAttemptAt: &now, CreatedAt: now, UpdatedAt: now,
		}
	}
	return mails
}

func (s *Service) startMails(ctx context.Context, tx Tx, mails []*Mail) error {
	if len(mails) == 0 {
		return nil
	}
	if err := tx.InsertMails(ctx, mails); err != nil {
		return err
	}
	jobs := make([]MailJob, len(mails))
	for i, m := range mails {
		jobs[i] = MailJob{Account: m.Account, Mail: m.ID}
	}
	return tx.EnqueueMail(ctx, jobs...)
}

// BatchDigest is what a finished batch has to tell its recipients.
type BatchDigest struct {
	Batch  *Batch
	Groups []GroupDigest
}

// GroupDigest is what one of its groups has to tell. Of its alarms, the largest differences come first.
type GroupDigest struct {
	Group   *Group
	Checked int // comparisons
	Failed  int // screenshots
	Alarms  []*Comparison
	More    int // alarms beyond those
}

// worthTelling tells whether somebody is to be woken: something changed, or a monitored page could not be captured. Those
// who run manual checks look at failures themselves.
func (d *BatchDigest) worthTelling(g GroupDigest) bool {
	return len(g.Alarms) > 0 || g.Failed > 0 && d.Batch.Source == SourceMonitoring
}

// recipients are those of the groups that have something to tell. A batch around automatic updates is told by its result
// mail instead.
func (d *BatchDigest) recipients() []string {
	if d.Batch.Source == SourceAutoUpdate {
		return nil
	}
	var all []string
	for _, g := range d.Groups {
		if d.worthTelling(g) {
			all = append(all, g.Group.AlertEmails...)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return slices.CompactFunc(all, strings.EqualFold)
}

// For is what one recipient is told: all groups of the batch that name the address.
func (d *BatchDigest) For(recipient string) []GroupDigest {
	var own []GroupDigest
	for _, g := range d.Groups {
		if slices.ContainsFunc(g.Group.AlertEmails, func(email string) bool { return strings.EqualFold(email, recipient) }) {
			own = append(own, g)
		}
	}
	return own
}

func digestOf(ctx context.Context, tx Tx, batch ID) (*BatchDigest, error) {
	b, err := tx.Batch(ctx, batch)
	if err != nil {
		return nil, err
	}
	groups, err := tx.GroupsByIDs(ctx, b.GroupIDs)
	if err != nil {
		return nil, err
	}
	only := &[]ID{batch}
	alarms, err := tx.Comparisons(ctx, ComparisonFilter{BatchIDs: only, Statuses: &[]ComparisonStatus{ComparisonNew}, Order: OrderDifferencePercent},
		Page{Number: 1, Size: maxAlarmsRead}, false)
	if err != nil {
		return nil, err
	}
	ends, err := tx.CountEnds(ctx, batch)
	if err != nil {
		return nil, err
	}
	d := &BatchDigest{Batch: b}
	for _, g := range groups {
		told := GroupDigest{Group: g, Checked: ends[g.ID].Compared, Failed: ends[g.ID].Failed}
		for _, c := range alarms.Items {
			switch {
			case c.GroupID != g.ID:
			case len(told.Alarms) < maxAlarmsTold:
				told.Alarms = append(told.Alarms, c)
			default:
				told.More++
			}
		}
		d.Groups = append(d.Groups, told)
	}
	return d, nil
}

// GroupEnds is how the entries of a group ended in a batch.
type GroupEnds struct {
	Compared, Failed int // comparisons made, screenshots failed
}

// MailTask is a mail to be composed and sent.
type MailTask struct {
	Mail    *Mail
	Account *Account
	Digest  *BatchDigest // of a MailDigest
	Webhook *Webhook     // of a MailWebhookDisabled
}

// BeginMail prepares the attempt that is due. It returns nil when there is none to be made; then the job is complete.
func (s *Service) BeginMail(ctx context.Context, actor Actor, id ID) (*MailTask, error) {
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*MailTask, error) {
		m, err := tx.LockMail(ctx, id)
		switch {
		case CodeOf(err) == CodeNotFound, err == nil && m.State != MailPending:
			return nil, tx.CompleteJob(ctx)
		case err != nil:
			return nil, err
		}
		task := &MailTask{Mail: m}
		if task.Account, err = tx.Account(ctx); err != nil {
			return nil, err
		}
		switch m.Kind {
		case MailDigest:
			task.Digest, err = digestOf(ctx, tx, m.SubjectID)
		case MailWebhookDisabled:
			task.Webhook, err = tx.Webhook(ctx, m.SubjectID)
		}
		if CodeOf(err) == CodeNotFound { // what it is about has gone meanwhile
			m.State, m.Problem, m.NextAttemptAt, m.UpdatedAt = MailFailed, "What it was to tell of has been deleted.", nil, s.Clock.Now()
			if err := tx.UpdateMail(ctx, m); err != nil {
				return nil, err
			}
			return nil, tx.CompleteJob(ctx)
		}
		return task, err
	})
}

// MailResult is what came of an attempt. The letter is kept with the mail.
type MailResult struct {
	Subject, Text, HTML string
	Problem             string // "" when it was sent
	Permanent           bool   // trying again is of no use
}

// mailPauses stand between the attempts at a mail.
var mailPauses = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

// FinishMail writes an attempt down, asks for another one where that may help, and completes the job.
func (s *Service) FinishMail(ctx context.Context, actor Actor, id ID, r MailResult) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		m, err := tx.LockMail(ctx, id)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		m.Attempts++
		m.Subject, m.Text, m.HTML, m.Problem, m.NextAttemptAt, m.UpdatedAt = r.Subject, r.Text, r.HTML, r.Problem, nil, now
		switch {
		case r.Problem == "":
			m.State, m.SentAt = MailSent, &now
		case r.Permanent, m.Attempts > len(mailPauses):
			m.State = MailFailed
		default:
			next := now.Add(mailPauses[m.Attempts-1])
			m.NextAttemptAt = &next
			if err := tx.EnqueueMail(ctx, MailJob{Account: m.Account, Mail: m.ID, At: next}); err != nil {
				return err
			}
		}
		if err := tx.UpdateMail(ctx, m); err != nil {
			return err
		}
		return tx.CompleteJob(ctx)
	})
}
