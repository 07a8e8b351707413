package vcd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// AllowancePeriod is what allowances are given for.
const AllowancePeriod = time.Hour

// Allowance is how often something may be done in AllowancePeriod: all at once, or spread.
type Allowance struct {
	Key  string // what is done, and by or to whom
	Size int    // how often; more than 0
}

// AllowanceStore counts for all processes together.
type AllowanceStore interface {
	// Spend takes a point from each allowance, or none when one of them has none; then it tells how long it takes until all have
	// one. A point comes back after AllowancePeriod/Size. What was spent is kept only if the transaction is.
	Spend(ctx context.Context, now time.Time, allowances ...Allowance) (wait time.Duration, err error)
}

// OldAllowanceStore removes what says nothing any more.
type OldAllowanceStore interface {
	// RemoveAllowances removes up to limit allowances that were not used since a time and tells how many.
	RemoveAllowances(ctx context.Context, before time.Time, limit int) (int, error)
}

// Frequencies bound how often an account may do what concerns others, in an hour; 0 for any number.
type Frequencies struct {
	Subaccounts      int // that a full account opens
	MailsPerAccount  int // to addresses that are not that of the account's own, from a full account with its subaccounts
	MailsPerReceiver int // to such an address, from all accounts
}

// RateLimited is the answer to who does something too often.
func RateLimited(sentence string, wait time.Duration) error {
	return &Error{Code: CodeRateLimited, Message: sentence + " Try again in " + inWords(wait) + ".", RetryAfter: wait}
}

func inWords(wait time.Duration) string {
	if seconds := wholeSeconds(wait); seconds < 120 {
		return fmt.Sprintf("%d seconds", seconds)
	}
	return fmt.Sprintf("%d minutes", int((wait+time.Minute-1)/time.Minute))
}

func wholeSeconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }

// spendSubaccount takes one of the subaccounts that an account may open.
func (s *Service) spendSubaccount(ctx context.Context, owner *Account) error {
	most := s.Frequencies.Subaccounts
	if most == 0 {
		return nil
	}
	return s.Store.InTx(ctx, Actor{Account: owner.ID}, func(ctx context.Context, tx Tx) error {
		wait, err := tx.Spend(ctx, s.Clock.Now(), Allowance{Key: "subaccounts of " + string(owner.ID), Size: most})
		if err != nil || wait == 0 {
			return err
		}
		return RateLimited(fmt.Sprintf("An account may open %d subaccounts an hour.", most), wait)
	})
}

// spendMail takes one of the mails that may be sent to somebody who never asked for them: the addresses of subaccounts and those in settings are
// not confirmed by whoever reads there. The address of a full account is the operator's word.
func (s *Service) spendMail(ctx context.Context, tx Tx, task *MailTask) (wait time.Duration, err error) {
	payer, recipient := task.Account.ID, strings.ToLower(task.Mail.Recipient)
	if above := task.Account.Parent; above != nil {
		payer = *above
	} else if strings.EqualFold(recipient, task.Account.Email) {
		return 0, nil
	}
	var allowances []Allowance
	if most := s.Frequencies.MailsPerAccount; most > 0 {
		allowances = append(allowances, Allowance{Key: "mails of " + string(payer), Size: most})
	}
	if most := s.Frequencies.MailsPerReceiver; most > 0 {
		sum := sha256.Sum256([]byte(recipient))
		allowances = append(allowances, Allowance{Key: "mails to " + hex.EncodeToString(sum[:]), Size: most})
	}
	if len(allowances) == 0 {
		return 0, nil
	}
	return tx.Spend(ctx, s.Clock.Now(), allowances...)
}

// holdMail puts a mail off that comes too soon after others, and completes its job. It is no attempt.
func (s *Service) holdMail(ctx context.Context, tx Tx, m *Mail, wait time.Duration) error {
	now := s.Clock.Now()
	next := now.Add(wait)
	m.Problem, m.NextAttemptAt, m.UpdatedAt = "It is held back: the account has sent many mails, or the address has had many, within an hour.", &next, now
	if err := tx.UpdateMail(ctx, m); err != nil {
		return err
	}
	if err := tx.EnqueueMail(ctx, MailJob{Account: m.Account, Mail: m.ID, At: next}); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}
