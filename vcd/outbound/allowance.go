package outbound

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"afterimage/vcd"
)

// spendMail spends the allowance for a mail to somebody who may not have asked for it: addresses of subaccounts and those in
// settings are never confirmed by their owners. The operator vouches for the address of a full account.
func (s *Service) spendMail(ctx context.Context, tx allowanceStore, task *MailTask) (wait time.Duration, err error) {
	payer, recipient := task.Account.ID, strings.ToLower(task.Mail.Recipient)
	if above := task.Account.Parent; above != nil {
		payer = *above
	} else if strings.EqualFold(recipient, task.Account.Email) {
		return 0, nil
	}
	var allowances []vcd.Allowance
	if most := s.frequencies.MailsPerAccount; most > 0 {
		allowances = append(allowances, vcd.Allowance{Key: "mails of " + string(payer), Size: most})
	}
	if most := s.frequencies.MailsPerReceiver; most > 0 {
		sum := sha256.Sum256([]byte(recipient))
		allowances = append(allowances, vcd.Allowance{Key: "mails to " + hex.EncodeToString(sum[:]), Size: most})
	}
	if len(allowances) == 0 {
		return 0, nil
	}
	return tx.Spend(ctx, s.clock.Now(), allowances...)
}

// holdMail postpones a mail that exceeds the allowance, and completes its job. It does not count as an attempt.
func (s *Service) holdMail(ctx context.Context, tx MailTx, m *vcd.Mail, wait time.Duration) error {
	now := s.clock.Now()
	next := now.Add(wait)
	m.Problem, m.NextAttemptAt, m.UpdatedAt = "Delayed by a rate limit: the account has sent, or the address has received, "+
		"many mails within an hour.", &next, now
	if err := tx.UpdateMail(ctx, m); err != nil {
		return err
	}
	if err := tx.EnqueueMail(ctx, vcd.MailJob{Account: m.Account, Mail: m.ID, At: next}); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}
